#include "pls.h"
#include "../linalg/product.h"
#include <string.h>

/* Deviations that are at most this fraction of the mean are rounding: the column is constant. */
static const double rounding = 1e-13;

/* Rows of X or Y, centered, scaled and multiplied by sqrt(w). `source` has the columns of the block. */
static mn_status prepare(mn_context *ctx, const mn_data *data, const double *source, const double *mean, double total,
                         bool scale, mn_pls_block *b)
{
  const size_t n = data->rows, p = b->cols;
  mn_pls_side *side = b->side;
  double *square = MN_NEW(ctx, double, p, 1);
  b->at = MN_RAW(ctx, double, n, p);
  if (!square || !b->at) return MN_NO_MEMORY;
  MN_TRY(mn_vector_init(ctx, &side->mean, p));
  MN_TRY(mn_vector_init(ctx, &side->scale, p));
  memcpy(side->mean.at, mean, p * sizeof *mean);
  for (size_t i = 0; i < n; i++) {
    const double root = sqrt(mn_weight(data, i));
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++) {
      const double z = root * (source[i * p + j] - mean[j]);
      b->at[i * p + j] = z;
      square[j] += z * z;
    }
  }
  double *factor = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(factor);
  for (size_t j = 0; j < p; j++) {
    const bool constant = !(sqrt(square[j] / total) > rounding * fabs(mean[j]));
    side->scale.at[j] = scale && !constant ? sqrt(square[j] / (total - 1)) : 1;
    factor[j] = constant ? 0 : 1 / side->scale.at[j];
    b->square += square[j] * factor[j] * factor[j];
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) b->at[i * p + j] *= factor[j];
  return MN_OK;
}

/* Models without predictions have weights only. */
static mn_status init_side(mn_context *ctx, const mn_pls *m, mn_pls_side *side, size_t cols, size_t k)
{
  MN_TRY(mn_matrix_init(ctx, &side->weights, cols, k));
  if (!m->linear.base.class->predict) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, &side->loadings, cols, k));
  MN_TRY(mn_matrix_init(ctx, &side->rotations, cols, k));
  return mn_vector_init(ctx, &side->explained, k);
}

size_t mn_pls_shortest(const mn_data *data)
{
  const size_t shorter = data->rows < data->features ? data->rows : data->features;
  return shorter < data->y.cols ? shorter : data->y.cols;
}

mn_status mn_pls_start(mn_context *ctx, mn_pls *m, const mn_data *data, size_t max_components, mn_pls_work *s)
{
  const char *name = m->linear.base.class->name;
  const size_t p = data->features, q = data->y.cols, wanted = m->n_components == MN_UNSET ? 2 : (size_t)m->n_components;
  if (data->rows < 2) return mn_fail(ctx, MN_BAD_DATA, "%s: X must have at least 2 rows, got %zu", name, data->rows);
  *s = (mn_pls_work){ .m = m, .rows = data->rows, .k = wanted < max_components ? wanted : max_components };
  s->x = (mn_pls_block){ .cols = p, .side = &m->x };
  s->y = (mn_pls_block){ .cols = q, .side = &m->y };
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  double *mean = MN_NEW(ctx, double, p + q, 1);
  MN_CHECK_ALLOC(mean);
  MN_TRY(mn_linear_means(ctx, data, mean, &s->total));
  char number[MN_NUMBER_SIZE];
  if (!(s->total > 1))
    return mn_fail(ctx, MN_BAD_DATA, "%s: the sample weights must sum to more than 1, got %s", name,
                   mn_format_number(number, s->total));
  MN_TRY(prepare(ctx, data, data->x.at, mean, s->total, m->scale, &s->x));
  MN_TRY(prepare(ctx, data, data->y.at, mean + p, s->total, m->scale, &s->y));
  MN_TRY(init_side(ctx, m, &m->x, p, s->k));
  return init_side(ctx, m, &m->y, q, s->k);
}

mn_status mn_pls_predictor(mn_context *ctx, mn_pls *m)
{
  const size_t p = m->x.mean.size, q = m->y.mean.size, k = m->x.rotations.cols;
  MN_TRY(mn_linear_init(ctx, &m->linear, q, p));
  MN_TRY(mn_gemm(ctx, false, true, q, p, k, 1, m->y.loadings.at, k, m->x.rotations.at, k, 0, m->linear.coef.at, p));
  for (size_t t = 0; t < q; t++) {
    double *coef = mn_row(&m->linear.coef, t), intercept = m->y.mean.at[t];
    for (size_t j = 0; j < p; j++) {
      coef[j] *= m->y.scale.at[t] / m->x.scale.at[j];
      intercept -= coef[j] * m->x.mean.at[j];
    }
    m->linear.intercept.at[t] = intercept;
  }
  return MN_OK;
}

static void reverse(mn_matrix *m, size_t c)
{
  for (size_t j = 0; j < m->rows; j++) m->at[j * m->cols + c] = -m->at[j * m->cols + c];
}

void mn_pls_fix_signs(mn_pls *m)
{
  const mn_matrix *w = &m->x.weights;
  for (size_t c = 0; c < w->cols; c++) {
    size_t largest = 0;
    for (size_t j = 1; j < w->rows; j++)
      if (fabs(mn_row(w, j)[c]) > fabs(mn_row(w, largest)[c])) largest = j;
    if (!(mn_row(w, largest)[c] < 0)) continue;
    mn_matrix *all[] = {
      &m->x.weights, &m->x.loadings, &m->x.rotations, &m->y.weights, &m->y.loadings, &m->y.rotations
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) reverse(all[i], c);
  }
}

#include "qr_accumulator.h"
#include "../linalg/csr.h"
#include "../factorization/lapack.h"
#include <string.h>

/* Copy [X y] into one dense matrix and compute its weighted means; *total is the sum of the weights. */
static mn_status gather(mn_context *ctx, const mn_data *data, double **rows, double *mean, double *total)
{
  const size_t p = data->features, q = data->y.cols, both = p + q;
  mn_matrix dense = data->x;
  *rows = MN_RAW(ctx, double, data->rows, both);
  MN_CHECK_ALLOC(*rows);
  if (data->sparse) {
    dense = (mn_matrix){ .at = MN_NEW(ctx, double, data->rows, p), .rows = data->rows, .cols = p };
    MN_CHECK_ALLOC(dense.at);
    mn_csr_to_dense(data->sparse, &dense);
  }
  *total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    double *row = *rows + i * both;
    memcpy(row, dense.at + i * p, p * sizeof *row);
    memcpy(row + p, data->y.at + i * q, q * sizeof *row);
    const double w = mn_weight(data, i);
    *total += w;
    for (size_t j = 0; j < both; j++) mean[j] += w / *total * (row[j] - mean[j]);
  }
  return MN_OK;
}

/* R of the matrix that stacks two triangular factors (`other` may be NULL) and one row. */
static mn_status stack(mn_context *ctx, size_t order, const double *one, const double *other, const double *row,
                       double *out)
{
  const size_t n = 2 * order + 1, size = order * order;
  double *rows = MN_RAW(ctx, double, n, order);
  MN_CHECK_ALLOC(rows);
  memcpy(rows, one, size * sizeof *rows);
  if (other)
    memcpy(rows + size, other, size * sizeof *rows);
  else
    memset(rows + size, 0, size * sizeof *rows);
  memcpy(rows + 2 * size, row, order * sizeof *rows);
  const mn_rows problem = { .n = n, .p = order, .x = rows };
  return mn_tall_qr(ctx, &problem, out, NULL, NULL);
}

mn_status mn_qr_accumulator_add(mn_context *ctx, mn_qr_accumulator *s, const mn_data *data)
{
  const size_t both = data->features + data->y.cols;
  double *rows, *mean = MN_NEW(ctx, double, both, 1), *triangle = MN_RAW(ctx, double, both, both), n;
  if (!mean || !triangle) return MN_NO_MEMORY;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(gather(ctx, data, &rows, mean, &n));
  const mn_rows batch = { .n = data->rows, .p = both, .x = rows, .weights = data->weights, .x_center = mean };
  MN_TRY(mn_tall_qr(ctx, &batch, triangle, NULL, NULL));
  mn_scratch_release(ctx, mark);
  if (!s->r.at) {
    MN_TRY(mn_matrix_init(ctx, &s->r, both, both));
    MN_TRY(mn_vector_init(ctx, &s->mean, both));
    MN_TRY(mn_vector_init(ctx, &s->total, 1));
    memcpy(s->r.at, triangle, both * both * sizeof *triangle);
    memcpy(s->mean.at, mean, both * sizeof *mean);
    s->total.at[0] = n;
    return MN_OK;
  }
  const double before = s->total.at[0], total = before + n, share = n / total, root = sqrt(before * share);
  for (size_t j = 0; j < both; j++) {
    const double difference = mean[j] - s->mean.at[j];
    s->mean.at[j] += share * difference;
    mean[j] = root * difference;
  }
  s->total.at[0] = total;
  return stack(ctx, both, s->r.at, triangle, mean, s->r.at);
}

mn_status mn_qr_accumulator_problem(mn_context *ctx, const mn_qr_accumulator *s, size_t p, size_t q, bool centered,
                                    double *r, double *qty, double *rss, double *tss)
{
  const size_t both = p + q;
  const double *triangle = s->r.at;
  if (!centered) { /* add the mean row, weighted by the number of rows */
    double *uncentered = MN_RAW(ctx, double, both, both), *row = MN_RAW(ctx, double, both, 1);
    if (!uncentered || !row) return MN_NO_MEMORY;
    for (size_t j = 0; j < both; j++) row[j] = sqrt(s->total.at[0]) * s->mean.at[j];
    MN_TRY(stack(ctx, both, triangle, NULL, row, uncentered));
    triangle = uncentered;
  }
  for (size_t i = 0; i < p; i++) {
    memcpy(r + i * p, triangle + i * both, p * sizeof *r);
    memcpy(qty + i * q, triangle + i * both + p, q * sizeof *qty);
  }
  for (size_t t = 0; t < q; t++) {
    rss[t] = tss[t] = 0;
    for (size_t i = 0; i <= p + t; i++) {
      const double square = triangle[i * both + p + t] * triangle[i * both + p + t];
      tss[t] += square;
      rss[t] += i < p ? 0 : square;
    }
  }
  return MN_OK;
}

bool mn_qr_accumulator_is_valid(const mn_qr_accumulator *s, size_t p, size_t q)
{
  if (!s->r.at && !s->mean.at && !s->total.at) return true;
  return s->r.at && s->r.rows == p + q && s->r.cols == p + q && s->mean.size == p + q && s->total.size == 1 &&
         s->total.at[0] > 0 && s->total.at[0] < INFINITY;
}

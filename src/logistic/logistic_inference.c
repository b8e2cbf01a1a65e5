/* Standard errors of logistic regression without a penalty, from the inverse of the Fisher information.
 *
 * For K classes only differences of coefficients are determined, so the coefficients are those of the classes 2 .. K
 * minus those of class 1. With p_ia the probability of class a in row i, block (a, b) of the information is
 *
 *     sum_i w_i p_ia ([a = b] - p_ib) [1 x_i]' [1 x_i]
 *
 * McCullagh & Nelder, Generalized Linear Models, 2nd ed. (1989), section 5.2. */
#include "logistic_model.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../linear/scaled_columns.h"
#include <string.h>

enum { BLOCK_ROWS = 4096 };

struct information {
  const mn_data *data;
  mn_scaled_columns columns;
  size_t k, blocks;         /* coefficients of a class; classes without the first */
  mn_matrix log_proba;      /* rows x classes                                     */
  double *at;               /* (k blocks) x (k blocks)                            */
  double *z, *weight, *sum; /* BLOCK_ROWS x k; BLOCK_ROWS; k x k                  */
};

/* Add a block of rows to block (a, b) of the information; classes a <= b are counted from 1. */
static mn_status add_rows(mn_context *ctx, struct information *f, size_t first, size_t count, size_t a, size_t b)
{
  const size_t k = f->k, q = k * f->blocks;
  for (size_t i = 0; i < count; i++) {
    const double *log_proba = mn_row(&f->log_proba, first + i), pa = exp(log_proba[a]);
    f->weight[i] = mn_weight(f->data, first + i) * pa * (a == b ? -expm1(log_proba[a]) : exp(log_proba[b]));
  }
  MN_TRY(mn_syrk(ctx, count, k, f->z, k, f->weight, NULL, f->sum, k));
  double *to = f->at + (b - 1) * k * q + (a - 1) * k; /* in the lower triangle */
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) to[i * q + j] += a == b ? f->sum[i * k + j] : -f->sum[i * k + j];
  return MN_OK;
}

static mn_status accumulate(mn_context *ctx, struct information *f)
{
  const size_t n = f->data->rows;
  double *buffer = MN_RAW(ctx, double, f->data->features, 1);
  f->at = MN_NEW(ctx, double, f->k * f->blocks, f->k * f->blocks);
  f->z = MN_RAW(ctx, double, n < BLOCK_ROWS ? n : BLOCK_ROWS, f->k);
  f->weight = MN_RAW(ctx, double, BLOCK_ROWS, 1);
  f->sum = MN_RAW(ctx, double, f->k, f->k);
  if (!buffer || !f->at || !f->z || !f->weight || !f->sum) return MN_NO_MEMORY;
  for (size_t first = 0; first < n; first += BLOCK_ROWS) {
    const size_t count = n - first < BLOCK_ROWS ? n - first : BLOCK_ROWS;
    MN_TRY(mn_poll(ctx));
    mn_scaled_rows(&f->columns, f->data, first, count, buffer, f->z);
    for (size_t b = 1; b <= f->blocks; b++)
      for (size_t a = 1; a <= b; a++) MN_TRY(add_rows(ctx, f, first, count, a, b));
  }
  return MN_OK;
}

/* v = inv(information), through its correlation form; NaN if it is singular. */
static mn_status invert(mn_context *ctx, const struct information *f, double *v)
{
  const size_t q = f->k * f->blocks;
  double *scale = MN_RAW(ctx, double, q, 1), rcond = 0;
  size_t minor;
  MN_CHECK_ALLOC(scale);
  for (size_t i = 0; i < q; i++) scale[i] = f->at[i * q + i] > 0 ? 1 / sqrt(f->at[i * q + i]) : 0;
  for (size_t i = 0; i < q; i++)
    for (size_t j = 0; j <= i; j++) v[i * q + j] = f->at[i * q + j] * scale[i] * scale[j];
  MN_TRY(mn_chol_try(ctx, q, v, &rcond, &minor));
  if (minor > 0 || !(rcond > 100 * DBL_EPSILON)) {
    for (size_t i = 0; i < q * q; i++) v[i] = (double)NAN;
    return MN_OK;
  }
  MN_TRY(mn_chol_inverse(ctx, q, v));
  for (size_t i = 0; i < q; i++)
    for (size_t j = 0; j < q; j++) v[i * q + j] *= scale[i] * scale[j];
  mn_unscale_covariance(&f->columns, f->blocks, v);
  return MN_OK;
}

static mn_status likelihood(mn_context *ctx, const struct mn_logistic *m, const mn_data *data,
                            const mn_matrix *log_proba, double *figure)
{
  double *count = MN_NEW(ctx, double, data->classes, 1);
  MN_CHECK_ALLOC(count);
  for (size_t i = 0; i < data->rows; i++) {
    const double w = mn_weight(data, i);
    figure[MN_LOGISTIC_LOGLIK] += w * mn_row(log_proba, i)[data->code[i]];
    figure[MN_LOGISTIC_TOTAL] += w;
    count[data->code[i]] += w;
  }
  for (size_t c = 0; c < data->classes; c++) {
    const double share = m->fit_intercept ? count[c] / figure[MN_LOGISTIC_TOTAL] : 1 / (double)data->classes;
    if (count[c] > 0) figure[MN_LOGISTIC_NULL_LOGLIK] += count[c] * log(share);
  }
  return MN_OK;
}

mn_status mn_logistic_inference(mn_context *ctx, struct mn_logistic *m, const mn_data *data)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct information f = { .data = data, .blocks = data->classes - 1 };
  f.k = data->features + m->fit_intercept;
  const size_t q = f.k * f.blocks;
  if (!m->std_errors || q == 0 || q > MN_LOGISTIC_MAX_INFERENCE) return MN_OK;
  f.log_proba = (mn_matrix){ .rows = data->rows, .cols = data->classes };
  f.log_proba.at = MN_NEW(ctx, double, data->rows, data->classes);
  MN_CHECK_ALLOC(f.log_proba.at);
  MN_TRY(mn_linear_log_proba(ctx, m, data, &f.log_proba));
  MN_TRY(mn_vector_init(ctx, &m->figures, MN_LOGISTIC_FIGURES));
  MN_TRY(likelihood(ctx, m, data, &f.log_proba, m->figures.at));
  MN_TRY(mn_scaled_columns_init(ctx, data, m->fit_intercept, &f.columns));
  MN_TRY(accumulate(ctx, &f));
  MN_TRY(mn_matrix_init(ctx, &m->covariance, q, q));
  MN_TRY(invert(ctx, &f, m->covariance.at));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

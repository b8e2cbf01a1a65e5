#include "whitening.h"
#include "../decomposition/components.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include <float.h>
#include <math.h>
#include <string.h>

const char *const mn_whitening_solvers[] = { "auto", "eigh", "svd", NULL };

/* Variances below this fraction of the largest have lost half of their digits in the scatter matrix. */
static const double smallest_share = 1e-8;

/* Scale the unit vectors by 1 / standard deviation, as far as variances are not rounding error. */
static void scale_vectors(size_t count, size_t p, double tolerance, const double *variance, double *vectors,
                          mn_whitening *out)
{
  out->rank = 0;
  mn_fix_signs(count, p, vectors);
  while (out->rank < count && variance[out->rank] > tolerance * variance[0] && variance[out->rank] > 0) {
    const double deviation = sqrt(variance[out->rank]);
    for (size_t j = 0; j < p; j++) out->matrix[out->rank * p + j] = vectors[out->rank * p + j] / deviation;
    out->rank++;
  }
}

/* *precise: whether all variances that are not rounding error can be trusted. */
static mn_status whiten_covariance(mn_context *ctx, const mn_data *data, size_t limit, mn_whitening *out, bool *precise)
{
  const size_t p = data->features;
  double *scatter = MN_RAW(ctx, double, p, p), *values = MN_RAW(ctx, double, limit, 1);
  double *vectors = MN_RAW(ctx, double, limit, p);
  if (!scatter || !values || !vectors) return MN_NO_MEMORY;
  MN_TRY(
      mn_gram(ctx, data->rows, p, data->x.at, p, 0, NULL, 0, data->weights, true, &out->total, out->mean, scatter, p));
  for (size_t i = 0; i < p * p; i++) scatter[i] /= out->total;
  MN_TRY(mn_eigh(ctx, p, limit, MN_LARGEST, scatter, values, vectors));
  *precise = values[limit - 1] > smallest_share * values[0];
  scale_vectors(limit, p, (double)p * 16 * DBL_EPSILON, values, vectors, out);
  return MN_OK;
}

static mn_status whiten_rows(mn_context *ctx, const mn_data *data, size_t limit, mn_whitening *out)
{
  const size_t n = data->rows, p = data->features, rank = n < p ? n : p;
  double *rows = MN_RAW(ctx, double, n, p), *values = MN_RAW(ctx, double, rank, 1);
  double *vectors = MN_RAW(ctx, double, rank, p);
  if (!rows || !values || !vectors) return MN_NO_MEMORY;
  memset(out->mean, 0, p * sizeof *out->mean);
  out->total = 0;
  for (size_t i = 0; i < n; i++) {
    const double w = mn_weight(data, i), *x = mn_row(&data->x, i);
    out->total += w;
    for (size_t j = 0; j < p; j++) out->mean[j] += w / out->total * (x[j] - out->mean[j]);
  }
  for (size_t i = 0; i < n; i++) {
    const double root = sqrt(mn_weight(data, i) / out->total), *x = mn_row(&data->x, i);
    for (size_t j = 0; j < p; j++) rows[i * p + j] = root * (x[j] - out->mean[j]);
  }
  MN_TRY(mn_svd(ctx, n, p, rows, NULL, values, vectors));
  for (size_t c = 0; c < rank; c++) values[c] *= values[c];
  const double rounding = 16 * (double)(n > p ? n : p) * DBL_EPSILON;
  scale_vectors(limit < rank ? limit : rank, p, rounding * rounding, values, vectors, out);
  return MN_OK;
}

mn_status mn_whiten(mn_context *ctx, const mn_data *data, mn_whitening_solver solver, size_t limit, mn_whitening *out)
{
  const size_t p = data->features;
  bool precise = false;
  out->mean = MN_NEW(ctx, double, p, 1);
  out->matrix = MN_NEW(ctx, double, limit, p);
  if (!out->mean || !out->matrix) return MN_NO_MEMORY;
  const mn_mark mark = mn_scratch_mark(ctx);
  if (solver == MN_WHITEN_EIGH || (solver == MN_WHITEN_AUTO && data->rows >= 10 * p)) {
    MN_TRY(whiten_covariance(ctx, data, limit, out, &precise));
    precise = precise || solver == MN_WHITEN_EIGH;
  }
  if (!precise) MN_TRY(whiten_rows(ctx, data, limit, out));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_whitened_rows(mn_context *ctx, const mn_data *data, size_t k, const double *matrix, const double *mean,
                           double *z)
{
  enum { ROWS = 1024 };
  const size_t n = data->rows, p = data->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *centered = matrix ? MN_RAW(ctx, double, ROWS, p) : NULL;
  if (matrix) MN_CHECK_ALLOC(centered);
  for (size_t from = 0; from < n; from += ROWS) {
    const size_t count = n - from < ROWS ? n - from : ROWS;
    double *to = matrix ? centered : z + from * p;
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < p; j++) to[i * p + j] = mn_row(&data->x, from + i)[j] - mean[j];
    if (matrix) MN_TRY(mn_gemm(ctx, false, true, count, k, p, 1, to, p, matrix, p, 0, z + from * k, k));
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

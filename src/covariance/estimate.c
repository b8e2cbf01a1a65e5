/* Location, covariance, precision and what follows from them. The log density is that of N(location, covariance); if
 * the covariance is singular, within the subspace that it spans. */
#include "estimate.h"
#include "../core/threads.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/program.h"
#include "../stats/special.h"
#include <string.h>

mn_status mn_sample_covariance(mn_context *ctx, const mn_data *data, bool assume_centered, double *location,
                               double *covariance, double *total)
{
  const size_t p = data->features;
  double weight;
  MN_TRY(mn_gram(ctx, data->rows, p, data->x.at, p, 0, NULL, 0, data->weights, !assume_centered, &weight, location,
                 covariance, p));
  if (assume_centered) memset(location, 0, p * sizeof *location);
  for (size_t i = 0; i < p * p; i++) covariance[i] /= weight;
  if (total) *total = weight;
  return MN_OK;
}

/* The inverse by Cholesky factorization of the correlations, so that units do not matter. *singular: there is none. */
static mn_status invert(mn_context *ctx, mn_covariance_estimate *m, bool *singular)
{
  const size_t p = m->covariance.rows;
  double *chol = m->precision.at, *deviation = MN_RAW(ctx, double, p, 1), rcond;
  size_t minor;
  MN_CHECK_ALLOC(deviation);
  *singular = false;
  for (size_t j = 0; j < p; j++) {
    deviation[j] = sqrt(m->covariance.at[j * p + j]);
    *singular = *singular || !(deviation[j] > 0);
  }
  if (*singular) return MN_OK;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) chol[i * p + j] = m->covariance.at[i * p + j] / deviation[i] / deviation[j];
  MN_TRY(mn_chol_try(ctx, p, chol, &rcond, &minor));
  *singular = minor > 0 || rcond < 4 * (double)p * DBL_EPSILON;
  if (*singular) return MN_OK;
  m->log_det = mn_chol_logdet(p, chol);
  m->rank = (int64_t)p;
  MN_TRY(mn_chol_inverse(ctx, p, chol));
  for (size_t j = 0; j < p; j++) m->log_det += 2 * log(deviation[j]);
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) m->precision.at[i * p + j] /= deviation[i] * deviation[j];
  return MN_OK;
}

/* The pseudoinverse, from the eigenvalues that are not rounding error. */
static mn_status pseudoinvert(mn_context *ctx, mn_covariance_estimate *m)
{
  const size_t p = m->covariance.rows;
  double *work = MN_RAW(ctx, double, p, p), *values = MN_RAW(ctx, double, p, 1), *vectors = MN_RAW(ctx, double, p, p);
  if (!work || !values || !vectors) return MN_NO_MEMORY;
  memcpy(work, m->covariance.at, p * p * sizeof *work);
  MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, work, values, vectors));
  m->log_det = 0;
  m->rank = 0;
  for (size_t c = 0; c < p; c++) {
    if (!(values[c] > 16 * (double)p * DBL_EPSILON * values[0])) break;
    m->rank++;
    m->log_det += log(values[c]);
    for (size_t j = 0; j < p; j++) vectors[c * p + j] /= sqrt(values[c]);
  }
  return mn_gemm(ctx, true, false, p, p, (size_t)m->rank, 1, vectors, p, vectors, p, 0, m->precision.at, p);
}

static mn_status make_room(mn_context *ctx, mn_covariance_estimate *m, const double *location, const double *covariance)
{
  const size_t p = m->base.n_features;
  MN_TRY(mn_matrix_init(ctx, &m->covariance, p, p));
  MN_TRY(mn_matrix_init(ctx, &m->precision, p, p));
  MN_TRY(mn_vector_init(ctx, &m->location, p));
  memcpy(m->location.at, location, p * sizeof *location);
  memcpy(m->covariance.at, covariance, p * p * sizeof *covariance);
  return MN_OK;
}

mn_status mn_store_covariance(mn_context *ctx, mn_covariance_estimate *m, const double *location,
                              const double *covariance)
{
  bool singular;
  MN_TRY(make_room(ctx, m, location, covariance));
  MN_TRY(invert(ctx, m, &singular));
  return singular ? pseudoinvert(ctx, m) : MN_OK;
}

mn_status mn_store_precision(mn_context *ctx, mn_covariance_estimate *m, const double *location,
                             const double *covariance, const double *precision)
{
  const size_t p = m->base.n_features;
  double *chol = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(chol);
  MN_TRY(make_room(ctx, m, location, covariance));
  memcpy(m->precision.at, precision, p * p * sizeof *precision);
  memcpy(chol, precision, p * p * sizeof *chol);
  MN_TRY(mn_chol(ctx, p, chol, NULL));
  m->log_det = -mn_chol_logdet(p, chol);
  m->rank = (int64_t)p;
  return MN_OK;
}

struct distances {
  size_t p;
  const double *x, *location, *precision;
  double *space, *out; /* space: p for each worker */
  mn_blocks blocks;
};

static void distance_block(void *work, size_t block, size_t worker)
{
  const struct distances *d = work;
  const size_t p = d->p;
  double *z = d->space + worker * p;
  for (size_t i = mn_block_begin(&d->blocks, block); i < mn_block_end(&d->blocks, block); i++) {
    double sum = 0;
    for (size_t j = 0; j < p; j++) z[j] = d->x[i * p + j] - d->location[j];
    for (size_t j = 0; j < p; j++) sum += z[j] * mn_ordered_dot(p, z, d->precision + j * p);
    d->out[i] = sum > 0 ? sum : 0;
  }
}

mn_status mn_mahalanobis(mn_context *ctx, size_t n, size_t p, const double *x, const double *location,
                         const double *precision, double *out)
{
  struct distances d = { p, x, location, precision, MN_RAW(ctx, double, mn_threads(ctx), p), out, { 0 } };
  MN_CHECK_ALLOC(d.space);
  d.blocks = mn_make_blocks(n, 256, SIZE_MAX);
  return mn_parallel(ctx, d.blocks.count, distance_block, &d);
}

static double log_density_at_location(const mn_covariance_estimate *m)
{
  return -((double)m->rank * MN_LOG_2PI + m->log_det) / 2;
}

mn_status mn_covariance_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_covariance_estimate *m = self;
  const double start = log_density_at_location(m);
  MN_TRY(mn_mahalanobis(ctx, data->rows, data->features, data->x.at, m->location.at, m->precision.at, out->at));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = start - out->at[i] / 2;
  return MN_OK;
}

mn_status mn_covariance_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const mn_covariance_estimate *m = self;
  if (action != MN_SCORE_SAMPLES) return MN_OK;
  mn_program_reals(program, "location", m->location.size, m->location.at);
  mn_program_reals(program, "precision", m->precision.rows * m->precision.cols, m->precision.at);
  mn_program_real(program, "start", log_density_at_location(m));
  mn_program_code(program, "reals z[features] real sum = 0.0"
                           " for j < features { z[j] = x[j] - location[j] }"
                           " for j < features { sum += z[j] * dot(features, z, 0, precision, j * features) }"
                           " out[0] = start - (sum > 0 ? sum : 0.0) / 2");
  return MN_OK;
}

static mn_status mahalanobis(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)options;
  const mn_covariance_estimate *m = self;
  mn_vector *out;
  MN_TRY(mn_result_vector(ctx, results, "mahalanobis", data->rows, &out));
  return mn_mahalanobis(ctx, data->rows, data->features, data->x.at, m->location.at, m->precision.at, out->at);
}

const mn_operation mn_covariance_operations[] = {
  { .name = "mahalanobis",
    .brief = "squared Mahalanobis distance of each row of X from the location",
    .returns = "Vector: rows",
    .needs = MN_NEEDS_X,
    .run = mahalanobis },
  { .name = NULL },
};

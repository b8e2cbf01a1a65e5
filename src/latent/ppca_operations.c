/* Operations of ProbabilisticPCA: the covariance of the model, missing values, samples. */
#include "../core/rng.h"
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "probabilistic_pca.h"
#include <string.h>

mn_status mn_ppca_of(mn_context *ctx, const struct probabilistic_pca *m, mn_ppca *f, mn_ppca_posterior *posterior)
{
  const size_t k = m->components.rows, p = m->components.cols;
  double *state = MN_RAW(ctx, double, mn_ppca_size(p, k), 1), *space = MN_RAW(ctx, double, 2 * k + 2, k);
  if (!state || !space) return MN_NO_MEMORY;
  *f = mn_ppca_view(p, k, state);
  *posterior = mn_ppca_posterior_view(k, space);
  memcpy(f->mean, m->mean.at, p * sizeof *f->mean);
  *f->noise = m->noise_variance;
  for (size_t c = 0; c < k; c++) {
    const double length = sqrt(fmax(m->explained_variance.at[c] - m->noise_variance, 0));
    for (size_t j = 0; j < p; j++) f->w[j * k + c] = length * mn_row(&m->components, c)[j];
  }
  return MN_OK;
}

static mn_status covariance(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  (void)data, (void)options;
  mn_ppca f;
  mn_ppca_posterior posterior;
  mn_matrix *out;
  MN_TRY(mn_ppca_of(ctx, self, &f, &posterior));
  MN_TRY(mn_result_matrix(ctx, results, "covariance", f.p, f.p, &out));
  MN_TRY(mn_gemm(ctx, false, true, f.p, f.p, f.k, 1, f.w, f.k, f.w, f.k, 0, out->at, f.p));
  for (size_t j = 0; j < f.p; j++) mn_row(out, j)[j] += *f.noise;
  return MN_OK;
}

/* Missing values given the observed ones: mean_j + W_j E{z}, with variance W_j cov(z) W_j' + noise. */
static mn_status conditional(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)options;
  mn_ppca f;
  mn_ppca_posterior posterior;
  mn_matrix *mean, *variance;
  MN_TRY(mn_ppca_of(ctx, self, &f, &posterior));
  MN_TRY(mn_result_matrix(ctx, results, "mean", data->rows, f.p, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "variance", data->rows, f.p, &variance));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    memcpy(mn_row(mean, i), x, f.p * sizeof *x);
    if (mn_ppca_is_complete(f.p, x)) continue;
    mn_ppca_row(&f, x, &posterior);
    for (size_t j = 0; j < f.p; j++) {
      const double *w = f.w + j * f.k;
      double value = f.mean[j], spread = *f.noise;
      for (size_t a = 0; a < f.k; a++) {
        value += w[a] * posterior.z[a];
        for (size_t b = 0; b < f.k; b++) spread += w[a] * w[b] * posterior.covariance[a * f.k + b];
      }
      if (!isnan(x[j])) continue;
      mn_row(mean, i)[j] = value;
      mn_row(variance, i)[j] = spread;
    }
  }
  return MN_OK;
}

static mn_status sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data;
  const mn_sample_options *o = options;
  mn_ppca f;
  mn_ppca_posterior posterior;
  mn_matrix *x;
  MN_TRY(mn_ppca_of(ctx, self, &f, &posterior));
  MN_TRY(mn_result_matrix(ctx, results, "X", (size_t)o->n, f.p, &x));
  for (size_t i = 0; i < x->rows; i++) {
    mn_rng rng = mn_stream(o->seed, i);
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    for (size_t c = 0; c < f.k; c++) posterior.z[c] = mn_random_normal(&rng);
    for (size_t j = 0; j < f.p; j++)
      mn_row(x, i)[j] =
          f.mean[j] + sqrt(*f.noise) * mn_random_normal(&rng) + mn_ordered_dot(f.k, f.w + j * f.k, posterior.z);
  }
  return MN_OK;
}

const mn_operation mn_ppca_operations[] = {
  { .name = "covariance",
    .brief = "covariance of the model, W W' + noise I",
    .returns = "Matrix: features x features",
    .run = covariance },
  { .name = "conditional",
    .brief = "mean and variance of the missing values of X given the observed ones, whose variance is 0",
    .returns = "mean (Matrix: rows x features), variance (Matrix: rows x features)",
    .needs = MN_NEEDS_X,
    .run = conditional },
  { .name = "sample",
    .brief = "random rows from the model",
    .returns = "Matrix: rows x features",
    .options = mn_sample_params,
    .options_size = sizeof(mn_sample_options),
    .run = sample },
  { .name = NULL },
};

/* Scores of factors and log densities of a fitted factor analysis. */
#include "factor_analysis.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../stats/special.h"
#include <string.h>

/* What scores and densities need. Columns without variance have no part in them. */
struct posterior {
  double *scores;   /* k x p: inv(inv(Phi) + L inv(Psi) L') L inv(Psi), or Bartlett's     */
  double *whitened; /* k x p: inv(C) L' inv(Psi), with C C' = I + L' inv(Psi) L           */
  double *inverse;  /* p: 1 / psi, or 0                                                   */
  double log_density_at_mean;
};

/* Loadings of uncorrelated factors: R' components, with R R' the correlations of the factors. *root: R, or NULL if they
 * are uncorrelated. */
static mn_status uncorrelated(mn_context *ctx, const struct mn_factor_analysis *m, const double **loadings,
                              const double **root)
{
  const size_t k = m->components.rows, p = m->components.cols;
  *loadings = m->components.at;
  *root = NULL;
  if (!m->factor_correlation.at) return MN_OK;
  double *made = MN_RAW(ctx, double, k, p), *chol = MN_RAW(ctx, double, k, k);
  bool identity = true;
  if (!made || !chol) return MN_NO_MEMORY;
  memcpy(chol, m->factor_correlation.at, k * k * sizeof *chol);
  for (size_t i = 0; i < k * k; i++) identity = identity && chol[i] == (i % (k + 1) == 0);
  if (identity) return MN_OK;
  MN_TRY(mn_chol(ctx, k, chol, NULL));
  *root = chol;
  *loadings = made;
  return mn_gemm(ctx, true, false, k, p, k, 1, chol, k, m->components.at, p, 0, made, p);
}

/* inv(L inv(Psi) L') L inv(Psi). Bartlett, British J. Psychology 28 (1937). */
static mn_status bartlett(mn_context *ctx, const struct mn_factor_analysis *m, const struct posterior *f)
{
  const size_t k = m->components.rows, p = m->components.cols;
  double *system = MN_RAW(ctx, double, k, k), rcond;
  size_t minor;
  MN_CHECK_ALLOC(system);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) f->scores[c * p + j] = m->components.at[c * p + j] * f->inverse[j];
  MN_TRY(mn_gemm(ctx, false, true, k, k, p, 1, f->scores, p, m->components.at, p, 0, system, k));
  MN_TRY(mn_chol_try(ctx, k, system, &rcond, &minor));
  if (minor > 0 || rcond < DBL_EPSILON)
    return mn_fail(ctx, MN_SINGULAR,
                   "FactorAnalysis: Bartlett scores require linearly independent factors; reduce n_components, or use "
                   "scores = \"regression\"");
  return mn_chol_apply(ctx, k, p, system, f->scores);
}

static mn_status find_posterior(mn_context *ctx, const struct mn_factor_analysis *m, struct posterior *f)
{
  const size_t k = m->components.rows, p = m->components.cols;
  double *chol = MN_NEW(ctx, double, k, k);
  const double *loadings, *root;
  f->scores = MN_RAW(ctx, double, k, p);
  f->whitened = MN_RAW(ctx, double, k, p);
  f->inverse = MN_RAW(ctx, double, p, 1);
  if (!chol || !f->scores || !f->whitened || !f->inverse) return MN_NO_MEMORY;
  MN_TRY(uncorrelated(ctx, m, &loadings, &root));
  f->log_density_at_mean = 0;
  for (size_t j = 0; j < p; j++) {
    const double psi = m->noise_variance.at[j];
    f->inverse[j] = psi > 0 ? 1 / psi : 0;
    if (psi > 0) f->log_density_at_mean -= (MN_LOG_2PI + log(psi)) / 2;
    for (size_t c = 0; c < k; c++) f->whitened[c * p + j] = loadings[c * p + j] * f->inverse[j];
  }
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < k; b++)
      chol[a * k + b] = (a == b) + mn_ordered_dot(p, f->whitened + a * p, loadings + b * p);
  MN_TRY(mn_chol(ctx, k, chol, NULL));
  f->log_density_at_mean -= mn_chol_logdet(k, chol) / 2;
  MN_TRY(mn_chol_lower(ctx, k, p, chol, f->whitened));
  if (m->scores == MN_SCORES_BARTLETT) return bartlett(ctx, m, f);
  memcpy(f->scores, f->whitened, k * p * sizeof *f->scores);
  MN_TRY(mn_chol_upper(ctx, k, p, chol, f->scores));
  if (!root) return MN_OK;
  double *turned = MN_RAW(ctx, double, k, p);
  MN_CHECK_ALLOC(turned);
  memcpy(turned, f->scores, k * p * sizeof *turned);
  return mn_gemm(ctx, false, false, k, p, k, 1, root, k, turned, p, 0, f->scores, p);
}

mn_status mn_factor_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_factor_analysis *m = self;
  const size_t p = data->features;
  struct posterior f;
  double *z = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(z);
  MN_TRY(find_posterior(ctx, m, &f));
  for (size_t i = 0; i < data->rows; i++) {
    for (size_t j = 0; j < p; j++) z[j] = mn_row(&data->x, i)[j] - m->mean.at[j];
    for (size_t c = 0; c < out->cols; c++) mn_row(out, i)[c] = mn_ordered_dot(p, z, f.scores + c * p);
  }
  return MN_OK;
}

mn_status mn_factor_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_factor_analysis *m = self;
  const size_t p = data->features;
  struct posterior f;
  double *z = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(z);
  MN_TRY(find_posterior(ctx, m, &f));
  for (size_t i = 0; i < data->rows; i++) {
    double distance = 0;
    for (size_t j = 0; j < p; j++) {
      z[j] = mn_row(&data->x, i)[j] - m->mean.at[j];
      distance += z[j] * z[j] * f.inverse[j];
    }
    for (size_t c = 0; c < m->components.rows; c++) {
      const double score = mn_ordered_dot(p, z, f.whitened + c * p);
      distance -= score * score;
    }
    out->at[i] = f.log_density_at_mean - distance / 2;
  }
  return MN_OK;
}

mn_status mn_factor_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_factor_analysis *m = self;
  const size_t k = m->components.rows, p = m->components.cols;
  struct posterior f;
  if (action != MN_SCORE_SAMPLES && action != MN_TRANSFORM_X) return MN_OK;
  MN_TRY(find_posterior(ctx, m, &f));
  mn_program_reals(program, "mean", p, m->mean.at);
  mn_program_reals(program, "scores", k * p, action == MN_TRANSFORM_X ? f.scores : f.whitened);
  if (action == MN_TRANSFORM_X) {
    mn_program_code(program, "reals z[features] for j < features { z[j] = x[j] - mean[j] }"
                             " for c < outputs { out[c] = 0.0 + dot(features, z, 0, scores, c * features) }");
    return MN_OK;
  }
  mn_program_reals(program, "inverse", p, f.inverse);
  mn_program_count(program, "k", k);
  mn_program_real(program, "start", f.log_density_at_mean);
  mn_program_code(program, "reals z[features] real distance = 0.0"
                           " for j < features { z[j] = x[j] - mean[j] distance += z[j] * z[j] * inverse[j] }"
                           " for c < k {"
                           "   real score = dot(features, z, 0, scores, c * features)"
                           "   distance -= score * score"
                           " }"
                           " out[0] = start - distance / 2");
  return MN_OK;
}

/* Factor analysis: x = mean + L z + e with z ~ N(0, I) and e ~ N(0, diag(psi)), by maximum likelihood.
 *
 * With columns scaled to variance 1, R their correlations and e_1 >= e_2 >= ... the eigenvalues of
 * psi^-1/2 R psi^-1/2, the best L for given psi is known, which leaves a function of psi alone:
 *
 *     Q(psi) = sum_j log psi_j + sum_{j <= k} (log e_j + 1) + sum_{j > k} e_j
 *     dQ / dpsi = diag(L L' + Psi - R) / psi^2
 *
 * (log e_j + 1 where e_j > 1, else e_j.) Joreskog, Psychometrika 32 (1967); Lawley & Maxwell (1971). */
#include "factor_analysis.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../optim/bounded_bfgs.h"
#include "../stats/special.h"
#include <stdio.h>
#include <string.h>

struct problem {
  mn_context *ctx;
  struct mn_factor_analysis *m;
  size_t p, k;
  double *r;                /* p x p: correlations                       */
  double *scaled, *vectors; /* p x p: workspace                          */
  double *values;           /* p                                         */
  double *loadings;         /* k x p: of the psi that was evaluated last */
};

/* Q, its gradient, and the loadings. */
static double evaluate(void *problem, const double *psi, double *gradient)
{
  struct problem *s = problem;
  const size_t p = s->p;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) s->scaled[i * p + j] = s->r[i * p + j] / sqrt(psi[i] * psi[j]);
  if (mn_eigh(s->ctx, p, p, MN_LARGEST, s->scaled, s->values, s->vectors)) return NAN;
  double q = 0;
  for (size_t c = 0; c < p; c++) q += c < s->k && s->values[c] > 1 ? log(s->values[c]) + 1 : s->values[c];
  for (size_t j = 0; j < p; j++) {
    double explained = 0;
    for (size_t c = 0; c < s->k; c++) {
      const double loading = sqrt(fmax(s->values[c] - 1, 0) * psi[j]) * s->vectors[c * p + j];
      s->loadings[c * p + j] = loading;
      explained += loading * loading;
    }
    q += log(psi[j]);
    gradient[j] = (explained + psi[j] - s->r[j * p + j]) / (psi[j] * psi[j]);
  }
  return q;
}

static bool note(void *problem, double objective)
{
  struct problem *s = problem;
  return mn_round(s->ctx, &s->m->base.report, s->m->max_iter, objective);
}

/* The start of Joreskog, (1 - k / 2p) / diag(inv(R)), or a half if R is singular; log det R, or NaN. */
static mn_status start(struct problem *s, double *psi, double *log_det)
{
  const size_t p = s->p;
  double rcond;
  size_t minor;
  memcpy(s->scaled, s->r, p * p * sizeof *s->r);
  MN_TRY(mn_chol_try(s->ctx, p, s->scaled, &rcond, &minor));
  *log_det = NAN;
  for (size_t j = 0; j < p; j++) psi[j] = 0.5;
  if (minor || rcond < 1e-12) return MN_OK;
  *log_det = mn_chol_logdet(p, s->scaled);
  MN_TRY(mn_chol_inverse(s->ctx, p, s->scaled));
  for (size_t j = 0; j < p; j++) psi[j] = (1 - 0.5 * (double)s->k / (double)p) / s->scaled[j * p + j];
  return MN_OK;
}

static mn_status minimize(struct problem *s, double *psi, double *q)
{
  struct mn_factor_analysis *m = s->m;
  double *bounds = MN_RAW(s->ctx, double, 3, s->p);
  MN_CHECK_ALLOC(bounds);
  for (size_t j = 0; j < s->p; j++) {
    bounds[j] = m->lower;
    bounds[s->p + j] = 1;
  }
  const mn_bounded_options options = {
    .low = bounds, .high = bounds + s->p, .max_iter = (size_t)m->max_iter, .gradient_tolerance = m->tol, .note = note
  };
  mn_lbfgs_report report;
  MN_TRY(mn_bounded_bfgs(s->ctx, s->p, psi, evaluate, s, &options, &report));
  *q = evaluate(s, psi, bounds + 2 * s->p); /* the loadings of the best point */
  MN_TRY(mn_error_status(s->ctx));
  if (report.n_iter == 0) note(s, *q);
  MN_TRY(mn_error_status(s->ctx));
  m->base.report.converged = report.converged;
  m->base.report.change = report.gradient_norm;
  return MN_OK;
}

/* Bartlett's test that k factors suffice. */
static void test_fit(struct mn_factor_analysis *m, size_t p, size_t k, double discrepancy)
{
  const double d = (double)p - (double)k, df = (d * d - (double)p - (double)k) / 2;
  m->degrees_of_freedom = (int64_t)df;
  m->chi_squared = (m->n - 1 - (2 * (double)p + 5) / 6 - 2 * (double)k / 3) * discrepancy;
  if (!(df > 0)) m->chi_squared = NAN;
  m->p_value = isnan(m->chi_squared) ? NAN : mn_chi2_sf(fmax(m->chi_squared, 0), df);
}

/* Correlations of the scatter matrix r; a constant column is correlated with none. */
static void to_correlations(size_t p, double n, double *r, double *deviation)
{
  for (size_t j = 0; j < p; j++) deviation[j] = sqrt(r[j * p + j] / n);
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      const double unit = deviation[i] * deviation[j];
      r[i * p + j] = i == j ? 1 : unit > 0 ? r[i * p + j] / n / unit : 0;
    }
}

/* Rotate the loadings, in units of X or of standard deviations. */
static mn_status rotate(mn_context *ctx, struct mn_factor_analysis *m, const double *deviation)
{
  const size_t k = m->components.rows, p = m->components.cols;
  MN_TRY(mn_vector_init(ctx, &m->scale, p));
  MN_TRY(mn_matrix_init(ctx, &m->factor_correlation, k, k));
  for (size_t j = 0; j < p; j++) {
    m->scale.at[j] = deviation[j];
    const double unit = m->normalize != MN_NORMALIZE_NONE && deviation[j] > 0 ? deviation[j] : 1;
    for (size_t c = 0; c < k; c++) m->components.at[c * p + j] /= unit;
  }
  MN_TRY(mn_rotate_factors(ctx, (mn_rotation)m->rotation, m->normalize == MN_NORMALIZE_KAISER, m->power, k, p,
                           m->components.at, m->factor_correlation.at));
  for (size_t i = 0; m->normalize != MN_NORMALIZE_NONE && i < k * p; i++)
    if (deviation[i % p] > 0) m->components.at[i] *= deviation[i % p];
  return MN_OK;
}

static mn_status store(struct problem *s, const double *psi, const double *deviation, double q)
{
  struct mn_factor_analysis *m = s->m;
  const size_t p = s->p, k = s->k;
  double varying = 0;
  MN_TRY(mn_matrix_init(s->ctx, &m->components, k, p));
  MN_TRY(mn_vector_init(s->ctx, &m->noise_variance, p));
  for (size_t j = 0; j < p; j++) {
    m->noise_variance.at[j] = psi[j] * deviation[j] * deviation[j];
    for (size_t c = 0; c < k; c++) m->components.at[c * p + j] = s->loadings[c * p + j] * deviation[j];
    if (!(deviation[j] > 0)) {
      q -= 1; /* its psi is 1: it adds log 1 + 1 to Q */
      continue;
    }
    varying += 1;
    q += 2 * log(deviation[j]);
  }
  m->loglike = -m->n / 2 * (varying * MN_LOG_2PI + q);
  return rotate(s->ctx, m, deviation);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_factor_analysis *m = self;
  const size_t p = data->features, k = (size_t)m->n_components;
  if (k > p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "FactorAnalysis: n_components must be at most columns = %zu, got %zu", p, k);
  if (data->rows < 2)
    return mn_fail(ctx, MN_BAD_DATA, "FactorAnalysis: X must have at least 2 rows, got %zu", data->rows);
  struct problem s = { ctx,
                       m,
                       p,
                       k,
                       MN_RAW(ctx, double, p, p),
                       MN_RAW(ctx, double, p, p),
                       MN_RAW(ctx, double, p, p),
                       MN_RAW(ctx, double, p, 1),
                       MN_RAW(ctx, double, k, p) };
  double *psi = MN_RAW(ctx, double, p, 1), *deviation = MN_RAW(ctx, double, p, 1), q, log_det;
  if (!s.r || !s.scaled || !s.vectors || !s.values || !s.loadings || !psi || !deviation) return MN_NO_MEMORY;
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_gram(ctx, data->rows, p, data->x.at, p, 0, NULL, 0, data->weights, true, &m->n, m->mean.at, s.r, p));
  m->base.report.advice = "raise max_iter, or use fewer components";
  to_correlations(p, m->n, s.r, deviation);
  for (size_t j = 0; j < p; j++)
    if (!isfinite(deviation[j]))
      return mn_fail(ctx, MN_BAD_DATA, "FactorAnalysis: the squares of column %zu of X overflow; scale the columns",
                     j + 1);
  MN_TRY(start(&s, psi, &log_det));
  MN_TRY(minimize(&s, psi, &q));
  test_fit(m, p, k, q - log_det - (double)p);
  return store(&s, psi, deviation, q);
}

static size_t outputs(const void *self)
{
  return ((const struct mn_factor_analysis *)self)->components.rows;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "factor%zu", j + 1);
}

static const char *const normalizations[] = { "none", "standard", "kaiser", NULL };
static const char *const score_methods[] = { "regression", "bartlett", NULL };

static const mn_param params[] = {
  MN_COUNT(struct mn_factor_analysis, n_components, 1, MN_AT_LEAST(1), "number of factors, at most the columns of X"),
  MN_CHOICE(
      struct mn_factor_analysis, rotation, MN_ROTATION_NONE, mn_rotations,
      "rotation of the loadings: varimax simplifies factors, quartimax columns; promax, oblimin: correlated factors"),
  MN_CHOICE(struct mn_factor_analysis, normalize, MN_NORMALIZE_NONE, normalizations,
            "loadings that are rotated: in units of X (none), of standard deviations, or also of length 1 (kaiser)"),
  MN_REAL(struct mn_factor_analysis, power, 4, MN_CLOSED(1, 20), "of promax: the larger, the simpler the target"),
  MN_CHOICE(struct mn_factor_analysis, scores, MN_SCORES_REGRESSION, score_methods,
            "scores of transform: regression (posterior means), or bartlett (unbiased)"),
  MN_REAL(struct mn_factor_analysis, tol, 1e-6, MN_AT_LEAST(0), "stop when no element of the gradient is larger"),
  MN_COUNT(struct mn_factor_analysis, max_iter, 1000, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(struct mn_factor_analysis, lower, 0.005, MN_CLOSED(1e-6, 1),
          "smallest noise variance, as a fraction of the variance of the column"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mn_factor_analysis, components, "components x features", "loadings of the factors"),
  MN_VECTOR(struct mn_factor_analysis, mean, "features", "mean of each column"),
  MN_VECTOR(struct mn_factor_analysis, noise_variance, "features", "variance of each column that no factor explains"),
  MN_NUMBER(struct mn_factor_analysis, loglike, "log likelihood of the rows of fit"),
  MN_OPTIONAL_NUMBER(
      struct mn_factor_analysis, chi_squared,
      "Bartlett's statistic of the test that the factors suffice; nil without degrees of freedom, or with singular correlations"),
  MN_INTEGER(struct mn_factor_analysis, degrees_of_freedom, "of the test; negative: more parameters than covariances"),
  MN_OPTIONAL_NUMBER(
      struct mn_factor_analysis, p_value,
      "of the test that the factors suffice; nil without degrees of freedom, or with singular correlations"),
  MN_MATRIX(struct mn_factor_analysis, factor_correlation, "components? x components?",
            "correlations of the factors; the identity unless the rotation is oblique"),
  MN_VECTOR(struct mn_factor_analysis, scale, "features?", "standard deviation of each column, with divisor n"),
  MN_NUMBER(struct mn_factor_analysis, n, "sum of the sample weights; the number of rows without weights"),
  MN_END,
};

const mn_class mn_factor_analysis = {
  .name = "FactorAnalysis",
  .family = "decomposition",
  .brief = "Factor analysis: few latent factors and independent noise of each column.",
  .objective = "maximize the likelihood of x ~ N(mean, L' L + diag(psi))",
  .source = "Joreskog, Psychometrika 32 (1967); Lawley & Maxwell, Factor Analysis as a Statistical Method (1971)",
  .notes =
      "Rows of components are factors, in units of X; summary shows loadings of scaled columns, as R's factanal. Noise has "
      "its lower bound. transform gives scores. Rotations have no Kaiser normalization by default, as in scikit-learn; with "
      "normalize = \"kaiser\" they are those of factanal. oblimin is GPArotation's with gamma 0. The largest element of "
      "each factor is positive. Constant columns have no part in scores and densities.",
  .example = "local X = ml.normal(50, 1, 1) * ml.Matrix{ {2, 1, 1} } + ml.normal(50, 3, 2)\n"
             "local model = ml.FactorAnalysis{}:fit(X)\n"
             "print(model.components, model.noise_variance)",
  .missing_alternatives = "ProbabilisticPCA and MixtureFactorAnalyzers",
  .capabilities = MN_TRANSFORM | MN_DENSITY | MN_ITERATE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct mn_factor_analysis),
  .params = params,
  .fields = fields,
  .operations = mn_factor_operations,
  .fit = fit,
  .transform = mn_factor_transform,
  .score_samples = mn_factor_score_samples,
  .export = mn_factor_export,
  .outputs = outputs,
  .output_name = output_name,
};

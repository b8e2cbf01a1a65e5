/* Two variants of the Lasso whose penalty adapts to the data.
 *
 * AdaptiveLasso. Minimize over b and c, with n = sum_i w_i,
 *
 *     1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_j |b_j| / |s_j|^gamma
 *
 * where s are the coefficients of a first fit, by ridge regression or the Lasso. Large coefficients are penalized less
 * and thus hardly biased; coefficients that are 0 in the first fit stay 0. Zou, JASA 101 (2006); Buehlmann & Meier,
 * Ann. Statist. 36 (2008), for the Lasso as the first fit.
 *
 * ScaledLasso. Minimize over b, c and sigma > 0
 *
 *     1 / (2 n sigma) sum_i w_i (y_i - x_i b - c)^2 + sigma / 2 + alpha sum_j v_j |b_j|
 *
 * where v_j is the standard deviation of column j: the noise level is estimated together with the coefficients, so
 * alpha does not depend on it. Alternate between b, a Lasso with penalty alpha sigma, and sigma^2, its mean squared
 * residual. Sun & Zhang, Biometrika 99 (2012), equations 4, 6 and 16. */
#include "cd_data.h"
#include "../linear/coef_summary.h"
#include <string.h>

struct adaptive_lasso {
  mn_linear linear;
  double alpha, gamma, first_alpha, tol; /* parameters */
  int64_t first, max_iter;
  bool fit_intercept, positive;
  mn_vector gap; /* learned fields */
  mn_vector factor;
};

enum { FIRST_RIDGE, FIRST_LASSO };
static const char *const first_names[] = { "ridge", "lasso", NULL };

/* The penalty factors 1 / |s|^gamma from the coefficients s of the first fit; infinite where s is 0. */
static mn_status find_factors(mn_context *ctx, const struct adaptive_lasso *m, const mn_cd_data *d, size_t target,
                              double *factor)
{
  mn_cd s;
  mn_cd_report r;
  MN_TRY(mn_cd_target(ctx, d, target, &s));
  const mn_cd_penalty q = { .l1 = m->first == FIRST_LASSO ? m->first_alpha : 0,
                            .l2 = m->first == FIRST_LASSO ? 0 : m->first_alpha,
                            .positive = m->positive };
  MN_TRY(mn_cd_solve(ctx, &s, &q, (double)NAN, fmin(m->tol, 1e-6), m->max_iter, &r));
  for (size_t j = 0; j < d->p; j++) {
    const double size = pow(fabs(s.b[j]), m->gamma);
    factor[j] = size > 0 && 1 / size < INFINITY ? 1 / size : INFINITY;
  }
  return MN_OK;
}

static mn_status fit_adaptive(mn_context *ctx, void *self, const mn_data *data)
{
  struct adaptive_lasso *m = self;
  const size_t p = data->features;
  mn_cd_data d;
  m->linear.base.report.advice = "increase max_iter or alpha, or scale the columns";
  m->linear.base.report.scaled_advice = "increase max_iter or alpha";
  double *factor = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(factor);
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_cd_prepare(ctx, data, m->fit_intercept, NULL, &d));
  MN_TRY(find_factors(ctx, m, &d, 0, factor));
  const mn_cd_settings settings = {
    .alpha = m->alpha, .l1_ratio = 1, .tol = m->tol, .max_iter = m->max_iter, .positive = m->positive, .factor = factor
  };
  MN_TRY(mn_cd_fit(ctx, &d, &settings, &m->linear, &m->gap));
  MN_TRY(mn_vector_init(ctx, &m->factor, p));
  memcpy(m->factor.at, factor, p * sizeof *factor);
  return MN_OK;
}

enum { MAX_SWEEPS = 10000 };

struct scaled_lasso {
  mn_linear linear;
  double alpha, tol; /* parameters; alpha may be NaN: unset */
  int64_t max_iter;
  bool fit_intercept;
  double sigma, best_alpha, gap; /* learned fields */
};

struct scaled_fit {
  mn_context *ctx;
  struct scaled_lasso *m;
  const mn_cd_data *d;
  double *scale;  /* p: factor from a coefficient of the problem to one of X                  */
  double *factor; /* p: standard deviations in the problem; infinite for a constant column */
  double total;
};

/* sqrt(2 log p / n) with p at least 2. */
static double default_alpha(const struct scaled_fit *s)
{
  return sqrt(2 * log((double)(s->d->p > 1 ? s->d->p : 2)) / s->total);
}

/* Scale a Gram matrix to columns of variance 1, so that columns of small units are not mistaken for dependent ones. */
static void scale_columns(struct scaled_fit *s, mn_cd_data *d)
{
  const size_t p = d->p, both = p + d->q;
  for (size_t j = 0; j < p; j++) {
    const double square = d->gram ? d->gram[j * both + j] : d->z->norm[j];
    const bool scales = d->gram && square > 0;
    s->factor[j] = square > 0 ? (scales ? 1 : sqrt(square)) : INFINITY;
    s->scale[j] = scales ? 1 / sqrt(square) : 1;
  }
  for (size_t i = 0; d->gram && i < both; i++)
    for (size_t j = 0; j < both; j++) {
      if (i < p) d->gram[i * both + j] *= s->scale[i];
      if (j < p) d->gram[i * both + j] *= s->scale[j];
    }
}

/* Alternate between coefficients and sigma until sigma converges. sigma is bounded below because a perfect fit has
 * sigma 0. */
static mn_status alternate(struct scaled_fit *s, mn_cd *problem)
{
  struct scaled_lasso *m = s->m;
  mn_report *report = &m->linear.base.report;
  const double min_sigma = 1e-8 * sqrt(problem->yy);
  double before = (double)NAN;
  m->sigma = sqrt(problem->yy);
  for (int64_t round = 0; !report->converged && round < m->max_iter; round++) {
    const mn_cd_penalty q = { .l1 = m->best_alpha * m->sigma, .factor = s->factor };
    mn_cd_report r;
    MN_TRY(mn_cd_solve(s->ctx, problem, &q, before, m->tol * m->tol, MAX_SWEEPS, &r));
    before = q.l1;
    const double sigma = fmax(sqrt(problem->rss), min_sigma);
    double norm = 0;
    for (size_t j = 0; j < s->d->p; j++) norm += problem->b[j] != 0 ? s->factor[j] * fabs(problem->b[j]) : 0;
    report->change = m->sigma > 0 ? fabs(sigma - m->sigma) / m->sigma : 0;
    report->converged = report->change <= m->tol && r.converged;
    m->sigma = sigma;
    m->gap = r.gap;
    const double objective = sigma > 0 ? problem->rss / (2 * sigma) + sigma / 2 + m->best_alpha * norm : 0;
    if (!mn_round(s->ctx, report, m->max_iter, objective)) break;
  }
  return mn_error_status(s->ctx);
}

static mn_status fit_scaled(mn_context *ctx, void *self, const mn_data *data)
{
  struct scaled_lasso *m = self;
  const size_t p = data->features;
  mn_cd_data d;
  mn_cd problem;
  m->linear.base.report.advice = "increase max_iter or tol";
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_cd_prepare(ctx, data, m->fit_intercept, NULL, &d));
  struct scaled_fit s = { .ctx = ctx, .m = m, .d = &d, .total = d.total };
  s.scale = MN_RAW(ctx, double, p, 1);
  s.factor = MN_RAW(ctx, double, p, 1);
  if (!s.scale || !s.factor) return MN_NO_MEMORY;
  scale_columns(&s, &d);
  MN_TRY(mn_cd_target(ctx, &d, 0, &problem));
  m->best_alpha = isnan(m->alpha) ? default_alpha(&s) : m->alpha;
  MN_TRY(alternate(&s, &problem));
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, p));
  for (size_t j = 0; j < p; j++) m->linear.coef.at[j] = s.scale[j] * problem.b[j];
  m->linear.intercept.at[0] = mn_cd_intercept(&d, 0, m->linear.coef.at);
  return MN_OK;
}

static const mn_param adaptive_params[] = {
  MN_PENALTY(struct adaptive_lasso, alpha, 1.0, MN_AT_LEAST(0),
             "L1 penalty on the coefficients, before it is multiplied by factor"),
  MN_PENALTY(struct adaptive_lasso, gamma, 1.0, MN_LEFT_OPEN(0, 100),
             "exponent of the first coefficients; 0.5, 1 and 2 are common"),
  MN_CHOICE(struct adaptive_lasso, first, FIRST_RIDGE, first_names, "estimator of the first coefficients"),
  MN_REAL(struct adaptive_lasso, first_alpha, 1e-3, MN_GREATER_THAN(0),
          "penalty of the first fit, whose loss is also a mean over rows"),
  MN_FLAG(struct adaptive_lasso, fit_intercept, true, "fit an intercept, which is not penalized"),
  MN_FLAG(struct adaptive_lasso, positive, false, "constrain the coefficients to be non-negative"),
  MN_COUNT(struct adaptive_lasso, max_iter, 1000, MN_AT_LEAST(1), "maximum number of sweeps over the coefficients"),
  MN_REAL(struct adaptive_lasso, tol, 1e-4, MN_AT_LEAST(0),
          "stop when the duality gap is at most this fraction of the mean square of the centered y"),
  MN_END,
};

static const mn_field adaptive_fields[] = {
  MN_VECTOR(struct adaptive_lasso, gap, "targets",
            "duality gap, an upper bound on the objective minus its minimum; a number if y is a Vector"),
  MN_VECTOR(struct adaptive_lasso, factor, "features", "factor of the penalty on each coefficient: 1 / |s|^gamma"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

const mn_class mn_adaptive_lasso = {
  .name = "AdaptiveLasso",
  .family = "linear",
  .brief = "Lasso that penalizes coefficients less if a first fit found them large.",
  .objective =
      "1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_j |b_j| / |s_j|^gamma, n = sum_i w_i, s: coefficients of the first fit",
  .source = "Zou, JASA 101 (2006); Buehlmann & Meier, Ann. Statist. 36 (2008)",
  .notes =
      "Large coefficients are hardly biased, and the relevant columns are selected under weaker conditions than the Lasso "
      "requires. A column whose first coefficient is 0 is excluded. Scale the columns first if their units differ.",
  .example = "local X = ml.normal(60, 5, 1)\n"
             "local model = ml.AdaptiveLasso{ alpha = 0.1 }:fit(X, X:col(1) * 3 - X:col(2))\nprint(model.coef)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct adaptive_lasso),
  .params = adaptive_params,
  .fields = adaptive_fields,
  .operations = mn_coef_operations,
  .fit = fit_adaptive,
  MN_LINEAR_PREDICTION,
};

static const mn_param scaled_params[] = {
  MN_PENALTY(struct scaled_lasso, alpha, MN_UNSET_REAL, MN_GREATER_THAN(0),
             "L1 penalty in units of sigma, for columns of variance 1; nil: sqrt(2 log(features) / n)"),
  MN_FLAG(struct scaled_lasso, fit_intercept, true, "fit an intercept, which is not penalized"),
  MN_COUNT(struct scaled_lasso, max_iter, 100, MN_AT_LEAST(1),
           "maximum number of alternations between coefficients and sigma"),
  MN_REAL(struct scaled_lasso, tol, 1e-6, MN_AT_LEAST(0), "stop when sigma changes by at most this fraction"),
  MN_END,
};

static const mn_field scaled_fields[] = {
  MN_NUMBER(struct scaled_lasso, sigma, "estimated standard deviation of the noise"),
  MN_NUMBER(struct scaled_lasso, best_alpha, "penalty in units of sigma: alpha, or its default"),
  MN_NUMBER(struct scaled_lasso, gap, "duality gap of the last Lasso fit"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

const mn_class mn_scaled_lasso = {
  .name = "ScaledLasso",
  .family = "linear",
  .brief = "Lasso that estimates the noise level, so that alpha need not be tuned.",
  .objective = "1 / (2 n sigma) sum_i w_i (y_i - x_i b - c)^2 + sigma / 2 + alpha sum_j v_j |b_j| over b, c and sigma; "
               "v_j: standard deviation of column j, n = sum_i w_i",
  .source = "Sun & Zhang, Biometrika 99 (2012)",
  .notes =
      "Also known as the square-root Lasso (Belloni, Chernozhukov & Wang, Biometrika 98 (2011)). Predictions do not "
      "depend on the units of X and scale with y.",
  .example =
      "local X = ml.normal(100, 20, 1)\n"
      "local model = ml.ScaledLasso{}:fit(X, X:col(1) * 3 + ml.normal(100, nil, 2))\nprint(model.sigma, model.coef)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct scaled_lasso),
  .params = scaled_params,
  .fields = scaled_fields,
  .operations = mn_coef_operations,
  .fit = fit_scaled,
  MN_LINEAR_PREDICTION,
};

/* Generalized linear models. Minimize over b and c
 *
 *     sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2),
 *     g(mu_i) = x_i b + c + offset_i
 *
 * where d is the unit deviance of a family and g a link, both taken from tables (glm_family.c). Without a penalty this
 * is maximum likelihood. The offset (with coefficient 1) and the trials of binomial proportions are named columns of X,
 * so that they are available to predict and pass through pipelines, folds and searches.
 *
 * McCullagh & Nelder, Generalized Linear Models, 2nd ed. (1989). Theta of the negative binomial: Venables & Ripley,
 * Modern Applied Statistics with S (2002), section 7.4. */
#include "glm.h"
#include "glm_engine.h"
#include "glm_objective.h"
#include "../linear/coef_summary.h"

enum { MAX_DENSE_COLUMNS = 500 }; /* sparse X with more columns uses an implicit Hessian */

static const char *class_name(const struct mn_glm *m)
{
  return m->linear.base.class->name;
}

static int64_t tweedie_family(double power)
{
  return power == 0   ? MN_GAUSSIAN
         : power == 1 ? MN_POISSON
         : power == 2 ? MN_GAMMA
         : power == 3 ? MN_INVERSE_GAUSSIAN
                      : MN_TWEEDIE;
}

static mn_status resolve_family(mn_context *ctx, struct mn_glm *m)
{
  const bool tweedie = m->family == MN_TWEEDIE;
  m->family_code = tweedie ? tweedie_family(m->power) : m->family;
  m->parameter = tweedie ? m->power : m->theta;
  m->link_code = m->link == MN_LINK_AUTO ? mn_glm_families[m->family].link : m->link;
  if (tweedie && m->link == MN_LINK_AUTO && m->power == 0) m->link_code = MN_LINK_IDENTITY;
  m->exponent = mn_glm_links[m->link_code].power != 0 ? mn_glm_links[m->link_code].power : m->link_power;
  m->theta_estimate = (double)NAN;
  char number[MN_NUMBER_SIZE];
  if (tweedie && m->power > 0 && m->power < 1)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: power must be 0 or >= 1 (no distribution exists in between), got %s",
                   class_name(m), mn_format_number(number, m->power));
  if (m->link_code == MN_LINK_POWER && m->exponent == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: link_power must not be 0; use link 'log'", class_name(m));
  const bool unit_interval_link =
      m->link_code == MN_LINK_LOGIT || m->link_code == MN_LINK_PROBIT || m->link_code == MN_LINK_CLOGLOG;
  if (unit_interval_link && m->family_code != MN_BINOMIAL)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: link '%s' requires family 'binomial', got '%s'", class_name(m),
                   mn_glm_link_names[m->link_code], mn_glm_family_names[m->family]);
  return MN_OK;
}

static mn_status check_targets(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const double *targets)
{
  const mn_glm_family *f = &mn_glm_families[m->family_code];
  const bool positive = f->y_min_excluded || (m->family_code == MN_TWEEDIE && m->power > 2);
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < data->rows; i++) {
    const double y = targets[i];
    if (y <= f->y_max && (positive ? y > f->y_min : y >= f->y_min)) continue;
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must be %s for family '%s', got %s in row %zu", class_name(m),
                   isfinite(f->y_max) ? "from 0 to 1"
                   : positive         ? "> 0"
                                      : ">= 0",
                   mn_glm_family_names[m->family_code], mn_format_number(number, y), i + 1);
  }
  return MN_OK;
}

static mn_status set_up_problem(mn_context *ctx, struct mn_glm *m, const mn_data *data, mn_glm_problem *problem)
{
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(resolve_family(ctx, m));
  MN_TRY(mn_glm_find_columns(ctx, m));
  *problem = (mn_glm_problem){ .n = data->rows,
                               .fit_intercept = m->fit_intercept,
                               .information = m->inference,
                               .family = &mn_glm_families[m->family_code],
                               .link = &mn_glm_links[m->link_code],
                               .parameter = m->parameter,
                               .link_power = m->exponent };
  MN_TRY(mn_glm_set_data(ctx, m, data, problem));
  MN_TRY(check_targets(ctx, m, data, problem->y));
  double total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    m->n += mn_weight(data, i);
    total += problem->w ? problem->w[i] : 1;
  }
  mn_count_observations(data, &m->rows, &m->log_weights);
  problem->penalty = m->alpha * (1 - m->l1_ratio) * total;
  problem->l1 = m->alpha * m->l1_ratio * total;
  problem->implicit_hessian = data->sparse && problem->p > MAX_DENSE_COLUMNS && m->alpha > 0 && !m->inference;
  return MN_OK;
}

static mn_status compute_means(mn_context *ctx, const mn_glm_problem *problem, const mn_glm_state *state, double *mu)
{
  double *eta = MN_RAW(ctx, double, problem->n, 3);
  MN_CHECK_ALLOC(eta);
  MN_TRY(mn_glm_linear_predictor(ctx, problem, state->b, state->c, eta));
  problem->link->inverse(problem->link_power, problem->n, eta, mu, eta + problem->n, eta + 2 * problem->n);
  return MN_OK;
}

/* Alternate between the coefficients and theta. Their estimates are nearly independent, so a few rounds suffice. */
static mn_status fit_theta(mn_context *ctx, struct mn_glm *m, mn_glm_problem *problem, mn_glm_state *state)
{
  enum { MAX_TURNS = 50 };
  mn_report *report = &m->linear.base.report;
  double *mu = MN_RAW(ctx, double, problem->n, 1);
  bool finite = true, stable = false;
  MN_CHECK_ALLOC(mu);
  mn_glm_problem poisson = *problem;
  poisson.family = &mn_glm_families[MN_POISSON];
  for (int round = 0; round < MAX_TURNS && !stable; round++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const double before = problem->parameter;
    const mn_glm_problem *current = round == 0 ? &poisson : problem;
    MN_TRY(mn_glm_minimize(ctx, current, m->tol, m->max_iter, NULL, state, &report->converged));
    MN_TRY(compute_means(ctx, current, state, mu));
    MN_TRY(mn_glm_estimate_theta(ctx, problem, mu, &problem->parameter, &finite));
    stable = round > 0 && fabs(problem->parameter - before) <= 1e-10 * before;
    mn_scratch_release(ctx, mark);
  }
  MN_TRY(mn_glm_minimize(ctx, problem, m->tol, m->max_iter, report, state, &report->converged));
  m->parameter = problem->parameter;
  if (finite && !stable) report->converged = false;
  report->advice = finite ? "raise max_iter or scale the columns"
                          : "the counts are not overdispersed, so theta is infinite; use family = 'poisson'";
  if (!finite) {
    report->converged = false;
    report->scaled_advice = NULL;
  }
  return MN_OK;
}

static mn_status minimize(mn_context *ctx, struct mn_glm *m, mn_glm_problem *problem, mn_glm_state *state)
{
  mn_report *report = &m->linear.base.report;
  report->advice = "raise max_iter or scale the columns";
  report->scaled_advice = "raise max_iter or tol";
  const bool theta_unknown = m->family_code == MN_NEGATIVE_BINOMIAL && isnan(m->theta);
  if (theta_unknown)
    MN_TRY(fit_theta(ctx, m, problem, state));
  else
    MN_TRY(mn_glm_minimize(ctx, problem, m->tol, m->max_iter, report, state, &report->converged));
  if (m->family_code == MN_NEGATIVE_BINOMIAL) m->theta_estimate = m->parameter;
  if (state->at_boundary) {
    report->scaled_advice = NULL;
    report->advice =
        m->family_code == MN_BINOMIAL
            ? "the two outcomes are at least partly separable, so the coefficients have no finite estimate; use alpha > 0 or fewer columns"
            : "some means approach the limit of their range, so the coefficients have no finite estimate; use alpha > 0 or fewer columns";
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_glm *m = self;
  mn_glm_problem problem;
  mn_glm_state state;
  MN_TRY(set_up_problem(ctx, m, data, &problem));
  MN_TRY(mn_glm_state_init(ctx, &problem, &state));
  MN_TRY(minimize(ctx, m, &problem, &state));
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, data->features));
  m->linear.intercept.at[0] = state.c;
  for (size_t j = 0; j < m->terms.size; j++) m->linear.coef.at[m->terms.at[j]] = state.b[j];
  if (m->offset_column >= 0) m->linear.coef.at[m->offset_column] = 1;
  return mn_glm_finalize(ctx, m, data, &problem, &state);
}

static unsigned target_kind(const void *self)
{
  const struct mn_glm *m = self;
  return m->family == MN_BINOMIAL ? MN_Y_REALS | MN_Y_LABELS | MN_Y_COUNTS : MN_Y_REALS;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(mn_linear_predict(ctx, self, data, out));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = mn_glm_mean(self, out->at[i]);
  return MN_OK;
}

/* Checks after load that array shapes do not cover. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_glm *m = self;
  const size_t features = m->linear.base.n_features;
  const size_t terms = m->terms.size;
  bool places = true;
  for (size_t d = 0; d < m->dependent.size; d++) places = places && (size_t)m->dependent.at[d] < terms;
  const bool whole = !m->residuals.at || (m->residuals.size == 5 && m->mean.size == terms && m->spread.size == terms &&
                                          m->unscaled.rows == terms && m->unscaled.cols == terms);
  const bool codes = m->family_code >= 0 && m->family_code < MN_GLM_FAMILIES && m->link_code > MN_LINK_AUTO &&
                     m->link_code < MN_GLM_LINKS;
  const bool columns = m->offset_column >= -1 && m->offset_column < (int64_t)features && m->trials_column >= -1 &&
                       m->trials_column < (int64_t)features && m->linear.intercept.size == 1;
  const mn_levels *classes = m->linear.base.classes;
  if (whole && places && codes && columns && (!classes || mn_levels_size(classes) == 2)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: a part of the fitted model is missing or invalid", class_name(m));
}

/* PoissonRegressor, GammaRegressor and TweedieRegressor fix the family; they have fewer parameters. */

static mn_status fit_poisson(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_glm *m = self;
  m->family = MN_POISSON;
  m->link = MN_LINK_LOG;
  return fit(ctx, self, data);
}

static mn_status fit_gamma(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_glm *m = self;
  m->family = MN_GAMMA;
  m->link = MN_LINK_LOG;
  return fit(ctx, self, data);
}

static mn_status fit_tweedie(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_glm *m = self;
  m->family = MN_TWEEDIE;
  return fit(ctx, self, data);
}

#define OFFSET_PARAM                                                                                                   \
  MN_COLUMN(                                                                                                           \
      struct mn_glm, offset, (double)NAN,                                                                              \
      "column of X, by number or name (x1, x2, ... if unnamed), that is added to the linear predictor with coefficient 1, such as the log of the exposure; nil: none")
#define INTERCEPT_PARAM MN_FLAG(struct mn_glm, fit_intercept, true, "fit an intercept; it is never penalized")
#define ITERATION_PARAMS                                                                                               \
  MN_COUNT(struct mn_glm, max_iter, 100, MN_AT_LEAST(1), "maximum number of iterations"),                              \
      MN_REAL(struct mn_glm, tol, 1e-9, MN_AT_LEAST(0),                                                                \
              "stop when the length of a step, relative to the square root of the objective, is at most this")
#define POWER_PARAM(start)                                                                                             \
  MN_REAL(                                                                                                             \
      struct mn_glm, power, start, MN_AT_LEAST(0),                                                                     \
      "of tweedie: the variance is mean^power. 0: gaussian, 1: poisson, between 1 and 2: compound Poisson-gamma (zeros and positive values), 2: gamma, 3: inverse gaussian")
#define LINK_PARAM                                                                                                     \
  MN_CHOICE(struct mn_glm, link, MN_LINK_AUTO, mn_glm_link_names, "link function; auto: the default of the family")
#define PENALTY_PARAMS(start)                                                                                          \
  MN_PENALTY(struct mn_glm, alpha, start, MN_AT_LEAST(0), "strength of the penalty on the coefficients; 0: none"),     \
      MN_REAL(                                                                                                         \
          struct mn_glm, l1_ratio, 0, MN_CLOSED(0, 1),                                                                 \
          "share of the L1 norm in the penalty, which sets coefficients to exactly 0; the rest is half the squared L2 norm")

static const mn_param params[] = {
  MN_CHOICE(struct mn_glm, family, MN_GAUSSIAN, mn_glm_family_names, "distribution of y given X"),
  LINK_PARAM,
  PENALTY_PARAMS(0),
  INTERCEPT_PARAM,
  OFFSET_PARAM,
  MN_COLUMN(
      struct mn_glm, trials, (double)NAN,
      "of binomial: column of X, by number or name, with the number of trials, y being the proportion of successes; nil: one trial per row"),
  POWER_PARAM(1.5),
  MN_REAL(struct mn_glm, theta, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated by maximum likelihood"),
  MN_REAL(struct mn_glm, link_power, 1, MN_NO_LIMITS(), "of link power: mean^link_power is linear in X"),
  MN_FLAG(struct mn_glm, quasi, false, "estimate the dispersion of binomial, poisson and negative_binomial too"),
  MN_FLAG(struct mn_glm, inference, true,
          "keep what summary, intervals and diagnostics need: a matrix of columns x columns"),
  MN_WEIGHTS_TYPE_PARAM(struct mn_glm, "The coefficients are the same"),
  ITERATION_PARAMS,
  MN_END,
};

static const mn_param poisson_params[] = { PENALTY_PARAMS(1), INTERCEPT_PARAM, OFFSET_PARAM, ITERATION_PARAMS, MN_END };
static const mn_param tweedie_params[] = { POWER_PARAM(0),  LINK_PARAM,   PENALTY_PARAMS(1),
                                           INTERCEPT_PARAM, OFFSET_PARAM, ITERATION_PARAMS,
                                           MN_END };

#define COMMON_FIELDS                                                                                                  \
  MN_LINEAR_FIELDS("targets"),                                                                                         \
      MN_NUMBER(struct mn_glm, deviance, "twice the difference in log-likelihood to a perfect fit"),                   \
      MN_NUMBER(struct mn_glm, n, "sum of the sample weights; without weights the number of rows"),                    \
      MN_OPTIONAL_NUMBER(struct mn_glm, rows, NULL), MN_OPTIONAL_NUMBER(struct mn_glm, log_weights, NULL),             \
      MN_INTEGER(struct mn_glm, rank,                                                                                  \
                 "number of independent columns of X; with an L1 penalty, of nonzero coefficients"),                   \
      MN_LEARNED(MN_KIND_COUNT, struct mn_glm, family_code, "", NULL),                                                 \
      MN_LEARNED(MN_KIND_COUNT, struct mn_glm, link_code, "", NULL),                                                   \
      MN_LEARNED(MN_KIND_REAL, struct mn_glm, parameter, "", NULL),                                                    \
      MN_LEARNED(MN_KIND_REAL, struct mn_glm, exponent, "", NULL),                                                     \
      MN_LEARNED(MN_KIND_COUNT, struct mn_glm, offset_column, "", NULL),                                               \
      MN_LEARNED(MN_KIND_COUNT, struct mn_glm, trials_column, "", NULL),                                               \
      MN_LEARNED(MN_KIND_INDEXES, struct mn_glm, terms, "terms? < features", NULL)

static const mn_field fields[] = {
  COMMON_FIELDS,
  MN_NUMBER(struct mn_glm, null_deviance, "deviance of the model with only an intercept (and the offset)"),
  MN_NUMBER(struct mn_glm, pearson_chi2, "sum of squared Pearson residuals"),
  MN_NUMBER(struct mn_glm, dispersion, "pearson_chi2 / df_residual for families with a dispersion parameter, else 1"),
  MN_NUMBER(struct mn_glm, df_residual, "number of observations minus the number of coefficients"),
  MN_NUMBER(struct mn_glm, df_null, "number of observations, minus 1 with an intercept"),
  MN_NUMBER(struct mn_glm, theta_estimate, "theta of negative_binomial; nan for other families"),
  MN_NUMBER(struct mn_glm, loglik, "log-likelihood; nan for tweedie and quasi"),
  MN_NUMBER(struct mn_glm, aic, "-2 loglik + 2 parameters, as R's glm counts them"),
  MN_NUMBER(struct mn_glm, bic, "-2 loglik + log(observations) parameters"),
  MN_LEARNED(MN_KIND_REAL, struct mn_glm, total, "", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_glm, mean, "terms?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_glm, spread, "terms?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_glm, unscaled, "terms? x terms?", NULL),
  MN_LEARNED(MN_KIND_INDEXES, struct mn_glm, dependent, "dependent? < features", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_glm, alias, "dependent? x terms?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_glm, residuals, "five?", NULL),
  MN_END,
};

static const mn_field short_fields[] = { COMMON_FIELDS, MN_END };

static const char objective[] =
    "sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), "
    "link(mu_i) = x_i b + c + offset_i";
static const char source[] = "McCullagh & Nelder, Generalized Linear Models, 2nd ed. (1989)";

#define SPARSE_NOTES                                                                                                   \
  "Sparse X is never made dense. With more than 500 columns and alpha > 0 no matrix of columns x columns is formed."

const mn_class mn_glm = {
  .name = "GLM",
  .family = "linear",
  .brief = "Generalized linear models with standard errors, tests and diagnostics.",
  .objective = objective,
  .source = source,
  .notes =
      "Default links are those of R; log for tweedie and negative_binomial. "
      "With family binomial, y holds numbers from 0 to 1, labels of two classes (the second is the success) or two columns of counts, successes and failures; predict returns the probability of success. "
      "Sample weights are precisions, as in R's glm; weights_type = 'frequency' counts rows. "
      "If columns are collinear, coef is the minimum-norm solution and summary has R's table with aliased columns. With alpha > 0 there are no standard errors. "
      "Sparse X with more than 500 columns needs alpha > 0 and inference = false to avoid a matrix of columns x columns.",
  .example = "local model = ml.GLM{ family = 'poisson' }:fit({ {1}, {2}, {3}, {4}, {5} }, { 1, 3, 4, 9, 14 })\n"
             "print(model:summary())",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_NO_COLUMNS,
  .size = sizeof(struct mn_glm),
  .params = params,
  .fields = fields,
  .operations = mn_glm_operations,
  .target_kind = target_kind,
  .fit = fit,
  .predict = predict,
  .export = mn_glm_export,
  .check = check,
};

#define SHORT_CLASS(code, name_, brief_, example_, params_, fit_, notes_)                                              \
  const mn_class code = {                                                                                              \
    .name = name_,                                                                                                     \
    .family = "linear",                                                                                                \
    .brief = brief_,                                                                                                   \
    .objective = objective,                                                                                            \
    .source = source,                                                                                                  \
    .notes = notes_,                                                                                                   \
    .example = example_,                                                                                               \
    .capabilities = MN_REGRESS | MN_ITERATE,                                                                           \
    .accepts = MN_WEIGHTS | MN_SPARSE,                                                                                 \
    .size = sizeof(struct mn_glm),                                                                                     \
    .params = params_,                                                                                                 \
    .fields = short_fields,                                                                                            \
    .operations = mn_glm_coef_operations,                                                                              \
    .fit = fit_,                                                                                                       \
    .predict = predict,                                                                                                \
    .export = mn_glm_export,                                                                                           \
    .check = check,                                                                                                    \
  }

SHORT_CLASS(
    mn_poisson_regressor, "PoissonRegressor", "Poisson regression for counts, with a log link and an L2 or L1 penalty.",
    "local model = ml.PoissonRegressor{ alpha = 0.1 }:fit({ {1}, {2}, {3}, {4} }, { 1, 3, 4, 9 })\n"
    "print(model:predict{ {5} })",
    poisson_params, fit_poisson,
    "As in scikit-learn. For standard errors, tests and other links use ml.GLM{ family = 'poisson' }. " SPARSE_NOTES);
SHORT_CLASS(
    mn_gamma_regressor, "GammaRegressor",
    "Gamma regression for positive amounts, with a log link and an L2 or L1 penalty.",
    "local model = ml.GammaRegressor{ alpha = 0.1 }:fit({ {1}, {2}, {3}, {4} }, { 1.1, 2.9, 4.2, 9 })\n"
    "print(model:predict{ {5} })",
    poisson_params, fit_gamma,
    "As in scikit-learn. For standard errors, tests and other links use ml.GLM{ family = 'gamma' }. " SPARSE_NOTES);
SHORT_CLASS(
    mn_tweedie_regressor, "TweedieRegressor",
    "Regression whose variance is a power of the mean, with an L2 or L1 penalty.",
    "local model = ml.TweedieRegressor{ power = 1.5, alpha = 0.1 }:fit({ {1}, {2}, {3}, {4} }, { 0, 2.9, 4.2, 9 })\n"
    "print(model:predict{ {5} })",
    tweedie_params, fit_tweedie,
    "As in scikit-learn; link auto is identity for power 0 and log otherwise. For standard errors, tests and other links use ml.GLM{ family = 'tweedie' }. " SPARSE_NOTES
    " Predictions of exported Lua programs with link power or inverse_squared agree within 4 units in the last place.");

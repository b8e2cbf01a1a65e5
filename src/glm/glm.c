/* Generalised linear models. Minimise over b and c
 *
 *     sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2),
 *     g(mu_i) = x_i b + c + offset_i
 *
 * d being the unit deviance of a family and g a link, each a row of a table (glm_family.c). Without a penalty this is
 * maximum likelihood. Offsets, and the trials of binomial proportions, are columns of X that are named: so they are
 * there at predict as at fit, and come through pipelines, folds and searches. An offset has the coefficient 1.
 *
 * McCullagh & Nelder, Generalized Linear Models, 2nd ed. (1989). Theta of the negative binomial: Venables & Ripley,
 * Modern Applied Statistics with S (2002), section 7.4. */
#include "glm.h"
#include "../linear/coef_summary.h"

enum { FEW_COLUMNS = 500 }; /* of sparse X: up to these, and where inference needs it, p x p matrices are made */

static const char *who(const struct mn_glm *m)
{
  return m->linear.base.class->name;
}

/* --- family and link --- */

static int64_t tweedie_as(double power)
{
  return power == 0   ? MN_GAUSSIAN
         : power == 1 ? MN_POISSON
         : power == 2 ? MN_GAMMA
         : power == 3 ? MN_INVERSE_GAUSSIAN
                      : MN_TWEEDIE;
}

static mn_status choose_family(mn_context *ctx, struct mn_glm *m)
{
  const bool tweedie = m->family == MN_TWEEDIE;
  m->family_code = tweedie ? tweedie_as(m->power) : m->family;
  m->parameter = tweedie ? m->power : m->theta;
  m->link_code = m->link == MN_LINK_AUTO ? mn_glm_families[m->family].link : m->link;
  if (tweedie && m->link == MN_LINK_AUTO && m->power == 0) m->link_code = MN_LINK_IDENTITY;
  m->exponent = mn_glm_links[m->link_code].power != 0 ? mn_glm_links[m->link_code].power : m->link_power;
  m->theta_estimate = (double)NAN;
  char number[MN_NUMBER_SIZE];
  if (tweedie && m->power > 0 && m->power < 1)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: power must be 0 or >= 1 (no distribution lies between), got %s", who(m),
                   mn_format_number(number, m->power));
  if (m->link_code == MN_LINK_POWER && m->exponent == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: link_power must not be 0: that is link 'log'", who(m));
  const bool of_unit =
      m->link_code == MN_LINK_LOGIT || m->link_code == MN_LINK_PROBIT || m->link_code == MN_LINK_CLOGLOG;
  if (of_unit && m->family_code != MN_BINOMIAL)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: link '%s' needs family 'binomial', got '%s'", who(m),
                   mn_glm_link_names[m->link_code], mn_glm_family_names[m->family]);
  return MN_OK;
}

static mn_status check_answers(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const double *answers)
{
  const mn_glm_family *f = &mn_glm_families[m->family_code];
  const bool open = f->open || (m->family_code == MN_TWEEDIE && m->power > 2);
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < data->rows; i++) {
    const double y = answers[i];
    if (y <= f->most && (open ? y > f->least : y >= f->least)) continue;
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must be %s for family '%s', got %s at row %zu", who(m),
                   isfinite(f->most) ? "from 0 to 1"
                   : open            ? "> 0"
                                     : ">= 0",
                   mn_glm_family_names[m->family_code], mn_format_number(number, y), i + 1);
  }
  return MN_OK;
}

static mn_status pose(mn_context *ctx, struct mn_glm *m, const mn_data *data, mn_glm_problem *problem)
{
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(choose_family(ctx, m));
  MN_TRY(mn_glm_split(ctx, m));
  *problem = (mn_glm_problem){ .n = data->rows,
                               .fit_intercept = m->fit_intercept,
                               .information = m->inference,
                               .family = &mn_glm_families[m->family_code],
                               .link = &mn_glm_links[m->link_code],
                               .parameter = m->parameter,
                               .link_power = m->exponent };
  MN_TRY(mn_glm_take(ctx, m, data, problem));
  MN_TRY(check_answers(ctx, m, data, problem->y));
  double total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    m->n += mn_weight(data, i);
    total += problem->w ? problem->w[i] : 1;
  }
  problem->penalty = m->alpha * (1 - m->l1_ratio) * total;
  problem->l1 = m->alpha * m->l1_ratio * total;
  problem->by_products = data->sparse && problem->p > FEW_COLUMNS && m->alpha > 0 && !m->inference;
  return MN_OK;
}

/* --- fitting --- */

static mn_status means_at(mn_context *ctx, const mn_glm_problem *problem, const mn_glm_state *state, double *mu)
{
  double *eta = MN_RAW(ctx, double, problem->n, 3);
  MN_CHECK_ALLOC(eta);
  MN_TRY(mn_glm_predictor(ctx, problem, state->b, state->c, eta));
  problem->link->inverse(problem->link_power, problem->n, eta, mu, eta + problem->n, eta + 2 * problem->n);
  return MN_OK;
}

/* Coefficients and theta in turn. Their estimates are nearly independent, so a few rounds do. */
static mn_status fit_theta(mn_context *ctx, struct mn_glm *m, mn_glm_problem *problem, mn_glm_state *state)
{
  enum { MOST_TURNS = 50 };
  mn_report *report = &m->linear.base.report;
  double *mu = MN_RAW(ctx, double, problem->n, 1);
  bool finite = true, settled = false;
  MN_CHECK_ALLOC(mu);
  mn_glm_problem poisson = *problem;
  poisson.family = &mn_glm_families[MN_POISSON];
  for (int turn = 0; turn < MOST_TURNS && !settled; turn++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const double before = problem->parameter;
    const mn_glm_problem *now = turn == 0 ? &poisson : problem;
    MN_TRY(mn_glm_minimise(ctx, now, m->tol, m->max_iter, NULL, state, &report->converged));
    MN_TRY(means_at(ctx, now, state, mu));
    MN_TRY(mn_glm_theta(ctx, problem, mu, &problem->parameter, &finite));
    settled = turn > 0 && fabs(problem->parameter - before) <= 1e-10 * before;
    mn_scratch_release(ctx, mark);
  }
  MN_TRY(mn_glm_minimise(ctx, problem, m->tol, m->max_iter, report, state, &report->converged));
  m->parameter = problem->parameter;
  if (finite && !settled) report->converged = false;
  report->advice = finite ? "raise max_iter, or scale the columns"
                          : "the counts vary no more than those of Poisson: theta is infinite; use family = 'poisson'";
  if (!finite) report->converged = false;
  return MN_OK;
}

static mn_status minimise(mn_context *ctx, struct mn_glm *m, mn_glm_problem *problem, mn_glm_state *state)
{
  mn_report *report = &m->linear.base.report;
  report->advice = "raise max_iter, or scale the columns";
  const bool unknown = m->family_code == MN_NEGATIVE_BINOMIAL && isnan(m->theta);
  if (unknown)
    MN_TRY(fit_theta(ctx, m, problem, state));
  else
    MN_TRY(mn_glm_minimise(ctx, problem, m->tol, m->max_iter, report, state, &report->converged));
  if (m->family_code == MN_NEGATIVE_BINOMIAL) m->theta_estimate = m->parameter;
  if (state->at_edge)
    report->advice =
        m->family_code == MN_BINOMIAL
            ? "the two outcomes can be told apart, wholly or in part, so that coefficients have no finite "
              "estimate: use alpha > 0, or fewer columns"
            : "some means run to the end of their range, so that coefficients have no finite estimate: use "
              "alpha > 0, or fewer columns";
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_glm *m = self;
  mn_glm_problem problem;
  mn_glm_state state;
  MN_TRY(pose(ctx, m, data, &problem));
  MN_TRY(mn_glm_begin(ctx, &problem, &state));
  MN_TRY(minimise(ctx, m, &problem, &state));
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, data->features));
  m->linear.intercept.at[0] = state.c;
  for (size_t j = 0; j < m->terms.size; j++) m->linear.coef.at[m->terms.at[j]] = state.b[j];
  if (m->offset_column >= 0) m->linear.coef.at[m->offset_column] = 1;
  return mn_glm_finish(ctx, m, data, &problem, &state);
}

static unsigned wants(const void *self)
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

/* What shapes cannot say. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_glm *m = self;
  const size_t features = m->linear.base.n_features;
  const size_t terms = m->terms.size;
  const bool whole = !m->residuals.at || (m->residuals.size == 5 && m->mean.size == terms && m->spread.size == terms &&
                                          m->unscaled.rows == terms && m->unscaled.cols == terms);
  const bool codes = m->family_code >= 0 && m->family_code < MN_GLM_FAMILIES && m->link_code > MN_LINK_AUTO &&
                     m->link_code < MN_GLM_LINKS;
  const bool columns = m->offset_column >= -1 && m->offset_column < (int64_t)features && m->trials_column >= -1 &&
                       m->trials_column < (int64_t)features && m->linear.intercept.size == 1;
  const mn_levels *classes = m->linear.base.classes;
  if (whole && codes && columns && (!classes || mn_levels_size(classes) == 2)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: a part of the fitted model is missing or wrong", who(m));
}

/* --- PoissonRegressor and its kin: the same with a family, a link and a penalty of their own --- */

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

#define OFFSET                                                                                                         \
  MN_STRING(struct mn_glm, offset,                                                                                     \
            "name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with "   \
            "coefficient 1, such as the logarithm of the exposure of counts")
#define CONSTANT MN_FLAG(struct mn_glm, fit_intercept, true, "learn a constant term, never penalised")
#define SEARCH                                                                                                         \
  MN_COUNT(struct mn_glm, max_iter, 100, MN_AT_LEAST(1), "most iterations"),                                           \
      MN_REAL(struct mn_glm, tol, 1e-9, MN_AT_LEAST(0),                                                                \
              "stop when a step is shorter than this share of the objective's root")
#define POWER(start)                                                                                                   \
  MN_REAL(struct mn_glm, power, start, MN_AT_LEAST(0),                                                                 \
          "of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and "   \
          "positive values), 2 gamma, 3 inverse gaussian")
#define LINK MN_CHOICE(struct mn_glm, link, MN_LINK_AUTO, mn_glm_link_names, "auto: the family's own")
#define ALPHA(start)                                                                                                   \
  MN_PENALTY(struct mn_glm, alpha, start, MN_AT_LEAST(0), "penalty on the weights"),                                   \
      MN_REAL(                                                                                                         \
          struct mn_glm, l1_ratio, 0, MN_CLOSED(0, 1),                                                                 \
          "share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm")

static const mn_param params[] = {
  MN_CHOICE(struct mn_glm, family, MN_GAUSSIAN, mn_glm_family_names, "distribution of y"),
  LINK,
  ALPHA(0),
  CONSTANT,
  OFFSET,
  MN_STRING(
      struct mn_glm, trials,
      "binomial: name of a column of X that holds the number of trials, y being the proportion of successes; nil: "
      "one trial a row"),
  POWER(1.5),
  MN_REAL(struct mn_glm, theta, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated"),
  MN_REAL(struct mn_glm, link_power, 1, MN_NO_LIMITS, "of link power: mean^link_power is linear in X"),
  MN_FLAG(struct mn_glm, quasi, false, "estimate the dispersion of binomial, poisson and negative_binomial too"),
  MN_FLAG(struct mn_glm, inference, true, "keep what summary, intervals and diagnostics need"),
  SEARCH,
  MN_END,
};

static const mn_param poisson_params[] = { ALPHA(1), CONSTANT, OFFSET, SEARCH, MN_END };
static const mn_param tweedie_params[] = { POWER(0), LINK, ALPHA(1), CONSTANT, OFFSET, SEARCH, MN_END };

#define COMMON_FIELDS                                                                                                  \
  MN_LINEAR_FIELDS("targets"), MN_NUMBER(struct mn_glm, deviance, "twice the log-likelihood lost to a perfect fit"),   \
      MN_NUMBER(struct mn_glm, n, "sum of the weights: the number of rows when there are none"),                       \
      MN_INTEGER(struct mn_glm, rank,                                                                                  \
                 "number of independent columns of X; with an L1 penalty, of weights that are not 0"),                 \
      MN_LEARNED(MN_KIND_COUNT, struct mn_glm, family_code, "", NULL),                                                 \
      MN_LEARNED(MN_KIND_COUNT, struct mn_glm, link_code, "", NULL),                                                   \
      MN_LEARNED(MN_KIND_REAL, struct mn_glm, parameter, "", NULL),                                                    \
      MN_LEARNED(MN_KIND_REAL, struct mn_glm, exponent, "", NULL),                                                     \
      MN_LEARNED(MN_KIND_COUNT, struct mn_glm, offset_column, "", NULL),                                               \
      MN_LEARNED(MN_KIND_COUNT, struct mn_glm, trials_column, "", NULL),                                               \
      MN_LEARNED(MN_KIND_INDEXES, struct mn_glm, terms, "terms? < features", NULL)

static const mn_field fields[] = {
  COMMON_FIELDS,
  MN_NUMBER(struct mn_glm, null_deviance, "deviance of the constant (and the offset) alone"),
  MN_NUMBER(struct mn_glm, pearson_chi2, "sum of squared Pearson residuals"),
  MN_NUMBER(struct mn_glm, dispersion, "pearson_chi2 / df_residual where the family has one, else 1"),
  MN_NUMBER(struct mn_glm, df_residual, "n less the number of coefficients"),
  MN_NUMBER(struct mn_glm, df_null, "n less 1, or n without an intercept"),
  MN_NUMBER(struct mn_glm, theta_estimate, "theta of negative_binomial; nan for other families"),
  MN_NUMBER(struct mn_glm, loglik, "log-likelihood; nan for tweedie and quasi"),
  MN_NUMBER(struct mn_glm, aic, "-2 loglik + 2 parameters, as R's glm counts them"),
  MN_NUMBER(struct mn_glm, bic, "-2 loglik + log(n) parameters"),
  MN_LEARNED(MN_KIND_REAL, struct mn_glm, total, "", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_glm, mean, "terms?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_glm, spread, "terms?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_glm, unscaled, "terms? x terms?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_glm, residuals, "five?", NULL),
  MN_END,
};

static const mn_field short_fields[] = { COMMON_FIELDS, MN_END };

static const char objective[] =
    "sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), "
    "link(mu_i) = x_i b + c + offset_i";
static const char source[] = "McCullagh & Nelder, Generalized Linear Models, 2nd ed. (1989)";

#define SHORT_SPARSE_NOTES                                                                                             \
  "X may be sparse and is never made dense: up to 500 columns the equations of a step are solved by a matrix of "      \
  "columns x columns; more of them, with alpha > 0, by conjugate gradients, or with an L1 penalty by coordinate "      \
  "descent on the columns, without such a matrix."
#define SPARSE_NOTES                                                                                                   \
  SHORT_SPARSE_NOTES " inference = true needs the matrix whatever the number of columns: set it to false where there " \
                     "are thousands."

const mn_class mn_glm = {
  .name = "GLM",
  .family = "linear",
  .brief = "Generalised linear models with inference: a family and a link for counts, proportions, times and amounts.",
  .objective = objective,
  .source = source,
  .notes =
      "Links by default are the canonical ones, as in R: identity, logit, log, inverse (gamma), inverse_squared; log "
      "for "
      "tweedie and negative_binomial. An offset is a column of X that is named, so that predict has it too; its "
      "coefficient is 1. y of family binomial: numbers from 0 to 1; or labels of two classes (text, booleans, a "
      "Factor), "
      "the second of which, model.classes[2], is the success, as for R's glm; or a Matrix of two columns, the numbers "
      "of "
      "successes and of failures (cbind(successes, failures) ~ ... in a formula). predict gives the probability of a "
      "success; for labels there is LogisticRegression. score, cross_validate and searches compare labels of y with "
      "the "
      "likelier one (accuracy where nothing is said; roc_auc, log_loss and the like take the probability), numbers "
      "with "
      "the prediction (r2), and two columns as shares that weigh by their trials (r2). Weights count rows, in degrees "
      "of freedom "
      "too, and are no trials: R's weights of binomial proportions are the column `trials` here, or two columns of y. "
      "Standard errors use the expected information; tests are z where the dispersion is known, "
      "t "
      "where it is estimated (R's way; statsmodels uses z). With alpha > 0 estimates are biased on purpose: then there "
      "are no standard errors. Where columns determine each other the shortest coefficients are given, in units of the "
      "columns' spread, without standard errors. w_i in the objective is the weight times the trials. " SPARSE_NOTES
      " Exported to Lua, predictions with link probit, cloglog, power or "
      "inverse_squared agree within 4 units in the last place.",
  .example = "local model = ml.GLM{ family = 'poisson' }:fit({ {1}, {2}, {3}, {4}, {5} }, { 1, 3, 4, 9, 14 })\n"
             "print(model:summary())",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_NO_COLUMNS,
  .size = sizeof(struct mn_glm),
  .params = params,
  .fields = fields,
  .operations = mn_glm_operations,
  .target_kind = wants,
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
    .operations = mn_glm_coef_operations,                                                                           \
    .fit = fit_,                                                                                                       \
    .predict = predict,                                                                                                \
    .export = mn_glm_export,                                                                                           \
    .check = check,                                                                                                    \
  }

SHORT_CLASS(mn_poisson_regressor, "PoissonRegressor", "Counts with a logarithmic link and an L2 penalty, L1, or both.",
            "local model = ml.PoissonRegressor{ alpha = 0.1 }:fit({ {1}, {2}, {3}, {4} }, { 1, 3, 4, 9 })\n"
            "print(model:predict{ {5} })",
            poisson_params, fit_poisson,
            "As in scikit-learn. For standard errors, tests and other links: ml.GLM{ family = 'poisson' "
            "}. " SHORT_SPARSE_NOTES);
SHORT_CLASS(
    mn_gamma_regressor, "GammaRegressor", "Positive amounts with a logarithmic link and an L2 penalty, L1, or both.",
    "local model = ml.GammaRegressor{ alpha = 0.1 }:fit({ {1}, {2}, {3}, {4} }, { 1.1, 2.9, 4.2, 9 })\n"
    "print(model:predict{ {5} })",
    poisson_params, fit_gamma,
    "As in scikit-learn. For standard errors, tests and other links: ml.GLM{ family = 'gamma' }. " SHORT_SPARSE_NOTES);
SHORT_CLASS(
    mn_tweedie_regressor, "TweedieRegressor",
    "Amounts whose variance is a power of their mean, with an L2 penalty, L1, or both.",
    "local model = ml.TweedieRegressor{ power = 1.5, alpha = 0.1 }:fit({ {1}, {2}, {3}, {4} }, { 0, 2.9, 4.2, 9 })\n"
    "print(model:predict{ {5} })",
    tweedie_params, fit_tweedie,
    "As in scikit-learn; link auto: identity for power 0, log for the others. For standard errors, tests and other "
    "links: ml.GLM{ family = 'tweedie' }. " SHORT_SPARSE_NOTES
    " Exported to Lua, predictions with link power or inverse_squared agree within "
    "4 "
    "units in the last place.");

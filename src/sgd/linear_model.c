/* Linear models of any loss with any penalty and solver. Minimize over b and c, for each score,
 *
 *     sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
 *
 * Losses are rows of a table (linear_loss.c), solvers of another (linear_model_solver.c). */
#include "linear_model.h"
#include "../linear/coef_summary.h"
#include "../logistic/logistic_separation.h"

/* Scale the weights to mean 1, since the loss of SGD is a mean over rows. */
static mn_status normalize_weights(mn_context *ctx, mn_data *data)
{
  const double total = mn_total_weight(data);
  double *w = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(w);
  for (size_t i = 0; i < data->rows; i++) w[i] = mn_weight(data, i) * (double)data->rows / total;
  data->weights = w;
  return MN_OK;
}

static void set_steps(struct mn_linear_model *m, mn_sgd_problem *q)
{
  q->loss = mn_linear_model_loss(m);
  q->penalty = m->sgd.penalty;
  q->schedule = m->sgd.learning_rate;
  q->parameter = mn_linear_model_parameter(m);
  m->sgd.shuffle = true;
  q->requires_stability = true;
}

static mn_status check_counts(mn_context *ctx, const struct mn_linear_model *m, const mn_data *data)
{
  if (mn_linear_model_loss(m) != MN_LOSS_POISSON) return MN_OK;
  for (size_t k = 0; k < data->rows * data->y.cols; k++)
    if (!(data->y.at[k] >= 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be >= 0 with loss 'poisson', got %g in row %zu",
                     m->sgd.linear.base.class->name, data->y.at[k], k / data->y.cols + 1);
  return MN_OK;
}

/* Without a penalty, losses that decrease forever as the margin grows have no minimum on separable classes. */
static mn_status check_separation(mn_context *ctx, struct mn_linear_model *m, const mn_data *data,
                                  const mn_sgd_problem *q)
{
  const size_t n = data->rows, scores = q->scores;
  const int64_t loss = mn_linear_model_loss(m);
  const bool unbounded = loss == MN_LOSS_LOG_LOSS || loss == MN_LOSS_EXPONENTIAL;
  if (!unbounded || mn_linear_model_alpha(m) > 0) return MN_OK;
  mn_matrix z = { .rows = n, .cols = scores, .at = MN_RAW(ctx, double, n, scores) };
  int32_t *code = MN_RAW(ctx, int32_t, n, 1);
  if (!z.at || !code) return MN_NO_MEMORY;
  MN_TRY(mn_linear_predict(ctx, m, data, &z));
  for (size_t s = 0; s < scores; s++) {
    for (size_t i = 0; i < n; i++) code[i] = q->y[s * n + i] > 0;
    if (!mn_logistic_separates(data, code, 1, z.at + s, scores)) continue;
    m->sgd.linear.base.report.converged = false;
    m->sgd.linear.base.report.advice = mn_logistic_separable_advice;
    m->sgd.linear.base.report.scaled_advice = NULL;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *original)
{
  struct mn_linear_model *m = self;
  mn_data data = *original;
  mn_sgd_problem q;
  int64_t solver;
  MN_TRY(check_counts(ctx, m, original));
  MN_TRY(mn_linear_model_choose_solver(ctx, m, original, &solver));
  MN_TRY(mn_sgd_targets(ctx, &m->sgd.linear.base, &data, &q));
  if (solver == MN_SOLVER_SGD) {
    if (original->weights) MN_TRY(normalize_weights(ctx, &data));
    set_steps(m, &q);
    return mn_sgd_run(ctx, &m->sgd, &q);
  }
  MN_TRY(mn_check_magnitudes(ctx, &m->sgd.linear.base, original));
  m->sgd.linear.base.report.advice = "raise max_iter or scale the columns";
  m->sgd.linear.base.report.scaled_advice = "raise max_iter or alpha, or use another solver";
  m->sgd.t = 1;
  MN_TRY(mn_linear_init(ctx, &m->sgd.linear, q.scores, original->features));
  MN_TRY(mn_vector_init(ctx, &m->gap, q.scores));
  MN_TRY(mn_linear_model_solve(ctx, m, original, &q, solver));
  return check_separation(ctx, m, original, &q);
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_linear_model *m = self;
  mn_sgd_problem q;
  MN_TRY(check_counts(ctx, m, data));
  MN_TRY(mn_sgd_targets(ctx, &m->sgd.linear.base, data, &q));
  set_steps(m, &q);
  mn_vector_free(mn_context_memory(ctx), &m->gap);
  return mn_sgd_run_round(ctx, &m->sgd, &q);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_linear_model *m = self;
  return mn_sgd_log_proba(ctx, &m->sgd.linear, mn_linear_model_loss(m), data, out);
}

static bool supports(const void *self, mn_action action)
{
  const int64_t loss = mn_linear_model_loss(self);
  const bool has_probabilities =
      loss == MN_LOSS_LOG_LOSS || loss == MN_LOSS_MODIFIED_HUBER || loss == MN_LOSS_EXPONENTIAL;
  return has_probabilities || (action != MN_PREDICT_PROBA && action != MN_PREDICT_LOG_PROBA);
}

static mn_status export_classifier(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_linear_model *m = self;
  return supports(self, action) ? mn_sgd_export_proba(ctx, &m->sgd.linear, mn_linear_model_loss(m), action, program)
                                : MN_OK;
}

static const char *const schedules[] = { "optimal", "constant", "invscaling", "adaptive", NULL };

static const double max_log_mean = 700; /* exp of it is finite */

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(mn_linear_predict(ctx, self, data, out));
  if (mn_linear_model_loss(self) != MN_LOSS_POISSON) return MN_OK;
  for (size_t k = 0; k < out->rows * out->cols; k++)
    out->at[k] = exp(out->at[k] < -max_log_mean  ? -max_log_mean
                     : out->at[k] > max_log_mean ? max_log_mean
                                                 : out->at[k]);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  MN_TRY(mn_linear_export(ctx, self, action, program));
  if (mn_linear_model_loss(self) == MN_LOSS_POISSON)
    mn_program_code(program, "for t < outputs {"
                             " out[t] = exp(out[t] < -700.0 ? -700.0 : out[t] > 700.0 ? 700.0 : out[t]) }");
  return MN_OK;
}

#define SHARED_PARAMS                                                                                                                                                                                                                                            \
  MN_SGD_PENALTY_PARAMS(MN_SGD_L2, "strength of the penalty"),                                                                                                                                                                                                   \
      MN_CHOICE(struct mn_linear_model, solver, MN_SOLVER_AUTO, mn_linear_model_solvers,                                                                                                                                                                         \
                "algorithm; auto chooses by loss, penalty and number of columns"),                                                                                                                                                                               \
      MN_FLAG(mn_sgd, fit_intercept, true, "fit an intercept; it is never penalized"),                                                                                                                                                                           \
      MN_COUNT(mn_sgd, max_iter, 1000, MN_CLOSED(1, INT32_MAX), "maximum number of rounds"),                                                                                                                                                                     \
      MN_REAL(                                                                                                                                                                                                                                                   \
          mn_sgd, tol, 1e-6, MN_AT_LEAST(0),                                                                                                                                                                                                                     \
          "stop when no element of the subgradient, in scaled columns, exceeds tol sqrt(objective of zero coefficients); of interior: duality gap below tol^2 of that objective; of dual: below tol of the current one; of sgd: minimum improvement per round"), \
      MN_CHOICE(mn_sgd, learning_rate, MN_SGD_INVSCALING, schedules,                                                                                                                                                                                             \
                "of sgd: how the step size decreases, see SGDRegressor"),                                                                                                                                                                                        \
      MN_REAL(mn_sgd, eta0, 0.01, MN_GREATER_THAN(0), "of sgd: initial step size"),                                                                                                                                                                              \
      MN_REAL(mn_sgd, power_t, 0.25, MN_AT_LEAST(0), "of sgd: exponent of invscaling, eta0 / t^power_t"),                                                                                                                                                        \
      MN_SGD_AVERAGE_PARAM,                                                                                                                                                                                                                                      \
      MN_COUNT(mn_sgd, n_iter_no_change, 5, MN_CLOSED(1, INT32_MAX),                                                                                                                                                                                             \
               "of sgd: stop after this many rounds without improvement"),                                                                                                                                                                                       \
      MN_SEED(mn_sgd, seed)

static const mn_param class_params[] = {
  MN_CHOICE(mn_sgd, loss, 0, mn_linear_model_class_losses, "loss of a row; see the notes"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_field class_fields[] = {
  MN_SGD_FIELDS("decisions"),
  MN_VECTOR(
      struct mn_linear_model, gap, "decisions?",
      "duality gap of each score: its objective is at most this far above the minimum; for solvers interior and dual, and for log_loss with an L1 penalty; else nan"),
  MN_END,
};

static const mn_param real_params[] = {
  MN_CHOICE(mn_sgd, loss, 0, mn_linear_model_real_losses, "loss of a row; see the notes"),
  MN_REAL(mn_sgd, epsilon, 0.1, MN_AT_LEAST(0), "threshold of huber and the epsilon-insensitive losses, in units of y"),
  MN_REAL(struct mn_linear_model, quantile, 0.5, MN_OPEN(0, 1), "of loss quantile: the quantile to predict"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_field real_fields[] = {
  MN_SGD_FIELDS("targets"),
  MN_VECTOR(
      struct mn_linear_model, gap, "targets?",
      "duality gap of each score (a number where y is a Vector): its objective is at most this far above the minimum; nan for solvers other than interior and dual"),
  MN_END,
};

#define OBJECTIVE                                                                                                      \
  "sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2); l1_ratio is 0 for " \
  "l2, 1 for l1"
#define SOURCE                                                                                                         \
  "Armijo (1966), gradient; Bottou (2012), sgd; Defazio, Bach & Lacoste-Julien, NIPS 2014, saga; Andrew & Gao, ICML "  \
  "2007, lbfgs; Yuan, Ho & Lin, JMLR 13 (2012), coordinate; Ferris & Munson, SIAM J. Optim. 13 (2003), interior; "     \
  "Hsieh et al., ICML 2008, dual"
#define SOLVER_NOTES                                                                                                   \
  "Unsupported combinations of loss, penalty and solver are rejected with a list of the supported solvers. "           \
  "partial_fit is one round of sgd, whatever the solver."

const mn_class mn_linear_model_classifier = {
  .name = "LinearModelClassifier",
  .family = "linear",
  .brief = "Linear classifier with a choice of loss, penalty and solver.",
  .objective = OBJECTIVE ", y = -1 or 1",
  .source = SOURCE,
  .notes =
      "Losses with m = y z: log_loss log(1 + exp(-m)); hinge max(0, 1 - m); squared_hinge its square; modified_huber the squared hinge, linear below m = -1; exponential exp(-m). "
      "With more than two classes each is fitted against the rest. "
      "log_loss, modified_huber and exponential have probabilities. "
      "alpha is 1 / (C n) of LogisticRegression. " SOLVER_NOTES,
  .example = "local X, y = { {-2}, {-1}, {1}, {2} }, { 'no', 'no', 'yes', 'yes' }\n"
             "local model = ml.LinearModelClassifier{ loss = 'squared_hinge', penalty = 'l1', alpha = 0.1 }\n"
             "print(model:fit(X, y):predict{ {-3}, {3} }, model.coef)",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_CLASS_WEIGHT,
  .size = sizeof(struct mn_linear_model),
  .params = class_params,
  .fields = class_fields,
  .operations = mn_sgd_coef_operations,
  .fit = fit,
  .partial_fit = partial_fit,
  .decision = mn_linear_predict,
  .log_proba = log_proba,
  .supports = supports,
  .supports_when = "a loss with probabilities, such as log_loss",
  .export = export_classifier,
  .check = mn_sgd_check,
};

const mn_class mn_linear_model_regressor = {
  .name = "LinearModelRegressor",
  .family = "linear",
  .brief = "Linear regression with a choice of loss, penalty and solver.",
  .objective = OBJECTIVE,
  .source = SOURCE,
  .notes =
      "Losses with r = y - z: squared_error r^2 / 2; absolute_error |r|; huber r^2 / 2, linear beyond epsilon; epsilon_insensitive max(0, |r| - epsilon), or its square; quantile r (quantile - [r < 0]); poisson half the deviance, with predictions exp(z). "
      "alpha is that of Lasso, and 1 / n of that of Ridge. " SOLVER_NOTES,
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5} }, { 1.1, 1.9, 3.2, 3.9, 50 }\n"
             "local model = ml.LinearModelRegressor{ loss = 'huber', epsilon = 0.5, penalty = 'none' }\n"
             "print(model:fit(X, y).coef, model:predict{ {6} })",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(struct mn_linear_model),
  .params = real_params,
  .fields = real_fields,
  .operations = mn_sgd_coef_operations,
  .fit = fit,
  .partial_fit = partial_fit,
  .predict = predict,
  .export = export,
  .check = mn_sgd_check,
};

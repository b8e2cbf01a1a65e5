/* Linear models by any loss, penalty and solver that go together. Minimise over b and c, for each score,
 *
 *     sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
 *
 * The losses are rows of a table (linear_loss.c), the solvers of another, below: a row says what it can take, and
 * "auto" is a walk over them. */
#include "../model/class.h"
#include "../loss/descent.h"
#include "../logistic/logistic_gap.h"
#include "sgd.h"
#include "../linear/coef_summary.h"
#include <stdio.h>
#include <string.h>

struct linear_model {
  mn_sgd sgd; /* its settings serve all solvers */
  int64_t solver;
  double quantile;
  mn_vector gap;
};

/* The losses of either class, as the user calls them and in mn_linear_losses. */
static const char *const class_losses[] = {
  "log_loss", "hinge", "squared_hinge", "modified_huber", "exponential", NULL
};
static const int64_t class_loss[] = { MN_LOSS_LOG_LOSS, MN_LOSS_HINGE, MN_LOSS_SQUARED_HINGE, MN_LOSS_MODIFIED_HUBER,
                                      MN_LOSS_EXPONENTIAL };
static const char *const real_losses[] = {
  "squared_error", "absolute_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive",
  "quantile",      "poisson",        NULL
};
static const int64_t real_loss[] = { MN_LOSS_SQUARED_ERROR,
                                     MN_LOSS_ABSOLUTE_ERROR,
                                     MN_LOSS_HUBER,
                                     MN_LOSS_EPSILON_INSENSITIVE,
                                     MN_LOSS_SQUARED_EPSILON_INSENSITIVE,
                                     MN_LOSS_QUANTILE,
                                     MN_LOSS_POISSON };
static const char *const schedules[] = { "optimal", "constant", "invscaling", "adaptive", NULL };

static bool classifies(const struct linear_model *m)
{
  return (m->sgd.linear.base.class->capabilities & MN_CLASSIFY) != 0;
}

static int64_t loss_of(const struct linear_model *m)
{
  return (classifies(m) ? class_loss : real_loss)[m->sgd.loss];
}

static double l1_ratio_of(const struct linear_model *m)
{
  if (m->sgd.penalty == MN_SGD_ELASTICNET) return m->sgd.l1_ratio;
  return m->sgd.penalty == MN_SGD_L1 ? 1 : 0;
}

static double alpha_of(const struct linear_model *m)
{
  return m->sgd.penalty == MN_SGD_NO_PENALTY ? 0 : m->sgd.alpha;
}

/* --- what the solvers can take --- */

enum {
  SOLVER_AUTO,
  SOLVER_GRADIENT,
  SOLVER_SGD,
  SOLVER_SAGA,
  SOLVER_LBFGS,
  SOLVER_COORDINATE,
  SOLVER_INTERIOR,
  SOLVER_DUAL
};
static const char *const solvers[] = { "auto",       "gradient", "sgd",  "saga", "lbfgs",
                                       "coordinate", "interior", "dual", NULL };

static bool is_smooth(const struct linear_model *m, const mn_data *data)
{
  (void)data;
  return mn_linear_losses[loss_of(m)].curvature != NULL;
}

static bool is_bounded(const struct linear_model *m, const mn_data *data)
{
  return is_smooth(m, data) && isfinite(mn_linear_losses[loss_of(m)].steepest);
}

static bool is_cornered(const struct linear_model *m, const mn_data *data)
{
  return !is_smooth(m, data); /* all such losses here are known to descent_interior.c */
}

static bool is_cornered_and_round(const struct linear_model *m, const mn_data *data)
{
  return is_cornered(m, data) && alpha_of(m) * (1 - l1_ratio_of(m)) > 0;
}

static bool is_any(const struct linear_model *m, const mn_data *data)
{
  (void)m, (void)data;
  return true;
}

enum { MOST_COLUMNS = 3000 }; /* that auto has matrices of columns x columns made of */

typedef mn_status (*descend)(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end);
static const struct solver_row {
  bool (*accepts)(const struct linear_model *m, const mn_data *data);
  descend run; /* NULL: not by descent.h */
} table[] = {
  [SOLVER_GRADIENT] = { is_smooth, mn_descent_by_gradient },
  [SOLVER_SGD] = { is_any, NULL },
  [SOLVER_SAGA] = { is_bounded, mn_descent_by_saga },
  [SOLVER_LBFGS] = { is_smooth, mn_descent_by_lbfgs },
  [SOLVER_COORDINATE] = { is_smooth, mn_descent_by_coordinates },
  [SOLVER_INTERIOR] = { is_cornered, mn_descent_by_interior },
  [SOLVER_DUAL] = { is_cornered_and_round, mn_descent_by_dual },
};

static bool suits(const struct linear_model *m, const mn_data *data, int64_t solver)
{
  return table[solver].accepts(m, data) && (solver != SOLVER_INTERIOR || data->features <= MOST_COLUMNS);
}

static mn_status choose_solver(mn_context *ctx, const struct linear_model *m, const mn_data *data, int64_t *chosen)
{
  static const int64_t by_weights[] = { SOLVER_INTERIOR, SOLVER_DUAL, SOLVER_COORDINATE, SOLVER_SGD };
  static const int64_t by_rows[] = { SOLVER_INTERIOR, SOLVER_DUAL, SOLVER_LBFGS, SOLVER_SGD };
  const int64_t *best = alpha_of(m) * l1_ratio_of(m) > 0 ? by_weights : by_rows;
  *chosen = m->solver;
  if (m->solver == SOLVER_AUTO) {
    size_t k = 0;
    while (k < 3 && !suits(m, data, best[k])) k++; /* the last one takes all */
    *chosen = best[k];
  }
  if (table[*chosen].accepts(m, data)) return MN_OK;
  char able[128] = "";
  size_t size = 0;
  for (int64_t k = SOLVER_GRADIENT; k <= SOLVER_DUAL; k++) {
    if (!table[k].accepts(m, data)) continue;
    size += (size_t)snprintf(able + size, sizeof able - size, "%s%s", size > 0 ? ", " : "", solvers[k]);
  }
  const char *loss = (classifies(m) ? class_losses : real_losses)[m->sgd.loss];
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: solver '%s' cannot take loss '%s' with penalty '%s'; these can: %s",
                 m->sgd.linear.base.class->name, solvers[m->solver], loss, mn_sgd_penalties[m->sgd.penalty], able);
}

/* --- by descent --- */

/* Scores are solved one after the other; what is told of is the sum over all of them, a score that has not begun being
 * at weights 0. */
struct telling {
  mn_context *ctx;
  mn_report *report;
  int64_t max_iter, round; /* round: of this score */
  double begin, others;
  bool asks; /* is it for us to ask whether to go on? */
};

static bool tell(void *user, double objective)
{
  struct telling *t = user;
  mn_report *r = t->report;
  if (t->round++ >= r->n_iter) {
    if (!mn_record_round(t->ctx, r, t->others + objective)) return false;
  } else {
    r->trace.at[t->round - 1] += objective - t->begin;
  }
  return !t->asks || mn_report_progress(t->ctx, (double)t->round, (double)t->max_iter, objective);
}

static void end_score(struct telling *t, double objective)
{
  mn_report *r = t->report;
  for (int64_t k = t->round; k < r->n_iter; k++) r->trace.at[k] += objective - t->begin;
}

static mn_status make_descent(mn_context *ctx, const struct linear_model *m, const mn_data *data, struct telling *t,
                              mn_descent *d)
{
  const double alpha = alpha_of(m), ratio = l1_ratio_of(m);
  const int64_t loss = loss_of(m);
  *d = (mn_descent){ .data = data,
                     .loss = &mn_linear_losses[loss],
                     .parameter = loss == MN_LOSS_QUANTILE ? m->quantile : m->sgd.epsilon,
                     .l1 = alpha * ratio,
                     .l2 = alpha * (1 - ratio),
                     .tol = m->sgd.tol,
                     .fit_intercept = m->sgd.fit_intercept,
                     .max_iter = m->sgd.max_iter,
                     .seed = m->sgd.seed,
                     .note = tell,
                     .user = t };
  return mn_descent_prepare(ctx, d);
}

/* All scores at weights 0: the sum of their objectives. */
static mn_status value_begins(mn_context *ctx, mn_descent *d, const mn_sgd_problem *q, double *u, double *begin,
                              double *sum)
{
  *sum = 0;
  for (size_t s = 0; s < q->scores; s++) {
    d->y = q->y + s * d->n;
    MN_TRY(mn_descent_begin(ctx, d, u));
    begin[s] = d->begin;
    *sum += d->begin;
  }
  return MN_OK;
}

static mn_status by_descent(mn_context *ctx, struct linear_model *m, const mn_data *data, const mn_sgd_problem *q,
                            descend run)
{
  mn_report *r = &m->sgd.linear.base.report;
  struct telling t = { .ctx = ctx, .report = r, .max_iter = m->sgd.max_iter, .asks = run != mn_descent_by_lbfgs };
  mn_descent d;
  MN_TRY(make_descent(ctx, m, data, &t, &d));
  double *u = MN_RAW(ctx, double, d.p + 1, 1), *begin = MN_RAW(ctx, double, q->scores, 1), sum;
  if (!u || !begin) return MN_NO_MEMORY;
  MN_TRY(value_begins(ctx, &d, q, u, begin, &sum));
  r->converged = true;
  for (size_t s = 0; s < q->scores; s++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_descent_end end = { .objective = begin[s], .converged = true };
    d.y = q->y + s * d.n;
    MN_TRY(mn_descent_begin(ctx, &d, u));
    t.begin = begin[s];
    t.others = sum - begin[s];
    t.round = 0;
    mn_progress_part(ctx, s, q->scores);
    if (mn_should_continue(ctx) && d.begin > 0) MN_TRY(run(ctx, &d, u, &end));
    MN_TRY(mn_error_status(ctx));
    end_score(&t, end.objective);
    sum += end.objective - begin[s];
    r->converged = r->converged && end.converged && mn_should_continue(ctx);
    r->change = fmax(r->change, d.begin > 0 ? end.steepest / sqrt(d.begin) : 0);
    mn_descent_weights(&d, u, m->sgd.linear.coef.at + s * d.p, &m->sgd.linear.intercept.at[s]);
    m->gap.at[s] = is_cornered(m, data) ? end.duality_gap : (double)NAN;
    if (loss_of(m) == MN_LOSS_LOG_LOSS)
      MN_TRY(mn_logistic_gap_of_score(ctx, &d, m->sgd.linear.coef.at + s * d.p, m->sgd.linear.intercept.at[s],
                                      &m->gap.at[s]));
    mn_scratch_release(ctx, mark);
  }
  mn_progress_part(ctx, 0, 1);
  r->objective = sum;
  if (r->n_iter == 0) (void)mn_round(ctx, r, m->sgd.max_iter, sum); /* nothing to do: that is told, too */
  return mn_error_status(ctx);
}

/* --- by SGD --- */

/* Weights about 1, for the loss of SGD is a mean over rows. */
static mn_status level_weights(mn_context *ctx, mn_data *data)
{
  const double total = mn_total_weight(data);
  double *w = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(w);
  for (size_t i = 0; i < data->rows; i++) w[i] = mn_weight(data, i) * (double)data->rows / total;
  data->weights = w;
  return MN_OK;
}

static void choose_steps(struct linear_model *m, mn_sgd_problem *q)
{
  q->loss = loss_of(m);
  q->penalty = m->sgd.penalty;
  q->schedule = m->sgd.learning_rate;
  q->parameter = q->loss == MN_LOSS_QUANTILE ? m->quantile : m->sgd.epsilon;
  m->sgd.shuffle = true;
  q->strict = true;
}

/* --- the estimators --- */

static mn_status check_counts(mn_context *ctx, const struct linear_model *m, const mn_data *data)
{
  if (loss_of(m) != MN_LOSS_POISSON) return MN_OK;
  for (size_t k = 0; k < data->rows * data->y.cols; k++)
    if (!(data->y.at[k] >= 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be >= 0 with loss 'poisson', got %g at row %zu",
                     m->sgd.linear.base.class->name, data->y.at[k], k / data->y.cols + 1);
  return MN_OK;
}

/* Losses that fall for ever as the margin grows have no minimum, without a penalty, where some weights put every row
 * strictly on its side. Any weights that do so prove it. */
static mn_status look_for_separation(mn_context *ctx, struct linear_model *m, const mn_data *data,
                                     const mn_sgd_problem *q)
{
  const size_t n = data->rows, scores = q->scores;
  const bool endless = loss_of(m) == MN_LOSS_LOG_LOSS || loss_of(m) == MN_LOSS_EXPONENTIAL;
  if (!endless || alpha_of(m) > 0) return MN_OK;
  mn_matrix z = { .rows = n, .cols = scores, .at = MN_RAW(ctx, double, n, scores) };
  MN_CHECK_ALLOC(z.at);
  MN_TRY(mn_linear_predict(ctx, m, data, &z));
  for (size_t s = 0, i = 0; s < scores; s++, i = 0) {
    while (i < n && (q->y[s * n + i] * z.at[i * scores + s] > 0 || !(mn_weight(data, i) > 0))) i++;
    if (i < n) continue;
    m->sgd.linear.base.report.converged = false;
    m->sgd.linear.base.report.advice =
        "the classes can be told apart, so that the weights grow for ever: use penalty = 'l2'";
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *given)
{
  struct linear_model *m = self;
  mn_data data = *given;
  mn_sgd_problem q;
  int64_t solver;
  MN_TRY(check_counts(ctx, m, given));
  MN_TRY(choose_solver(ctx, m, given, &solver));
  MN_TRY(mn_sgd_answers(ctx, &m->sgd.linear.base, &data, &q));
  if (solver == SOLVER_SGD) {
    if (given->weights) MN_TRY(level_weights(ctx, &data));
    choose_steps(m, &q);
    return mn_sgd_run(ctx, &m->sgd, &q);
  }
  MN_TRY(mn_check_magnitudes(ctx, &m->sgd.linear.base, given));
  m->sgd.linear.base.report.advice = "raise max_iter, or scale the columns";
  m->sgd.t = 1;
  MN_TRY(mn_linear_init(ctx, &m->sgd.linear, q.scores, given->features));
  MN_TRY(mn_vector_init(ctx, &m->gap, q.scores));
  MN_TRY(by_descent(ctx, m, given, &q, table[solver].run));
  return look_for_separation(ctx, m, given, &q);
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct linear_model *m = self;
  mn_sgd_problem q;
  MN_TRY(check_counts(ctx, m, data));
  MN_TRY(mn_sgd_answers(ctx, &m->sgd.linear.base, data, &q));
  choose_steps(m, &q);
  mn_vector_free(mn_context_memory(ctx), &m->gap);
  return mn_sgd_batch(ctx, &m->sgd, &q);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct linear_model *m = self;
  return mn_sgd_log_proba(ctx, &m->sgd.linear, loss_of(m), data, out);
}

static bool able(const void *self, mn_action action)
{
  const int64_t loss = loss_of(self);
  const bool shares = loss == MN_LOSS_LOG_LOSS || loss == MN_LOSS_MODIFIED_HUBER || loss == MN_LOSS_EXPONENTIAL;
  return shares || (action != MN_PREDICT_PROBA && action != MN_PREDICT_LOG_PROBA);
}

static mn_status export_class(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct linear_model *m = self;
  return able(self, action) ? mn_sgd_export_shares(ctx, &m->sgd.linear, loss_of(m), action, program) : MN_OK;
}

static const double farthest = 700; /* exp of it is a number */

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(mn_linear_predict(ctx, self, data, out));
  if (loss_of(self) != MN_LOSS_POISSON) return MN_OK;
  for (size_t k = 0; k < out->rows * out->cols; k++)
    out->at[k] = exp(out->at[k] < -farthest ? -farthest : out->at[k] > farthest ? farthest : out->at[k]);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  MN_TRY(mn_linear_export(ctx, self, action, program));
  if (loss_of(self) == MN_LOSS_POISSON)
    mn_program_code(program, "for t < outputs {"
                             " out[t] = exp(out[t] < -700.0 ? -700.0 : out[t] > 700.0 ? 700.0 : out[t]) }");
  return MN_OK;
}

#define SHARED_PARAMS                                                                                                  \
  MN_SGD_PENALTY_PARAMS(MN_SGD_L2, "strength of the penalty"),                                                         \
      MN_CHOICE(struct linear_model, solver, SOLVER_AUTO, solvers, "how the minimum is found; see the notes"),         \
      MN_FLAG(mn_sgd, fit_intercept, true, "learn a constant term, never penalised"),                                  \
      MN_COUNT(mn_sgd, max_iter, 1000, MN_CLOSED(1, INT32_MAX), "most rounds"),                                        \
      MN_REAL(mn_sgd, tol, 1e-6, MN_AT_LEAST(0), "how near to the minimum; see the notes"),                            \
      MN_CHOICE(mn_sgd, learning_rate, MN_SGD_INVSCALING, schedules,                                                   \
                "of sgd: how the rate of steps falls, see SGDRegressor"),                                              \
      MN_REAL(mn_sgd, eta0, 0.01, MN_GREATER_THAN(0), "of sgd: first rate"),                                           \
      MN_REAL(mn_sgd, power_t, 0.25, MN_AT_LEAST(0), "of sgd: exponent of invscaling, eta0 / t^power_t"),              \
      MN_SGD_AVERAGE_PARAM,                                                                                            \
      MN_COUNT(mn_sgd, n_iter_no_change, 5, MN_CLOSED(1, INT32_MAX),                                                   \
               "of sgd: rounds without improvement before the end"),                                                   \
      MN_SEED(mn_sgd, seed)

static const mn_param class_params[] = {
  MN_CHOICE(mn_sgd, loss, 0, class_losses, "loss of a row; see the notes"),
  SHARED_PARAMS,
  MN_END,
};

#define GAP                                                                                                            \
  "of interior and dual: the objective of each score is above its minimum by no more than this; nan for other "        \
  "solvers; a number where y is a Vector"
#define CLASS_GAP                                                                                                      \
  "the objective of each score is above its minimum by no more than this: of interior and dual, and of log_loss with " \
  "an L1 norm in the penalty; else, and for sgd, nan"

static const mn_field class_fields[] = {
  MN_SGD_FIELDS("decisions"),
  MN_VECTOR(struct linear_model, gap, "decisions?", CLASS_GAP),
  MN_END,
};

static const mn_param real_params[] = {
  MN_CHOICE(mn_sgd, loss, 0, real_losses, "loss of a row; see the notes"),
  MN_REAL(mn_sgd, epsilon, 0.1, MN_AT_LEAST(0), "of huber and the epsilon-insensitive losses, in units of y"),
  MN_REAL(struct linear_model, quantile, 0.5, MN_OPEN(0, 1), "of loss quantile: which one of y is predicted"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_field real_fields[] = {
  MN_SGD_FIELDS("targets"),
  MN_VECTOR(struct linear_model, gap, "targets?", GAP),
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
  "Solvers: gradient, steps down the gradient whose length is halved until the objective falls (proximal with an L1 "  \
  "penalty); lbfgs (OWL-QN with an L1 penalty); coordinate, one weight at a time on quadratic models, columns that "   \
  "stay 0 left out; these three take smooth losses, and their objective never rises. Losses with corners (hinge, "     \
  "absolute_error, epsilon_insensitive, quantile) have interior, an interior-point method for every penalty that "     \
  "makes matrices of columns x columns, and dual, coordinate ascent on the dual for any number of columns, with an "   \
  "L2 "                                                                                                                \
  "part in the penalty (liblinear's way; the constant is not penalised); gap says how near to the minimum they are. "  \
  "saga, random rows with the gradients of all kept, takes losses of bounded curvature. sgd takes all and comes near " \
  "only; partial_fit is a round of it whatever the solver. auto: with corners interior, beyond 3000 columns dual, "    \
  "and "                                                                                                               \
  "sgd where neither can; else coordinate where there is an L1 penalty; else lbfgs. A combination that cannot work "   \
  "is "                                                                                                                \
  "refused, with the solvers that can. Columns are taken about their means and in units of their spread inside, dual " \
  "and sgd excepted. The end: no element of the least subgradient, by weights in units of the curvature along them, "  \
  "is above tol sqrt(objective of weights 0); what a step can gain is about tol^2 of that. interior ends when the "    \
  "duality gap is below tol^2 of it, or rounding keeps it from falling, dual when it is below tol of the objective "   \
  "reached. For sgd tol "                                                                                              \
  "is the least improvement of a round that counts, and a weight scales the step of its row; the objective of a "      \
  "round "                                                                                                             \
  "is what its rows met on the way, so that objective and trace may rise from round to round, with corners above "     \
  "all. "                                                                                                              \
  "There converged says that n_iter_no_change rounds brought none better, and that the last stands above the best by " \
  "at most 1 % of its fall from weights 0; it does not say how near the minimum is. "

const mn_class mn_linear_model_classifier = {
  .name = "LinearModelClassifier",
  .family = "linear",
  .brief = "Linear classifier of any loss, penalty and solver that go together.",
  .objective = OBJECTIVE ", y = -1 or 1",
  .source = SOURCE,
  .notes =
      "Losses, m being the margin y z: log_loss log(1 + exp(-m)); hinge max(0, 1 - m); squared_hinge its square; "
      "modified_huber, the squared hinge down to m = -1 and linear below; exponential exp(-m). Of more than two "
      "classes each has a score of its own against all others. " SOLVER_NOTES
      "Probabilities are there with log_loss, modified_huber and exponential, of more than two classes made to add "
      "up to 1. alpha is 1 / (C n) of LogisticRegression.",
  .example = "local X, y = { {-2}, {-1}, {1}, {2} }, { 'no', 'no', 'yes', 'yes' }\n"
             "local model = ml.LinearModelClassifier{ loss = 'squared_hinge', penalty = 'l1', alpha = 0.1 }\n"
             "print(model:fit(X, y):predict{ {-3}, {3} }, model.coef)",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_CLASS_WEIGHT,
  .size = sizeof(struct linear_model),
  .params = class_params,
  .fields = class_fields,
  .operations = mn_sgd_coef_operations,
  .fit = fit,
  .partial_fit = partial_fit,
  .decision = mn_linear_predict,
  .log_proba = log_proba,
  .supports = able,
  .export = export_class,
  .check = mn_sgd_check,
};

const mn_class mn_linear_model_regressor = {
  .name = "LinearModelRegressor",
  .family = "linear",
  .brief = "Linear regression of any loss, penalty and solver that go together.",
  .objective = OBJECTIVE,
  .source = SOURCE,
  .notes = "Losses, r being y - z: squared_error r^2 / 2; absolute_error |r|; huber, r^2 / 2 up to epsilon and linear "
           "beyond; epsilon_insensitive, what |r| exceeds epsilon by, or its square; quantile r (quantile - [r < 0]); "
           "poisson exp(z) - y z and what makes it 0 where exp(z) = y >= 0: half the deviance, predictions being "
           "exp(z). " SOLVER_NOTES
           "Quantiles without an L2 penalty QuantileRegressor finds sooner, by a method of their own. alpha is that of "
           "Lasso and ElasticNet, 1 / n of Ridge's.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5} }, { 1.1, 1.9, 3.2, 3.9, 50 }\n"
             "local model = ml.LinearModelRegressor{ loss = 'huber', epsilon = 0.5, penalty = 'none' }\n"
             "print(model:fit(X, y).coef, model:predict{ {6} })",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(struct linear_model),
  .params = real_params,
  .fields = real_fields,
  .operations = mn_sgd_coef_operations,
  .fit = fit,
  .partial_fit = partial_fit,
  .predict = predict,
  .export = export,
  .check = mn_sgd_check,
};

#include "../model/model.h"
#include "sgd.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include <string.h>

const char *const mn_sgd_penalties[] = { "l2", "l1", "elasticnet", "none", NULL };
const char *const mn_sgd_schedules[] = { "optimal", "constant", "invscaling", "adaptive", "pa1", "pa2", NULL };

enum { POLL_VALUES = 1 << 20 }; /* values of X between two checks for cancellation */
enum { SPARSE_RATIO = 16 };     /* columns per stored value of a row above which L1 penalties are applied lazily */
enum { MIN_HISTORY = 4096 };    /* minimum number of steps remembered for an elastic net on sparse rows */

/* State of a fit that is not stored in the model. */
struct fit_state {
  const mn_sgd *m;
  const mn_sgd_problem *problem;
  mn_sgd_rule rule;
  mn_sgd_state *state;            /* scores */
  size_t *order;                  /* rows: training rows, then held-out rows */
  size_t train_count, test_count; /* how many of each */
  double *zero_objective;         /* scores: objective of zero coefficients */
  size_t begin, end;              /* of order: the current segment */
};

static bool is_passive_aggressive(const mn_sgd_problem *p)
{
  return p->schedule == MN_SGD_PA1 || p->schedule == MN_SGD_PA2;
}

/* The passive-aggressive estimators call eta0 C. */
static bool has_C_parameter(const mn_sgd *m)
{
  return mn_param_named(m->linear.base.class->params, "C") != NULL;
}

static mn_status check_settings(mn_context *ctx, const mn_sgd *m, const mn_sgd_problem *p)
{
  const char *name = m->linear.base.class->name;
  if (p->schedule == MN_SGD_OPTIMAL && !(m->alpha > 0))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: alpha must be > 0 with learning_rate 'optimal', which depends on it, got 0", name);
  const int64_t required = p->classifies ? MN_LOSS_HINGE : MN_LOSS_EPSILON_INSENSITIVE;
  if (is_passive_aggressive(p) && p->loss != required)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: learning_rate '%s' requires loss '%s', got '%s'", name,
                   mn_sgd_schedules[p->schedule], mn_linear_losses[required].name, mn_linear_losses[p->loss].name);
  /* steps are divided by the squared length of a row: infinity would make them 0 */
  return is_passive_aggressive(p) ? mn_check_magnitudes(ctx, &m->linear.base, p->data) : MN_OK;
}

static void make_rule(const mn_sgd *m, const mn_sgd_problem *p, mn_sgd_rule *rule)
{
  *rule = (mn_sgd_rule){ .loss = &mn_linear_losses[p->loss],
                         .epsilon = p->parameter,
                         .alpha = m->alpha,
                         .l1 = p->penalty == MN_SGD_L1           ? 1
                               : p->penalty == MN_SGD_ELASTICNET ? m->l1_ratio
                                                                 : 0,
                         .has_l2 = p->penalty == MN_SGD_L2 || p->penalty == MN_SGD_ELASTICNET,
                         .has_l1 = p->penalty == MN_SGD_L1 || p->penalty == MN_SGD_ELASTICNET,
                         .schedule = (int)p->schedule,
                         .eta0 = m->eta0,
                         .power_t = m->power_t,
                         .average = (double)m->average,
                         .fit_intercept = m->fit_intercept,
                         .p = p->data->features };
  if (p->schedule != MN_SGD_OPTIMAL) return;
  const double common = sqrt(1 / sqrt(m->alpha));
  const double first = common / fmax(1, rule->loss->slope(1, -common, p->parameter));
  rule->optimal_start = 1 / (first * m->alpha);
}

/* Whether rows are so sparse that lazy L1 penalties are faster than applying them to all coefficients at each step. */
static bool is_sparse(const mn_data *data)
{
  return data->sparse && data->features > SPARSE_RATIO * (data->sparse->start[data->rows] / data->rows + 1);
}

static mn_status init_state(mn_context *ctx, const struct fit_state *d, mn_sgd_state *w)
{
  const size_t p = d->rule.p;
  *w = (mn_sgd_state){ .scale = 1, .average_scale = 1, .rate = d->m->eta0, .t = 1, .best = INFINITY };
  w->v = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(w->v);
  if (d->m->average > 0) {
    w->average = MN_NEW(ctx, double, p, 1);
    MN_CHECK_ALLOC(w->average);
  }
  if (!d->rule.has_l1) return MN_OK;
  w->paid = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(w->paid);
  if (!is_sparse(d->problem->data) || w->average) return MN_OK;
  w->last_shift = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(w->last_shift);
  if (!d->rule.has_l2) return MN_OK;
  w->capacity =
      p > MIN_HISTORY ? p : MIN_HISTORY; /* so that applying all lazy penalties when it is full costs O(1) per step */
  w->history = MN_NEW(ctx, mn_sgd_history, w->capacity, 1);
  MN_CHECK_ALLOC(w->history);
  return MN_OK;
}

/* Continue from the learned state of score c. */
static void load_state(const mn_sgd *m, size_t c, const mn_sgd_rule *rule, mn_sgd_state *w)
{
  const size_t p = rule->p, bytes = p * sizeof *w->v;
  const bool averaged_steps = m->step_coef.at != NULL;
  memcpy(w->v, (averaged_steps ? m->step_coef.at : m->linear.coef.at) + c * p, bytes);
  w->intercept = averaged_steps ? m->step_intercept.at[c] : m->linear.intercept.at[c];
  w->t = m->t;
  if (w->average && m->t > rule->average) {
    memcpy(w->average, m->linear.coef.at + c * p, bytes);
    w->average_intercept = m->linear.intercept.at[c];
  }
  if (w->paid && m->l1_paid.at) {
    memcpy(w->paid, m->l1_paid.at + c * p, bytes);
    w->due = m->l1_due.at[c];
  }
}

static mn_status init_fit(mn_context *ctx, struct fit_state *d)
{
  const mn_sgd *m = d->m;
  const size_t rows = d->problem->data->rows, scores = d->problem->scores;
  d->state = MN_NEW(ctx, mn_sgd_state, scores, 1);
  d->order = MN_RAW(ctx, size_t, rows, 1);
  d->zero_objective = MN_NEW(ctx, double, scores, 1);
  if (!d->state || !d->order || !d->zero_objective) return MN_NO_MEMORY;
  for (size_t i = 0; i < rows; i++) d->order[i] = i;
  d->train_count = rows;
  for (size_t c = 0; c < scores; c++) {
    MN_TRY(init_state(ctx, d, &d->state[c]));
    if (m->linear.coef.at) load_state(m, c, &d->rule, &d->state[c]);
    mn_sgd_normalize(&d->rule, &d->state[c]);
  }
  return MN_OK;
}

static void free_learned(mn_memory *memory, mn_sgd *m)
{
  mn_matrix_free(memory, &m->linear.coef);
  mn_vector_free(memory, &m->linear.intercept);
  mn_matrix_free(memory, &m->step_coef);
  mn_vector_free(memory, &m->step_intercept);
  mn_matrix_free(memory, &m->l1_paid);
  mn_vector_free(memory, &m->l1_due);
}

static mn_status store_model(mn_context *ctx, mn_sgd *m, const struct fit_state *d)
{
  const size_t p = d->rule.p, scores = d->problem->scores;
  double t = 1;
  free_learned(mn_context_memory(ctx), m);
  for (size_t c = 0; c < scores; c++) t = fmax(t, d->state[c].t);
  m->t = t;
  const bool averaged = m->average > 0 && t > (double)m->average;
  MN_TRY(mn_linear_init(ctx, &m->linear, scores, p));
  if (averaged) MN_TRY(mn_matrix_init(ctx, &m->step_coef, scores, p));
  if (averaged) MN_TRY(mn_vector_init(ctx, &m->step_intercept, scores));
  if (d->rule.has_l1) MN_TRY(mn_matrix_init(ctx, &m->l1_paid, scores, p));
  if (d->rule.has_l1) MN_TRY(mn_vector_init(ctx, &m->l1_due, scores));
  for (size_t c = 0; c < scores; c++) {
    const mn_sgd_state *w = &d->state[c];
    const size_t bytes = p * sizeof *w->v;
    memcpy(m->linear.coef.at + c * p, averaged ? w->average : w->v, bytes);
    m->linear.intercept.at[c] = averaged ? w->average_intercept : w->intercept;
    if (averaged) memcpy(m->step_coef.at + c * p, w->v, bytes);
    if (averaged) m->step_intercept.at[c] = w->intercept;
    if (w->paid) memcpy(m->l1_paid.at + c * p, w->paid, bytes);
    if (w->paid) m->l1_due.at[c] = w->due;
  }
  return MN_OK;
}

static void run_segment(void *work, size_t score, size_t worker)
{
  (void)worker;
  const struct fit_state *d = work;
  const size_t rows = d->problem->data->rows;
  if (!d->state[score].done)
    mn_sgd_steps(&d->rule, &d->state[score], d->problem->data, d->problem->y + score * rows, d->order, d->begin,
                 d->end);
}

static bool is_finite(size_t n, const double *v)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

static void end_round(void *work, size_t score, size_t worker)
{
  (void)worker;
  const struct fit_state *d = work;
  mn_sgd_state *w = &d->state[score];
  if (w->done) return;
  mn_sgd_normalize(&d->rule, w);
  w->diverged = !is_finite(d->rule.p, w->v) || !isfinite(w->intercept) || !isfinite(w->loss);
  if (w->average) w->diverged = w->diverged || !is_finite(d->rule.p, w->average) || !isfinite(w->average_intercept);
}

/* One round of all scores that are not done, in parallel. */
static mn_status run_round(mn_context *ctx, struct fit_state *d, int64_t round)
{
  const mn_data *data = d->problem->data;
  const size_t scores = d->problem->scores,
               values = data->sparse ? data->sparse->start[data->rows] : data->rows * data->features;
  const mn_blocks segments = mn_make_blocks(d->train_count, POLL_VALUES / (values / data->rows + 1) + 1, SIZE_MAX);
  for (size_t c = 0; c < scores; c++)
    if (!d->state[c].done) d->state[c].loss = 0;
  for (size_t s = 0; s < segments.count; s++) {
    d->begin = mn_block_begin(&segments, s);
    d->end = mn_block_end(&segments, s);
    MN_TRY(mn_parallel(ctx, scores, run_segment, d));
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(mn_parallel(ctx, scores, end_round, d));
  for (size_t c = 0; c < scores; c++)
    if (d->state[c].diverged)
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: the coefficients overflowed in round %lld; scale the columns (StandardScaler) or lower %s",
                     d->m->linear.base.class->name, (long long)round, has_C_parameter(d->m) ? "C" : "eta0");
  return MN_OK;
}

/* Accuracy of the signs, or R^2, on the held-out rows. */
static double held_out_score(const struct fit_state *d, size_t c)
{
  const mn_data *data = d->problem->data;
  const mn_sgd_state *w = &d->state[c];
  const double *y = d->problem->y + c * data->rows;
  const size_t *row = d->order + d->train_count;
  double total = 0, correct = 0, mean = 0, rest = 0, spread = 0;
  for (size_t k = 0; k < d->test_count; k++) {
    const double weight = mn_weight(data, row[k]), z = mn_sgd_score(w, data, row[k]), delta = y[row[k]] - mean;
    total += weight;
    correct += (z > 0) == (y[row[k]] > 0) ? weight : 0;
    rest += weight * (y[row[k]] - z) * (y[row[k]] - z);
    mean += weight / total * delta;
    spread += weight * delta * (y[row[k]] - mean);
  }
  if (d->problem->classifies) return correct / total;
  return spread > 0 ? 1 - rest / spread : 0;
}

/* Stop score c after n_iter_no_change rounds without improvement; an adaptive rate is lowered first. */
static void check_stopping(const struct fit_state *d, size_t c, double objective)
{
  static const double min_rate = 1e-6;
  mn_sgd_state *w = &d->state[c];
  const mn_sgd *m = d->m;
  const double value = m->early_stopping ? -held_out_score(d, c) : objective;
  w->stale_rounds = value > w->best - m->tol ? w->stale_rounds + 1 : 0;
  w->best = fmin(w->best, value);
  if (w->stale_rounds < m->n_iter_no_change) return;
  w->stale_rounds = 0;
  if (d->rule.schedule == MN_SGD_ADAPTIVE && w->rate > min_rate)
    w->rate /= 5;
  else
    w->done = true;
}

/* Objective of zero coefficients: a fit that ends far above it has failed. */
static void compute_zero_objective(struct fit_state *d)
{
  const mn_data *data = d->problem->data;
  for (size_t c = 0; c < d->problem->scores; c++)
    for (size_t k = 0; k < d->train_count; k++) {
      const size_t i = d->order[k];
      d->zero_objective[c] += mn_weight(data, i) *
                              d->rule.loss->value(d->problem->y[c * data->rows + i], 0, d->rule.epsilon) /
                              (double)d->train_count;
    }
}

static bool is_worse_than_zero(const struct fit_state *d)
{
  for (size_t c = 0; c < d->problem->scores; c++)
    if (d->zero_objective[c] > 0 && d->state[c].loss / (double)d->train_count > 2 * d->zero_objective[c]) return true;
  return false;
}

/* Whether the last round is far above the best, relative to the decrease from zero coefficients: the steps are too long
 * to converge. */
static bool oscillates(const struct fit_state *d)
{
  static const double test_size = 0.01;
  for (size_t c = 0; c < d->problem->scores; c++) {
    const double best = d->state[c].best;
    if (d->state[c].loss / (double)d->train_count - best > test_size * fabs(d->zero_objective[c] - best)) return true;
  }
  return false;
}

/* Move held-out rows to the end of the order: the same share of each class, but never all of it. */
static mn_status hold_out(mn_context *ctx, struct fit_state *d)
{
  const mn_data *data = d->problem->data;
  const size_t rows = data->rows, classes = d->problem->classifies ? data->classes : 1;
  size_t *reordered = MN_RAW(ctx, size_t, rows, 1), *size = MN_NEW(ctx, size_t, classes, 1), train_count = 0,
         test_count = 0;
  mn_rng rng = mn_stream(d->m->seed, UINT64_MAX);
  if (!reordered || !size) return MN_NO_MEMORY;
  mn_shuffle(&rng, d->order, rows);
  for (size_t i = 0; i < rows; i++) size[d->problem->classifies ? (size_t)data->code[i] : 0]++;
  for (size_t c = 0; c < classes; c++) {
    const size_t test_size = (size_t)ceil(d->m->validation_fraction * (double)size[c]);
    size[c] = test_size < size[c] || size[c] == 0 ? test_size : size[c] - 1;
  }
  for (size_t k = 0; k < rows; k++) {
    size_t *remaining = &size[d->problem->classifies ? (size_t)data->code[d->order[k]] : 0];
    if (*remaining > 0)
      reordered[rows - ++test_count] = d->order[k];
    else
      reordered[train_count++] = d->order[k];
    *remaining -= *remaining > 0;
  }
  memcpy(d->order, reordered, rows * sizeof *reordered);
  d->train_count = train_count;
  d->test_count = test_count;
  if (train_count > 0 && test_count > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA,
                 "%s: early_stopping requires rows for training and for validation, got %zu and %zu of %zu",
                 d->m->linear.base.class->name, train_count, test_count, rows);
}

static mn_status iterate(mn_context *ctx, mn_sgd *m, struct fit_state *d)
{
  mn_report *r = &m->linear.base.report;
  const size_t scores = d->problem->scores;
  bool keep_going = true;
  while (keep_going && !r->converged && r->n_iter < m->max_iter) {
    mn_rng rng = mn_stream(m->seed, (uint64_t)r->n_iter);
    if (m->shuffle) mn_shuffle(&rng, d->order, d->train_count);
    MN_TRY(run_round(ctx, d, r->n_iter + 1));
    double objective = 0;
    r->converged = true;
    for (size_t c = 0; c < scores; c++) {
      const double score_objective = d->state[c].loss / (double)d->train_count;
      objective += score_objective;
      if (!d->state[c].done) check_stopping(d, c, score_objective);
      r->converged = r->converged && d->state[c].done;
    }
    r->change = r->n_iter > 0 ? r->objective - objective : objective;
    keep_going = mn_round(ctx, r, m->max_iter, objective);
  }
  return mn_error_status(ctx);
}

/* What helps on scaled columns: the steps of 'optimal' are 1 / (alpha t), far too long at first for a small alpha. */
static const char *raising_advice(const mn_sgd *m)
{
  if (has_C_parameter(m)) return "raise max_iter or tol";
  return m->learning_rate == MN_SGD_OPTIMAL
             ? "raise max_iter, tol or alpha, which shortens the first steps, or use learning_rate 'adaptive'"
             : "raise max_iter or tol, or use learning_rate 'adaptive'";
}

mn_status mn_sgd_run(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem)
{
  struct fit_state d = { .m = m, .problem = problem };
  mn_report *r = &m->linear.base.report;
  MN_TRY(check_settings(ctx, m, problem));
  make_rule(m, problem, &d.rule);
  MN_TRY(init_fit(ctx, &d));
  if (m->early_stopping) MN_TRY(hold_out(ctx, &d));
  compute_zero_objective(&d);
  MN_TRY(iterate(ctx, m, &d));
  r->advice = "raise max_iter or scale the columns";
  r->scaled_advice = raising_advice(m);
  if (is_worse_than_zero(&d)) {
    r->converged = false;
    r->advice =
        has_C_parameter(m)
            ? "the objective is worse than that of zero coefficients; scale the columns (StandardScaler) or lower C"
            : "the objective is worse than that of zero coefficients; scale the columns (StandardScaler) or lower eta0";
    r->scaled_advice =
        has_C_parameter(m) ? "the objective is worse than that of zero coefficients; lower C"
        : m->learning_rate == MN_SGD_OPTIMAL
            ? "the objective is worse than that of zero coefficients; raise alpha, which shortens the steps"
            : "the objective is worse than that of zero coefficients; lower eta0";
  }
  if (problem->requires_stability && r->converged && oscillates(&d)) {
    r->converged = false;
    r->advice =
        "the objective oscillates between rounds; lower eta0, use learning_rate 'adaptive', or use another solver";
    r->scaled_advice = NULL;
  }
  return store_model(ctx, m, &d);
}

static mn_status check_batch(mn_context *ctx, const mn_sgd *m)
{
  const char *name = m->linear.base.class->name;
  if (m->early_stopping)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: early_stopping must be false with partial_fit, which runs a single round",
                   name);
  if (m->linear.base.class_weight.balanced)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: class_weight must be a table of weights with partial_fit; 'balanced' requires all rows", name);
  return MN_OK;
}

mn_status mn_sgd_run_round(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem)
{
  struct fit_state d = { .m = m, .problem = problem };
  mn_report *r = &m->linear.base.report;
  MN_TRY(check_batch(ctx, m));
  MN_TRY(check_settings(ctx, m, problem));
  make_rule(m, problem, &d.rule);
  MN_TRY(init_fit(ctx, &d));
  mn_rng rng = mn_stream(m->seed, (uint64_t)d.state[0].t);
  if (m->shuffle) mn_shuffle(&rng, d.order, d.train_count);
  MN_TRY(run_round(ctx, &d, r->n_iter + 1));
  double objective = 0;
  for (size_t c = 0; c < problem->scores; c++) objective += d.state[c].loss / (double)d.train_count;
  r->converged = false;
  r->change = (double)NAN;
  mn_record_round(ctx, r, objective);
  MN_TRY(mn_error_status(ctx));
  return store_model(ctx, m, &d);
}

mn_status mn_sgd_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_sgd_problem problem;
  MN_TRY(mn_sgd_make_problem(ctx, self, data, &problem));
  return mn_sgd_run(ctx, self, &problem);
}

mn_status mn_sgd_partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_sgd_problem problem;
  MN_TRY(mn_sgd_make_problem(ctx, self, data, &problem));
  return mn_sgd_run_round(ctx, self, &problem);
}

/* Check after load that fields that belong together are present together. */
mn_status mn_sgd_check(mn_context *ctx, const void *self)
{
  const mn_sgd *m = self;
  const bool steps = !m->step_coef.at == !m->step_intercept.at, pulled = !m->l1_paid.at == !m->l1_due.at;
  if (steps && pulled && m->t >= 1 && m->t <= 0x1p53) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: a part of the state of partial_fit is missing", m->linear.base.class->name);
}

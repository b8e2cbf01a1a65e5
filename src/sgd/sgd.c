#include "../model/model.h"
#include "sgd.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include <string.h>

const char *const mn_sgd_penalties[] = { "l2", "l1", "elasticnet", "none", NULL };
const char *const mn_sgd_schedules[] = { "optimal", "constant", "invscaling", "adaptive", "pa1", "pa2", NULL };

enum { SEGMENT_VALUES = 1 << 20 }; /* between two looks at the wish to stop */
enum { FEW_VALUES = 16 };          /* columns a value of a row, from where on penalties wait */
enum { LEAST_PAST = 4096 };        /* steps that walks of an elastic net on sparse rows remember */

/* Everything about a fit that is not learned. */
struct descent {
  const mn_sgd *m;
  const mn_sgd_problem *problem;
  mn_sgd_rule rule;
  mn_sgd_walk *walk;      /* scores                                            */
  size_t *order;          /* rows: those to learn from, then those held out    */
  size_t learned, tested; /* how many of each                                  */
  double *nothing;        /* scores: the objective of weights 0                */
  size_t begin, end;      /* of order: the segment that is being walked        */
};

static bool is_aggressive(const mn_sgd_problem *p)
{
  return p->schedule == MN_SGD_PA1 || p->schedule == MN_SGD_PA2;
}

/* The passive-aggressive estimators call eta0 C. */
static bool is_passive(const mn_sgd *m)
{
  return mn_param_named(m->linear.base.class->params, "C") != NULL;
}

static mn_status check_settings(mn_context *ctx, const mn_sgd *m, const mn_sgd_problem *p)
{
  const char *who = m->linear.base.class->name;
  if (p->schedule == MN_SGD_OPTIMAL && !(m->alpha > 0))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: alpha must be > 0 with learning_rate 'optimal', which it sets, got 0",
                   who);
  const int64_t needed = p->classifies ? MN_LOSS_HINGE : MN_LOSS_EPSILON_INSENSITIVE;
  if (is_aggressive(p) && p->loss != needed)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: learning_rate '%s' takes loss '%s', got '%s'", who,
                   mn_sgd_schedules[p->schedule], mn_linear_losses[needed].name, mn_linear_losses[p->loss].name);
  /* steps are over the square of a row: one that is beyond all numbers would be a step of 0 */
  return is_aggressive(p) ? mn_check_magnitudes(ctx, &m->linear.base, p->data) : MN_OK;
}

static void make_rule(const mn_sgd *m, const mn_sgd_problem *p, mn_sgd_rule *rule)
{
  *rule = (mn_sgd_rule){ .loss = &mn_linear_losses[p->loss],
                         .epsilon = p->parameter,
                         .alpha = m->alpha,
                         .l1 = p->penalty == MN_SGD_L1           ? 1
                               : p->penalty == MN_SGD_ELASTICNET ? m->l1_ratio
                                                                 : 0,
                         .shrinks = p->penalty == MN_SGD_L2 || p->penalty == MN_SGD_ELASTICNET,
                         .pulls = p->penalty == MN_SGD_L1 || p->penalty == MN_SGD_ELASTICNET,
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

/* --- the state of the walks, from the model and back --- */

/* Do rows have so few values that pulling all weights for each would take longer than to remember what they owe? */
static bool is_sparse(const mn_data *data)
{
  return data->sparse && data->features > FEW_VALUES * (data->sparse->start[data->rows] / data->rows + 1);
}

static mn_status make_walk(mn_context *ctx, const struct descent *d, mn_sgd_walk *w)
{
  const size_t p = d->rule.p;
  *w = (mn_sgd_walk){ .scale = 1, .share = 1, .rate = d->m->eta0, .t = 1, .best = INFINITY };
  w->v = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(w->v);
  if (d->m->average > 0) {
    w->average = MN_NEW(ctx, double, p, 1);
    MN_CHECK_ALLOC(w->average);
  }
  if (!d->rule.pulls) return MN_OK;
  w->paid = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(w->paid);
  if (!is_sparse(d->problem->data) || w->average) return MN_OK;
  w->seen = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(w->seen);
  if (!d->rule.shrinks) return MN_OK;
  w->room = p > LEAST_PAST ? p : LEAST_PAST; /* so that catching up when it is full costs a step no more than O(1) */
  w->past = MN_NEW(ctx, mn_sgd_past, w->room, 1);
  MN_CHECK_ALLOC(w->past);
  return MN_OK;
}

/* Go on from what score c has learned. */
static void resume(const mn_sgd *m, size_t c, const mn_sgd_rule *rule, mn_sgd_walk *w)
{
  const size_t p = rule->p, bytes = p * sizeof *w->v;
  const bool apart = m->step_coef.at != NULL;
  memcpy(w->v, (apart ? m->step_coef.at : m->linear.coef.at) + c * p, bytes);
  w->intercept = apart ? m->step_intercept.at[c] : m->linear.intercept.at[c];
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

static mn_status begin(mn_context *ctx, struct descent *d)
{
  const mn_sgd *m = d->m;
  const size_t rows = d->problem->data->rows, scores = d->problem->scores;
  d->walk = MN_NEW(ctx, mn_sgd_walk, scores, 1);
  d->order = MN_RAW(ctx, size_t, rows, 1);
  d->nothing = MN_NEW(ctx, double, scores, 1);
  if (!d->walk || !d->order || !d->nothing) return MN_NO_MEMORY;
  for (size_t i = 0; i < rows; i++) d->order[i] = i;
  d->learned = rows;
  for (size_t c = 0; c < scores; c++) {
    MN_TRY(make_walk(ctx, d, &d->walk[c]));
    if (m->linear.coef.at) resume(m, c, &d->rule, &d->walk[c]);
    mn_sgd_settle(&d->rule, &d->walk[c]);
  }
  return MN_OK;
}

static void forget(mn_memory *memory, mn_sgd *m)
{
  mn_matrix_free(memory, &m->linear.coef);
  mn_vector_free(memory, &m->linear.intercept);
  mn_matrix_free(memory, &m->step_coef);
  mn_vector_free(memory, &m->step_intercept);
  mn_matrix_free(memory, &m->l1_paid);
  mn_vector_free(memory, &m->l1_due);
}

static mn_status keep(mn_context *ctx, mn_sgd *m, const struct descent *d)
{
  const size_t p = d->rule.p, scores = d->problem->scores;
  double t = 1;
  forget(mn_context_memory(ctx), m);
  for (size_t c = 0; c < scores; c++) t = fmax(t, d->walk[c].t);
  m->t = t;
  const bool averaged = m->average > 0 && t > (double)m->average;
  MN_TRY(mn_linear_init(ctx, &m->linear, scores, p));
  if (averaged) MN_TRY(mn_matrix_init(ctx, &m->step_coef, scores, p));
  if (averaged) MN_TRY(mn_vector_init(ctx, &m->step_intercept, scores));
  if (d->rule.pulls) MN_TRY(mn_matrix_init(ctx, &m->l1_paid, scores, p));
  if (d->rule.pulls) MN_TRY(mn_vector_init(ctx, &m->l1_due, scores));
  for (size_t c = 0; c < scores; c++) {
    const mn_sgd_walk *w = &d->walk[c];
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

/* --- rounds --- */

static void walk_segment(void *work, size_t score, size_t worker)
{
  (void)worker;
  const struct descent *d = work;
  const size_t rows = d->problem->data->rows;
  if (!d->walk[score].done)
    mn_sgd_steps(&d->rule, &d->walk[score], d->problem->data, d->problem->y + score * rows, d->order, d->begin, d->end);
}

static bool is_finite(size_t n, const double *v)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

static void settle_round(void *work, size_t score, size_t worker)
{
  (void)worker;
  const struct descent *d = work;
  mn_sgd_walk *w = &d->walk[score];
  if (w->done) return;
  mn_sgd_settle(&d->rule, w);
  w->broken = !is_finite(d->rule.p, w->v) || !isfinite(w->intercept) || !isfinite(w->loss);
  if (w->average) w->broken = w->broken || !is_finite(d->rule.p, w->average) || !isfinite(w->average_intercept);
}

/* One round of all scores that are not done, each in its own thread. */
static mn_status walk_round(mn_context *ctx, struct descent *d, int64_t round)
{
  const mn_data *data = d->problem->data;
  const size_t scores = d->problem->scores,
               values = data->sparse ? data->sparse->start[data->rows] : data->rows * data->features;
  const mn_blocks segments = mn_make_blocks(d->learned, SEGMENT_VALUES / (values / data->rows + 1) + 1, SIZE_MAX);
  for (size_t c = 0; c < scores; c++)
    if (!d->walk[c].done) d->walk[c].loss = 0;
  for (size_t s = 0; s < segments.count; s++) {
    d->begin = mn_block_begin(&segments, s);
    d->end = mn_block_end(&segments, s);
    MN_TRY(mn_parallel(ctx, scores, walk_segment, d));
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(mn_parallel(ctx, scores, settle_round, d));
  for (size_t c = 0; c < scores; c++)
    if (d->walk[c].broken)
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: the weights grew beyond all numbers in round %lld; scale the columns (StandardScaler), or "
                     "lower %s",
                     d->m->linear.base.class->name, (long long)round, is_passive(d->m) ? "C" : "eta0");
  return MN_OK;
}

/* Share of right signs, or R^2, on the rows held out. */
static double held_out_score(const struct descent *d, size_t c)
{
  const mn_data *data = d->problem->data;
  const mn_sgd_walk *w = &d->walk[c];
  const double *y = d->problem->y + c * data->rows;
  const size_t *row = d->order + d->learned;
  double total = 0, right = 0, mean = 0, rest = 0, spread = 0;
  for (size_t k = 0; k < d->tested; k++) {
    const double weight = mn_weight(data, row[k]), z = mn_sgd_score(w, data, row[k]), delta = y[row[k]] - mean;
    total += weight;
    right += (z > 0) == (y[row[k]] > 0) ? weight : 0;
    rest += weight * (y[row[k]] - z) * (y[row[k]] - z);
    mean += weight / total * delta;
    spread += weight * delta * (y[row[k]] - mean);
  }
  if (d->problem->classifies) return right / total;
  return spread > 0 ? 1 - rest / spread : 0;
}

/* Has score c gone on long enough? An adaptive rate is lowered first. */
static void judge(const struct descent *d, size_t c, double objective)
{
  static const double least_rate = 1e-6;
  mn_sgd_walk *w = &d->walk[c];
  const mn_sgd *m = d->m;
  const double value = m->early_stopping ? -held_out_score(d, c) : objective;
  w->idle = value > w->best - m->tol ? w->idle + 1 : 0;
  w->best = fmin(w->best, value);
  if (w->idle < m->n_iter_no_change) return;
  w->idle = 0;
  if (d->rule.schedule == MN_SGD_ADAPTIVE && w->rate > least_rate)
    w->rate /= 5;
  else
    w->done = true;
}

/* The objective of weights 0: who ends above it has gone astray. */
static void value_nothing(struct descent *d)
{
  const mn_data *data = d->problem->data;
  for (size_t c = 0; c < d->problem->scores; c++)
    for (size_t k = 0; k < d->learned; k++) {
      const size_t i = d->order[k];
      d->nothing[c] += mn_weight(data, i) * d->rule.loss->value(d->problem->y[c * data->rows + i], 0, d->rule.epsilon) /
                       (double)d->learned;
    }
}

static bool went_astray(const struct descent *d)
{
  for (size_t c = 0; c < d->problem->scores; c++)
    if (d->nothing[c] > 0 && d->walk[c].loss / (double)d->learned > 2 * d->nothing[c]) return true;
  return false;
}

/* Does the last round stand far above the best, measured by how far that fell from weights 0? Then the steps are too
 * long for the weights to settle, however many rounds have brought nothing. */
static bool wanders(const struct descent *d)
{
  static const double share = 0.01;
  for (size_t c = 0; c < d->problem->scores; c++) {
    const double best = d->walk[c].best;
    if (d->walk[c].loss / (double)d->learned - best > share * fabs(d->nothing[c] - best)) return true;
  }
  return false;
}

/* Rows to test with, at the end of the order: the same share of each class, but not all of it. */
static mn_status hold_out(mn_context *ctx, struct descent *d)
{
  const mn_data *data = d->problem->data;
  const size_t rows = data->rows, classes = d->problem->classifies ? data->classes : 1;
  size_t *kept = MN_RAW(ctx, size_t, rows, 1), *size = MN_NEW(ctx, size_t, classes, 1), learned = 0, tested = 0;
  mn_rng rng = mn_stream(d->m->seed, UINT64_MAX);
  if (!kept || !size) return MN_NO_MEMORY;
  mn_shuffle(&rng, d->order, rows);
  for (size_t i = 0; i < rows; i++) size[d->problem->classifies ? (size_t)data->code[i] : 0]++;
  for (size_t c = 0; c < classes; c++) {
    const size_t share = (size_t)ceil(d->m->validation_fraction * (double)size[c]);
    size[c] = share < size[c] || size[c] == 0 ? share : size[c] - 1;
  }
  for (size_t k = 0; k < rows; k++) {
    size_t *left = &size[d->problem->classifies ? (size_t)data->code[d->order[k]] : 0];
    if (*left > 0)
      kept[rows - ++tested] = d->order[k];
    else
      kept[learned++] = d->order[k];
    *left -= *left > 0;
  }
  memcpy(d->order, kept, rows * sizeof *kept);
  d->learned = learned;
  d->tested = tested;
  if (learned > 0 && tested > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA,
                 "%s: early_stopping must have rows on both sides, got %zu to learn from and %zu to test with of %zu",
                 d->m->linear.base.class->name, learned, tested, rows);
}

static mn_status descend(mn_context *ctx, mn_sgd *m, struct descent *d)
{
  mn_report *r = &m->linear.base.report;
  const size_t scores = d->problem->scores;
  bool go_on = true;
  while (go_on && !r->converged && r->n_iter < m->max_iter) {
    mn_rng rng = mn_stream(m->seed, (uint64_t)r->n_iter);
    if (m->shuffle) mn_shuffle(&rng, d->order, d->learned);
    MN_TRY(walk_round(ctx, d, r->n_iter + 1));
    double objective = 0;
    r->converged = true;
    for (size_t c = 0; c < scores; c++) {
      const double mine = d->walk[c].loss / (double)d->learned;
      objective += mine;
      if (!d->walk[c].done) judge(d, c, mine);
      r->converged = r->converged && d->walk[c].done;
    }
    r->change = r->n_iter > 0 ? r->objective - objective : objective;
    go_on = mn_round(ctx, r, m->max_iter, objective);
  }
  return mn_error_status(ctx);
}

mn_status mn_sgd_run(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem)
{
  struct descent d = { .m = m, .problem = problem };
  mn_report *r = &m->linear.base.report;
  MN_TRY(check_settings(ctx, m, problem));
  make_rule(m, problem, &d.rule);
  MN_TRY(begin(ctx, &d));
  if (m->early_stopping) MN_TRY(hold_out(ctx, &d));
  value_nothing(&d);
  MN_TRY(descend(ctx, m, &d));
  r->advice = "raise max_iter, or scale the columns";
  if (went_astray(&d)) {
    r->converged = false;
    r->advice =
        is_passive(m)
            ? "the objective is worse than that of weights 0: scale the columns (StandardScaler), or lower C"
            : "the objective is worse than that of weights 0: scale the columns (StandardScaler), or lower eta0";
  }
  if (problem->strict && r->converged && wanders(&d)) {
    r->converged = false;
    r->advice =
        "the objective of the rounds goes up and down: lower eta0, take learning_rate 'adaptive', or let another "
        "solver find the minimum";
  }
  return keep(ctx, m, &d);
}

static mn_status check_batch(mn_context *ctx, const mn_sgd *m)
{
  const char *who = m->linear.base.class->name;
  if (m->early_stopping)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: early_stopping must be false with partial_fit, which does one round",
                   who);
  if (m->linear.base.class_weight.balanced)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: class_weight must be a table of weights with partial_fit, for 'balanced' needs all rows", who);
  return MN_OK;
}

mn_status mn_sgd_batch(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem)
{
  struct descent d = { .m = m, .problem = problem };
  mn_report *r = &m->linear.base.report;
  MN_TRY(check_batch(ctx, m));
  MN_TRY(check_settings(ctx, m, problem));
  make_rule(m, problem, &d.rule);
  MN_TRY(begin(ctx, &d));
  mn_rng rng = mn_stream(m->seed, (uint64_t)d.walk[0].t);
  if (m->shuffle) mn_shuffle(&rng, d.order, d.learned);
  MN_TRY(walk_round(ctx, &d, r->n_iter + 1));
  double objective = 0;
  for (size_t c = 0; c < problem->scores; c++) objective += d.walk[c].loss / (double)d.learned;
  r->converged = false;
  r->change = (double)NAN;
  mn_record_round(ctx, r, objective);
  MN_TRY(mn_error_status(ctx));
  return keep(ctx, m, &d);
}

mn_status mn_sgd_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_sgd_problem problem;
  MN_TRY(mn_sgd_ask(ctx, self, data, &problem));
  return mn_sgd_run(ctx, self, &problem);
}

mn_status mn_sgd_partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_sgd_problem problem;
  MN_TRY(mn_sgd_ask(ctx, self, data, &problem));
  return mn_sgd_batch(ctx, self, &problem);
}

/* What shapes cannot say: values that belong together are there together. */
mn_status mn_sgd_check(mn_context *ctx, const void *self)
{
  const mn_sgd *m = self;
  const bool steps = !m->step_coef.at == !m->step_intercept.at, pulled = !m->l1_paid.at == !m->l1_due.at;
  if (steps && pulled && m->t >= 1 && m->t <= 0x1p53) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: a part of what partial_fit goes on from is missing",
                 m->linear.base.class->name);
}

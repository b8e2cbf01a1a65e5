/* Search for the relevant columns: starts with all u = 0 and tries changes of the set of columns, one set per round.
 *
 * Each trial adds columns and minimizes the objective over log u and log omega (L-BFGS); columns whose u goes to 0 are
 * removed. A trial is accepted only if it lowers the objective. The trials, in this order:
 *
 *   - the column with the most negative derivative of the objective by u at u = 0;
 *   - the column whose products with those in the model have the best score, with an omega that lets products matter;
 *   - two columns: the one whose products with all others have the best score, and its best partner.
 *
 * The last two examine many pairs, some of which fit by chance, so they must lower the objective by sparsity log(1 + p)
 * and twice that. The search ends when no trial is accepted. Scoring all columns costs a product of n x n with n x p,
 * never of p x p (except where p^2 is less than n). */
#include "../optim/lbfgs.h"
#include "interaction.h"
#include <string.h>

enum { MAX_STEPS = 200, TRIALS = 3, MAX_POLISHES = 8 };
static const double min_contribution = 1e-3; /* a column is removed if rho v is less */
static const double max_log = 80;            /* bound on |log u| and |log omega|     */

mn_status mn_interaction_state_init(mn_context *ctx, size_t p, mn_interaction_state *s)
{
  *s = (mn_interaction_state){ .column = MN_RAW(ctx, size_t, p + 1, 1), .u = MN_RAW(ctx, double, p + 1, 1) };
  return s->column && s->u ? MN_OK : MN_NO_MEMORY;
}

static void copy_state(const mn_interaction_state *from, mn_interaction_state *to)
{
  memcpy(to->column, from->column, from->k * sizeof *to->column);
  memcpy(to->u, from->u, from->k * sizeof *to->u);
  to->k = from->k;
  to->log_omega = from->log_omega;
  to->objective = from->objective;
}

/* Objective and gradient for L-BFGS; x holds log u and log omega. */
static double evaluate(void *problem, const double *x, double *gradient)
{
  mn_interaction_problem *p = problem;
  mn_interaction_state *s = p->state;
  for (size_t j = 0; j <= s->k; j++)
    if (!(fabs(x[j]) <= max_log)) return INFINITY;
  for (size_t j = 0; j < s->k; j++) s->u[j] = exp(x[j]);
  s->log_omega = x[s->k];
  if (mn_interaction_evaluate(p, s, gradient, gradient + s->k) != MN_OK) return (double)NAN;
  for (size_t j = 0; j < s->k; j++) gradient[j] *= s->u[j];
  return s->objective;
}

static double total_u(const mn_interaction_state *s)
{
  double sum = 0;
  for (size_t j = 0; j < s->k; j++) sum += s->u[j];
  return sum;
}

/* Remove columns with a negligible contribution. Returns whether there were any. */
static bool drop_negligible(const mn_interaction_problem *p, mn_interaction_state *s)
{
  const double square = exp(2 * s->log_omega), sum_u = total_u(s);
  size_t kept = 0;
  for (size_t j = 0; j < s->k; j++) {
    if (p->rho * s->u[j] * (1 + square * (sum_u - s->u[j])) < min_contribution) continue;
    s->column[kept] = s->column[j];
    s->u[kept++] = s->u[j];
  }
  const bool changed = kept < s->k;
  s->k = kept;
  if (s->k == 0) s->log_omega = 0;
  return changed;
}

static mn_status polish(mn_interaction_problem *p, mn_interaction_state *s)
{
  const mn_mark mark = mn_scratch_mark(p->ctx);
  double *x = MN_RAW(p->ctx, double, s->k + 1, 1);
  const mn_lbfgs_options options = { .max_iter = MAX_STEPS, .gradient_tolerance = p->tol };
  mn_lbfgs_report report;
  MN_CHECK_ALLOC(x);
  p->state = s;
  for (size_t j = 0; j < s->k; j++) x[j] = log(s->u[j]);
  x[s->k] = s->log_omega;
  MN_TRY(mn_lbfgs(p->ctx, s->k + 1, x, evaluate, p, &options, &report));
  for (size_t j = 0; j < s->k; j++) s->u[j] = exp(x[j]);
  s->log_omega = x[s->k];
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

static size_t argmin(size_t p, const double *score)
{
  size_t best = 0;
  for (size_t j = 1; j < p; j++)
    if (score[j] < score[best]) best = j;
  return best;
}

static void add_column(mn_interaction_state *s, size_t column, double u)
{
  s->column[s->k] = column;
  s->u[s->k++] = u;
}

/* Initial values: u of a column that enters by its products (an upper bound for others), and an omega that lets them
 * matter. */
static const double first_u = 0.1, first_omega = 4;

/* p values each */
struct scores {
  double *pair, *score;
};

/* The three trials, after an update at `now`; *found is false if there is no such column. */
static mn_status try_main(mn_interaction_problem *p, const mn_interaction_state *now, struct scores *t,
                          mn_interaction_state *next, bool *found)
{
  MN_TRY(mn_interaction_entry_derivatives(p, now, t->pair, t->score));
  const size_t j = argmin(p->rows.p, t->score);
  *found = t->score[j] < 0;
  const double initial_u = 1 / (p->rho * (1 + exp(2 * now->log_omega) * total_u(now)));
  if (*found) add_column(next, j, fmin(fmax(initial_u, exp(-max_log)), first_u));
  return MN_OK;
}

static mn_status try_partner(mn_interaction_problem *p, const mn_interaction_state *now, struct scores *t,
                             mn_interaction_state *next, bool *found)
{
  double largest = 0;
  *found = false;
  if (now->k == 0) return MN_OK;
  memset(t->pair, 0, p->rows.p * sizeof *t->pair);
  for (size_t j = 0; j < now->k; j++) {
    t->pair[now->column[j]] = now->u[j];
    largest = fmax(largest, now->u[j]);
  }
  MN_TRY(mn_interaction_scores(p, now, 0, t->pair, t->score));
  const size_t j = argmin(p->rows.p, t->score);
  *found = t->score[j] < 0;
  if (*found) add_column(next, j, first_u);
  next->log_omega = fmax(now->log_omega, log(4 / largest) / 2);
  return MN_OK;
}

static mn_status try_pair(mn_interaction_problem *p, const mn_interaction_state *now, struct scores *t,
                          mn_interaction_state *next, bool *found)
{
  const size_t columns = p->rows.p;
  for (size_t j = 0; j < columns; j++) t->pair[j] = p->varies[j];
  MN_TRY(mn_interaction_scores(p, now, 0, t->pair, t->score));
  const size_t j = argmin(columns, t->score);
  *found = t->score[j] < 0;
  if (!*found) return MN_OK;
  memset(t->pair, 0, columns * sizeof *t->pair);
  t->pair[j] = 1;
  MN_TRY(mn_interaction_scores(p, now, 0, t->pair, t->score));
  t->score[j] = INFINITY;
  const size_t partner = argmin(columns, t->score);
  add_column(next, j, first_u);
  next->log_omega = fmax(now->log_omega, log(first_omega));
  if (t->score[partner] < 0)
    add_column(next, partner, first_u);
  else
    *found = p->rows.squares;
  return MN_OK;
}

typedef mn_status (*trial)(mn_interaction_problem *p, const mn_interaction_state *now, struct scores *t,
                           mn_interaction_state *next, bool *found);
static const trial trials[TRIALS] = { try_main, try_partner, try_pair };
static const double chance_factor[TRIALS] = { 0, 1, 2 };

struct search {
  mn_context *ctx;
  mn_interaction *m;
  mn_interaction_problem *p;
  mn_interaction_state *now, next;
  struct scores scores;
  size_t polishes, max_polishes; /* number so far, and upper bound, for progress */
};

/* Optimize a set of columns and remove negligible ones. Does nothing if B has no factor at the start. */
static mn_status optimize_set(struct search *t)
{
  MN_TRY(mn_interaction_evaluate(t->p, &t->next, NULL, NULL));
  bool changed = isfinite(t->next.objective);
  for (int i = 0; changed && t->next.k > 0 && mn_should_continue(t->ctx) && i < MAX_POLISHES; i++) {
    mn_progress_part(t->ctx, t->polishes++, t->max_polishes);
    MN_TRY(polish(t->p, &t->next));
    changed = drop_negligible(t->p, &t->next);
  }
  return mn_interaction_evaluate(t->p, &t->next, NULL, NULL);
}

/* The decrease of the objective that a trial must reach, above rounding errors. */
static double min_decrease(const struct search *t, size_t which)
{
  const double chance = chance_factor[which] * t->m->sparsity * log1p((double)t->p->rows.p);
  return fmax(fmax(t->m->tol, 1e-9 * fmax(fabs(t->now->objective), 1)), chance);
}

static mn_status run_round(struct search *t, bool *better)
{
  *better = false;
  for (size_t i = 0; i < TRIALS && !*better && mn_should_continue(t->ctx); i++) {
    const mn_mark mark = mn_scratch_mark(t->ctx);
    bool found;
    MN_TRY(mn_interaction_update(t->p, t->now, true));
    copy_state(t->now, &t->next);
    MN_TRY(trials[i](t->p, t->now, &t->scores, &t->next, &found));
    if (found) MN_TRY(optimize_set(t));
    mn_scratch_release(t->ctx, mark);
    *better = found && t->next.objective < t->now->objective - min_decrease(t, i);
  }
  if (!*better) return MN_OK;
  t->m->linear.base.report.change = t->now->objective - t->next.objective;
  copy_state(&t->next, t->now);
  return MN_OK;
}

static mn_status init_search(struct search *t)
{
  const size_t columns = t->p->rows.p;
  t->scores.pair = MN_RAW(t->ctx, double, columns, 1);
  t->scores.score = MN_RAW(t->ctx, double, columns, 1);
  if (!t->scores.pair || !t->scores.score) return MN_NO_MEMORY;
  MN_TRY(mn_interaction_state_init(t->ctx, columns, &t->next));
  t->max_polishes = (size_t)t->m->max_iter * TRIALS * MAX_POLISHES + 1;
  return mn_interaction_evaluate(t->p, t->now, NULL, NULL);
}

mn_status mn_interaction_search(mn_context *ctx, mn_interaction *m, mn_interaction_problem *p, mn_interaction_state *s)
{
  mn_report *r = &m->linear.base.report;
  struct search t = { .ctx = ctx, .m = m, .p = p, .now = s };
  r->advice = "increase max_iter or tol";
  MN_TRY(init_search(&t));
  for (bool proceed = true; proceed && !r->converged && r->n_iter < m->max_iter;) {
    bool better;
    r->change = 0;
    MN_TRY(run_round(&t, &better));
    r->converged = !better && mn_should_continue(ctx);
    if (!mn_record_round(ctx, r, s->objective)) return mn_error_status(ctx);
    mn_progress_part(ctx, t.polishes, t.max_polishes);
    proceed = mn_report_progress(ctx, 0, MAX_STEPS, s->objective);
  }
  mn_progress_part(ctx, 0, 1);
  return mn_error_status(ctx);
}

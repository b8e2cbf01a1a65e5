/* The search for the columns that matter: all begin with u = 0, and sets of them are tried, one a round.
 *
 * Each trial adds columns and moves log u and log omega to where the objective is least (L-BFGS); columns whose u goes
 * to 0 leave. It is kept when the objective is lower than before, so that it never rises. What is tried, in this order:
 *
 *   - the column whose u wants most to leave 0, by the derivative there;
 *   - the column whose products with those in the model are wanted most, with an omega that lets products matter;
 *   - two columns: the one whose products with any others are wanted most, and its best partner.
 *
 * The last two look at many pairs, of which some fit by chance: they must lower the objective by sparsity log(1 + p),
 * and by twice that. When none of the three helps the search is over: no u that is 0 wants to leave, and no product of
 * columns shows that the model has not. Each look at all columns costs a product of n x n with n x p, never one of p x
 * p (but where p^2 is less than n). */
#include "../optim/lbfgs.h"
#include "interaction.h"
#include <string.h>

enum { STEPS = 200, TRIALS = 3, POLISHES = 8 };
static const double faint = 1e-3;  /* a column leaves when rho v is less */
static const double farthest = 80; /* of the logarithms from 0           */

mn_status mn_interaction_state_make(mn_context *ctx, size_t p, mn_interaction_state *s)
{
  *s = (mn_interaction_state){ .at = MN_RAW(ctx, size_t, p + 1, 1), .u = MN_RAW(ctx, double, p + 1, 1) };
  return s->at && s->u ? MN_OK : MN_NO_MEMORY;
}

static void copy_state(const mn_interaction_state *from, mn_interaction_state *to)
{
  memcpy(to->at, from->at, from->k * sizeof *to->at);
  memcpy(to->u, from->u, from->k * sizeof *to->u);
  to->k = from->k;
  to->log_omega = from->log_omega;
  to->objective = from->objective;
}

/* --- the best u and omega for a set of columns --- */

/* For L-BFGS: x holds log u and log omega. */
static double value(void *problem, const double *x, double *gradient)
{
  mn_interaction_problem *p = problem;
  mn_interaction_state *s = p->state;
  for (size_t j = 0; j <= s->k; j++)
    if (!(fabs(x[j]) <= farthest)) return INFINITY;
  for (size_t j = 0; j < s->k; j++) s->u[j] = exp(x[j]);
  s->log_omega = x[s->k];
  if (mn_interaction_evaluate(p, s, gradient, gradient + s->k) != MN_OK) return (double)NAN;
  for (size_t j = 0; j < s->k; j++) gradient[j] *= s->u[j];
  return s->objective;
}

static double total_of(const mn_interaction_state *s)
{
  double sum = 0;
  for (size_t j = 0; j < s->k; j++) sum += s->u[j];
  return sum;
}

/* Columns that add next to nothing leave. True: some did. */
static bool drop_faint(const mn_interaction_problem *p, mn_interaction_state *s)
{
  const double square = exp(2 * s->log_omega), all = total_of(s);
  size_t left = 0;
  for (size_t j = 0; j < s->k; j++) {
    if (p->rho * s->u[j] * (1 + square * (all - s->u[j])) < faint) continue;
    s->at[left] = s->at[j];
    s->u[left++] = s->u[j];
  }
  const bool some = left < s->k;
  s->k = left;
  if (s->k == 0) s->log_omega = 0;
  return some;
}

static mn_status polish(mn_interaction_problem *p, mn_interaction_state *s)
{
  const mn_mark mark = mn_scratch_mark(p->ctx);
  double *x = MN_RAW(p->ctx, double, s->k + 1, 1);
  const mn_lbfgs_options options = { .max_iter = STEPS, .gradient_tolerance = p->tol };
  mn_lbfgs_report report;
  MN_CHECK_ALLOC(x);
  p->state = s;
  for (size_t j = 0; j < s->k; j++) x[j] = log(s->u[j]);
  x[s->k] = s->log_omega;
  MN_TRY(mn_lbfgs(p->ctx, s->k + 1, x, value, p, &options, &report));
  for (size_t j = 0; j < s->k; j++) s->u[j] = exp(x[j]);
  s->log_omega = x[s->k];
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

/* --- what is tried --- */

static size_t least_of(size_t p, const double *score)
{
  size_t best = 0;
  for (size_t j = 1; j < p; j++)
    if (score[j] < score[best]) best = j;
  return best;
}

static void add(mn_interaction_state *s, size_t column, double u)
{
  s->at[s->k] = column;
  s->u[s->k++] = u;
}

/* Where columns begin: the u of one that enters by its products (and the most of any), and the omega that lets them
 * matter. */
static const double first_u = 0.1, first_omega = 4;

/* p values each. */
struct scores {
  double *with, *score;
};

/* The three trials; false where there is no such column. They follow a look at `now`. */
static mn_status try_main(mn_interaction_problem *p, const mn_interaction_state *now, struct scores *t,
                          mn_interaction_state *next, bool *found)
{
  MN_TRY(mn_interaction_entering(p, now, t->with, t->score));
  const size_t j = least_of(p->rows.p, t->score);
  *found = t->score[j] < 0;
  const double modest = 1 / (p->rho * (1 + exp(2 * now->log_omega) * total_of(now)));
  if (*found) add(next, j, fmin(fmax(modest, exp(-farthest)), first_u));
  return MN_OK;
}

static mn_status try_partner(mn_interaction_problem *p, const mn_interaction_state *now, struct scores *t,
                             mn_interaction_state *next, bool *found)
{
  double largest = 0;
  *found = false;
  if (now->k == 0) return MN_OK;
  memset(t->with, 0, p->rows.p * sizeof *t->with);
  for (size_t j = 0; j < now->k; j++) {
    t->with[now->at[j]] = now->u[j];
    largest = fmax(largest, now->u[j]);
  }
  MN_TRY(mn_interaction_scores(p, now, 0, t->with, t->score));
  const size_t j = least_of(p->rows.p, t->score);
  *found = t->score[j] < 0;
  if (*found) add(next, j, first_u);
  next->log_omega = fmax(now->log_omega, log(4 / largest) / 2);
  return MN_OK;
}

static mn_status try_pair(mn_interaction_problem *p, const mn_interaction_state *now, struct scores *t,
                          mn_interaction_state *next, bool *found)
{
  const size_t columns = p->rows.p;
  for (size_t j = 0; j < columns; j++) t->with[j] = p->varies[j];
  MN_TRY(mn_interaction_scores(p, now, 0, t->with, t->score));
  const size_t j = least_of(columns, t->score);
  *found = t->score[j] < 0;
  if (!*found) return MN_OK;
  memset(t->with, 0, columns * sizeof *t->with);
  t->with[j] = 1;
  MN_TRY(mn_interaction_scores(p, now, 0, t->with, t->score));
  t->score[j] = INFINITY;
  const size_t partner = least_of(columns, t->score);
  add(next, j, first_u);
  next->log_omega = fmax(now->log_omega, log(first_omega));
  if (t->score[partner] < 0)
    add(next, partner, first_u);
  else
    *found = p->rows.squares;
  return MN_OK;
}

typedef mn_status (*trial)(mn_interaction_problem *p, const mn_interaction_state *now, struct scores *t,
                           mn_interaction_state *next, bool *found);
static const trial trials[TRIALS] = { try_main, try_partner, try_pair };
static const double by_chance[TRIALS] = { 0, 1, 2 };

/* --- the rounds --- */

struct search {
  mn_context *ctx;
  mn_interaction *m;
  mn_interaction_problem *p;
  mn_interaction_state *now, next;
  struct scores scores;
  size_t polishes, most; /* done, and no more than that: for the progress */
};

/* A set of columns to its optimum, and without those that fade. Where the start has no factor, the set is none. */
static mn_status settle(struct search *t)
{
  MN_TRY(mn_interaction_evaluate(t->p, &t->next, NULL, NULL));
  bool some = isfinite(t->next.objective);
  for (int i = 0; some && t->next.k > 0 && mn_should_continue(t->ctx) && i < POLISHES; i++) {
    mn_progress_part(t->ctx, t->polishes++, t->most);
    MN_TRY(polish(t->p, &t->next));
    some = drop_faint(t->p, &t->next);
  }
  return mn_interaction_evaluate(t->p, &t->next, NULL, NULL);
}

/* What a trial must gain; rounding of the objective is no progress. */
static double least_fall(const struct search *t, size_t which)
{
  const double chance = by_chance[which] * t->m->sparsity * log1p((double)t->p->rows.p);
  return fmax(fmax(t->m->tol, 1e-9 * fmax(fabs(t->now->objective), 1)), chance);
}

static mn_status round_of(struct search *t, bool *better)
{
  *better = false;
  for (size_t i = 0; i < TRIALS && !*better && mn_should_continue(t->ctx); i++) {
    const mn_mark mark = mn_scratch_mark(t->ctx);
    bool found;
    MN_TRY(mn_interaction_look(t->p, t->now, true));
    copy_state(t->now, &t->next);
    MN_TRY(trials[i](t->p, t->now, &t->scores, &t->next, &found));
    if (found) MN_TRY(settle(t));
    mn_scratch_release(t->ctx, mark);
    *better = found && t->next.objective < t->now->objective - least_fall(t, i);
  }
  if (!*better) return MN_OK;
  t->m->linear.base.report.change = t->now->objective - t->next.objective;
  copy_state(&t->next, t->now);
  return MN_OK;
}

static mn_status begin(struct search *t)
{
  const size_t columns = t->p->rows.p;
  t->scores.with = MN_RAW(t->ctx, double, columns, 1);
  t->scores.score = MN_RAW(t->ctx, double, columns, 1);
  if (!t->scores.with || !t->scores.score) return MN_NO_MEMORY;
  MN_TRY(mn_interaction_state_make(t->ctx, columns, &t->next));
  t->most = (size_t)t->m->max_iter * TRIALS * POLISHES + 1;
  return mn_interaction_evaluate(t->p, t->now, NULL, NULL);
}

mn_status mn_interaction_search(mn_context *ctx, mn_interaction *m, mn_interaction_problem *p, mn_interaction_state *s)
{
  mn_report *r = &m->linear.base.report;
  struct search t = { .ctx = ctx, .m = m, .p = p, .now = s };
  r->advice = "raise max_iter or tol";
  MN_TRY(begin(&t));
  for (bool go_on = true; go_on && !r->converged && r->n_iter < m->max_iter;) {
    bool better;
    r->change = 0;
    MN_TRY(round_of(&t, &better));
    r->converged = !better && mn_should_continue(ctx);
    if (!mn_record_round(ctx, r, s->objective)) return mn_error_status(ctx);
    mn_progress_part(ctx, t.polishes, t.most);
    go_on = mn_report_progress(ctx, 0, STEPS, s->objective);
  }
  mn_progress_part(ctx, 0, 1);
  return mn_error_status(ctx);
}

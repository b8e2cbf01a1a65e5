#include "satisfiability.h"
#include "../stats/argsort.h"
#include "clause_messages.h"
#include "clause_search.h"
#include <math.h>
#include <string.h>

struct solver {
  const mn_sat_settings *s;
  const mn_formula *f;
  mn_partial p;
  mn_clause_messages q;
  mn_clause_search *search;
  double *strength; /* of the free variables */
  size_t *variable, *order;
  int8_t *truth; /* of this attempt */
  double *bias;  /* out; NULL: not wanted, or known */
};

static mn_status solver_new(mn_context *ctx, const mn_formula *f, const mn_sat_settings *s, struct solver *d)
{
  *d = (struct solver){ .s = s, .f = f };
  MN_TRY(mn_partial_new(ctx, f, &d->p));
  MN_TRY(mn_clause_messages_new(ctx, &d->p, &d->q));
  MN_TRY(mn_clause_search_new(ctx, &d->p, s->noise, &d->search));
  d->q.rho = s->rho;
  d->q.tol = s->decimation.tol;
  d->q.max_iter = s->decimation.max_iter;
  d->strength = MN_RAW(ctx, double, f->n + 1, 1);
  d->variable = MN_RAW(ctx, size_t, f->n + 1, 1);
  d->order = MN_RAW(ctx, size_t, f->n + 1, 1);
  d->truth = MN_RAW(ctx, int8_t, f->n + 1, 1);
  return d->strength && d->variable && d->order && d->truth ? MN_OK : MN_NO_MEMORY;
}

/* The strengths -|p(true) - p(false)| of the free variables; returns the largest probability of being forced. */
static double strengths(struct solver *d, size_t *count)
{
  double largest = 0;
  *count = 0;
  for (size_t v = 0; v < d->f->n; v++) {
    double bias[3];
    if (d->p.value[v] != 0) continue;
    mn_clause_bias(&d->q, v, bias);
    largest = fmax(largest, fmax(bias[0], bias[1]));
    d->strength[*count] = -fabs(bias[0] - bias[1]);
    d->variable[(*count)++] = v;
    d->truth[v] = bias[0] >= bias[1] ? 1 : -1;
  }
  return largest;
}

/* Fix the most certain variables. False: a clause is violated. */
static mn_status fix_some(mn_context *ctx, struct solver *d, size_t count, bool *consistent)
{
  const size_t wanted = (size_t)fmax(1, floor(d->s->decimation.fraction * (double)count));
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_argsort(ctx, count, d->strength, 1, d->order));
  for (size_t k = 0; k < count && k < wanted && *consistent; k++) {
    const size_t v = d->variable[d->order[k]];
    if (d->p.value[v] == 0) *consistent = mn_partial_fix(&d->p, (int32_t)(v + 1) * d->truth[v]);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The probabilities before decimation fixes anything. */
static void store_bias(struct solver *d)
{
  for (size_t v = 0; v < d->f->n; v++) {
    double *bias = d->bias + 3 * v;
    mn_clause_bias(&d->q, v, bias);
    if (d->p.value[v] == 0) continue;
    bias[0] = d->p.value[v] > 0;
    bias[1] = d->p.value[v] < 0;
    bias[2] = 0;
  }
  d->bias = NULL;
}

/* Propagate and fix, until surveys are trivial, everything is fixed, or a clause is violated. */
static mn_status decimate(mn_context *ctx, struct solver *d, mn_rng *rng, mn_sat_report *report)
{
  mn_decimation_report *r = &report->decimation;
  bool consistent = true;
  mn_clause_messages_draw(&d->q, rng);
  while (consistent && (d->p.free > 0 || d->bias)) {
    bool converged;
    size_t count;
    MN_TRY(mn_clause_messages_run(ctx, &d->q, rng, &r->sweeps, &converged));
    r->rounds++;
    if (!converged) r->unconverged++;
    if (d->bias) store_bias(d);
    /* surveys that do not converge, or that force no variable, leave the rest to WalkSAT */
    if (strengths(d, &count) < 0.01 || (!converged && d->s->rho > 0)) break;
    MN_TRY(fix_some(ctx, d, count, &consistent));
  }
  report->contradiction = !consistent;
  r->fixed = d->f->n - d->p.free;
  return MN_OK;
}

static void release(struct solver *d)
{
  mn_partial_reset(&d->p);
  mn_partial_units(&d->p);
}

/* Search with the variables free that decimation left free, then, since it may have fixed a wrong one, with all. */
static mn_status search(mn_context *ctx, struct solver *d, const mn_sat_report *report, mn_rng *rng, uint64_t *flips,
                        size_t *violated)
{
  const uint64_t most = d->s->decimation.max_moves;
  if (!d->s->walk && !report->contradiction) {
    MN_TRY(mn_clause_search_run(ctx, d->search, most / 4, rng, d->truth, flips, violated));
    if (*violated == 0) return MN_OK;
  }
  release(d);
  return mn_clause_search_run(ctx, d->search, most - *flips, rng, d->truth, flips, violated);
}

static mn_status attempt(mn_context *ctx, struct solver *d, size_t number, mn_sat_report *r, size_t *violated)
{
  mn_rng rng = mn_stream(d->s->decimation.seed, number);
  release(d);
  for (size_t v = 0; v < d->f->n; v++) d->truth[v] = mn_random_below(&rng, 2) ? 1 : -1;
  if (!d->s->walk) MN_TRY(decimate(ctx, d, &rng, r));
  for (size_t v = 0; v < d->f->n; v++)
    if (d->p.value[v] != 0) d->truth[v] = d->p.value[v];
  return search(ctx, d, r, &rng, &r->decimation.moves, violated);
}

mn_status mn_solve_sat(mn_context *ctx, const mn_formula *f, const mn_sat_settings *s, int8_t *truth, double *bias,
                       mn_sat_report *report)
{
  struct solver d;
  mn_decimation_report *r = &report->decimation;
  *report = (mn_sat_report){ .decimation.violated = SIZE_MAX };
  MN_TRY(solver_new(ctx, f, s, &d));
  d.bias = bias;
  report->proved = !mn_partial_units(&d.p);
  const mn_mark mark = mn_scratch_mark(ctx);
  for (size_t i = 0; i < s->decimation.restarts && r->violated > 0 && !(report->proved && i > 0); i++) {
    size_t violated = 0;
    mn_begin_attempt(r, i);
    report->contradiction = false;
    if (report->proved) {
      mn_partial_reset(&d.p);
      for (size_t v = 0; v < f->n; v++) d.truth[v] = 1;
      MN_TRY(mn_clause_search_run(ctx, d.search, 0, &(mn_rng){ 0 }, d.truth, &r->moves, &violated));
    } else {
      MN_TRY(attempt(ctx, &d, i, report, &violated));
    }
    if (violated < r->violated) {
      r->violated = violated;
      memcpy(truth, d.truth, f->n);
    }
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

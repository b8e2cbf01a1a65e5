#include "dual_decomposition.h"
#include "local_search.h"
#include <math.h>
#include <string.h>

struct dual {
  const mn_factor_graph *g;
  const int32_t *evidence;
  mn_incidence at;
  size_t *start;  /* of the lambdas of each edge          */
  double *lambda; /* of each edge, card values            */
  double *total;  /* of each variable: sum of its lambdas */
  size_t *total_start;
  double *table, *max; /* workspace: of the largest factor; of the edges of one factor */
  double penalty;      /* what stands for the logarithm of 0: no state with it can be best */
  int32_t *trial;
};

static double bounded(const struct dual *d, double value)
{
  return mn_is_log_zero(value) ? -d->penalty : value;
}

static double span_of(const mn_factor_graph *g, size_t f)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < mn_factor_size(g, f); k++) {
    const double value = g->table[g->table_start[f] + k];
    if (mn_is_log_zero(value)) continue;
    low = fmin(low, value);
    high = fmax(high, value);
  }
  return high >= low ? high - low + fmax(fabs(high), fabs(low)) : 0;
}

static mn_status begin(mn_context *ctx, struct dual *d)
{
  const mn_factor_graph *g = d->g;
  const size_t edges = g->scope_start[g->factors];
  size_t largest = 1, widest = 1;
  d->start = MN_RAW(ctx, size_t, edges + 1, 1);
  d->total_start = MN_RAW(ctx, size_t, g->variables + 1, 1);
  if (!d->start || !d->total_start) return MN_NO_MEMORY;
  d->start[0] = d->total_start[0] = 0;
  for (size_t e = 0; e < edges; e++) d->start[e + 1] = d->start[e] + g->card[g->scope[e]];
  for (size_t v = 0; v < g->variables; v++) d->total_start[v + 1] = d->total_start[v] + g->card[v];
  d->penalty = 1;
  for (size_t f = 0; f < g->factors; f++) {
    const size_t size = mn_factor_size(g, f);
    const size_t width = d->start[g->scope_start[f + 1]] - d->start[g->scope_start[f]];
    largest = size > largest ? size : largest;
    widest = width > widest ? width : widest;
    d->penalty += span_of(g, f);
  }
  d->lambda = MN_NEW(ctx, double, d->start[edges] + 1, 1);
  d->total = MN_NEW(ctx, double, d->total_start[g->variables] + 1, 1);
  d->table = MN_RAW(ctx, double, largest, 1);
  d->max = MN_RAW(ctx, double, widest, 1);
  d->trial = MN_NEW(ctx, int32_t, g->variables + 1, 1);
  if (!d->lambda || !d->total || !d->table || !d->max || !d->trial) return MN_NO_MEMORY;
  for (size_t v = 0; v < g->variables; v++)
    for (size_t s = 0; s < g->card[v] && mn_is_observed(d->evidence, v); s++)
      if ((int32_t)s != d->evidence[v]) d->total[d->total_start[v] + s] = -d->penalty;
  return mn_factor_graph_incidence(ctx, g, &d->at);
}

/* d->table = table_f + sign * sum of values (laid out as the lambdas of f) */
static void reparametrize(struct dual *d, size_t f, double sign, const double *values)
{
  const mn_factor_graph *g = d->g;
  const size_t size = mn_factor_size(g, f);
  for (size_t k = 0; k < size; k++) d->table[k] = bounded(d, g->table[g->table_start[f] + k]);
  for (size_t e = g->scope_start[f], inner = size; e < g->scope_start[f + 1]; e++) {
    const size_t card = g->card[g->scope[e]];
    const double *value = values + d->start[e] - d->start[g->scope_start[f]];
    inner /= card;
    for (size_t k = 0; k < size; k++) d->table[k] += sign * value[k / inner % card];
  }
}

/* Max-marginals of d->table to d->max, laid out as the lambdas of f. */
static void max_marginals(struct dual *d, size_t f)
{
  const mn_factor_graph *g = d->g;
  const size_t size = mn_factor_size(g, f), first = d->start[g->scope_start[f]];
  for (size_t e = g->scope_start[f], inner = size; e < g->scope_start[f + 1]; e++) {
    const size_t card = g->card[g->scope[e]];
    double *max = d->max + d->start[e] - first;
    inner /= card;
    for (size_t s = 0; s < card; s++) max[s] = -INFINITY;
    for (size_t k = 0; k < size; k++) max[k / inner % card] = fmax(max[k / inner % card], d->table[k]);
  }
}

/* Block update of all lambdas of f: with b_v = total_v - lambda_fv and n variables,
 * lambda_fv = max over the others of (table_f + sum b) / n - b_v. */
static void update(struct dual *d, size_t f)
{
  const mn_factor_graph *g = d->g;
  const size_t begin_edge = g->scope_start[f], end = g->scope_start[f + 1];
  double *lambda = d->lambda + d->start[begin_edge];
  if (end == begin_edge) return;
  for (size_t e = begin_edge; e < end; e++) /* lambda holds b for now */
    for (size_t s = 0; s < g->card[g->scope[e]]; s++) {
      double *l = d->lambda + d->start[e] + s, *total = d->total + d->total_start[g->scope[e]] + s;
      *total -= *l;
      *l = *total;
    }
  reparametrize(d, f, 1, lambda);
  max_marginals(d, f);
  for (size_t e = begin_edge; e < end; e++)
    for (size_t s = 0; s < g->card[g->scope[e]]; s++) {
      double *l = d->lambda + d->start[e] + s;
      *l = d->max[d->start[e] - d->start[begin_edge] + s] / (double)(end - begin_edge) - *l;
      d->total[d->total_start[g->scope[e]] + s] += *l;
    }
}

static size_t best_of(size_t n, const double *x)
{
  size_t best = 0;
  for (size_t i = 1; i < n; i++)
    if (x[i] > x[best]) best = i;
  return best;
}

/* D, and to d->trial the best state of each variable; with `step` > 0 also a subgradient step. */
static mn_status evaluate(mn_context *ctx, struct dual *d, double step, double *bound)
{
  const mn_factor_graph *g = d->g;
  *bound = 0;
  for (size_t v = 0; v < g->variables; v++) {
    const double *total = d->total + d->total_start[v];
    d->trial[v] = (int32_t)best_of(g->card[v], total);
    *bound += total[d->trial[v]];
  }
  for (size_t f = 0; f < g->factors; f++) {
    const size_t size = mn_factor_size(g, f);
    reparametrize(d, f, -1, d->lambda + d->start[g->scope_start[f]]);
    const size_t best = best_of(size, d->table);
    *bound += d->table[best];
    for (size_t e = g->scope_start[f], inner = size; e < g->scope_start[f + 1] && step > 0; e++) {
      const size_t v = g->scope[e];
      inner /= g->card[v];
      const size_t own = best / inner % g->card[v], other = (size_t)d->trial[v];
      if (own == other) continue;
      d->lambda[d->start[e] + own] += step;
      d->lambda[d->start[e] + other] -= step;
    }
    if (f % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  if (step > 0) { /* total from the new lambdas */
    for (size_t v = 0; v < g->variables; v++)
      for (size_t s = 0; s < g->card[v]; s++) {
        double sum = mn_is_observed(d->evidence, v) && d->evidence[v] != (int32_t)s ? -d->penalty : 0;
        for (size_t k = d->at.start[v]; k < d->at.start[v + 1]; k++)
          sum += d->lambda[d->start[g->scope_start[d->at.factor[k]] + d->at.position[k]] + s];
        d->total[d->total_start[v] + s] = sum;
      }
  }
  return MN_OK;
}

/* Improve d->trial and keep it if it is the best so far. */
static mn_status try_state(mn_context *ctx, struct dual *d, int32_t *state, mn_dual_report *report)
{
  double score;
  MN_TRY(mn_improve_state(ctx, d->g, &d->at, d->evidence, d->trial, &score));
  if (report->n_iter > 1 && !(score > report->score)) return MN_OK;
  report->score = score;
  memcpy(state, d->trial, d->g->variables * sizeof *state);
  return MN_OK;
}

mn_status mn_dual_decomposition(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence, double tol,
                                size_t max_iter, int32_t *state, mn_dual_report *report)
{
  struct dual d = { .g = g, .evidence = evidence };
  double last = INFINITY;
  size_t steps = 0; /* subgradient steps; > 0: coordinate descent is stuck */
  size_t stuck = 0;
  MN_TRY(begin(ctx, &d));
  *report = (mn_dual_report){ .score = MN_LOG_ZERO, .bound = INFINITY };
  while (report->n_iter < max_iter && !report->converged) {
    double bound;
    report->n_iter++;
    for (size_t f = 0; f < g->factors && steps == 0; f++) update(&d, f);
    /* a step of Polyak's length would need the optimum; the gap to the best state stands for it */
    const double step = steps == 0 ? 0 : fmax(report->bound - report->score, tol) / (double)(g->factors + steps);
    MN_TRY(evaluate(ctx, &d, step, &bound));
    MN_TRY(try_state(ctx, &d, state, report));
    stuck = bound < report->bound - tol ? 0 : stuck + 1;
    report->bound = fmin(report->bound, bound);
    if (steps > 0 || last - bound <= tol) steps++;
    last = bound;
    report->converged = report->bound - report->score <= tol || stuck > 200;
    if (!mn_report_progress(ctx, (double)report->n_iter, (double)max_iter, report->bound)) break;
  }
  return mn_cancelled(ctx) ? MN_CANCELLED : MN_OK;
}

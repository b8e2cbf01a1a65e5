#include "regions.h"
#include "table_kernel.h"
#include "walk.h"
#include <math.h>
#include <string.h>

struct propagation {
  mn_context *ctx;
  const mn_factor_graph *g;
  const int32_t *evidence;
  const mn_region_options *options;
  mn_region_graph r;
  size_t *table_start;      /* of all regions; their tables follow each other */
  double *theta;            /* of outer regions: sums of their factors        */
  double *belief;           /* logarithms; of outer regions theta + messages, not normalized */
  size_t *message_start;    /* of each pair of an inner and an outer region  */
  double *message;          /* from inner to outer regions                    */
  double *up, *best, *exps; /* workspace: messages to an inner region, of its size; of the largest table */
  double *count;            /* counting numbers in use                        */
  double constant;
};

static size_t size_of(const struct propagation *p, size_t region)
{
  return p->table_start[region + 1] - p->table_start[region];
}

/* A walk over outer region a in step with a table over `scope`, whose variables are in a or observed. */
static void walk_region(const struct propagation *p, size_t a, size_t n, const size_t *scope, mn_walk *w)
{
  const mn_region *region = &p->r.region[a];
  size_t card[MN_MAX_SCOPE], stride[MN_MAX_SCOPE], step = 1, base = 0;
  for (size_t i = 0; i < region->n; i++) {
    card[i] = p->g->card[region->at[i]];
    stride[i] = 0;
  }
  for (size_t i = n; i-- > 0;) {
    if (mn_is_observed(p->evidence, scope[i])) base += step * (size_t)p->evidence[scope[i]];
    for (size_t j = 0; j < region->n; j++)
      if (region->at[j] == scope[i]) stride[j] = step;
    step *= p->g->card[scope[i]];
  }
  mn_walk_begin(w, region->n, card, stride, base);
}

/* --- preparation --- */

static mn_status measure(struct propagation *p)
{
  const size_t n = p->r.outer + p->r.inner;
  double total = 0;
  p->table_start = MN_RAW(p->ctx, size_t, n + 1, 1);
  MN_CHECK_ALLOC(p->table_start);
  p->table_start[0] = 0;
  for (size_t i = 0; i < n; i++) {
    const double entries = mn_table_entries(p->g, p->r.region[i].at, p->r.region[i].n);
    total += entries;
    if (total > 1e8 || p->r.region[i].n > MN_MAX_SCOPE)
      return mn_fail(p->ctx, MN_NO_MEMORY, "%s: the tables of the regions are too large; choose smaller regions",
                     p->options->who);
    p->table_start[i + 1] = p->table_start[i] + (size_t)entries;
  }
  return MN_OK;
}

static mn_status allocate(struct propagation *p)
{
  const size_t edges = p->r.start[p->r.inner], n = p->r.outer + p->r.inner;
  size_t largest = 1, most = 1;
  p->message_start = MN_RAW(p->ctx, size_t, edges + 1, 1);
  MN_CHECK_ALLOC(p->message_start);
  p->message_start[0] = 0;
  for (size_t i = 0; i < p->r.inner; i++) {
    const size_t over = p->r.start[i + 1] - p->r.start[i];
    most = over * size_of(p, p->r.outer + i) > most ? over * size_of(p, p->r.outer + i) : most;
    for (size_t k = p->r.start[i]; k < p->r.start[i + 1]; k++)
      p->message_start[k + 1] = p->message_start[k] + size_of(p, p->r.outer + i);
  }
  for (size_t i = 0; i < n; i++) largest = size_of(p, i) > largest ? size_of(p, i) : largest;
  p->theta = MN_NEW(p->ctx, double, p->table_start[p->r.outer] + 1, 1);
  p->belief = MN_NEW(p->ctx, double, p->table_start[n] + 1, 1);
  p->message = MN_NEW(p->ctx, double, p->message_start[edges] + 1, 1);
  p->up = MN_RAW(p->ctx, double, most, 1);
  p->best = MN_RAW(p->ctx, double, largest, 2);
  p->exps = MN_RAW(p->ctx, double, largest, 1);
  p->count = MN_RAW(p->ctx, double, n + 1, 1);
  return p->theta && p->belief && p->message && p->up && p->best && p->exps && p->count ? MN_OK : MN_NO_MEMORY;
}

/* Whether a region has all free variables of a factor. */
static bool has_scope(const struct propagation *p, size_t a, size_t f)
{
  const mn_region *region = &p->r.region[a];
  for (size_t i = p->g->scope_start[f]; i < p->g->scope_start[f + 1]; i++) {
    bool is_in = mn_is_observed(p->evidence, p->g->scope[i]);
    for (size_t j = 0; j < region->n && !is_in; j++) is_in = region->at[j] == p->g->scope[i];
    if (!is_in) return false;
  }
  return true;
}

/* Each factor to one outer region that contains it. */
static mn_status place_factors(struct propagation *p)
{
  const mn_factor_graph *g = p->g;
  size_t *first = MN_RAW(p->ctx, size_t, g->variables + 1, 1), *next, total = 0;
  MN_CHECK_ALLOC(first);
  for (size_t a = 0; a < p->r.outer; a++) total += p->r.region[a].n;
  next = MN_RAW(p->ctx, size_t, total + 1, 2);
  MN_CHECK_ALLOC(next);
  size_t *region = next + total;
  for (size_t v = 0; v < g->variables; v++) first[v] = SIZE_MAX;
  for (size_t a = p->r.outer, k = 0; a-- > 0;)
    for (size_t i = 0; i < p->r.region[a].n; i++, k++) {
      region[k] = a;
      next[k] = first[p->r.region[a].at[i]];
      first[p->r.region[a].at[i]] = k;
    }
  for (size_t f = 0; f < g->factors; f++) {
    const size_t *scope = mn_scope(g, f), n = mn_scope_size(g, f);
    const double *table = g->table + g->table_start[f];
    size_t some = SIZE_MAX, at = 0, found = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
      at = at * g->card[scope[i]] + (mn_is_observed(p->evidence, scope[i]) ? (size_t)p->evidence[scope[i]] : 0);
      if (!mn_is_observed(p->evidence, scope[i])) some = scope[i];
    }
    if (some == SIZE_MAX) {
      p->constant += table[at];
      continue;
    }
    for (size_t k = first[some]; k != SIZE_MAX && found == SIZE_MAX; k = next[k])
      if (has_scope(p, region[k], f)) found = region[k];
    mn_walk w;
    walk_region(p, found, n, scope, &w);
    MN_TRY(mn_walk_add(p->ctx, &w, p->theta + p->table_start[found], table));
  }
  return MN_OK;
}

/* --- messages --- */

/* log sum exp of outer region a onto inner region b. */
static mn_status marginalize(struct propagation *p, size_t a, size_t b, double *out)
{
  const double *belief = p->belief + p->table_start[a];
  const size_t size = size_of(p, a), small = size_of(p, b);
  double most = belief[0];
  mn_walk w;
  for (size_t k = 1; k < size; k++) most = belief[k] > most ? belief[k] : most;
  for (size_t k = 0; k < size; k++) p->exps[k] = belief[k] - most;
  mn_table_exp(size, p->exps);
  memset(out, 0, small * sizeof *out);
  walk_region(p, a, p->r.region[b].n, p->r.region[b].at, &w);
  MN_TRY(mn_walk_sum(p->ctx, &w, p->exps, out));
  for (size_t k = 0; k < small; k++) out[k] = out[k] > 0 ? most + log(out[k]) : MN_LOG_ZERO;
  return MN_OK;
}

static void normalize(size_t n, double *x)
{
  double most = x[0], sum = 0;
  for (size_t k = 1; k < n; k++) most = x[k] > most ? x[k] : most;
  for (size_t k = 0; k < n; k++) sum += exp(x[k] - most);
  for (size_t k = 0; k < n; k++) x[k] = mn_is_log_zero(x[k]) ? MN_LOG_ZERO : x[k] - most - log(sum);
}

/* Make inner region i and the outer ones over it agree. *residual: the largest change of its belief, and of messages
 * before damping. */
static mn_status update(struct propagation *p, size_t i, double *residual)
{
  const size_t b = p->r.outer + i, n = size_of(p, b), over = p->r.start[i + 1] - p->r.start[i];
  double *best = p->best, *change = p->best + n, *belief = p->belief + p->table_start[b];
  const double keep = p->options->passing.damping, power = 1 / ((double)over + p->count[b]);
  memset(best, 0, n * sizeof *best);
  for (size_t k = 0; k < over; k++) {
    const double *message = p->message + p->message_start[p->r.start[i] + k];
    double *up = p->up + k * n;
    MN_TRY(marginalize(p, p->r.over[p->r.start[i] + k], b, up));
    for (size_t s = 0; s < n; s++) {
      up[s] = mn_is_log_zero(up[s]) || mn_is_log_zero(message[s]) ? MN_LOG_ZERO : up[s] - message[s];
      best[s] = mn_is_log_zero(up[s]) || mn_is_log_zero(best[s]) ? MN_LOG_ZERO : best[s] + up[s];
    }
  }
  for (size_t s = 0; s < n; s++) best[s] = mn_is_log_zero(best[s]) ? MN_LOG_ZERO : best[s] * power;
  normalize(n, best);
  for (size_t s = 0; s < n; s++) *residual = fmax(*residual, fabs(exp(best[s]) - exp(belief[s])));
  for (size_t k = 0; k < over; k++) {
    const size_t a = p->r.over[p->r.start[i] + k];
    double *message = p->message + p->message_start[p->r.start[i] + k];
    mn_walk w;
    for (size_t s = 0; s < n; s++) {
      const bool is_zero = mn_is_log_zero(best[s]);
      const double target = best[s] - p->up[k * n + s];
      const double new = is_zero ? MN_LOG_ZERO : keep *message[s] + (1 - keep) * target;
      if (!is_zero) *residual = fmax(*residual, fmin(1, fabs(target - message[s])) * exp(best[s]));
      change[s] = is_zero && mn_is_log_zero(message[s]) ? 0 : new - message[s];
      message[s] = new;
    }
    walk_region(p, a, p->r.region[b].n, p->r.region[b].at, &w);
    MN_TRY(mn_walk_add(p->ctx, &w, p->belief + p->table_start[a], change));
  }
  memcpy(belief, best, n * sizeof *best);
  return MN_OK;
}

static mn_status pass(struct propagation *p, double tol, size_t max_iter, mn_message_report *report)
{
  report->converged = p->r.inner == 0;
  for (size_t n = 0; n < max_iter && !report->converged; n++) {
    report->residual = 0;
    for (size_t i = 0; i < p->r.inner; i++) {
      MN_TRY(update(p, i, &report->residual));
      if (i % 256 == 0) MN_TRY(mn_poll(p->ctx));
    }
    report->n_iter++;
    report->converged = report->residual <= tol;
    const double total = (double)p->options->passing.max_iter;
    if (!mn_report_progress(p->ctx, (double)report->n_iter, total, report->residual)) break;
  }
  return mn_cancelled(p->ctx) ? MN_CANCELLED : MN_OK;
}

/* Add the tangents of the concave terms at the current beliefs, minus those at the beliefs before. */
static mn_status move_tangents(struct propagation *p, double *before)
{
  for (size_t i = 0; i < p->r.inner; i++) {
    const size_t b = p->r.outer + i, n = size_of(p, b), over = p->r.start[i + 1] - p->r.start[i];
    double *old = before + p->table_start[b] - p->table_start[p->r.outer];
    const double *new = p->belief + p->table_start[b], weight = -p->r.count[b] / (double)over;
    if (p->r.count[b] >= 0) continue;
    for (size_t s = 0; s < n; s++) p->best[s] = mn_is_log_zero(new[s]) ? 0 : weight * (new[s] - old[s]);
    memcpy(old, new, n * sizeof *old);
    for (size_t k = p->r.start[i]; k < p->r.start[i + 1]; k++) {
      mn_walk w;
      walk_region(p, p->r.over[k], p->r.region[b].n, p->r.region[b].at, &w);
      MN_TRY(mn_walk_add(p->ctx, &w, p->belief + p->table_start[p->r.over[k]], p->best));
    }
  }
  return MN_OK;
}

static mn_status pass_twice(struct propagation *p, mn_message_report *report)
{
  const mn_message_options *o = &p->options->passing;
  const size_t n = p->r.outer + p->r.inner, size = p->table_start[n] - p->table_start[p->r.outer];
  double *before = MN_NEW(p->ctx, double, size + 1, 1), *last = MN_RAW(p->ctx, double, size + 1, 1);
  if (!before || !last) return MN_NO_MEMORY;
  for (size_t i = p->r.outer; i < n; i++)
    if (p->count[i] < 0) p->count[i] = 0;
  do {
    memcpy(last, p->belief + p->table_start[p->r.outer], size * sizeof *last);
    MN_TRY(pass(p, o->tol / 10, 50, report));
    report->residual = 0;
    for (size_t k = 0; k < size; k++)
      report->residual = fmax(report->residual, fabs(exp(last[k]) - exp(p->belief[p->table_start[p->r.outer] + k])));
    report->converged = report->residual <= o->tol;
    if (!report->converged) MN_TRY(move_tangents(p, before));
  } while (!report->converged && report->n_iter < o->max_iter && mn_should_continue(p->ctx));
  return mn_cancelled(p->ctx) ? MN_CANCELLED : MN_OK;
}

/* --- results --- */

/* Kikuchi free energy, from normalized beliefs; marginals of single variables. */
static mn_status read_results(struct propagation *p, size_t width, double *marginals, double *log_partition)
{
  double total = p->constant;
  memset(marginals, 0, p->g->variables * width * sizeof *marginals);
  for (size_t i = 0; i < p->r.outer + p->r.inner; i++) {
    double *belief = p->belief + p->table_start[i], entropy = 0;
    const size_t n = size_of(p, i);
    const bool is_outer = i < p->r.outer;
    double most = belief[0];
    for (size_t k = 1; k < n; k++) most = fmax(most, belief[k]);
    if (mn_is_log_zero(most))
      return mn_fail(p->ctx, MN_BAD_DATA, "%s: the messages contradict each other: all states have probability 0",
                     p->options->who);
    normalize(n, belief);
    for (size_t k = 0; k < n; k++) {
      const double b = exp(belief[k]);
      if (!(b > 0)) continue;
      entropy -= b * belief[k];
      if (is_outer) total += b * p->theta[p->table_start[i] + k];
    }
    total += p->r.count[i] * entropy;
    for (size_t j = 0; j < p->r.region[i].n && is_outer; j++) {
      const size_t v = p->r.region[i].at[j];
      mn_walk w;
      double *out = marginals + v * width;
      memset(out, 0, p->g->card[v] * sizeof *out);
      for (size_t k = 0; k < n; k++) p->exps[k] = exp(belief[k]);
      walk_region(p, i, 1, &v, &w);
      MN_TRY(mn_walk_sum(p->ctx, &w, p->exps, out));
    }
  }
  for (size_t v = 0; v < p->g->variables; v++)
    if (mn_is_observed(p->evidence, v)) marginals[v * width + (size_t)p->evidence[v]] = 1;
  *log_partition = total;
  return MN_OK;
}

mn_status mn_region_propagation(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence,
                                const mn_region_options *options, size_t width, double *marginals,
                                double *log_partition, size_t *regions, mn_message_report *report)
{
  struct propagation p = { .ctx = ctx, .g = g, .evidence = evidence, .options = options };
  *report = (mn_message_report){ 0 };
  MN_TRY(mn_make_regions(ctx, g, evidence, options, &p.r));
  *regions = p.r.outer + p.r.inner;
  MN_TRY(measure(&p));
  MN_TRY(allocate(&p));
  MN_TRY(place_factors(&p));
  memcpy(p.belief, p.theta, p.table_start[p.r.outer] * sizeof *p.theta);
  memcpy(p.count, p.r.count, *regions * sizeof *p.count);
  bool is_single = !options->double_loop;
  for (size_t i = 0; i < p.r.inner; i++)
    is_single = is_single && (double)(p.r.start[i + 1] - p.r.start[i]) + p.count[p.r.outer + i] > 0;
  MN_TRY(is_single ? pass(&p, options->passing.tol, options->passing.max_iter, report) : pass_twice(&p, report));
  return read_results(&p, width, marginals, log_partition);
}

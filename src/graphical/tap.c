#include "variational.h"
#include <math.h>

struct pair {
  size_t a, b;
  double j;
};

struct spins {
  size_t pairs;
  struct pair *pair;
  double *field, *mean;     /* of each variable                              */
  size_t *start, *neighbor; /* pairs of each variable                    */
  double constant;
};

/* The states of the free variables of f, at most two, as spins: constant + a s + b t + j s t. */
static mn_status add_factor(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                            size_t f, struct spins *m)
{
  size_t v[2] = { 0 }, step[2] = { 0 }, n = 0, base = 0, size = 1;
  double t[4];
  for (size_t i = g->scope_start[f + 1]; i-- > g->scope_start[f];) {
    const size_t u = g->scope[i];
    if (mn_is_observed(evidence, u)) {
      base += size * (size_t)evidence[u];
    } else if (g->card[u] > 1) {
      if (n == 2)
        return mn_fail(ctx, MN_BAD_ARGUMENT,
                       "%s: TAP requires factors of at most two variables, but factor %zu has "
                       "more; use \"mean_field\" or \"region\"",
                       who, f + 1);
      step[n] = size;
      v[n++] = u;
    }
    size *= g->card[u];
  }
  const double *table = g->table + g->table_start[f] + base;
  for (size_t i = 0; i < 4; i++) t[i] = table[(i & 1) * step[0] + (i >> 1) * step[1]];
  for (size_t i = 0; i < 4; i++)
    if (mn_is_log_zero(t[i]))
      return mn_fail(ctx, MN_BAD_DATA, "%s: TAP requires factors > 0, but factor %zu has a 0; use \"sum_product\"", who,
                     f + 1);
  m->constant += (t[0] + t[1] + t[2] + t[3]) / 4;
  if (n > 0) m->field[v[0]] += (t[1] + t[3] - t[0] - t[2]) / 4;
  if (n > 1) m->field[v[1]] += (t[2] + t[3] - t[0] - t[1]) / 4;
  if (n > 1) m->pair[m->pairs++] = (struct pair){ v[0], v[1], (t[0] + t[3] - t[1] - t[2]) / 4 };
  return MN_OK;
}

static mn_status index_pairs(mn_context *ctx, const mn_factor_graph *g, struct spins *m)
{
  m->start = MN_NEW(ctx, size_t, g->variables + 2, 1);
  m->neighbor = MN_RAW(ctx, size_t, 2 * m->pairs + 1, 1);
  if (!m->start || !m->neighbor) return MN_NO_MEMORY;
  size_t *next = m->start + 1;
  for (size_t k = 0; k < m->pairs; k++) next[m->pair[k].a + 1]++, next[m->pair[k].b + 1]++;
  for (size_t v = 1; v <= g->variables; v++) next[v] += next[v - 1];
  for (size_t k = 0; k < m->pairs; k++) {
    m->neighbor[next[m->pair[k].a]++] = k;
    m->neighbor[next[m->pair[k].b]++] = k;
  }
  return MN_OK;
}

static mn_status begin(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                       struct spins *m)
{
  m->pair = MN_RAW(ctx, struct pair, g->factors + 1, 1);
  m->field = MN_NEW(ctx, double, g->variables + 1, 1);
  m->mean = MN_NEW(ctx, double, g->variables + 1, 1);
  if (!m->pair || !m->field || !m->mean) return MN_NO_MEMORY;
  for (size_t v = 0; v < g->variables; v++)
    if (g->card[v] > 2 && !mn_is_observed(evidence, v))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: TAP requires variables of two states, but variable %zu has %zu; use "
                     "\"mean_field\"",
                     who, v + 1, g->card[v]);
  for (size_t f = 0; f < g->factors; f++) MN_TRY(add_factor(ctx, who, g, evidence, f, m));
  return index_pairs(ctx, g, m);
}

static double update(struct spins *m, size_t v, double damping)
{
  double sum = m->field[v], reaction = 0;
  for (size_t i = m->start[v]; i < m->start[v + 1]; i++) {
    const struct pair *p = &m->pair[m->neighbor[i]];
    const double other = m->mean[p->a == v ? p->b : p->a];
    sum += p->j * other;
    reaction += p->j * p->j * (1 - other * other);
  }
  const double old = m->mean[v], new = damping *old + (1 - damping) * tanh(sum - old * reaction);
  m->mean[v] = new;
  return fabs(new - old) / 2;
}

static double entropy(double mean)
{
  const double p = (1 + mean) / 2, q = (1 - mean) / 2;
  return -(p > 0 ? p * log(p) : 0) - (q > 0 ? q * log(q) : 0);
}

static double expansion(const struct spins *m, const mn_factor_graph *g, const int32_t *evidence)
{
  double total = m->constant;
  for (size_t v = 0; v < g->variables; v++)
    if (g->card[v] == 2 && !mn_is_observed(evidence, v)) total += m->field[v] * m->mean[v] + entropy(m->mean[v]);
  for (size_t k = 0; k < m->pairs; k++) {
    const double a = m->mean[m->pair[k].a], b = m->mean[m->pair[k].b], j = m->pair[k].j;
    total += j * a * b + j * j * (1 - a * a) * (1 - b * b) / 2;
  }
  return total;
}

mn_status mn_tap(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                 const mn_message_options *options, size_t width, double *q, double *log_partition,
                 mn_message_report *report)
{
  struct spins m = { 0 };
  *report = (mn_message_report){ 0 };
  MN_TRY(begin(ctx, who, g, evidence, &m));
  while (report->n_iter < options->max_iter && !report->converged) {
    report->residual = 0;
    for (size_t v = 0; v < g->variables; v++)
      if (g->card[v] == 2 && !mn_is_observed(evidence, v))
        report->residual = fmax(report->residual, update(&m, v, options->damping));
    report->n_iter++;
    report->converged = report->residual <= options->tol;
    MN_TRY(mn_poll(ctx));
    if (!mn_report_progress(ctx, (double)report->n_iter, (double)options->max_iter, report->residual)) break;
  }
  for (size_t v = 0; v < g->variables; v++) {
    for (size_t s = 0; s < width; s++) q[v * width + s] = 0;
    if (mn_is_observed(evidence, v))
      q[v * width + (size_t)evidence[v]] = 1;
    else if (g->card[v] == 1)
      q[v * width] = 1;
    else
      q[v * width] = (1 - m.mean[v]) / 2, q[v * width + 1] = (1 + m.mean[v]) / 2;
  }
  *log_partition = expansion(&m, g, evidence);
  return mn_cancelled(ctx) ? MN_CANCELLED : MN_OK;
}

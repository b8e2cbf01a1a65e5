#include "variational.h"
#include "../core/rng.h"
#include "table_kernel.h"
#include <math.h>
#include <string.h>

struct field {
  const mn_factor_graph *g;
  const int32_t *evidence;
  mn_incidence at;
  size_t width;
  double *q;      /* variables x width */
  double *weight; /* of the largest table */
  double *value;  /* width */
};

/* weight = product of q_u over the scope of f, without position `skip`. Returns the size of the table. */
static size_t fill_weights(struct field *m, size_t f, size_t skip)
{
  const mn_factor_graph *g = m->g;
  const size_t *scope = mn_scope(g, f), n = mn_scope_size(g, f), size = mn_factor_size(g, f);
  for (size_t k = 0; k < size; k++) m->weight[k] = 1;
  for (size_t i = 0, inner = size; i < n; i++) {
    const double *q = m->q + scope[i] * m->width;
    inner /= g->card[scope[i]];
    for (size_t k = 0; k < size && i != skip; k++) m->weight[k] *= q[k / inner % g->card[scope[i]]];
  }
  return size;
}

/* value[s] += E_q table_f given that its variable at `position` is in state s. */
static void add_expectation(struct field *m, size_t f, size_t position)
{
  const mn_factor_graph *g = m->g;
  const size_t *scope = mn_scope(g, f), size = fill_weights(m, f, position), card = g->card[scope[position]];
  const double *table = g->table + g->table_start[f];
  size_t inner = 1;
  for (size_t i = position + 1; i < mn_scope_size(g, f); i++) inner *= g->card[scope[i]];
  for (size_t k = 0; k < size; k++)
    if (m->weight[k] > 0) m->value[k / inner % card] += m->weight[k] * table[k];
}

/* The best q_v given the others; returns its largest change. */
static double update(struct field *m, size_t v, double damping)
{
  const size_t card = m->g->card[v];
  double *q = m->q + v * m->width, most, sum = 0, change = 0;
  memset(m->value, 0, m->width * sizeof *m->value);
  for (size_t k = m->at.start[v]; k < m->at.start[v + 1]; k++) add_expectation(m, m->at.factor[k], m->at.position[k]);
  most = m->value[0];
  for (size_t s = 1; s < card; s++) most = fmax(most, m->value[s]);
  for (size_t s = 0; s < card; s++) m->value[s] = fmax(m->value[s] - most, -1e6);
  mn_table_exp(card, m->value);
  for (size_t s = 0; s < card; s++) sum += m->value[s];
  for (size_t s = 0; s < card; s++) {
    const double new = damping *q[s] + (1 - damping) * m->value[s] / sum;
    change = fmax(change, fabs(new - q[s]));
    q[s] = new;
  }
  return change;
}

static double bound_of(struct field *m)
{
  const mn_factor_graph *g = m->g;
  double total = 0;
  for (size_t f = 0; f < g->factors; f++) {
    const size_t size = fill_weights(m, f, SIZE_MAX);
    for (size_t k = 0; k < size; k++)
      if (m->weight[k] > 0) total += m->weight[k] * g->table[g->table_start[f] + k];
  }
  for (size_t v = 0; v < g->variables; v++)
    for (size_t s = 0; s < g->card[v]; s++) {
      const double p = m->q[v * m->width + s];
      if (p > 0) total -= p * log(p);
    }
  return total;
}

static void start(struct field *m, size_t restart, int64_t seed)
{
  mn_rng rng = mn_stream(seed, restart);
  memset(m->q, 0, m->g->variables * m->width * sizeof *m->q);
  for (size_t v = 0; v < m->g->variables; v++) {
    double *q = m->q + v * m->width, sum = 0;
    if (mn_is_observed(m->evidence, v)) {
      q[m->evidence[v]] = 1;
      continue;
    }
    for (size_t s = 0; s < m->g->card[v]; s++) sum += q[s] = restart == 0 ? 1 : mn_random_exponential(&rng) + 1e-3;
    for (size_t s = 0; s < m->g->card[v]; s++) q[s] /= sum;
  }
}

static mn_status ascend(mn_context *ctx, struct field *m, const mn_message_options *o, mn_message_report *report)
{
  *report = (mn_message_report){ 0 };
  while (report->n_iter < o->max_iter && !report->converged) {
    report->residual = 0;
    for (size_t v = 0; v < m->g->variables; v++) {
      if (!mn_is_observed(m->evidence, v)) report->residual = fmax(report->residual, update(m, v, o->damping));
      if (v % 256 == 255) MN_TRY(mn_poll(ctx));
    }
    report->n_iter++;
    report->converged = report->residual <= o->tol;
    if (!mn_report_progress(ctx, (double)report->n_iter, (double)o->max_iter, report->residual)) break;
  }
  return mn_cancelled(ctx) ? MN_CANCELLED : MN_OK;
}

mn_status mn_mean_field(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence,
                        const mn_message_options *options, size_t restarts, int64_t seed, size_t width, double *q,
                        double *bound, mn_message_report *report)
{
  struct field m = { .g = g, .evidence = evidence, .width = width };
  size_t largest = 1;
  for (size_t f = 0; f < g->factors; f++) largest = mn_factor_size(g, f) > largest ? mn_factor_size(g, f) : largest;
  m.q = MN_RAW(ctx, double, g->variables + 1, width);
  m.weight = MN_RAW(ctx, double, largest, 1);
  m.value = MN_RAW(ctx, double, width, 1);
  if (!m.q || !m.weight || !m.value) return MN_NO_MEMORY;
  MN_TRY(mn_factor_graph_incidence(ctx, g, &m.at));
  for (size_t r = 0; r < restarts; r++) {
    mn_message_report one;
    mn_progress_part(ctx, r, restarts);
    start(&m, r, seed);
    MN_TRY(ascend(ctx, &m, options, &one));
    const double value = bound_of(&m);
    if (r > 0 && !(value > *bound)) continue;
    *bound = value;
    *report = one;
    memcpy(q, m.q, g->variables * width * sizeof *q);
  }
  return MN_OK;
}

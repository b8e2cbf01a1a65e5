/* Forward-backward and the likeliest path in logarithms, over the edges of any chain. The forward variables are kept
 * for a segment of rows at a time and computed again from its first row, so that the memory does not grow with the
 * number of nodes times rows. */
#include "hmm_chain.h"
#include "hmm_kernel.h"
#include <math.h>
#include <string.h>

static double log_add(double a, double b)
{
  const double high = a > b ? a : b, low = a > b ? b : a;
  return low > MN_HMM_IMPOSSIBLE ? high + log1p(exp(low - high)) : high;
}

static double log_sum(size_t n, const double *v)
{
  double most = MN_HMM_LOG_ZERO, sum = 0;
  for (size_t i = 0; i < n; i++) most = v[i] > most ? v[i] : most;
  if (!(most > MN_HMM_IMPOSSIBLE)) return MN_HMM_LOG_ZERO;
  for (size_t i = 0; i < n; i++) sum += exp(v[i] - most);
  return most + log(sum);
}

/* The value of the source of an edge: a node at the row before, or a silent node. */
static double source_of(const mn_hmm_graph *g, const mn_hmm_edge *e, const double *before, const double *now)
{
  return (size_t)e->from < g->t->nodes ? before[e->from] : now[e->from];
}

/* now = log sum over edges, then the density of the row. */
static void forward_step(const mn_hmm_graph *g, const double *before, const double *log_b, double *now)
{
  for (size_t i = 0; i < g->size; i++) now[i] = MN_HMM_LOG_ZERO;
  for (size_t e = 0; e < g->edges;) {
    const size_t to = (size_t)g->edge[e].to;
    size_t end = e;
    double most = MN_HMM_LOG_ZERO, sum = 0;
    for (; end < g->edges && (size_t)g->edge[end].to == to; end++) {
      const double value = source_of(g, g->edge + end, before, now) + g->log_p[end];
      most = value > most ? value : most;
    }
    for (; most > MN_HMM_IMPOSSIBLE && e < end; e++)
      sum += exp(source_of(g, g->edge + e, before, now) + g->log_p[e] - most);
    now[to] = sum > 0 ? most + log(sum) : MN_HMM_LOG_ZERO;
    e = end;
  }
  for (size_t i = 0; i < g->t->nodes; i++) {
    now[i] += log_b[g->state[i]];
    if (!(now[i] > MN_HMM_IMPOSSIBLE)) now[i] = MN_HMM_LOG_ZERO;
  }
}

static void begin_forward(const mn_hmm_graph *g, const double *log_b, double *now)
{
  for (size_t i = 0; i < g->size; i++) now[i] = MN_HMM_LOG_ZERO;
  for (size_t s = 0; s < g->t->k; s++) {
    const double value = g->log_start[s] + log_b[s];
    now[mn_hmm_first_node(g->t, s)] = value > MN_HMM_IMPOSSIBLE ? value : MN_HMM_LOG_ZERO;
  }
}

/* behind: log p(rows after t | node at t) of all nodes, from those of the next row. */
static void backward_step(const mn_hmm_graph *g, const double *ahead, const double *log_b, double *behind)
{
  const size_t nodes = g->t->nodes;
  for (size_t i = 0; i < g->size; i++) behind[i] = MN_HMM_LOG_ZERO;
  for (size_t e = g->edges; e-- > 0;) { /* edges from silent nodes come before those to them */
    const mn_hmm_edge *edge = g->edge + e;
    const double value = (size_t)edge->to < nodes ? ahead[edge->to] + log_b[g->state[edge->to]] : behind[edge->to];
    if (value > MN_HMM_IMPOSSIBLE) behind[edge->from] = log_add(behind[edge->from], g->log_p[e] + value);
  }
}

struct spaces {
  double *checkpoints, *segment, *ahead, *behind;
};

size_t mn_hmm_log_workspace(const mn_hmm_graph *g, size_t n)
{
  return g->size * ((n - 1) / MN_HMM_SEGMENT + 1 + MN_HMM_SEGMENT + 4);
}

static void record_row(mn_hmm_log_pass *pass, size_t t, const double *now, double total)
{
  const mn_hmm_graph *g = pass->g;
  if (pass->log_density) pass->log_density[t] = total - pass->loglik;
  if (!pass->filtered) return;
  double *to = pass->filtered + t * g->t->k;
  memset(to, 0, g->t->k * sizeof *to);
  for (size_t i = 0; i < g->t->nodes; i++)
    if (now[i] > MN_HMM_IMPOSSIBLE) to[g->state[i]] += exp(now[i] - total);
}

/* False: a row is impossible, or the task was cancelled. */
static bool run_forward(mn_hmm_log_pass *pass, const struct spaces *s, const mn_cancel_token *token)
{
  const mn_hmm_graph *g = pass->g;
  double *now = s->ahead, *before = s->behind;
  pass->loglik = 0;
  for (size_t t = 0; t < pass->n; t++) {
    if (t == 0)
      begin_forward(g, pass->log_b, now);
    else
      forward_step(g, before, pass->log_b + t * pass->w, now);
    const double total = log_sum(g->t->nodes, now);
    if (!(total > MN_HMM_IMPOSSIBLE)) {
      pass->impossible = t;
      for (size_t i = t; pass->log_density && i < pass->n; i++) pass->log_density[i] = -INFINITY;
      return false;
    }
    record_row(pass, t, now, total);
    pass->loglik = total;
    if (t % MN_HMM_SEGMENT == 0) {
      memcpy(s->checkpoints + t / MN_HMM_SEGMENT * g->size, now, g->size * sizeof *now);
      if (!mn_task_should_continue(token)) return false;
    }
    double *other = before;
    before = now;
    now = other;
  }
  for (size_t i = 0; pass->last && i < g->t->nodes; i++) pass->last[i] = exp(before[i] - pass->loglik);
  return true;
}

static void add_counts(mn_hmm_log_pass *pass, size_t t, const double *now, const double *next, const double *ahead,
                       const double *behind)
{
  const mn_hmm_graph *g = pass->g;
  const size_t nodes = g->t->nodes;
  const double *log_b = pass->log_b + (t + 1) * pass->w;
  for (size_t e = 0; e < g->edges; e++) {
    const mn_hmm_edge *edge = g->edge + e;
    const double from = source_of(g, edge, now, next);
    const double to = (size_t)edge->to < nodes ? ahead[edge->to] + log_b[g->state[edge->to]] : behind[edge->to];
    if (from > MN_HMM_IMPOSSIBLE && to > MN_HMM_IMPOSSIBLE)
      pass->counts[edge->probability] += exp(from + g->log_p[e] + to - pass->loglik);
  }
}

static void add_posterior(mn_hmm_log_pass *pass, size_t t, const double *now, const double *behind)
{
  const mn_hmm_graph *g = pass->g;
  double *to = pass->posterior + t * pass->w, total = 0;
  memset(to, 0, pass->w * sizeof *to);
  for (size_t i = 0; i < g->t->nodes; i++)
    if (now[i] > MN_HMM_IMPOSSIBLE && behind[i] > MN_HMM_IMPOSSIBLE)
      to[g->state[i]] += exp(now[i] + behind[i] - pass->loglik);
  for (size_t s = 0; s < g->t->k; s++) total += to[s];
  for (size_t s = 0; s < g->t->k; s++) to[s] /= total;
}

/* The forward variables of rows first .. end from the checkpoint; row `end` of the segment is one after it. */
static void repeat_forward(const mn_hmm_log_pass *pass, const struct spaces *s, size_t first, size_t end)
{
  const mn_hmm_graph *g = pass->g;
  memcpy(s->segment, s->checkpoints + first / MN_HMM_SEGMENT * g->size, g->size * sizeof *s->segment);
  for (size_t t = first + 1; t <= end && t < pass->n; t++)
    forward_step(g, s->segment + (t - 1 - first) * g->size, pass->log_b + t * pass->w,
                 s->segment + (t - first) * g->size);
}

static void run_backward(mn_hmm_log_pass *pass, struct spaces *s, const mn_cancel_token *token)
{
  const mn_hmm_graph *g = pass->g;
  for (size_t i = 0; i < g->size; i++) s->ahead[i] = i < g->t->nodes ? 0 : MN_HMM_LOG_ZERO;
  for (size_t end = pass->n; end > 0 && mn_task_should_continue(token);) {
    const size_t first = (end - 1) / MN_HMM_SEGMENT * MN_HMM_SEGMENT;
    repeat_forward(pass, s, first, end);
    for (size_t t = end; t-- > first;) {
      const double *now = s->segment + (t - first) * g->size;
      if (t + 1 < pass->n) {
        backward_step(g, s->ahead, pass->log_b + (t + 1) * pass->w, s->behind);
        if (pass->counts) add_counts(pass, t, now, now + g->size, s->ahead, s->behind);
        double *other = s->ahead;
        s->ahead = s->behind;
        s->behind = other;
      }
      if (pass->posterior) add_posterior(pass, t, now, s->ahead);
      for (size_t k = 0; t == 0 && pass->counts && k < g->t->k; k++) {
        const size_t node = mn_hmm_first_node(g->t, k);
        if (now[node] > MN_HMM_IMPOSSIBLE && s->ahead[node] > MN_HMM_IMPOSSIBLE)
          pass->counts[k] += exp(now[node] + s->ahead[node] - pass->loglik);
      }
    }
    end = first;
  }
}

void mn_hmm_run_log_pass(mn_hmm_log_pass *pass, double *work, const mn_cancel_token *token)
{
  const mn_hmm_graph *g = pass->g;
  struct spaces s = { .checkpoints = work };
  s.segment = s.checkpoints + g->size * ((pass->n - 1) / MN_HMM_SEGMENT + 1);
  s.ahead = s.segment + g->size * (MN_HMM_SEGMENT + 1);
  s.behind = s.ahead + g->size;
  pass->impossible = SIZE_MAX;
  if (run_forward(pass, &s, token) && (pass->counts || pass->posterior)) run_backward(pass, &s, token);
}

/* --- likeliest path --- */

static void viterbi_step(const mn_hmm_graph *g, const double *before, const double *log_b, double *now, int32_t *from)
{
  for (size_t i = 0; i < g->size; i++) now[i] = MN_HMM_LOG_ZERO, from[i] = 0;
  for (size_t e = 0; e < g->edges; e++) {
    const mn_hmm_edge *edge = g->edge + e;
    const double value = source_of(g, edge, before, now) + g->log_p[e];
    if (!(value > now[edge->to])) continue;
    now[edge->to] = value;
    from[edge->to] = edge->from;
  }
  for (size_t i = 0; i < g->t->nodes; i++) {
    now[i] += log_b[g->state[i]];
    if (!(now[i] > MN_HMM_IMPOSSIBLE)) now[i] = MN_HMM_LOG_ZERO;
  }
}

double mn_hmm_log_viterbi(const mn_hmm_graph *g, size_t n, size_t w, const double *log_b, double *work, int32_t *from,
                          double *state, const mn_cancel_token *token)
{
  double *now = work, *before = work + g->size;
  size_t node = 0;
  begin_forward(g, log_b, now);
  for (size_t t = 1; t < n; t++) {
    double *other = before;
    before = now;
    now = other;
    viterbi_step(g, before, log_b + t * w, now, from + t * g->size);
    if (t % MN_CHUNK == 0 && !mn_task_should_continue(token)) return 0;
  }
  for (size_t i = 1; i < g->t->nodes; i++) node = now[i] > now[node] ? i : node;
  const double best = now[node];
  for (size_t t = n; t-- > 0;) {
    state[t] = g->state[node];
    if (t == 0) break;
    size_t before_node = (size_t)from[t * g->size + node];
    if (before_node >= g->t->nodes) before_node = (size_t)from[t * g->size + before_node];
    node = before_node;
  }
  return best;
}

#include "hmm_chain.h"
#include "hmm_kernel.h"
#include <math.h>
#include <string.h>

mn_hmm_topology mn_hmm_make_topology(size_t k, size_t order, size_t durations)
{
  mn_hmm_topology t = { .k = k, .order = order, .durations = durations, .rows = order > 1 ? k + k * k : k };
  t.nodes = durations > 0 ? t.rows * durations : t.rows;
  t.silent = durations > 0 ? t.rows : 0;
  t.size = k + t.rows * k + 2 * k * durations;
  t.dense = durations == 0 && order == 1;
  return t;
}

struct builder {
  mn_hmm_graph *g;
  const double *chain;
};

static void add_edge(struct builder *b, size_t from, size_t to, size_t probability)
{
  mn_hmm_graph *g = b->g;
  if (!(b->chain[probability] > 0)) return;
  g->log_p[g->edges] = log(b->chain[probability]);
  g->edge[g->edges++] = (mn_hmm_edge){ (int32_t)from, (int32_t)to, (int32_t)probability };
}

/* Edges to (i, j) from the node of i at the first row, and from all (h, i). */
static void add_pair_edges(struct builder *b)
{
  const mn_hmm_topology *t = b->g->t;
  const size_t k = t->k;
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) {
      const size_t to = k + i * k + j;
      add_edge(b, i, to, k + i * k + j);
      for (size_t h = 0; h < k; h++) add_edge(b, k + h * k + i, to, k + (k + h * k + i) * k + j);
    }
}

/* Edges from silent nodes to the first node of row r. */
static void add_entries(struct builder *b, size_t r)
{
  const mn_hmm_topology *t = b->g->t;
  const size_t k = t->k, j = r % k, to = r * t->durations;
  if (t->order == 1) {
    for (size_t i = 0; i < k; i++) add_edge(b, t->nodes + i, to, k + i * k + j);
  } else if (r >= k) {
    const size_t i = (r - k) / k;
    for (size_t from = i; from < t->rows; from += k) add_edge(b, t->nodes + from, to, k + from * k + j);
  }
}

static void add_duration_edges(struct builder *b)
{
  const mn_hmm_topology *t = b->g->t;
  const size_t k = t->k, d = t->durations, exits = k + t->rows * k;
  for (size_t r = 0; r < t->rows; r++)
    for (size_t a = 0; a < d; a++) add_edge(b, r * d + a, t->nodes + r, exits + 2 * (r % k * d + a));
  b->g->silent_edges = b->g->edges;
  for (size_t r = 0; r < t->rows; r++) {
    const size_t stay = exits + 2 * (r % k * d) + 1;
    add_entries(b, r);
    for (size_t a = 0; a < d; a++) {
      if (a > 0) add_edge(b, r * d + a - 1, r * d + a, stay + 2 * (a - 1));
      if (a + 1 == d) add_edge(b, r * d + a, r * d + a, stay + 2 * a);
    }
  }
}

mn_status mn_hmm_graph_make(mn_context *ctx, const mn_hmm_topology *t, const double *chain, mn_hmm_graph *g)
{
  *g = (mn_hmm_graph){ .t = t, .size = t->nodes + t->silent };
  struct builder b = { .g = g, .chain = chain };
  const size_t capacity = t->k + 2 * t->durations;
  g->edge = MN_RAW(ctx, mn_hmm_edge, t->rows, capacity);
  g->log_p = MN_RAW(ctx, double, t->rows, capacity);
  g->log_start = MN_RAW(ctx, double, t->k, 1);
  g->state = MN_RAW(ctx, int32_t, t->nodes, 1);
  if (!g->edge || !g->log_p || !g->log_start || !g->state) return MN_NO_MEMORY;
  for (size_t s = 0; s < t->k; s++) g->log_start[s] = chain[s] > 0 ? log(chain[s]) : MN_HMM_LOG_ZERO;
  for (size_t i = 0; i < t->nodes; i++) g->state[i] = (int32_t)mn_hmm_state_of(t, i);
  if (t->durations > 0)
    add_duration_edges(&b);
  else if (t->order > 1)
    add_pair_edges(&b);
  else
    for (size_t j = 0; j < t->k; j++)
      for (size_t i = 0; i < t->k; i++) add_edge(&b, i, j, t->k + i * t->k + j);
  return MN_OK;
}

void mn_hmm_graph_step(const mn_hmm_graph *g, const double *now, double *work, double *next)
{
  const size_t nodes = g->t->nodes;
  for (size_t i = 0; i < g->t->silent; i++) work[i] = 0;
  for (size_t i = 0; i < nodes; i++) next[i] = 0;
  for (size_t e = 0; e < g->edges; e++) {
    const size_t from = (size_t)g->edge[e].from, to = (size_t)g->edge[e].to;
    const double p = exp(g->log_p[e]) * (from < nodes ? now[from] : work[from - nodes]);
    if (to < nodes)
      next[to] += p;
    else
      work[to - nodes] += p;
  }
}

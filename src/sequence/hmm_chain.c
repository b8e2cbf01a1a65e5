#include "hmm_chain.h"
#include "hmm_kernel.h"
#include <math.h>
#include <string.h>

mn_hmm_topology mn_hmm_make_topology(size_t k, size_t order, size_t durations)
{
  mn_hmm_topology t = { .k = k, .order = order, .durations = durations, .rows = order > 1 ? k + k * k : k };
  t.nodes = durations > 0 ? k * durations : t.rows;
  t.silent = durations > 0 ? k : 0;
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

static void add_duration_edges(struct builder *b)
{
  const mn_hmm_topology *t = b->g->t;
  const size_t k = t->k, d = t->durations, exits = k + t->rows * k;
  for (size_t s = 0; s < k; s++)
    for (size_t a = 0; a < d; a++) add_edge(b, s * d + a, t->nodes + s, exits + 2 * (s * d + a));
  b->g->silent_edges = b->g->edges;
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; i < k; i++) add_edge(b, t->nodes + i, j * d, k + i * k + j);
    for (size_t a = 0; a < d; a++) {
      if (a > 0) add_edge(b, j * d + a - 1, j * d + a, exits + 2 * (j * d + a - 1) + 1);
      if (a + 1 == d) add_edge(b, j * d + a, j * d + a, exits + 2 * (j * d + a) + 1);
    }
  }
}

mn_status mn_hmm_graph_make(mn_context *ctx, const mn_hmm_topology *t, const double *chain, mn_hmm_graph *g)
{
  *g = (mn_hmm_graph){ .t = t, .size = t->nodes + t->silent };
  struct builder b = { .g = g, .chain = chain };
  g->edge = MN_RAW(ctx, mn_hmm_edge, t->size, 1);
  g->log_p = MN_RAW(ctx, double, t->size, 1);
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

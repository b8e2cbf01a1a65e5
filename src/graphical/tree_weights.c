#include "tree_weights.h"
#include "../core/rng.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_TREES = 12 };

/* An edge: a factor with two free variables. */
struct edge {
  double key; /* edges of small keys enter a tree first */
  size_t factor, a, b;
};

struct edges {
  size_t n;
  struct edge *at;
  size_t *parent; /* of each variable, in a disjoint-set forest */
};

static int compare(const void *x, const void *y)
{
  const struct edge *a = x, *b = y;
  if (a->key < b->key || a->key > b->key) return a->key < b->key ? -1 : 1;
  return a->factor < b->factor ? -1 : 1;
}

static mn_status find_edges(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                            struct edges *e, double *rho)
{
  e->at = MN_RAW(ctx, struct edge, g->factors + 1, 1);
  e->parent = MN_RAW(ctx, size_t, g->variables + 1, 1);
  if (!e->at || !e->parent) return MN_NO_MEMORY;
  for (size_t f = 0; f < g->factors; f++) {
    size_t ends[2] = { 0 }, n = 0;
    rho[f] = 1;
    for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++) {
      if (mn_is_observed(evidence, g->scope[i])) continue;
      if (n == 2)
        return mn_fail(ctx, MN_BAD_ARGUMENT,
                       "%s: tree weights require factors of at most two variables, but factor %zu has more; use "
                       "\"sum_product\" or \"region\"",
                       who, f + 1);
      ends[n++] = g->scope[i];
    }
    if (n == 2) e->at[e->n++] = (struct edge){ .factor = f, .a = ends[0], .b = ends[1] };
  }
  return MN_OK;
}

static size_t root_of(struct edges *e, size_t v)
{
  while (e->parent[v] != v) v = e->parent[v] = e->parent[e->parent[v]];
  return v;
}

/* A spanning forest of smallest keys: in_tree[factor] = 1 for its edges. Sorts the edges. */
static void span(const mn_factor_graph *g, struct edges *e, double *in_tree)
{
  for (size_t v = 0; v < g->variables; v++) e->parent[v] = v;
  qsort(e->at, e->n, sizeof *e->at, compare);
  for (size_t k = 0; k < e->n; k++) {
    const size_t a = root_of(e, e->at[k].a), b = root_of(e, e->at[k].b);
    in_tree[e->at[k].factor] = a != b;
    if (a != b) e->parent[a] = b;
  }
}

static bool all_covered(const struct edges *e, const double *count)
{
  for (size_t k = 0; k < e->n; k++)
    if (!(count[e->at[k].factor] > 0)) return false;
  return true;
}

/* Edges that were in few trees enter the next one first, so that all are covered soon. */
static mn_status random_trees(mn_context *ctx, const mn_factor_graph *g, struct edges *e, double *rho)
{
  double *in_tree = MN_NEW(ctx, double, g->factors + 1, 1);
  MN_CHECK_ALLOC(in_tree);
  size_t trees = 0;
  for (size_t k = 0; k < e->n; k++) rho[e->at[k].factor] = 0;
  for (; trees < MIN_TREES || !all_covered(e, rho); trees++) {
    mn_rng rng = mn_stream(0, trees);
    for (size_t k = 0; k < e->n; k++) e->at[k].key = rho[e->at[k].factor] + mn_random_uniform(&rng);
    span(g, e, in_tree);
    for (size_t k = 0; k < e->n; k++) rho[e->at[k].factor] += in_tree[e->at[k].factor];
    MN_TRY(mn_poll(ctx));
  }
  for (size_t k = 0; k < e->n; k++) rho[e->at[k].factor] /= (double)trees;
  return MN_OK;
}

mn_status mn_tree_weights(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                          double *rho)
{
  struct edges e = { 0 };
  MN_TRY(find_edges(ctx, who, g, evidence, &e, rho));
  return random_trees(ctx, g, &e, rho);
}

/* key = -mutual information of the two variables under the beliefs. */
static mn_status set_information(mn_context *ctx, mn_messages *m, struct edges *e, double *work)
{
  for (size_t k = 0; k < e->n; k++) {
    const size_t f = e->at[k].factor, size = mn_factor_size(m->g, f);
    double information = 0;
    MN_TRY(mn_messages_factor_marginal(ctx, m, f, work));
    for (size_t i = 0; i < size; i++)
      if (work[i] > 0) information += work[i] * log(work[i]);
    for (int end = 0; end < 2; end++) {
      const size_t v = end ? e->at[k].b : e->at[k].a;
      MN_TRY(mn_messages_marginal(ctx, m, v, work));
      for (size_t s = 0; s < m->g->card[v]; s++)
        if (work[s] > 0) information -= work[s] * log(work[s]);
    }
    e->at[k].key = -information;
  }
  return mn_poll(ctx);
}

mn_status mn_tree_reweighted(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                             const mn_message_options *options, size_t updates, mn_messages *out, double *log_partition)
{
  struct edges e = { 0 };
  mn_message_options weighted = *options;
  double *rho = MN_RAW(ctx, double, g->factors + 1, 1), *in_tree = MN_NEW(ctx, double, g->factors + 1, 1);
  if (!rho || !in_tree) return MN_NO_MEMORY;
  MN_TRY(find_edges(ctx, who, g, evidence, &e, rho));
  MN_TRY(random_trees(ctx, g, &e, rho));
  weighted.rho = rho;
  MN_TRY(mn_messages_run(ctx, g, evidence, &weighted, out));
  double *work = MN_RAW(ctx, double, out->largest, 1);
  MN_CHECK_ALLOC(work);
  for (size_t k = 0; k < updates && e.n > 0; k++) {
    const double step = 2.0 / (double)(k + 4);
    MN_TRY(set_information(ctx, out, &e, work));
    span(g, &e, in_tree);
    for (size_t i = 0; i < e.n; i++) {
      const size_t f = e.at[i].factor;
      rho[f] += step * (in_tree[f] - rho[f]);
    }
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_messages again;
    MN_TRY(mn_messages_run(ctx, g, evidence, &weighted, &again));
    memcpy(out->message, again.message, out->message_start[out->edges] * sizeof *out->message);
    out->report = again.report;
    mn_scratch_release(ctx, mark);
  }
  return mn_messages_log_partition(ctx, out, log_partition);
}

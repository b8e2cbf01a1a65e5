/* Searching trees: nodes are visited nearest first, and not at all if their bound is beyond the limit. Queries are
 * processed in the order of their leaves, so that consecutive ones read the same nodes. */
#include "neighbor_search.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { STRIP = 64 /* queries of a task */, MIN_SORTED = 256 };

struct tree_search {
  const mn_neighbor_search *search;
  size_t levels;
  mn_blocks strips;
  uint32_t *leaf;  /* queries: the leaf nearest to each, roughly */
  uint32_t *order; /* queries, by leaf; NULL: as they come */
  mn_candidate *pools;
  size_t pool_size; /* of each worker; 0: none */
};

void mn_collector_scan_leaf(mn_collector *c, const double *q, size_t leaf)
{
  const mn_neighbor_search *s = c->search;
  const mn_neighbor_tree *t = s->tree;
  const size_t levels = mn_tree_levels(t), begin = mn_tree_begin(t, levels, leaf);
  const size_t n = mn_tree_begin(t, levels, leaf + 1) - begin, capacity = (size_t)t->capacity;
  const double *points = mn_tree_leaf(t, leaf);
  double value[MN_TREE_PIECE];
  for (size_t from = 0; from < n; from += MN_TREE_PIECE) {
    const size_t padded = capacity - from < MN_TREE_PIECE ? capacity - from : MN_TREE_PIECE;
    mn_block_distances((mn_distance_form)s->space->form, s->space->p, padded, capacity, (size_t)t->width, points + from,
                       q, value);
    for (uint64_t near = mn_within(padded, value, c->limit); near; near &= near - 1) {
      const size_t i = (size_t)__builtin_ctzll(near);
      if (from + i < n && !(value[i] > c->limit)) mn_collector_add(c, value[i], t->row.at[begin + from + i]);
    }
  }
}

/* Push the children that are within the limit, the nearest last. */
static size_t push_children(const mn_neighbor_search *s, const double *q, mn_tree_node parent, double limit,
                            mn_tree_node *stack, size_t size)
{
  double bound[MN_LANES];
  mn_tree_lower_bounds(s->tree, s->space, parent.level, parent.index, q, bound);
  return mn_tree_push_within(s->tree, parent, bound, limit, stack, size);
}

/* A limit for the k nearest rows of q from that for those of another query, by the triangle inequality. */
static double limit_beside(const mn_neighbor_search *s, const double *q, const double *other, double limit)
{
  const size_t width = (size_t)s->tree->width;
  const double slack = 1 + 4 * DBL_EPSILON * (double)(width + 8);
  if (!s->exact || s->space->form != MN_FORM_SQUARES) return INFINITY;
  const double root = (sqrt(limit) + sqrt(mn_space_measure(s->space, other, q))) * slack,
               beside = root * root * slack + DBL_MIN;
  return beside < INFINITY ? beside : INFINITY;
}

/* The query before, and the limit when its search ended. */
struct earlier {
  const double *q;
  double limit;
};

static void search_query(const struct tree_search *w, size_t query, mn_candidate *pool, struct earlier *before)
{
  const mn_neighbor_search *s = w->search;
  const double *q = s->embedded_queries + query * (size_t)s->tree->width;
  mn_tree_node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
  mn_collector c = mn_collector_begin(s, query, pool);
  if (pool && before->q) c.limit = limit_beside(s, q, before->q, before->limit);
  for (size_t size = 1; size > 0;) {
    const mn_tree_node node = stack[--size];
    if (node.bound > c.limit) continue;
    if (node.level == w->levels)
      mn_collector_scan_leaf(&c, q, node.index);
    else
      size = push_children(s, q, node, c.limit, stack, size);
  }
  mn_collector_end(&c);
  *before = (struct earlier){ q, c.limit };
}

static void search_strip(void *work, size_t strip, size_t worker)
{
  const struct tree_search *w = work;
  const mn_cancel_token token = { w->search->ctx, worker };
  const size_t end = mn_block_end(&w->strips, strip);
  mn_candidate *pool = w->pool_size > 0 ? w->pools + worker * w->pool_size : NULL;
  struct earlier before = { NULL, INFINITY };
  for (size_t i = mn_block_begin(&w->strips, strip); i < end && mn_task_should_continue(&token); i++)
    search_query(w, w->order ? w->order[i] : i, pool, &before);
}

static void find_leaves(void *work, size_t strip, size_t worker)
{
  (void)worker;
  const struct tree_search *w = work;
  const mn_neighbor_search *s = w->search;
  double bound[MN_LANES];
  for (size_t query = mn_block_begin(&w->strips, strip); query < mn_block_end(&w->strips, strip); query++) {
    const double *q = s->embedded_queries + query * (size_t)s->tree->width;
    size_t node = 0;
    for (size_t level = 0; level < w->levels; level++) {
      const size_t children = mn_tree_children(s->tree, level);
      size_t nearest = 0;
      mn_tree_lower_bounds(s->tree, s->space, level, node, q, bound);
      for (size_t i = 1; i < children; i++)
        if (bound[i] < bound[nearest]) nearest = i;
      node = node * children + nearest;
    }
    w->leaf[query] = (uint32_t)node;
  }
}

/* Sort the queries by leaf, by counting. */
static mn_status sort_queries(mn_context *ctx, struct tree_search *w)
{
  const size_t n = w->search->queries->n, leaves = (size_t)1 << w->search->tree->depth;
  w->leaf = MN_RAW(ctx, uint32_t, n, 1);
  uint32_t *start = MN_NEW(ctx, uint32_t, leaves + 1, 1), *order = MN_RAW(ctx, uint32_t, n, 1);
  if (!w->leaf || !start || !order) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w->strips.count, find_leaves, w));
  for (size_t i = 0; i < n; i++) start[w->leaf[i] + 1]++;
  for (size_t leaf = 0; leaf < leaves; leaf++) start[leaf + 1] += start[leaf];
  for (size_t i = 0; i < n; i++) order[start[w->leaf[i]]++] = (uint32_t)i;
  w->order = order;
  return MN_OK;
}

mn_status mn_search_tree(mn_context *ctx, const mn_neighbor_search *s)
{
  if (mn_can_join_rows(s)) return mn_join_rows(ctx, s);
  const mn_mark mark = mn_scratch_mark(ctx);
  struct tree_search w = { .search = s,
                           .levels = mn_tree_levels(s->tree),
                           .strips = mn_make_blocks(s->queries->n, STRIP, SIZE_MAX),
                           .pool_size = mn_collector_pool_size(s) };
  w.pools = MN_RAW(ctx, mn_candidate, mn_threads(ctx), w.pool_size);
  MN_CHECK_ALLOC(w.pools);
  if (s->queries->n >= MIN_SORTED) MN_TRY(sort_queries(ctx, &w));
  MN_TRY(mn_parallel(ctx, w.strips.count, search_strip, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Values of leaves by a search of their rows: quantiles, and centers for Huber's loss. */
#include "../core/threads.h"
#include "../stats/quantile.h"
#include "boost_rows.h"
#include "huber_center.h"

enum { PARALLEL_ROWS = 16384 };

struct search {
  mn_context *ctx;
  const mn_boost_rows *rows;
  const struct mn_boosting *m;
  const mn_boost_builder *trees;
  const mn_boost_leaf_rows *leaf;
  size_t leaves;
  double *rest, *weight; /* rows; weight NULL: all are 1 */
};

static bool learns(const mn_boost_rows *r, size_t row)
{
  return !r->used || r->used[row];
}

/* What the scores leave of y in the rows of a leaf that the round learns from, from place `begin` on. Returns how many
 * there are; fewer where the operation was cancelled. */
static size_t gather(const struct search *s, size_t worker, const mn_boost_leaf_rows *leaf, size_t begin)
{
  const mn_cancel_token token = { s->ctx, worker };
  const mn_boost_rows *r = s->rows;
  size_t at = begin;
  mn_chunk p = { 0 };
  while (mn_next_chunk(&token, leaf->count, &p))
    for (size_t k = p.begin; k < p.end; k++) {
      const size_t row = leaf->rows[k];
      if (!learns(r, row)) continue;
      if (s->weight) s->weight[at] = r->data->weights[row];
      s->rest[at++] = r->y[row] - r->score[row];
    }
  return at - begin;
}

static double center(const struct search *s, size_t worker, size_t begin, size_t n)
{
  const struct mn_boosting *m = s->m;
  const mn_cancel_token token = { s->ctx, worker };
  return mn_huber_center(&token, n, s->rest + begin, s->weight ? s->weight + begin : NULL, s->rows->shape,
                         m->l1_regularization, m->l2_regularization);
}

static mn_status best_value(mn_context *ctx, const struct search *s, size_t begin, size_t n, double *value)
{
  const mn_boost_rows *r = s->rows;
  const double level = r->loss == MN_BOOST_QUANTILE ? r->shape : 0.5;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_poll(ctx));
  *value = r->loss == MN_BOOST_HUBER ? center(s, 0, begin, n) : 0;
  if (r->loss == MN_BOOST_HUBER || n == 0) return MN_OK;
  MN_TRY(mn_quantiles(ctx, n, s->rest + begin, s->weight ? s->weight + begin : NULL, 1, &level, value));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static void set_leaf(const struct search *s, size_t node, double value)
{
  mn_node_set_leaf(mn_boost_node(s->trees, node), s->m->learning_rate * value);
}

/* --- free leaves --- */

static void center_leaf(void *work, size_t block, size_t worker)
{
  const struct search *s = work;
  const mn_boost_leaf_rows *leaf = &s->leaf[block];
  set_leaf(s, leaf->node, center(s, worker, leaf->begin, gather(s, worker, leaf, leaf->begin)));
}

static mn_status search_leaves(mn_context *ctx, struct search *s)
{
  if (s->rows->loss == MN_BOOST_HUBER && s->rows->n >= PARALLEL_ROWS)
    return mn_parallel(ctx, s->leaves, center_leaf, s);
  for (size_t k = 0; k < s->leaves; k++) {
    double value;
    MN_TRY(best_value(ctx, s, 0, gather(s, 0, &s->leaf[k], 0), &value));
    set_leaf(s, s->leaf[k].node, value);
  }
  return MN_OK;
}

/* --- monotone ones ---
 *
 * The bounds under which the tree has grown are steps by gradients, which for these losses have another unit than y
 * (their size is at most 1, or delta). So they are made anew, of the best values of all rows of either child: a split
 * by a monotone column puts their middle between the children, in the order that the column demands. */

struct bounds {
  size_t nodes, *begin, *count; /* nodes: the rows of each are one stretch of `rest` */
  double *low, *high;           /* nodes */
  double *best;                 /* nodes: the best value without bounds; NaN: not searched yet */
};

static mn_status lay_out(mn_context *ctx, const struct search *s, struct bounds *b)
{
  b->nodes = s->trees->nodes - s->trees->first_node[s->trees->trees - 1];
  b->begin = MN_NEW(ctx, size_t, b->nodes, 1);
  b->count = MN_NEW(ctx, size_t, b->nodes, 1);
  b->low = MN_RAW(ctx, double, b->nodes, 1);
  b->high = MN_RAW(ctx, double, b->nodes, 1);
  b->best = MN_RAW(ctx, double, b->nodes, 1);
  if (!b->begin || !b->count || !b->low || !b->high || !b->best) return MN_NO_MEMORY;
  for (size_t k = 0; k < b->nodes; k++) b->best[k] = NAN;
  for (size_t l = 0; l < s->leaves; l++) {
    MN_TRY(mn_poll(ctx));
    for (size_t k = 0; k < s->leaf[l].count; k++) b->count[s->leaf[l].node] += learns(s->rows, s->leaf[l].rows[k]);
  }
  for (size_t k = b->nodes; k-- > 0;) { /* children stand behind their parent */
    const size_t left = mn_node_left(mn_boost_node(s->trees, k));
    if (left > 0) b->count[k] = b->count[left] + b->count[left + 1];
  }
  for (size_t k = 0; k < b->nodes; k++) {
    const size_t left = mn_node_left(mn_boost_node(s->trees, k));
    if (left == 0) continue;
    b->begin[left] = b->begin[k];
    b->begin[left + 1] = b->begin[k] + b->count[left];
  }
  for (size_t l = 0; l < s->leaves; l++) (void)gather(s, 0, &s->leaf[l], b->begin[s->leaf[l].node]);
  return mn_poll(ctx);
}

static mn_status value_within(mn_context *ctx, const struct search *s, const struct bounds *b, size_t node,
                              double *value)
{
  double *best = &b->best[node];
  if (isnan(*best)) MN_TRY(best_value(ctx, s, b->begin[node], b->count[node], best));
  *value = fmin(fmax(*best, b->low[node]), b->high[node]);
  return MN_OK;
}

static mn_status bound_children(mn_context *ctx, const struct search *s, struct bounds *b, size_t node, size_t left)
{
  const double direction = s->m->monotonic_cst.at[mn_boost_node(s->trees, node)[2]];
  double value[2];
  for (size_t k = 0; k < 2; k++) {
    b->low[left + k] = b->low[node];
    b->high[left + k] = b->high[node];
  }
  if (direction == 0) return MN_OK;
  for (size_t k = 0; k < 2; k++) MN_TRY(value_within(ctx, s, b, left + k, &value[k]));
  const size_t lower = direction > 0 ? left : left + 1, upper = direction > 0 ? left + 1 : left;
  b->high[lower] = b->low[upper] = value[0] / 2 + value[1] / 2;
  return MN_OK;
}

static mn_status search_monotone(mn_context *ctx, struct search *s)
{
  struct bounds b;
  MN_TRY(lay_out(ctx, s, &b));
  b.low[0] = -INFINITY;
  b.high[0] = INFINITY;
  for (size_t k = 0; k < b.nodes; k++) {
    const size_t left = mn_node_left(mn_boost_node(s->trees, k));
    double value;
    if (left > 0) {
      MN_TRY(bound_children(ctx, s, &b, k, left));
    } else {
      MN_TRY(value_within(ctx, s, &b, k, &value));
      set_leaf(s, k, value);
    }
  }
  return MN_OK;
}

mn_status mn_boost_search(mn_context *ctx, const mn_boost_rows *rows, const mn_grower *grower,
                          const struct mn_boosting *m, mn_boost_builder *trees)
{
  if (rows->loss != MN_BOOST_HUBER && rows->loss != MN_BOOST_ABSOLUTE && rows->loss != MN_BOOST_QUANTILE) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct search s = { .ctx = ctx, .rows = rows, .m = m, .trees = trees };
  s.leaves = mn_grower_leaves(grower, &s.leaf);
  s.rest = MN_RAW(ctx, double, rows->n, 1);
  if (rows->data->weights) s.weight = MN_RAW(ctx, double, rows->n, 1);
  if (!s.rest || (rows->data->weights && !s.weight)) return MN_NO_MEMORY;
  MN_TRY(m->monotonic_cst.size > 0 ? search_monotone(ctx, &s) : search_leaves(ctx, &s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

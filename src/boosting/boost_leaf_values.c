/* Leaf values by line search over the rows of each leaf: quantiles, and Huber's location estimate. */
#include "../core/threads.h"
#include "../stats/quantile.h"
#include "boost_rows.h"
#include "hist_gradient_boosting.h"
#include "huber_center.h"

enum { PARALLEL_ROWS = 16384 };

struct line_search {
  mn_context *ctx;
  const mn_boost_rows *rows;
  const struct mn_hist_gradient_boosting *m;
  const mn_boost_builder *trees;
  const mn_boost_leaf *leaf;
  size_t leaves;
  double *residual, *weight; /* rows; weight NULL: all are 1 */
};

static bool in_round(const mn_boost_rows *r, size_t row)
{
  return !r->in_round || r->in_round[row];
}

/* Collect the residuals of the rows of a leaf used in this round, from position `begin` on. Returns their number, which
 * is lower if the operation was cancelled. */
static size_t gather(const struct line_search *s, size_t worker, const mn_boost_leaf *leaf, size_t begin)
{
  const mn_cancel_token token = { s->ctx, worker };
  const mn_boost_rows *r = s->rows;
  size_t at = begin;
  mn_chunk p = { 0 };
  while (mn_next_chunk(&token, leaf->count, &p))
    for (size_t k = p.begin; k < p.end; k++) {
      const size_t row = leaf->rows[k];
      if (!in_round(r, row)) continue;
      if (s->weight) s->weight[at] = r->data->weights[row];
      s->residual[at++] = r->y[row] - r->score[row];
    }
  return at - begin;
}

static double huber_value(const struct line_search *s, size_t worker, size_t begin, size_t n)
{
  const struct mn_hist_gradient_boosting *m = s->m;
  const mn_cancel_token token = { s->ctx, worker };
  return mn_huber_center(&token, n, s->residual + begin, s->weight ? s->weight + begin : NULL, s->rows->shape,
                         m->l1_regularization, m->l2_regularization);
}

static mn_status optimal_value(mn_context *ctx, const struct line_search *s, size_t begin, size_t n, double *value)
{
  const mn_boost_rows *r = s->rows;
  const double level = r->loss == MN_BOOST_QUANTILE ? r->shape : 0.5;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_poll(ctx));
  *value = r->loss == MN_BOOST_HUBER ? huber_value(s, 0, begin, n) : 0;
  if (r->loss == MN_BOOST_HUBER || n == 0) return MN_OK;
  MN_TRY(mn_quantiles(ctx, n, s->residual + begin, s->weight ? s->weight + begin : NULL, 1, &level, value));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static void set_leaf(const struct line_search *s, size_t node, double value)
{
  const double bound = s->m->max_delta_step > 0 ? s->m->max_delta_step : INFINITY;
  mn_node_set_leaf(mn_boost_node(s->trees, node), s->m->learning_rate * fmin(fmax(value, -bound), bound));
}

/* --- without monotone constraints --- */

static void huber_leaf(void *work, size_t block, size_t worker)
{
  const struct line_search *s = work;
  const mn_boost_leaf *leaf = &s->leaf[block];
  set_leaf(s, leaf->node, huber_value(s, worker, leaf->begin, gather(s, worker, leaf, leaf->begin)));
}

static mn_status optimize_free(mn_context *ctx, struct line_search *s)
{
  if (s->rows->loss == MN_BOOST_HUBER && s->rows->n >= PARALLEL_ROWS) return mn_parallel(ctx, s->leaves, huber_leaf, s);
  for (size_t k = 0; k < s->leaves; k++) {
    double value;
    MN_TRY(optimal_value(ctx, s, 0, gather(s, 0, &s->leaf[k], 0), &value));
    set_leaf(s, s->leaf[k].node, value);
  }
  return MN_OK;
}

/* --- with monotone constraints ---
 *
 * The bounds used while the tree was grown are gradient steps, which for these losses are not in the unit of y (they
 * are at most 1, or delta). So bounds are recomputed from the optimal values of all rows of each child: a split by a
 * monotone feature puts the midpoint of its children's values between them, in the order that the constraint demands.
 */

struct bounds {
  size_t nodes, *begin, *count;      /* nodes: the rows of each node are contiguous in `residual` */
  double *lower_bound, *upper_bound; /* nodes */
  double *best;                      /* nodes: the optimal value without bounds; NaN: not computed yet */
};

static mn_status collect_residuals(mn_context *ctx, const struct line_search *s, struct bounds *b)
{
  b->nodes = s->trees->nodes - s->trees->first_node[s->trees->trees - 1];
  b->begin = MN_NEW(ctx, size_t, b->nodes, 1);
  b->count = MN_NEW(ctx, size_t, b->nodes, 1);
  b->lower_bound = MN_RAW(ctx, double, b->nodes, 1);
  b->upper_bound = MN_RAW(ctx, double, b->nodes, 1);
  b->best = MN_RAW(ctx, double, b->nodes, 1);
  if (!b->begin || !b->count || !b->lower_bound || !b->upper_bound || !b->best) return MN_NO_MEMORY;
  for (size_t k = 0; k < b->nodes; k++) b->best[k] = NAN;
  for (size_t l = 0; l < s->leaves; l++) {
    MN_TRY(mn_poll(ctx));
    for (size_t k = 0; k < s->leaf[l].count; k++) b->count[s->leaf[l].node] += in_round(s->rows, s->leaf[l].rows[k]);
  }
  for (size_t k = b->nodes; k-- > 0;) { /* children follow their parent */
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

static mn_status bounded_value(mn_context *ctx, const struct line_search *s, const struct bounds *b, size_t node,
                               double *value)
{
  double *best = &b->best[node];
  if (isnan(*best)) MN_TRY(optimal_value(ctx, s, b->begin[node], b->count[node], best));
  *value = fmin(fmax(*best, b->lower_bound[node]), b->upper_bound[node]);
  return MN_OK;
}

static mn_status bound_children(mn_context *ctx, const struct line_search *s, struct bounds *b, size_t node,
                                size_t left)
{
  const double direction = s->rows->monotone[mn_boost_node(s->trees, node)[2]];
  double value[2];
  for (size_t k = 0; k < 2; k++) {
    b->lower_bound[left + k] = b->lower_bound[node];
    b->upper_bound[left + k] = b->upper_bound[node];
  }
  if (direction == 0) return MN_OK;
  for (size_t k = 0; k < 2; k++) MN_TRY(bounded_value(ctx, s, b, left + k, &value[k]));
  const size_t lower = direction > 0 ? left : left + 1, upper = direction > 0 ? left + 1 : left;
  b->upper_bound[lower] = b->lower_bound[upper] = value[0] / 2 + value[1] / 2;
  return MN_OK;
}

static mn_status optimize_monotone(mn_context *ctx, struct line_search *s)
{
  struct bounds b;
  MN_TRY(collect_residuals(ctx, s, &b));
  b.lower_bound[0] = -INFINITY;
  b.upper_bound[0] = INFINITY;
  for (size_t k = 0; k < b.nodes; k++) {
    const size_t left = mn_node_left(mn_boost_node(s->trees, k));
    double value;
    if (left > 0) {
      MN_TRY(bound_children(ctx, s, &b, k, left));
    } else {
      MN_TRY(bounded_value(ctx, s, &b, k, &value));
      set_leaf(s, k, value);
    }
  }
  return MN_OK;
}

mn_status mn_boost_optimize_leaves(mn_context *ctx, const mn_boost_rows *rows, const mn_grower *grower,
                                   const struct mn_hist_gradient_boosting *m, mn_boost_builder *trees)
{
  if (rows->loss != MN_BOOST_HUBER && rows->loss != MN_BOOST_ABSOLUTE && rows->loss != MN_BOOST_QUANTILE) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct line_search s = { .ctx = ctx, .rows = rows, .m = m, .trees = trees };
  s.leaves = mn_grower_leaves(grower, &s.leaf);
  s.residual = MN_RAW(ctx, double, rows->n, 1);
  if (rows->data->weights) s.weight = MN_RAW(ctx, double, rows->n, 1);
  if (!s.residual || (rows->data->weights && !s.weight)) return MN_NO_MEMORY;
  MN_TRY(rows->monotone ? optimize_monotone(ctx, &s) : optimize_free(ctx, &s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

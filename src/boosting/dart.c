#include "dart.h"
#include <string.h>

enum { ROW_BLOCK = 1024 };
static const uint64_t stream_drops = UINT64_C(1) << 62;

static mn_status add_round(mn_context *ctx, mn_dart *d, double factor)
{
  if (d->rounds == d->round_capacity) {
    const size_t capacity = d->round_capacity > 0 ? 2 * d->round_capacity : 128;
    int32_t *start = MN_GROW(ctx, d->start, d->rounds > 0 ? d->rounds + 1 : 0, capacity + 1);
    double *factors = MN_GROW(ctx, d->factor, d->rounds, capacity);
    if (!start || !factors) return MN_NO_MEMORY;
    d->start = start;
    d->factor = factors;
    d->round_capacity = capacity;
    if (d->rounds == 0) d->start[0] = 0;
  }
  d->factor[d->rounds++] = factor;
  d->start[d->rounds] = d->start[d->rounds - 1];
  return MN_OK;
}

/* Append to the drops of the last round. */
static mn_status add_dropped(mn_context *ctx, mn_dart *d, int32_t round)
{
  const size_t size = (size_t)d->start[d->rounds];
  if (size >= INT32_MAX)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: more than 2^31 - 1 dropped trees in total; lower rate_drop or max_iter",
                   d->m->base.class->name);
  if (size == d->dropped_capacity) {
    const size_t capacity = size > 0 ? 2 * size : 256;
    int32_t *dropped = MN_GROW(ctx, d->dropped, size, capacity);
    MN_CHECK_ALLOC(dropped);
    d->dropped = dropped;
    d->dropped_capacity = capacity;
  }
  d->dropped[size] = round;
  d->start[d->rounds]++;
  return MN_OK;
}

mn_status mn_dart_make(mn_context *ctx, struct mn_hist_gradient_boosting *m, mn_boost_builder *trees,
                       mn_boost_rows *rows, mn_dart **out)
{
  mn_dart *d = MN_NEW(ctx, mn_dart, 1, 1);
  const size_t known = m->drop_factor.size, before = mn_trees_count(&m->trees) / rows->outputs;
  MN_CHECK_ALLOC(d);
  *d = (mn_dart){ .m = m, .new = trees, .rows = rows };
  for (size_t round = 0; round < before; round++) {
    MN_TRY(add_round(ctx, d, round < known ? m->drop_factor.at[round] : 1));
    for (int32_t k = round < known ? m->drop_start.at[round] : 0; round < known && k < m->drop_start.at[round + 1]; k++)
      MN_TRY(add_dropped(ctx, d, m->dropped.at[k]));
  }
  *out = d;
  return MN_OK;
}

/* --- scores without the dropped trees --- */

struct score_task {
  const mn_dart *d;
  mn_boost_rows *rows;
  mn_trees *tree; /* trees: each as nodes and sets */
  size_t trees;
  mn_blocks blocks;
  double *dense; /* workers x features, for sparse rows */
};

static void score_block(void *work, size_t block, size_t worker)
{
  const struct score_task *w = work;
  const mn_boost_rows *r = w->rows;
  double *buffer = w->dense + worker * r->data->features;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_dense_row(r->data, i, buffer);
    for (size_t k = 0; k < r->outputs; k++)
      r->score[k * r->n + i] = w->d->m->start.at[k] + mn_boost_init_score(r, i, k);
    for (size_t t = 0; t < w->trees; t++)
      if (!w->d->drop[t / r->outputs]) r->score[t % r->outputs * r->n + i] += mn_boost_tree_value(&w->tree[t], x);
  }
}

/* Tree t, of an earlier fit or of this one. */
static mn_trees tree_at(const mn_dart *d, size_t t)
{
  const size_t old = mn_trees_count(&d->m->trees);
  if (t >= old) return mn_boost_tree(d->new, t - old);
  mn_trees one = { .subset = d->m->trees.subset };
  one.node.at = d->m->trees.node.at + MN_NODE_WORDS * (size_t)d->m->trees.root.at[t];
  one.node.size = MN_NODE_WORDS * mn_tree_nodes(&d->m->trees, t);
  return one;
}

/* The sum of all trees that are not dropped, in the order of growth, so that it does not depend on which fit grew them.
 */
static mn_status compute_scores(mn_context *ctx, const mn_dart *d, mn_boost_rows *rows)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct score_task w = { .d = d, .rows = rows, .trees = mn_trees_count(&d->m->trees) + d->new->trees };
  w.tree = MN_RAW(ctx, mn_trees, w.trees, 1);
  w.dense = MN_RAW(ctx, double, mn_threads(ctx), rows->data->features);
  if (!w.tree || !w.dense) return MN_NO_MEMORY;
  for (size_t t = 0; t < w.trees; t++) w.tree[t] = tree_at(d, t);
  w.blocks = mn_make_blocks(rows->n, ROW_BLOCK, SIZE_MAX);
  MN_TRY(mn_parallel(ctx, w.blocks.count, score_block, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- a round --- */

static mn_status reserve_drops(mn_context *ctx, mn_dart *d)
{
  if (d->rounds < d->drop_capacity) return MN_OK;
  d->drop_capacity = 2 * d->rounds + 64;
  d->drop = MN_RAW(ctx, uint8_t, d->drop_capacity, 1);
  MN_CHECK_ALLOC(d->drop);
  return MN_OK;
}

mn_status mn_dart_drop(mn_context *ctx, mn_dart *d)
{
  const struct mn_hist_gradient_boosting *m = d->m;
  mn_rng rng = mn_stream(m->seed, stream_drops + d->rounds);
  MN_TRY(reserve_drops(ctx, d));
  memset(d->drop, 0, d->rounds + 1);
  d->drops = 0;
  if (d->rounds == 0 || mn_random_uniform(&rng) < m->skip_drop) return MN_OK;
  for (size_t round = 0; round < d->rounds; round++)
    d->drops += d->drop[round] = mn_random_uniform(&rng) < m->rate_drop;
  if (d->drops == 0 && m->one_drop) {
    d->drop[mn_random_below(&rng, d->rounds)] = 1;
    d->drops = 1;
  }
  if (d->drops == 0) return MN_OK;
  MN_TRY(compute_scores(ctx, d, d->rows));
  return mn_boost_update_gradients(ctx, d->rows);
}

static void scale_tree(const mn_trees *tree, double factor)
{
  for (size_t i = 0; i < tree->node.size; i += MN_NODE_WORDS) {
    int32_t *w = tree->node.at + i;
    if (mn_node_left(w) == 0) mn_node_set_leaf(w, factor * mn_node_real(w));
  }
}

mn_status mn_dart_scale(mn_context *ctx, mn_dart *d)
{
  const double k = (double)d->drops, e = d->m->learning_rate;
  const bool forest = d->m->normalize_type == MN_DART_FOREST;
  const double old = forest ? 1 / (1 + e) : k / (k + e), new = forest ? old : 1 / (k + e);
  const size_t outputs = d->rows->outputs;
  if (d->drops == 0) return add_round(ctx, d, 1);
  MN_TRY(add_round(ctx, d, old));
  for (size_t round = 0; round < d->rounds; round++) {
    const bool is_new = round + 1 == d->rounds;
    if (!is_new && !d->drop[round]) continue;
    if (!is_new) MN_TRY(add_dropped(ctx, d, (int32_t)round));
    for (size_t c = 0; c < outputs; c++) {
      const mn_trees tree = tree_at(d, round * outputs + c);
      scale_tree(&tree, is_new ? new : old);
    }
  }
  memset(d->drop, 0, d->rounds);
  MN_TRY(compute_scores(ctx, d, d->rows));
  if (d->rows->eval) MN_TRY(compute_scores(ctx, d, d->rows->eval));
  return mn_boost_update_gradients(ctx, d->rows);
}

/* --- learned fields --- */

mn_status mn_dart_store(mn_context *ctx, const mn_dart *d)
{
  struct mn_hist_gradient_boosting *m = d->m;
  mn_memory *memory = mn_context_memory(ctx);
  const size_t size = (size_t)d->start[d->rounds];
  mn_vector_free(memory, &m->drop_factor);
  mn_indexes_free(memory, &m->drop_start);
  mn_indexes_free(memory, &m->dropped);
  MN_TRY(mn_vector_init(ctx, &m->drop_factor, d->rounds));
  MN_TRY(mn_indexes_init(ctx, &m->drop_start, d->rounds + 1));
  memcpy(m->drop_factor.at, d->factor, d->rounds * sizeof *d->factor);
  memcpy(m->drop_start.at, d->start, (d->rounds + 1) * sizeof *d->start);
  if (size == 0) return MN_OK;
  MN_TRY(mn_indexes_init(ctx, &m->dropped, size));
  memcpy(m->dropped.at, d->dropped, size * sizeof *d->dropped);
  return MN_OK;
}

void mn_dart_unscale(const struct mn_hist_gradient_boosting *m, size_t round, double *c)
{
  const size_t outputs = m->start.size;
  if (round >= m->drop_factor.size) return;
  for (int32_t k = m->drop_start.at[round]; k < m->drop_start.at[round + 1]; k++)
    for (size_t o = 0; o < outputs; o++) c[(size_t)m->dropped.at[k] * outputs + o] /= m->drop_factor.at[round];
}

mn_status mn_dart_check(mn_context *ctx, const struct mn_hist_gradient_boosting *m)
{
  const size_t rounds = m->drop_factor.size;
  bool valid =
      rounds == 0 || (rounds <= mn_trees_count(&m->trees) / m->start.size && m->drop_start.size == rounds + 1 &&
                      m->drop_start.at[0] == 0 && (size_t)m->drop_start.at[rounds] == m->dropped.size);
  for (size_t r = 0; valid && r < rounds; r++)
    valid = m->drop_start.at[r + 1] >= m->drop_start.at[r] && m->drop_factor.at[r] > 0 && m->drop_factor.at[r] <= 1;
  for (size_t r = 0; valid && r < rounds; r++)
    for (int32_t k = m->drop_start.at[r]; valid && k < m->drop_start.at[r + 1]; k++)
      valid = m->dropped.at[k] >= 0 && (size_t)m->dropped.at[k] < r;
  if (valid) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the record of dropped rounds does not match the trees", m->base.class->name);
}

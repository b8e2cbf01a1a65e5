#include "boost_grow.h"
#include "boost_leaves.h"
#include "boost_split.h"
#include "boost_histogram.h"
#include "boost_prune.h"
#include "partition_kernel.h"

/* Rows and features per task; histograms with fewer than SMALL_SCAN cells are searched by one task. */
enum { ROW_BLOCK = 8192, FEATURES_PER_BLOCK = 4, SMALL_SCAN = 1024 };

struct mn_grower {
  const mn_bins *bins;
  mn_sorted_columns *sorted; /* exact growth; NULL: histograms */
  const mn_boost_settings *settings;
  const mn_boost_gradients *gradients;
  size_t max_leaves, leaves;
  uint32_t *rows[2], *right_rows; /* rows of the leaves, in one of two buffers; rows that went right */
  mn_boost_leaf *leaf;
  mn_leaf_heap heap;
  mn_histogram_pool pool;
  mn_histogram_builder builder;
  mn_boost_split *candidates; /* 2 x features: best split of each child */
  uint8_t *tree_features;     /* features: drawn for the tree */
  uint8_t *level_features;    /* features: of these, drawn for a depth */
  uint8_t *node_features;     /* 2 x features: of these, drawn for each child */
  int64_t level_key;          /* selects the random streams of the depths of a tree */
  uint32_t *left_in_block;    /* blocks: number of rows that went left */
  uint8_t *allowed;           /* leaves x 2 x features, with interaction constraints */
  mn_boost_pruner *pruner;    /* NULL: trees are not pruned */
};

size_t mn_grower_max_nodes(const mn_grower *grower)
{
  return 2 * grower->max_leaves - 1;
}

size_t mn_grower_leaves(const mn_grower *grower, const mn_boost_leaf **leaf)
{
  *leaf = grower->leaf;
  return grower->leaves;
}

static size_t leaf_limit(const mn_bins *bins, const mn_boost_settings *settings)
{
  size_t limit = settings->max_leaves < bins->rows ? settings->max_leaves : bins->rows;
  const double by_count = settings->total_count / fmax(settings->min_count, 1);
  if (by_count < (double)limit) limit = by_count > 1 ? (size_t)by_count : 1;
  if (settings->max_depth < 40 && limit > (size_t)1 << settings->max_depth) limit = (size_t)1 << settings->max_depth;
  return limit;
}

static mn_status make_workspace(mn_context *ctx, mn_grower *grower)
{
  const size_t blocks = mn_make_blocks(grower->bins->rows, ROW_BLOCK, SIZE_MAX).count;
  if (!grower->sorted) MN_TRY(mn_histogram_builder_make(ctx, grower->bins, blocks, &grower->builder));
  if (grower->settings->prune_gain > 0)
    MN_TRY(mn_boost_pruner_make(ctx, grower->settings, grower->max_leaves, grower->rows, &grower->pruner));
  if (!grower->settings->interaction_groups) return MN_OK;
  grower->allowed = MN_RAW(ctx, uint8_t, grower->max_leaves, 2 * grower->bins->features);
  MN_CHECK_ALLOC(grower->allowed);
  return MN_OK;
}

mn_status mn_grower_make(mn_context *ctx, const mn_bins *bins, mn_sorted_columns *sorted,
                         const mn_boost_settings *settings, mn_grower **out)
{
  mn_grower *grower = MN_NEW(ctx, mn_grower, 1, 1);
  MN_CHECK_ALLOC(grower);
  *out = grower;
  grower->bins = bins;
  grower->sorted = sorted;
  grower->settings = settings;
  grower->max_leaves = leaf_limit(bins, settings);
  for (int k = 0; k < 2; k++) grower->rows[k] = MN_RAW(ctx, uint32_t, bins->rows, 1);
  grower->right_rows = MN_RAW(ctx, uint32_t, bins->rows, 1);
  grower->leaf = MN_NEW(ctx, mn_boost_leaf, grower->max_leaves, 1);
  grower->heap.at = MN_RAW(ctx, uint32_t, grower->max_leaves, 1);
  grower->pool.at = MN_RAW(ctx, int64_t *, grower->max_leaves, 1);
  grower->pool.all = MN_RAW(ctx, int64_t *, grower->max_leaves, 1);
  grower->pool.values = 2 * (size_t)bins->cell[bins->features];
  grower->candidates = MN_NEW(ctx, mn_boost_split, 2, bins->features);
  grower->tree_features = MN_NEW(ctx, uint8_t, bins->features, 1);
  grower->level_features = MN_NEW(ctx, uint8_t, bins->features, 1);
  grower->node_features = MN_NEW(ctx, uint8_t, 2, bins->features);
  grower->left_in_block = MN_RAW(ctx, uint32_t, bins->rows / ROW_BLOCK + 1, 1);
  if (!grower->rows[0] || !grower->rows[1] || !grower->right_rows || !grower->leaf || !grower->heap.at ||
      !grower->pool.at || !grower->pool.all || !grower->candidates || !grower->tree_features ||
      !grower->level_features || !grower->node_features || !grower->left_in_block)
    return MN_NO_MEMORY;
  return make_workspace(ctx, grower);
}

/* --- splitting a leaf: partition its rows, and sum the histogram of the smaller child meanwhile --- */

struct split_work {
  mn_grower *grower;
  const mn_boost_leaf *parent;
  mn_boost_leaf *child; /* 2: left, right */
  uint8_t left_mask[MN_EDGE_CAPACITY];
  const uint8_t *column; /* bins of the feature that is split */
  mn_blocks blocks, features;
  size_t small;                /* index of the child with the smaller histogram */
  int64_t *hist, *parent_hist; /* of the smaller child and of the parent; NULL: not needed */
};

/* Rows that go left stay at the front of their block, in order; the others are copied to right_rows. */
static void partition_block(void *work, size_t block, size_t worker)
{
  struct split_work *s = work;
  mn_grower *grower = s->grower;
  const size_t begin = mn_block_begin(&s->blocks, block), n = mn_block_end(&s->blocks, block) - begin;
  uint32_t *rows = grower->rows[s->parent->buffer] + s->parent->begin + begin,
           *right_rows = grower->right_rows + s->parent->begin + begin;
  const size_t left_count = mn_partition_rows(n, rows, right_rows, s->column, s->left_mask);
  grower->left_in_block[block] = (uint32_t)left_count;
  if (s->hist)
    mn_histogram_builder_add(&grower->builder, worker, 0, s->small == 0 ? left_count : n - left_count,
                             s->small == 0 ? rows : right_rows);
}

static void gather_block(struct split_work *s, size_t block)
{
  mn_grower *grower = s->grower;
  const mn_boost_leaf *parent = s->parent;
  const size_t begin = mn_block_begin(&s->blocks, block), n = mn_block_end(&s->blocks, block) - begin;
  const size_t left_count = grower->left_in_block[block];
  size_t before = 0;
  for (size_t b = 0; b < block; b++) before += grower->left_in_block[b];
  uint32_t *to = grower->rows[1 - parent->buffer];
  memcpy(to + s->child[0].begin + before, grower->rows[parent->buffer] + parent->begin + begin,
         left_count * sizeof *to);
  memcpy(to + s->child[1].begin + begin - before, grower->right_rows + parent->begin + begin,
         (n - left_count) * sizeof *to);
}

/* Complete the histograms of both children for some features. */
static void finish_histograms(struct split_work *s, size_t first, size_t last)
{
  const size_t from = 2 * (size_t)s->grower->bins->cell[first], n = 2 * (size_t)s->grower->bins->cell[last] - from;
  mn_histogram_builder_finish(&s->grower->builder, first, last);
  if (s->parent_hist) mn_hist_subtract(n, s->parent_hist + from, s->hist + from);
}

static bool can_split_on(const mn_grower *grower, const mn_boost_leaf *leaf, size_t which, size_t feature)
{
  if (leaf->allowed && !leaf->allowed[feature]) return false;
  return grower->node_features[which * grower->bins->features + feature];
}

static void search_feature(mn_grower *grower, const mn_boost_leaf *leaf, size_t which, size_t feature)
{
  const mn_boost_split_search search = {
    .bins = grower->bins, .sorted = grower->sorted, .settings = grower->settings, .gradients = grower->gradients
  };
  mn_boost_split *best = &grower->candidates[which * grower->bins->features + feature];
  *best = (mn_boost_split){ 0 };
  if (leaf->splittable && can_split_on(grower, leaf, which, feature))
    mn_boost_search_feature(&search, leaf, feature, best);
}

static void finish_block(void *work, size_t block, size_t worker)
{
  struct split_work *s = work;
  if (block < s->blocks.count) {
    gather_block(s, block);
    return;
  }
  const size_t task = block - s->blocks.count;
  const size_t first = mn_block_begin(&s->features, task), last = mn_block_end(&s->features, task);
  if (!s->grower->sorted) finish_histograms(s, first, last);
  for (size_t f = first; f < last; f++) {
    if (s->grower->sorted)
      mn_sorted_columns_partition(s->grower->sorted, f, s->parent->begin, s->parent->count, worker);
    for (size_t which = 0; which < 2; which++) search_feature(s->grower, &s->child[which], which, f);
  }
}

static void select_best(mn_grower *grower, mn_boost_leaf *leaf, size_t which)
{
  leaf->best.gain = 0;
  for (size_t f = 0; leaf->splittable && f < grower->bins->features; f++) {
    const mn_boost_split *split = &grower->candidates[which * grower->bins->features + f];
    if (split->gain > leaf->best.gain) leaf->best = *split;
  }
}

static mn_blocks feature_blocks(const mn_grower *grower)
{
  if (grower->sorted) return mn_make_blocks(grower->bins->features, 1, SIZE_MAX);
  return mn_make_blocks(
      grower->bins->features,
      grower->bins->cell[grower->bins->features] < SMALL_SCAN ? grower->bins->features : FEATURES_PER_BLOCK, SIZE_MAX);
}

static bool can_split(const mn_grower *grower, const mn_boost_leaf *leaf)
{
  return leaf->depth < grower->settings->max_depth &&
         mn_boost_count(grower->gradients, leaf->hc) >= 2 * grower->settings->min_count;
}

/* Draw a fraction of the features in `from`, at least one. */
static void draw_features(const mn_grower *grower, mn_rng *rng, double share, const uint8_t *from, uint8_t *drawn)
{
  const size_t features = grower->bins->features;
  size_t left = 0;
  for (size_t f = 0; f < features; f++) left += from[f];
  size_t wanted = (size_t)(share * (double)left + 0.5);
  if (wanted == 0) wanted = 1;
  for (size_t f = 0; f < features; f++) {
    drawn[f] = from[f] && (share >= 1 || mn_random_below(rng, left) < wanted);
    left -= from[f];
    wanted -= wanted > 0 && drawn[f];
  }
}

/* Draw the features of `nodes` nodes of one depth. All nodes of a depth draw from the same subset, whatever the order
 * in which they are split. */
static void draw_for_nodes(const mn_grower *grower, mn_rng *rng, size_t depth, size_t nodes)
{
  mn_rng level = mn_stream(grower->level_key, depth);
  draw_features(grower, &level, grower->settings->colsample_level, grower->tree_features, grower->level_features);
  for (size_t k = 0; k < nodes; k++)
    draw_features(grower, rng, grower->settings->colsample_node, grower->level_features,
                  grower->node_features + k * grower->bins->features);
}

static void draw_for_tree(mn_grower *grower, mn_rng *rng)
{
  memset(grower->level_features, 1, grower->bins->features);
  if (grower->settings->colsample_level < 1) grower->level_key = (int64_t)(mn_random_u64(rng) >> 1);
  draw_features(grower, rng, grower->settings->colsample_tree, grower->level_features, grower->tree_features);
  draw_for_nodes(grower, rng, 0, 1);
}

/* Children as leaves, without their rows. */
static void make_children(const mn_grower *grower, const mn_boost_leaf *parent, mn_boost_leaf child[2])
{
  const mn_boost_split *best = &parent->best;
  for (size_t k = 0; k < 2; k++) {
    child[k] = (mn_boost_leaf){ .buffer = 1 - parent->buffer,
                                .depth = parent->depth + 1,
                                .low = parent->low,
                                .high = parent->high,
                                .allowed = parent->allowed,
                                .value = k == 0 ? best->left_value : best->right_value,
                                .g = k == 0 ? best->g : parent->g - best->g,
                                .hc = k == 0 ? best->hc : parent->hc - best->hc };
    child[k].splittable = can_split(grower, &child[k]);
  }
  const double direction = grower->settings->monotone ? grower->settings->monotone[best->feature] : 0;
  const double midpoint = best->left_value / 2 + best->right_value / 2;
  if (direction > 0) child[0].high = child[1].low = midpoint;
  if (direction < 0) child[0].low = child[1].high = midpoint;
}

static void fill_left_mask(const mn_grower *grower, const mn_boost_split *best, uint8_t *left_mask)
{
  const size_t n = grower->bins->count[best->feature];
  for (size_t b = 0; b < n; b++)
    left_mask[b] = (uint8_t)(best->categorical ? best->left_levels[b / 32] >> b % 32 & 1 : b <= best->bin);
  left_mask[n] = best->missing_left;
}

/* Write the side of each row of the leaf to sorted->side. */
static void mark_sides(const mn_grower *grower, const mn_boost_leaf *leaf)
{
  const mn_boost_split *best = &leaf->best;
  const uint32_t *row = grower->rows[leaf->buffer] + leaf->begin, missing = grower->bins->count[best->feature];
  const uint32_t *rank = grower->sorted->rank + best->feature * grower->bins->rows;
  for (size_t i = 0; i < leaf->count; i++) {
    const uint32_t r = rank[row[i]];
    const bool left = r == missing        ? best->missing_left
                      : best->categorical ? best->left_levels[r / 32] >> r % 32 & 1
                                          : r <= best->bin;
    grower->sorted->side[row[i]] = left;
  }
}

static mn_status partition(mn_context *ctx, mn_grower *grower, struct split_work *s)
{
  const mn_boost_leaf *parent = s->parent;
  if (grower->sorted) {
    mark_sides(grower, parent);
    s->left_mask[1] = 1;
    s->column = grower->sorted->side;
  } else {
    fill_left_mask(grower, &parent->best, s->left_mask);
    s->column = grower->bins->column + parent->best.feature * grower->bins->rows;
  }
  s->blocks = mn_make_blocks(parent->count, ROW_BLOCK, SIZE_MAX);
  if (s->hist) mn_histogram_builder_begin(&grower->builder, grower->gradients, s->blocks.count, s->hist);
  MN_TRY(mn_parallel(ctx, s->blocks.count, partition_block, s));
  size_t left_count = 0;
  for (size_t b = 0; b < s->blocks.count; b++) left_count += grower->left_in_block[b];
  s->child[0].begin = parent->begin;
  s->child[0].count = left_count;
  s->child[1].begin = parent->begin + left_count;
  s->child[1].count = parent->count - left_count;
  return MN_OK;
}

static mn_status assign_histograms(mn_context *ctx, mn_grower *grower, struct split_work *s)
{
  s->small = mn_boost_count(grower->gradients, s->child[0].hc) > mn_boost_count(grower->gradients, s->child[1].hc);
  MN_TRY(mn_histogram_pool_acquire(ctx, &grower->pool, &s->hist));
  s->parent_hist = s->parent->hist;
  s->child[s->small].hist = s->hist;
  s->child[1 - s->small].hist = s->parent_hist;
  return MN_OK;
}

static mn_status split_leaf(mn_context *ctx, mn_grower *grower, size_t at, mn_rng *rng, mn_boost_builder *trees)
{
  mn_boost_leaf parent = grower->leaf[at], child[2];
  make_children(grower, &parent, child);
  if (grower->leaves + 1 == grower->max_leaves) child[0].splittable = child[1].splittable = false;
  const bool searches = child[0].splittable || child[1].splittable;
  struct split_work s = { .grower = grower, .parent = &parent, .child = child, .features = feature_blocks(grower) };
  if (searches) {
    if (!grower->sorted) MN_TRY(assign_histograms(ctx, grower, &s));
    draw_for_nodes(grower, rng, child[0].depth, 2);
    mn_boost_restrict_features(grower->settings, grower->bins->features, &parent, child, grower->allowed,
                               grower->leaves);
  }
  MN_TRY(partition(ctx, grower, &s));
  MN_TRY(mn_parallel(ctx, s.blocks.count + (searches ? s.features.count : 0), finish_block, &s));
  for (size_t k = 0; k < 2; k++) {
    if (searches) select_best(grower, &child[k], k);
    if (!(child[k].best.gain > 0) && child[k].hist) mn_histogram_pool_release(&grower->pool, child[k].hist);
  }
  if (!searches && parent.hist) mn_histogram_pool_release(&grower->pool, parent.hist);
  if (grower->pruner) mn_boost_pruner_note(grower->pruner, &parent);
  mn_boost_add_split(grower->settings, grower->gradients, &parent, child, trees);
  grower->leaf[at] = child[0];
  grower->leaf[grower->leaves] = child[1];
  mn_leaf_heap_push(&grower->heap, grower->leaf, grower->settings->grow, at);
  mn_leaf_heap_push(&grower->heap, grower->leaf, grower->settings->grow, grower->leaves);
  grower->leaves++;
  return MN_OK;
}

/* --- the root --- */

struct root_work {
  struct split_work s;
  mn_blocks blocks;
};

static void root_block(void *work, size_t block, size_t worker)
{
  struct root_work *r = work;
  const size_t begin = mn_block_begin(&r->blocks, block), end = mn_block_end(&r->blocks, block);
  for (size_t i = begin; i < end; i++) r->s.grower->rows[0][i] = (uint32_t)i;
  if (!r->s.grower->sorted) mn_histogram_builder_add(&r->s.grower->builder, worker, begin, end - begin, NULL);
}

/* The sums over all rows, or over the cells of the first feature. */
static void root_totals(const mn_grower *grower, mn_boost_leaf *root)
{
  const int64_t *pair = grower->sorted ? grower->gradients->gh : root->hist;
  const size_t n = grower->sorted ? grower->bins->rows : grower->bins->cell[1];
  for (size_t i = 0; i < n; i++) {
    root->g += pair[2 * i];
    root->hc += pair[2 * i + 1];
  }
}

static mn_status sum_root(mn_context *ctx, mn_grower *grower, mn_boost_leaf *root)
{
  if (!grower->sorted) MN_TRY(mn_histogram_pool_acquire(ctx, &grower->pool, &root->hist));
  struct root_work r = { .s = { .grower = grower, .hist = root->hist, .child = root } };
  r.blocks = r.s.blocks = mn_make_blocks(root->count, ROW_BLOCK, SIZE_MAX);
  if (grower->sorted)
    mn_sorted_columns_reset(grower->sorted);
  else
    mn_histogram_builder_begin(&grower->builder, grower->gradients, r.blocks.count, root->hist);
  MN_TRY(mn_parallel(ctx, r.blocks.count, root_block, &r));
  if (!grower->sorted) finish_histograms(&r.s, 0, grower->bins->features);
  root_totals(grower, root);
  return MN_OK;
}

/* Search one feature of the root. */
static void search_root(void *work, size_t feature, size_t worker)
{
  (void)worker;
  mn_grower *grower = work;
  search_feature(grower, &grower->leaf[0], 0, feature);
}

static mn_status make_root(mn_context *ctx, mn_grower *grower, mn_rng *rng, mn_boost_leaf *root)
{
  *root = (mn_boost_leaf){ .count = grower->bins->rows,
                           .low = -grower->settings->max_value,
                           .high = grower->settings->max_value };
  MN_TRY(sum_root(ctx, grower, root));
  const mn_hist_split_params params = mn_boost_split_params(grower->settings, root, 0);
  const double h = mn_boost_h(grower->gradients, root->hc); /* close to 0 if every row is predicted with certainty */
  root->value = h < params.min_hessian ? 0 : mn_hist_node_value(mn_boost_g(grower->gradients, root->g), h, &params);
  root->splittable = grower->max_leaves > 1 && can_split(grower, root);
  draw_for_tree(grower, rng);
  mn_boost_restrict_features(grower->settings, grower->bins->features, NULL, root, grower->allowed, 0);
  if (root->splittable && grower->sorted) MN_TRY(mn_parallel(ctx, grower->bins->features, search_root, grower));
  for (size_t f = 0; root->splittable && !grower->sorted && f < grower->bins->features; f++)
    search_feature(grower, root, 0, f);
  select_best(grower, root, 0);
  return MN_OK;
}

mn_status mn_boost_grow(mn_context *ctx, mn_grower *grower, const mn_boost_gradients *gradients, uint64_t number,
                        mn_boost_builder *trees)
{
  mn_rng rng = mn_stream(grower->settings->seed, number);
  grower->gradients = gradients;
  grower->heap.size = 0;
  mn_histogram_pool_reset(&grower->pool);
  grower->leaves = 1;
  MN_TRY(make_root(ctx, grower, &rng, &grower->leaf[0]));
  mn_boost_add_root(grower->settings, grower->gradients, &grower->leaf[0], trees);
  mn_leaf_heap_push(&grower->heap, grower->leaf, grower->settings->grow, 0);
  while (grower->heap.size > 0 && grower->leaves < grower->max_leaves) {
    const size_t at = mn_leaf_heap_pop(&grower->heap, grower->leaf, grower->settings->grow);
    MN_TRY(split_leaf(ctx, grower, at, &rng, trees));
  }
  if (grower->pruner) grower->leaves = mn_boost_prune(grower->pruner, grower->leaf, grower->leaves, trees);
  for (size_t k = 0; k < grower->leaves; k++)
    grower->leaf[k].rows = grower->rows[grower->leaf[k].buffer] + grower->leaf[k].begin;
  return MN_OK;
}

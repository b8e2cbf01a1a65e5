#include "boost_grow.h"
#include "boost_leaves.h"
#include "boost_split.h"
#include "boost_sums.h"
#include "part_kernel.h"

enum { ROW_BLOCK = 8192, FEATURE_BLOCK = 4, SMALL_SCAN = 1024 };

struct mn_grower {
  const mn_bins *bins;
  const mn_boost_rules *rules;
  const mn_boost_gradients *unit;
  size_t most_leaves, leaves;
  uint32_t *rows[2], *spill; /* rows of the leaves in one of two lists; rows that went right in a block */
  mn_boost_leaf_rows *leaf;
  mn_boost_heap heap;
  mn_boost_pool pool;
  mn_boost_sums sums;
  mn_boost_split *found;   /* 2 x features: best split of either child        */
  uint8_t *tree_features;  /* features: drawn for the tree                     */
  uint8_t *level_features; /* features: of these, drawn for a depth            */
  uint8_t *node_features;  /* 2 x features: of these, drawn for either child   */
  int64_t level_key;       /* names the random streams of the depths of a tree */
  uint32_t *left_in_block; /* blocks: rows that went left                      */
  uint8_t *allowed;        /* leaves x 2 x features, where columns go together */
};

size_t mn_grower_nodes(const mn_grower *grower)
{
  return 2 * grower->most_leaves - 1;
}

size_t mn_grower_leaves(const mn_grower *grower, const mn_boost_leaf_rows **leaf)
{
  *leaf = grower->leaf;
  return grower->leaves;
}

static size_t most_leaves_of(const mn_bins *bins, const mn_boost_rules *rules)
{
  size_t most = rules->max_leaves < bins->rows ? rules->max_leaves : bins->rows;
  const double room = rules->all_count / fmax(rules->least_count, 1);
  if (room < (double)most) most = room > 1 ? (size_t)room : 1;
  if (rules->max_depth < 40 && most > (size_t)1 << rules->max_depth) most = (size_t)1 << rules->max_depth;
  return most;
}

static mn_status make_parts(mn_context *ctx, mn_grower *w)
{
  MN_TRY(mn_boost_sums_make(ctx, w->bins, mn_make_blocks(w->bins->rows, ROW_BLOCK, SIZE_MAX).count, &w->sums));
  if (!w->rules->together) return MN_OK;
  w->allowed = MN_RAW(ctx, uint8_t, w->most_leaves, 2 * w->bins->features);
  MN_CHECK_ALLOC(w->allowed);
  return MN_OK;
}

mn_status mn_grower_make(mn_context *ctx, const mn_bins *bins, const mn_boost_rules *rules, mn_grower **grower)
{
  mn_grower *w = MN_NEW(ctx, mn_grower, 1, 1);
  MN_CHECK_ALLOC(w);
  *grower = w;
  w->bins = bins;
  w->rules = rules;
  w->most_leaves = most_leaves_of(bins, rules);
  for (int side = 0; side < 2; side++) w->rows[side] = MN_RAW(ctx, uint32_t, bins->rows, 1);
  w->spill = MN_RAW(ctx, uint32_t, bins->rows, 1);
  w->leaf = MN_NEW(ctx, mn_boost_leaf_rows, w->most_leaves, 1);
  w->heap.at = MN_RAW(ctx, uint32_t, w->most_leaves, 1);
  w->pool.at = MN_RAW(ctx, int64_t *, w->most_leaves, 1);
  w->pool.all = MN_RAW(ctx, int64_t *, w->most_leaves, 1);
  w->pool.values = 2 * (size_t)bins->cell[bins->features];
  w->found = MN_NEW(ctx, mn_boost_split, 2, bins->features);
  w->tree_features = MN_NEW(ctx, uint8_t, bins->features, 1);
  w->level_features = MN_NEW(ctx, uint8_t, bins->features, 1);
  w->node_features = MN_NEW(ctx, uint8_t, 2, bins->features);
  w->left_in_block = MN_RAW(ctx, uint32_t, bins->rows / ROW_BLOCK + 1, 1);
  if (!w->rows[0] || !w->rows[1] || !w->spill || !w->leaf || !w->heap.at || !w->pool.at || !w->pool.all || !w->found ||
      !w->tree_features || !w->level_features || !w->node_features || !w->left_in_block)
    return MN_NO_MEMORY;
  return make_parts(ctx, w);
}

/* --- one split: rows to their children, and the histogram of the smaller one on the way --- */

struct split_work {
  mn_grower *w;
  const mn_boost_leaf_rows *parent;
  mn_boost_leaf_rows *child; /* 2: left, right */
  uint8_t goes_left[MN_EDGE_CAPACITY];
  const uint8_t *column; /* of the column that is split by */
  mn_blocks blocks, columns;
  size_t small;         /* the child with the smaller histogram */
  int64_t *hist, *rest; /* of the smaller child and of the parent; NULL: none is wanted */
};

/* Those that go left stay in front of their block, in order; the others are spilled. */
static void part_block(void *work, size_t block, size_t worker)
{
  struct split_work *s = work;
  mn_grower *w = s->w;
  const size_t begin = mn_block_begin(&s->blocks, block), n = mn_block_end(&s->blocks, block) - begin;
  uint32_t *rows = w->rows[s->parent->side] + s->parent->begin + begin, *spill = w->spill + s->parent->begin + begin;
  const size_t lefts = mn_part_rows(n, rows, spill, s->column, s->goes_left);
  w->left_in_block[block] = (uint32_t)lefts;
  if (s->hist) mn_boost_sums_add(&w->sums, worker, 0, s->small == 0 ? lefts : n - lefts, s->small == 0 ? rows : spill);
}

static void gather_block(struct split_work *s, size_t block)
{
  mn_grower *w = s->w;
  const mn_boost_leaf_rows *parent = s->parent;
  const size_t begin = mn_block_begin(&s->blocks, block), n = mn_block_end(&s->blocks, block) - begin;
  const size_t lefts = w->left_in_block[block];
  size_t before = 0;
  for (size_t b = 0; b < block; b++) before += w->left_in_block[b];
  uint32_t *to = w->rows[1 - parent->side];
  memcpy(to + s->child[0].begin + before, w->rows[parent->side] + parent->begin + begin, lefts * sizeof *to);
  memcpy(to + s->child[1].begin + begin - before, w->spill + parent->begin + begin, (n - lefts) * sizeof *to);
}

/* Complete both histograms for some columns. */
static void complete(struct split_work *s, size_t first, size_t last)
{
  const size_t from = 2 * (size_t)s->w->bins->cell[first], n = 2 * (size_t)s->w->bins->cell[last] - from;
  mn_boost_sums_finish(&s->w->sums, first, last);
  if (s->rest) mn_hist_subtract(n, s->rest + from, s->hist + from);
}

static bool may_look(const mn_grower *w, const mn_boost_leaf_rows *leaf, size_t which, size_t feature)
{
  if (leaf->allowed && !leaf->allowed[feature]) return false;
  return w->node_features[which * w->bins->features + feature];
}

static void scan(mn_grower *w, const mn_boost_leaf_rows *leaf, size_t which, size_t feature)
{
  const mn_boost_scan look = { .bins = w->bins, .rules = w->rules, .unit = w->unit };
  mn_boost_split *best = &w->found[which * w->bins->features + feature];
  *best = (mn_boost_split){ 0 };
  if (leaf->open && may_look(w, leaf, which, feature)) mn_boost_scan_feature(&look, leaf, feature, best);
}

static void finish_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  struct split_work *s = work;
  if (block < s->blocks.count) {
    gather_block(s, block);
    return;
  }
  const size_t columns = block - s->blocks.count;
  const size_t first = mn_block_begin(&s->columns, columns), last = mn_block_end(&s->columns, columns);
  complete(s, first, last);
  for (size_t f = first; f < last; f++)
    for (size_t which = 0; which < 2; which++) scan(s->w, &s->child[which], which, f);
}

static void take_best(mn_grower *w, mn_boost_leaf_rows *leaf, size_t which)
{
  leaf->best.gain = 0;
  for (size_t f = 0; leaf->open && f < w->bins->features; f++) {
    const mn_boost_split *split = &w->found[which * w->bins->features + f];
    if (split->gain > leaf->best.gain) leaf->best = *split;
  }
}

static mn_blocks columns_of(const mn_grower *w)
{
  return mn_make_blocks(w->bins->features,
                        w->bins->cell[w->bins->features] < SMALL_SCAN ? w->bins->features : FEATURE_BLOCK, SIZE_MAX);
}

static bool may_split(const mn_grower *w, const mn_boost_leaf_rows *leaf)
{
  return leaf->depth < w->rules->max_depth && mn_boost_count(w->unit, leaf->hc) >= 2 * w->rules->least_count;
}

/* A share of the columns `from`, at least one. */
static void draw_columns(const mn_grower *w, mn_rng *rng, double share, const uint8_t *from, uint8_t *drawn)
{
  const size_t features = w->bins->features;
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

/* Columns of `nodes` nodes of one depth: all nodes of a depth choose among the same ones, whenever they are split. */
static void draw_for_nodes(const mn_grower *w, mn_rng *rng, size_t depth, size_t nodes)
{
  mn_rng level = mn_stream(w->level_key, depth);
  draw_columns(w, &level, w->rules->colsample_level, w->tree_features, w->level_features);
  for (size_t k = 0; k < nodes; k++)
    draw_columns(w, rng, w->rules->colsample_node, w->level_features, w->node_features + k * w->bins->features);
}

static void draw_for_tree(mn_grower *w, mn_rng *rng)
{
  memset(w->level_features, 1, w->bins->features);
  if (w->rules->colsample_level < 1) w->level_key = (int64_t)(mn_random_u64(rng) >> 1);
  draw_columns(w, rng, w->rules->colsample_tree, w->level_features, w->tree_features);
  draw_for_nodes(w, rng, 0, 1);
}

/* The children as leaves, without their rows. */
static void make_children(const mn_grower *w, const mn_boost_leaf_rows *parent, mn_boost_leaf_rows child[2])
{
  const mn_boost_split *best = &parent->best;
  for (size_t k = 0; k < 2; k++) {
    child[k] = (mn_boost_leaf_rows){ .side = 1 - parent->side,
                                     .depth = parent->depth + 1,
                                     .low = parent->low,
                                     .high = parent->high,
                                     .allowed = parent->allowed,
                                     .value = k == 0 ? best->left_value : best->right_value,
                                     .g = k == 0 ? best->g : parent->g - best->g,
                                     .hc = k == 0 ? best->hc : parent->hc - best->hc };
    child[k].open = may_split(w, &child[k]);
  }
  const double direction = w->rules->monotone ? w->rules->monotone[best->feature] : 0;
  const double middle = best->left_value / 2 + best->right_value / 2;
  if (direction > 0) child[0].high = child[1].low = middle;
  if (direction < 0) child[0].low = child[1].high = middle;
}

static void send_left(const mn_grower *w, const mn_boost_split *best, uint8_t *goes_left)
{
  const size_t n = w->bins->count[best->feature];
  for (size_t b = 0; b < n; b++)
    goes_left[b] = (uint8_t)(best->levels ? best->set[b / 32] >> b % 32 & 1 : b <= best->bin);
  goes_left[n] = best->missing_left;
}

static mn_status part(mn_context *ctx, mn_grower *w, struct split_work *s)
{
  const mn_boost_leaf_rows *parent = s->parent;
  send_left(w, &parent->best, s->goes_left);
  s->column = w->bins->column + parent->best.feature * w->bins->rows;
  s->blocks = mn_make_blocks(parent->count, ROW_BLOCK, SIZE_MAX);
  if (s->hist) mn_boost_sums_begin(&w->sums, w->unit, s->blocks.count, s->hist);
  MN_TRY(mn_parallel(ctx, s->blocks.count, part_block, s));
  size_t lefts = 0;
  for (size_t b = 0; b < s->blocks.count; b++) lefts += w->left_in_block[b];
  s->child[0].begin = parent->begin;
  s->child[0].count = lefts;
  s->child[1].begin = parent->begin + lefts;
  s->child[1].count = parent->count - lefts;
  return MN_OK;
}

static mn_status split_leaf(mn_context *ctx, mn_grower *w, size_t at, mn_rng *rng, mn_boost_builder *trees)
{
  mn_boost_leaf_rows parent = w->leaf[at], child[2];
  make_children(w, &parent, child);
  if (w->leaves + 1 == w->most_leaves) child[0].open = child[1].open = false;
  const bool looks = child[0].open || child[1].open;
  struct split_work s = { .w = w, .parent = &parent, .child = child, .columns = columns_of(w) };
  s.small = mn_boost_count(w->unit, child[0].hc) > mn_boost_count(w->unit, child[1].hc);
  if (looks) {
    MN_TRY(mn_boost_pool_take(ctx, &w->pool, &s.hist));
    s.rest = parent.hist;
    child[s.small].hist = s.hist;
    child[1 - s.small].hist = s.rest;
    draw_for_nodes(w, rng, child[0].depth, 2);
    mn_boost_narrow(w->rules, w->bins->features, &parent, child, w->allowed, w->leaves);
  }
  MN_TRY(part(ctx, w, &s));
  MN_TRY(mn_parallel(ctx, s.blocks.count + (looks ? s.columns.count : 0), finish_block, &s));
  for (size_t k = 0; k < 2; k++) {
    if (looks) take_best(w, &child[k], k);
    if (!(child[k].best.gain > 0) && child[k].hist) mn_boost_pool_give(&w->pool, child[k].hist);
  }
  if (!looks) mn_boost_pool_give(&w->pool, parent.hist);
  mn_boost_note_split(w->bins, w->rules, w->unit, &parent, child, trees);
  w->leaf[at] = child[0];
  w->leaf[w->leaves] = child[1];
  mn_boost_heap_add(&w->heap, w->leaf, w->rules->grow, at);
  mn_boost_heap_add(&w->heap, w->leaf, w->rules->grow, w->leaves);
  w->leaves++;
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
  for (size_t i = begin; i < end; i++) r->s.w->rows[0][i] = (uint32_t)i;
  mn_boost_sums_add(&r->s.w->sums, worker, begin, end - begin, NULL);
}

static void root_totals(const mn_grower *w, mn_boost_leaf_rows *root)
{
  for (size_t c = 0; c < w->bins->cell[1]; c++) {
    root->g += root->hist[2 * c];
    root->hc += root->hist[2 * c + 1];
  }
}

static mn_status make_root(mn_context *ctx, mn_grower *w, mn_rng *rng, mn_boost_leaf_rows *root)
{
  const size_t n = w->bins->rows;
  *root = (mn_boost_leaf_rows){ .count = n, .low = -w->rules->largest_value, .high = w->rules->largest_value };
  MN_TRY(mn_boost_pool_take(ctx, &w->pool, &root->hist));
  struct root_work r = { .s = { .w = w, .hist = root->hist, .columns = columns_of(w), .child = root } };
  r.blocks = r.s.blocks = mn_make_blocks(n, ROW_BLOCK, SIZE_MAX);
  mn_boost_sums_begin(&w->sums, w->unit, r.blocks.count, root->hist);
  MN_TRY(mn_parallel(ctx, r.blocks.count, root_block, &r));
  complete(&r.s, 0, w->bins->features);
  root_totals(w, root);
  const mn_hist_split_params rules = mn_boost_rules_of(w->rules, root, 0);
  const double h = mn_boost_h(w->unit, root->hc); /* next to nothing where all rows are sure */
  root->value = h < rules.least_hessian ? 0 : mn_hist_node_value(mn_boost_g(w->unit, root->g), h, &rules);
  root->open = w->most_leaves > 1 && may_split(w, root);
  draw_for_tree(w, rng);
  mn_boost_narrow(w->rules, w->bins->features, NULL, root, w->allowed, 0);
  for (size_t f = 0; root->open && f < w->bins->features; f++) scan(w, root, 0, f);
  take_best(w, root, 0);
  return MN_OK;
}

mn_status mn_boost_grow(mn_context *ctx, mn_grower *grower, const mn_boost_gradients *gradients, uint64_t number,
                        mn_boost_builder *trees)
{
  mn_grower *w = grower;
  mn_rng rng = mn_stream(w->rules->seed, number);
  w->unit = gradients;
  w->heap.size = 0;
  mn_boost_pool_clear(&w->pool);
  w->leaves = 1;
  MN_TRY(make_root(ctx, w, &rng, &w->leaf[0]));
  mn_boost_note_root(w->rules, w->unit, &w->leaf[0], trees);
  mn_boost_heap_add(&w->heap, w->leaf, w->rules->grow, 0);
  while (w->heap.size > 0 && w->leaves < w->most_leaves) {
    const size_t at = mn_boost_heap_take(&w->heap, w->leaf, w->rules->grow);
    MN_TRY(split_leaf(ctx, w, at, &rng, trees));
  }
  for (size_t k = 0; k < w->leaves; k++) w->leaf[k].rows = w->rows[w->leaf[k].side] + w->leaf[k].begin;
  return MN_OK;
}

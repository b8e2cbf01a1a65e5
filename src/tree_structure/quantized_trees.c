#include "quantized_trees.h"
#include "../histogram/bins.h"
#include "../histogram/bins_kernel.h"

enum {
  MOST_CUTS = 254,       /* so that codes are 0 .. 254, and 255 for missing values          */
  LAST_LEVEL = 254,      /* code of all levels from here on: none of them is in a subset    */
  MISSING = 255,         /* also a level that fit did not see                               */
  MOST_LEAVES = 256,     /* of a tree                                                       */
  COLUMNS_OF_A_TREE = 4, /* coding so many columns costs what walking down one tree does    */
  CODED_TOGETHER = 64    /* rows whose values stay in L1 while all their columns are coded  */
};

/* --- columns and their cuts --- */

/* The place of a threshold among n ascending ones, or where it belongs. */
static size_t place_of(const double *edge, size_t n, double threshold)
{
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (edge[middle] < threshold)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool add_cut(mn_quantized_feature *c, double threshold)
{
  const size_t at = place_of(c->edge, c->cuts, threshold);
  if (at < c->cuts && !(c->edge[at] > threshold)) return true;
  if (c->cuts == MOST_CUTS) return false;
  memmove(c->edge + at + 1, c->edge + at, (c->cuts - at) * sizeof *c->edge);
  c->edge[at] = threshold;
  c->cuts++;
  return true;
}

/* Are the levels of a split below LAST_LEVEL? */
static bool has_low_levels(const mn_trees *t, const int32_t *w)
{
  const int32_t *subset = t->subset.at + w[0];
  if (w[1] < 0) return subset[-w[1] - 1] < LAST_LEVEL;
  for (int32_t k = LAST_LEVEL / 32; k < w[1]; k++)
    if ((uint32_t)subset[k] >> (k == LAST_LEVEL / 32 ? LAST_LEVEL % 32 : 0) != 0) return false;
  return true;
}

/* Note what a split asks of its column. *fits: false where bytes do not do. */
static mn_status take_split(mn_context *ctx, const mn_trees *t, const int32_t *w, uint32_t *number,
                            mn_quantized_trees *b, bool *fits)
{
  const bool by_levels = (w[3] & MN_LEVEL_SPLIT) != 0;
  uint32_t *known = &number[w[2]]; /* from 1 on */
  if (*known == 0) {
    mn_quantized_feature *new = &b->column[b->columns];
    *new = (mn_quantized_feature){ .feature = (size_t)w[2], .by_levels = by_levels };
    new->edge = MN_RAW(ctx, double, MN_EDGE_CAPACITY, 1);
    MN_CHECK_ALLOC(new->edge);
    *known = (uint32_t)++b->columns;
  }
  mn_quantized_feature *c = &b->column[*known - 1];
  b->subsets += by_levels;
  *fits = c->by_levels == by_levels && (by_levels ? has_low_levels(t, w) : add_cut(c, mn_node_real(w)));
  return MN_OK;
}

static mn_status take_columns(mn_context *ctx, const mn_trees *t, uint32_t *number, mn_quantized_trees *b, bool *fits)
{
  const size_t trees = mn_trees_count(t);
  *fits = true;
  for (size_t tree = 0; tree < trees; tree++) {
    const size_t nodes = mn_tree_nodes(t, tree);
    const int32_t *w = mn_tree_root(t, tree);
    for (size_t i = 0; i < nodes; i++, w += MN_NODE_WORDS) {
      if (mn_node_left(w) > 0) MN_TRY(take_split(ctx, t, w, number, b, fits));
      if (!*fits || b->columns > COLUMNS_OF_A_TREE * trees) return *fits = false, MN_OK;
    }
  }
  for (size_t c = 0; c < b->columns; c++) {
    mn_quantized_feature *column = &b->column[c];
    for (size_t k = column->cuts; k < MN_EDGE_CAPACITY; k++) column->edge[k] = INFINITY;
    column->half = 1;
    while (2 * column->half - 1 < column->cuts) column->half *= 2;
  }
  return MN_OK;
}

/* --- splits and leaves --- */

static void note_subset(const mn_trees *t, const int32_t *w, uint32_t *bits)
{
  for (uint32_t code = 0; code < LAST_LEVEL; code++)
    if (mn_subset_has(t->subset.at + w[0], w[1], code)) bits[code / 32] |= UINT32_C(1) << code % 32;
  if (w[3] & MN_MISSING_LEFT) bits[MISSING / 32] |= UINT32_C(1) << MISSING % 32;
}

static void note_split(const mn_trees *t, const int32_t *w, const uint32_t *number, const uint16_t *line, uint16_t to,
                       mn_quantized_trees *b)
{
  const size_t left = mn_node_left(w), shift = (w[3] & MN_MISSING_LEFT) != 0;
  const mn_quantized_feature *c = &b->column[number[w[2]] - 1];
  mn_quantized_split *s = &b->split[b->splits++];
  *s = (mn_quantized_split){ .column = number[w[2]] - 1, .left = line[left], .right = line[left + 1], .to = to };
  if (c->by_levels) {
    s->subset = b->subset + MN_SUBSET_WORDS * b->subsets++;
    note_subset(t, w, s->subset);
  } else {
    s->shift = (uint8_t)shift;
    s->cut = (uint8_t)(place_of(c->edge, c->cuts, mn_node_real(w)) + shift);
  }
}

/* line: the line of leaves of each node; a leaf has that of its number, splits those behind the leaves. */
static void note_tree(const mn_trees *t, size_t tree, const uint32_t *number, double scale, uint16_t *line,
                      mn_quantized_trees *b)
{
  const int32_t *root = mn_tree_root(t, tree);
  const size_t first = b->first_leaf[tree];
  size_t leaf = 0, split = 0;
  b->first_split[tree] = b->splits;
  for (size_t i = mn_tree_nodes(t, tree); i-- > 0;) {
    const int32_t *w = root + MN_NODE_WORDS * i;
    if (mn_node_left(w) > 0) {
      line[i] = (uint16_t)(b->leaves + split++);
      note_split(t, w, number, line, line[i], b);
      continue;
    }
    line[i] = (uint16_t)leaf;
    b->node[first + leaf] = (int32_t)i;
    if (b->value) b->value[first + leaf] = scale * mn_node_real(w);
    leaf++;
  }
  b->first_split[tree + 1] = b->splits;
  b->first_leaf[tree + 1] = first + leaf;
}

static bool has_values_only(const mn_trees *t)
{
  for (size_t i = 0; i < t->cover.size; i++) {
    const int32_t *w = t->node.at + MN_NODE_WORDS * i;
    if (mn_node_left(w) == 0 && w[3] != MN_LEAF_VALUE) return false;
  }
  return true;
}

static mn_status note_trees(mn_context *ctx, const mn_trees *t, const uint32_t *number, double scale,
                            mn_quantized_trees *b)
{
  const size_t nodes = t->cover.size, trees = mn_trees_count(t);
  uint16_t line[2 * MOST_LEAVES];
  b->lines = 2 * b->leaves - 1;
  b->split = MN_RAW(ctx, mn_quantized_split, nodes, 1);
  b->subset = MN_NEW(ctx, uint32_t, b->subsets + 1, MN_SUBSET_WORDS);
  b->first_split = MN_NEW(ctx, size_t, trees + 1, 2);
  b->node = MN_RAW(ctx, int32_t, nodes, 1);
  if (!b->split || !b->subset || !b->first_split || !b->node) return MN_NO_MEMORY;
  b->first_leaf = b->first_split + trees + 1;
  if (has_values_only(t)) {
    b->value = MN_RAW(ctx, double, nodes, 1);
    MN_CHECK_ALLOC(b->value);
  }
  b->subsets = 0;
  for (size_t tree = 0; tree < trees; tree++) note_tree(t, tree, number, scale, line, b);
  return MN_OK;
}

mn_status mn_quantized_trees_make(mn_context *ctx, const mn_trees *t, const mn_data *data, double scale,
                                  mn_quantized_trees **out)
{
  const size_t trees = mn_trees_count(t), features = data->features;
  size_t most = 0;
  bool fits;
  *out = NULL;
  if (data->rows < MN_TREE_BLOCK_ROWS) return MN_OK;
  for (size_t tree = 0; tree < trees; tree++)
    if (mn_tree_nodes(t, tree) > most) most = mn_tree_nodes(t, tree);
  if (most > 2 * MOST_LEAVES - 1) return MN_OK;
  mn_quantized_trees *b = MN_NEW(ctx, mn_quantized_trees, 1, 1);
  uint32_t *number = MN_NEW(ctx, uint32_t, features, 1);
  if (!b || !number) return MN_NO_MEMORY;
  b->column = MN_RAW(ctx, mn_quantized_feature, features, 1);
  MN_CHECK_ALLOC(b->column);
  b->leaves = (most + 1) / 2;
  MN_TRY(take_columns(ctx, t, number, b, &fits));
  if (!fits) return MN_OK;
  MN_TRY(note_trees(ctx, t, number, scale, b));
  *out = b;
  return MN_OK;
}

/* --- rows --- */

void mn_quantized_trees_init_buffer(const mn_quantized_trees *b, uint8_t *room)
{
  uint8_t *line = room + b->columns * MN_TREE_BLOCK_ROWS;
  memset(room, 0, b->columns * MN_TREE_BLOCK_ROWS);
  for (size_t leaf = 0; leaf < b->leaves; leaf++)
    memset(line + leaf * MN_TREE_BLOCK_ROWS, (int)leaf, MN_TREE_BLOCK_ROWS);
}

static void code_levels_of(size_t n, const double *x, size_t stride, uint8_t *code)
{
  for (size_t i = 0; i < n; i++) {
    const double level = x[i * stride];
    code[i] = level >= 0 ? (uint8_t)fmin(level, LAST_LEVEL) : MISSING;
  }
}

void mn_quantized_trees_code_rows(const mn_quantized_trees *b, size_t n, const double *x, size_t stride, uint8_t *room)
{
  for (size_t begin = 0; begin < n; begin += CODED_TOGETHER) {
    const size_t some = n - begin < CODED_TOGETHER ? n - begin : CODED_TOGETHER;
    for (size_t k = 0; k < b->columns; k++) {
      const mn_quantized_feature *c = &b->column[k];
      const double *value = x + begin * stride + c->feature;
      uint8_t *code = room + k * MN_TREE_BLOCK_ROWS + begin;
      if (c->by_levels)
        code_levels_of(some, value, stride, code);
      else
        mn_bin_column(some, value, stride, c->edge, c->half, MISSING, code);
    }
  }
}

const uint8_t *mn_quantized_trees_leaves(const mn_quantized_trees *b, size_t tree, uint8_t *room)
{
  const size_t first = b->first_split[tree], splits = b->first_split[tree + 1] - first;
  uint8_t *leaf = room + b->columns * MN_TREE_BLOCK_ROWS;
  mn_quantized_tree_walk(splits, b->split + first, room, leaf);
  return splits > 0 ? leaf + b->split[first + splits - 1].to * (size_t)MN_TREE_BLOCK_ROWS : leaf;
}

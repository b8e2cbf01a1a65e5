#include "quantized_trees.h"
#include "../histogram/bins.h"
#include "../histogram/bins_kernel.h"

enum {
  MAX_THRESHOLDS = 254, /* codes are 0 .. 254, and MISSING                               */
  LAST_LEVEL = 254,     /* code of this and all higher levels, which are in no subset    */
  MISSING = 255,        /* also of a level that was not seen in fit                      */
  MAX_LEAVES = 256,     /* of a tree                                                     */
  COLUMNS_PER_TREE = 4, /* quantizing this many columns takes as long as walking one tree  */
  CODED_ROWS = 64       /* rows whose values stay in L1 while all columns are quantized  */
};

/* --- columns and their thresholds --- */

/* Index of the first of n ascending numbers that is not below the threshold. */
static size_t threshold_index(const double *edge, size_t n, double threshold)
{
  size_t low = 0, high = n;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (edge[mid] < threshold)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static bool add_threshold(mn_quantized_feature *c, double threshold)
{
  const size_t at = threshold_index(c->edge, c->thresholds, threshold);
  if (at < c->thresholds && !(c->edge[at] > threshold)) return true;
  if (c->thresholds == MAX_THRESHOLDS) return false;
  memmove(c->edge + at + 1, c->edge + at, (c->thresholds - at) * sizeof *c->edge);
  c->edge[at] = threshold;
  c->thresholds++;
  return true;
}

/* True if all levels of a split are below LAST_LEVEL. */
static bool has_low_levels(const mn_trees *t, const int32_t *w)
{
  const int32_t *subset = t->subset.at + w[MN_NODE_LOW], words = w[MN_NODE_HIGH];
  if (words < 0) return subset[-words - 1] < LAST_LEVEL;
  for (int32_t k = LAST_LEVEL / 32; k < words; k++)
    if ((uint32_t)subset[k] >> (k == LAST_LEVEL / 32 ? LAST_LEVEL % 32 : 0) != 0) return false;
  return true;
}

/* Add the threshold of a split to its column. *fits: false if a byte is not enough. */
static mn_status add_split(mn_context *ctx, const mn_trees *t, const int32_t *w, uint32_t *column_number,
                           mn_quantized_trees *q, bool *fits)
{
  const bool by_levels = mn_is_level_split(w);
  uint32_t *known = &column_number[mn_node_feature(w)]; /* 1-based */
  if (*known == 0) {
    mn_quantized_feature *new = &q->column[q->columns];
    *new = (mn_quantized_feature){ .feature = mn_node_feature(w), .by_levels = by_levels };
    new->edge = MN_RAW(ctx, double, MN_EDGE_CAPACITY, 1);
    MN_CHECK_ALLOC(new->edge);
    *known = (uint32_t)++q->columns;
  }
  mn_quantized_feature *c = &q->column[*known - 1];
  q->subsets += by_levels;
  *fits = c->by_levels == by_levels && (by_levels ? has_low_levels(t, w) : add_threshold(c, mn_node_real(w)));
  return MN_OK;
}

static mn_status collect_columns(mn_context *ctx, const mn_trees *t, uint32_t *column_number, mn_quantized_trees *q,
                                 bool *fits)
{
  const size_t trees = mn_trees_count(t);
  *fits = true;
  for (size_t tree = 0; tree < trees; tree++) {
    const size_t nodes = mn_tree_nodes(t, tree);
    const int32_t *w = mn_tree_root(t, tree);
    for (size_t i = 0; i < nodes; i++, w += MN_NODE_WORDS) {
      if (mn_node_left(w) > 0) MN_TRY(add_split(ctx, t, w, column_number, q, fits));
      if (!*fits || q->columns > COLUMNS_PER_TREE * trees) return *fits = false, MN_OK;
    }
  }
  for (size_t c = 0; c < q->columns; c++) {
    mn_quantized_feature *column = &q->column[c];
    for (size_t k = column->thresholds; k < MN_EDGE_CAPACITY; k++) column->edge[k] = INFINITY;
    column->half = 1;
    while (2 * column->half - 1 < column->thresholds) column->half *= 2;
  }
  return MN_OK;
}

/* --- splits and leaves --- */

static void convert_subset(const mn_trees *t, const int32_t *w, uint32_t *bits)
{
  for (uint32_t code = 0; code < LAST_LEVEL; code++)
    if (mn_level_goes_left(t, w, code)) bits[code / 32] |= UINT32_C(1) << code % 32;
  if (mn_node_missing_left(w)) bits[MISSING / 32] |= UINT32_C(1) << MISSING % 32;
}

static void convert_split(const mn_trees *t, const int32_t *w, const uint32_t *column_number, const uint16_t *line,
                          uint16_t to, mn_quantized_trees *q)
{
  const size_t left = mn_node_left(w), shift = mn_node_missing_left(w);
  const mn_quantized_feature *c = &q->column[column_number[mn_node_feature(w)] - 1];
  mn_quantized_split *s = &q->split[q->splits++];
  *s = (mn_quantized_split){
    .column = column_number[mn_node_feature(w)] - 1, .left = line[left], .right = line[left + 1], .to = to
  };
  if (c->by_levels) {
    s->subset = q->subset + MN_SUBSET_WORDS * q->subsets++;
    convert_subset(t, w, s->subset);
  } else {
    s->shift = (uint8_t)shift;
    s->threshold = (uint8_t)(threshold_index(c->edge, c->thresholds, mn_node_real(w)) + shift);
  }
}

/* line: line of each node. A leaf has the line of its number; splits have the lines behind all leaves. */
static void convert_tree(const mn_trees *t, size_t tree, const uint32_t *column_number, double scale, uint16_t *line,
                         mn_quantized_trees *q)
{
  const int32_t *root = mn_tree_root(t, tree);
  const size_t first = q->first_leaf[tree];
  size_t leaf = 0, split = 0;
  q->first_split[tree] = q->splits;
  for (size_t i = mn_tree_nodes(t, tree); i-- > 0;) {
    const int32_t *w = root + MN_NODE_WORDS * i;
    if (mn_node_left(w) > 0) {
      line[i] = (uint16_t)(q->leaves + split++);
      convert_split(t, w, column_number, line, line[i], q);
      continue;
    }
    line[i] = (uint16_t)leaf;
    q->node[first + leaf] = (int32_t)i;
    if (q->value) q->value[first + leaf] = scale * mn_node_real(w);
    leaf++;
  }
  q->first_split[tree + 1] = q->splits;
  q->first_leaf[tree + 1] = first + leaf;
}

static bool has_only_values(const mn_trees *t)
{
  for (size_t i = 0; i < t->cover.size; i++) {
    const int32_t *w = t->node.at + MN_NODE_WORDS * i;
    if (mn_node_left(w) == 0 && !mn_is_leaf_of(w, MN_LEAF_VALUE)) return false;
  }
  return true;
}

static mn_status convert_trees(mn_context *ctx, const mn_trees *t, const uint32_t *column_number, double scale,
                               mn_quantized_trees *q)
{
  const size_t nodes = t->cover.size, trees = mn_trees_count(t);
  uint16_t line[2 * MAX_LEAVES];
  q->lines = 2 * q->leaves - 1;
  q->split = MN_RAW(ctx, mn_quantized_split, nodes, 1);
  q->subset = MN_NEW(ctx, uint32_t, q->subsets + 1, MN_SUBSET_WORDS);
  q->first_split = MN_NEW(ctx, size_t, trees + 1, 2);
  q->node = MN_RAW(ctx, int32_t, nodes, 1);
  if (!q->split || !q->subset || !q->first_split || !q->node) return MN_NO_MEMORY;
  q->first_leaf = q->first_split + trees + 1;
  if (has_only_values(t)) {
    q->value = MN_RAW(ctx, double, nodes, 1);
    MN_CHECK_ALLOC(q->value);
  }
  q->subsets = 0;
  for (size_t tree = 0; tree < trees; tree++) convert_tree(t, tree, column_number, scale, line, q);
  return MN_OK;
}

mn_status mn_quantized_trees_make(mn_context *ctx, const mn_trees *t, const mn_data *data, double scale,
                                  mn_quantized_trees **out)
{
  const size_t trees = mn_trees_count(t), features = data->features;
  size_t max_nodes = 0;
  bool fits;
  *out = NULL;
  if (data->rows < MN_TREE_BLOCK_ROWS) return MN_OK;
  for (size_t tree = 0; tree < trees; tree++)
    if (mn_tree_nodes(t, tree) > max_nodes) max_nodes = mn_tree_nodes(t, tree);
  if (max_nodes > 2 * MAX_LEAVES - 1) return MN_OK;
  mn_quantized_trees *q = MN_NEW(ctx, mn_quantized_trees, 1, 1);
  uint32_t *column_number = MN_NEW(ctx, uint32_t, features, 1);
  if (!q || !column_number) return MN_NO_MEMORY;
  q->column = MN_RAW(ctx, mn_quantized_feature, features, 1);
  MN_CHECK_ALLOC(q->column);
  q->leaves = (max_nodes + 1) / 2;
  MN_TRY(collect_columns(ctx, t, column_number, q, &fits));
  if (!fits) return MN_OK;
  MN_TRY(convert_trees(ctx, t, column_number, scale, q));
  *out = q;
  return MN_OK;
}

/* --- rows --- */

void mn_quantized_trees_init_buffer(const mn_quantized_trees *q, uint8_t *buffer)
{
  uint8_t *line = buffer + q->columns * MN_TREE_BLOCK_ROWS;
  memset(buffer, 0, q->columns * MN_TREE_BLOCK_ROWS);
  for (size_t leaf = 0; leaf < q->leaves; leaf++)
    memset(line + leaf * MN_TREE_BLOCK_ROWS, (int)leaf, MN_TREE_BLOCK_ROWS);
}

static void code_levels(size_t n, const double *x, size_t stride, uint8_t *code)
{
  for (size_t i = 0; i < n; i++) {
    const double level = x[i * stride];
    code[i] = level >= 0 ? (uint8_t)fmin(level, LAST_LEVEL) : MISSING;
  }
}

void mn_quantized_trees_code_rows(const mn_quantized_trees *q, size_t n, const double *x, size_t stride,
                                  uint8_t *buffer)
{
  for (size_t begin = 0; begin < n; begin += CODED_ROWS) {
    const size_t some = n - begin < CODED_ROWS ? n - begin : CODED_ROWS;
    for (size_t k = 0; k < q->columns; k++) {
      const mn_quantized_feature *c = &q->column[k];
      const double *value = x + begin * stride + c->feature;
      uint8_t *code = buffer + k * MN_TREE_BLOCK_ROWS + begin;
      if (c->by_levels)
        code_levels(some, value, stride, code);
      else
        mn_bin_column(some, value, stride, c->edge, c->half, MISSING, code);
    }
  }
}

const uint8_t *mn_quantized_trees_leaves(const mn_quantized_trees *q, size_t tree, uint8_t *buffer)
{
  const size_t first = q->first_split[tree], splits = q->first_split[tree + 1] - first;
  uint8_t *leaf = buffer + q->columns * MN_TREE_BLOCK_ROWS;
  mn_quantized_tree_walk(splits, q->split + first, buffer, leaf);
  return splits > 0 ? leaf + q->split[first + splits - 1].to * (size_t)MN_TREE_BLOCK_ROWS : leaf;
}

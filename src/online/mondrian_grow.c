/* Lakshminarayanan, Roy & Teh, Mondrian Forests: Efficient Online Random Forests (NIPS 27, 2014): algorithms 1 and 2
 * sample a block, 3 and 4 extend a tree by one row. Both descend iteratively. */
#include "mondrian.h"
#include <string.h>

mn_status mn_mondrian_workspace_make(mn_context *ctx, size_t n, size_t features, mn_mondrian_workspace *workspace)
{
  workspace->rows = MN_RAW(ctx, int32_t, n, 2);
  workspace->block = MN_RAW(ctx, mn_block_node, n, 2);
  workspace->low = MN_RAW(ctx, double, features, 2);
  if (!workspace->rows || !workspace->block || !workspace->low) return MN_NO_MEMORY;
  workspace->right_rows = workspace->rows + n;
  workspace->token = (mn_cancel_token){ 0 };
  workspace->high = workspace->low + features;
  return MN_OK;
}

enum { VALUES_PER_POLL = 1 << 20 }; /* values read */

/* --- drawing a block --- */

static double compute_box(const mn_mondrian_tree *t, const int32_t *rows, size_t n, double *low, double *high)
{
  const size_t p = t->features;
  double sum = 0;
  memcpy(low, t->x + (size_t)rows[0] * p, p * sizeof *low);
  memcpy(high, low, p * sizeof *low);
  for (size_t i = 1; i < n; i++) {
    const double *x = t->x + (size_t)rows[i] * p;
    for (size_t j = 0; j < p; j++) {
      low[j] = x[j] < low[j] ? x[j] : low[j];
      high[j] = x[j] > high[j] ? x[j] : high[j];
    }
  }
  for (size_t j = 0; j < p; j++) sum += high[j] - low[j];
  return sum;
}

/* In [low, high), so that rows at the two ends go to different sides. */
static double draw_threshold(mn_rng *rng, double low, double high)
{
  const double threshold = low + mn_random_uniform(rng) * (high - low);
  return threshold < high ? threshold : nextafter(high, low);
}

/* Partition rows by the threshold, preserving their order. Returns the end of the left part. */
static int32_t partition_rows(const mn_mondrian_tree *t, const mn_block_node *block, mn_mondrian_workspace *workspace)
{
  int32_t left = block->begin, right = 0;
  for (int32_t i = block->begin; i < block->end; i++) {
    const int32_t row = workspace->rows[i];
    if (t->x[(size_t)row * t->features + (size_t)block->feature] <= block->threshold)
      workspace->rows[left++] = row;
    else
      workspace->right_rows[right++] = row;
  }
  memcpy(workspace->rows + left, workspace->right_rows, (size_t)right * sizeof *workspace->rows);
  return left;
}

/* Draw time, feature and threshold of the split of a block. Returns false if it is a leaf. */
static bool draw_split(const mn_mondrian_tree *t, mn_rng *rng, double start, mn_block_node *block,
                       mn_mondrian_workspace *workspace)
{
  const size_t n = (size_t)(block->end - block->begin), p = t->features;
  block->left = block->feature = 0;
  block->threshold = 0;
  block->time = t->lifetime;
  if (n == 1 || mn_mondrian_rows_are_paused(t, workspace->rows + block->begin, n)) return false;
  const double sides = compute_box(t, workspace->rows + block->begin, n, workspace->low, workspace->high);
  if (!(sides > 0)) return false;
  const double time = start + mn_random_exponential(rng) / sides;
  if (!(time < t->lifetime)) return false;
  double u = mn_random_uniform(rng) * sides;
  size_t chosen = p;
  for (size_t j = 0; j < p; j++) {
    const double side = workspace->high[j] - workspace->low[j];
    if (!(side > 0)) continue;
    chosen = j; /* the last one, if rounding leaves u above the sum */
    if (u < side) break;
    u -= side;
  }
  block->time = time;
  block->feature = (int32_t)chosen;
  block->threshold = draw_threshold(rng, workspace->low[chosen], workspace->high[chosen]);
  return true;
}

size_t mn_mondrian_sample_block(const mn_mondrian_tree *t, mn_rng *rng, double start, size_t n,
                                mn_mondrian_workspace *workspace)
{
  mn_block_node *block = workspace->block;
  size_t nodes = 1, values = 0;
  block[0] = (mn_block_node){ .parent = -1, .end = (int32_t)n };
  for (size_t i = 0; i < nodes; i++) {
    values += (size_t)(block[i].end - block[i].begin) * t->features;
    if (values > VALUES_PER_POLL) {
      if (!mn_task_should_continue(&workspace->token)) break;
      values = 0;
    }
    if (!draw_split(t, rng, i > 0 ? block[block[i].parent].time : start, &block[i], workspace)) continue;
    const int32_t mid = partition_rows(t, &block[i], workspace);
    block[i].left = (int32_t)nodes;
    block[nodes++] = (mn_block_node){ .parent = (int32_t)i, .begin = block[i].begin, .end = mid };
    block[nodes++] = (mn_block_node){ .parent = (int32_t)i, .begin = mid, .end = block[i].end };
  }
  return nodes;
}

size_t mn_mondrian_count_boxed(const mn_block_node *block, size_t nodes)
{
  size_t boxed = 0;
  for (size_t k = 0; k < nodes; k++) boxed += block[k].end - block[k].begin > MN_UNBOXED_ROWS;
  return boxed;
}

/* --- inserting a block --- */

static void add_to_leaf(const mn_mondrian_tree *t, int32_t leaf, size_t row)
{
  t->next[row] = t->head[leaf];
  t->head[leaf] = (int32_t)row;
  t->row_count[leaf]++;
  mn_mondrian_add_row_stats(t, leaf, row);
}

static void init_node(const mn_mondrian_tree *t, int32_t node, int32_t parent, double time)
{
  t->child[2 * node] = t->child[2 * node + 1] = t->head[node] = t->box[node] = -1;
  t->parent[node] = parent;
  t->feature[node] = t->row_count[node] = 0;
  t->threshold[node] = 0;
  t->time[node] = time;
  memset(mn_mondrian_stats(t, node), 0, t->values * sizeof *t->stats);
}

static void fill_leaf(const mn_mondrian_tree *t, int32_t leaf, const int32_t *rows, size_t n)
{
  mn_mondrian_box_leaf(t, leaf, rows, n);
  for (size_t i = 0; i < n; i++) add_to_leaf(t, leaf, (size_t)rows[i]);
}

void mn_mondrian_insert_block(const mn_mondrian_tree *t, int32_t node, size_t nodes,
                              const mn_mondrian_workspace *workspace)
{
  const int32_t first = *t->used - 1; /* slot of block node k > 0 is first + k */
  const mn_block_node *block = workspace->block;
  const int32_t box = t->box[node];
  init_node(t, node, t->parent[node], block[0].time);
  t->box[node] = box; /* reuse the box of the leaf */
  for (size_t k = 1; k < nodes; k++)
    init_node(t, first + (int32_t)k, block[k].parent == 0 ? node : first + block[k].parent, block[k].time);
  for (size_t k = nodes; k-- > 0;) {
    const int32_t at = k == 0 ? node : first + (int32_t)k;
    if (block[k].left == 0) {
      fill_leaf(t, at, workspace->rows + block[k].begin, (size_t)(block[k].end - block[k].begin));
      continue;
    }
    t->feature[at] = block[k].feature;
    t->threshold[at] = block[k].threshold;
    t->child[2 * at] = first + block[k].left;
    t->child[2 * at + 1] = first + block[k].left + 1;
    mn_mondrian_box_split(t, at, (size_t)(block[k].end - block[k].begin));
    mn_mondrian_merge_stats(t, at);
  }
  *t->used += (int32_t)nodes - 1;
}

/* --- adding a row --- */

int32_t mn_mondrian_leaf(const mn_mondrian_tree *t, const double *x)
{
  int32_t node = *t->root;
  while (!mn_mondrian_is_leaf(t, node)) node = mn_mondrian_child(t, node, x);
  return node;
}

/* Sample the block of a leaf whose pause has ended, including the new row. */
static mn_mondrian_extension resample_leaf(const mn_mondrian_tree *t, mn_rng *rng, int32_t leaf, double start,
                                           size_t row, mn_mondrian_workspace *workspace)
{
  size_t n = 0;
  for (int32_t i = t->head[leaf]; i >= 0; i = t->next[i]) workspace->rows[n++] = i;
  workspace->rows[n++] = (int32_t)row;
  const size_t nodes = mn_mondrian_sample_block(t, rng, start, n, workspace),
               boxes = mn_mondrian_count_boxed(workspace->block, nodes) + 1;
  return (mn_mondrian_extension){ .kind = MN_RESAMPLE_LEAF, .node = leaf, .nodes = nodes, .boxes = boxes };
}

/* A row outside a box splits off above the node: by a feature drawn in proportion to its distance from the box, at a
 * uniform threshold. */
static mn_mondrian_extension split_edge(const mn_mondrian_tree *t, mn_rng *rng, int32_t node, double time,
                                        const double *x, double outside, mn_mondrian_workspace *workspace)
{
  const double *low = workspace->low, *high = workspace->high;
  double u = mn_random_uniform(rng) * outside;
  size_t chosen = 0;
  mn_mondrian_box(t, node, workspace->low, workspace->high);
  for (size_t j = 0; j < t->features; j++) {
    const double excess = x[j] < low[j] ? low[j] - x[j] : x[j] - high[j];
    if (!(excess > 0)) continue;
    chosen = j;
    if (u < excess) break;
    u -= excess;
  }
  const bool below = x[chosen] < low[chosen];
  const double threshold =
      below ? draw_threshold(rng, x[chosen], low[chosen]) : draw_threshold(rng, high[chosen], x[chosen]);
  return (mn_mondrian_extension){
    .kind = MN_SPLIT_EDGE, .node = node, .feature = (int32_t)chosen, .threshold = threshold, .time = time, .boxes = 1
  };
}

mn_mondrian_extension mn_mondrian_plan_extension(const mn_mondrian_tree *t, mn_rng *rng, size_t row,
                                                 mn_mondrian_workspace *workspace)
{
  const double *x = t->x + row * t->features;
  int32_t node = *t->root;
  double start = 0;
  for (;;) {
    const bool leaf = mn_mondrian_is_leaf(t, node);
    if (leaf && mn_mondrian_is_paused(t, node)) {
      if (!mn_mondrian_stays_paused(t, node, row)) return resample_leaf(t, rng, node, start, row, workspace);
      return (mn_mondrian_extension){ .kind = MN_JOIN_LEAF, .node = node, .boxes = 1 };
    }
    const double outside = mn_mondrian_distance(t, node, x);
    if (outside > 0) {
      const double time = start + mn_random_exponential(rng) / outside;
      if (time < t->time[node]) return split_edge(t, rng, node, time, x, outside, workspace);
    }
    if (leaf) return (mn_mondrian_extension){ .kind = MN_JOIN_LEAF, .node = node, .boxes = 1 };
    start = t->time[node];
    node = mn_mondrian_child(t, node, x);
  }
}

size_t mn_mondrian_slots_needed(const mn_mondrian_extension *extension)
{
  return extension->kind == MN_JOIN_LEAF ? 0 : extension->kind == MN_SPLIT_EDGE ? 2 : extension->nodes - 1;
}

/* Insert a split between extension->node and its parent, with the row in a leaf of its own on the other side. */
static void insert_split(const mn_mondrian_tree *t, const mn_mondrian_extension *extension, size_t row)
{
  const int32_t old = extension->node, parent = t->parent[old], inner = *t->used, leaf = inner + 1,
                row_index = (int32_t)row;
  const bool left = t->x[row * t->features + (size_t)extension->feature] <= extension->threshold;
  *t->used += 2;
  init_node(t, inner, parent, extension->time);
  init_node(t, leaf, inner, t->lifetime);
  fill_leaf(t, leaf, &row_index, 1);
  t->feature[inner] = extension->feature;
  t->threshold[inner] = extension->threshold;
  t->child[2 * inner] = left ? leaf : old;
  t->child[2 * inner + 1] = left ? old : leaf;
  t->parent[old] = inner;
  if (parent < 0)
    *t->root = inner;
  else
    t->child[2 * parent + (t->child[2 * parent] != old)] = inner;
  if (t->box[old] >= 0) mn_mondrian_box_split(t, inner, MN_UNBOXED_ROWS + 1);
}

void mn_mondrian_extend(const mn_mondrian_tree *t, const mn_mondrian_extension *extension, size_t row,
                        const mn_mondrian_workspace *workspace)
{
  switch (extension->kind) {
  case MN_JOIN_LEAF: add_to_leaf(t, extension->node, row); break;
  case MN_SPLIT_EDGE: insert_split(t, extension, row); break;
  case MN_RESAMPLE_LEAF: mn_mondrian_insert_block(t, extension->node, extension->nodes, workspace); break;
  }
  mn_mondrian_extend_boxes(t, t->x + row * t->features);
  mn_mondrian_update_ancestors(t, extension->node);
}

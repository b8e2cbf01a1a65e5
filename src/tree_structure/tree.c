#include "quantized_trees.h"
#include "walk_kernel.h"
#include "../core/threads.h"

/* Rows of a block stay in cache while all trees pass over them, a tree while all rows of the block pass through it. */
enum { BLOCK_ROWS = 1024, TOGETHER = MN_WALK_TREES };

bool mn_subset_has(const int32_t *subset, int32_t size, double code)
{
  if (size > 0) {
    if (!(code < 32.0 * size)) return false;
    const uint32_t c = (uint32_t)code;
    return (uint32_t)subset[c / 32] >> c % 32 & 1;
  }
  int32_t low = 0, high = -size; /* binary search */
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (subset[middle] < code)
      low = middle + 1;
    else
      high = middle;
  }
  return low < -size && !(subset[low] > code);
}

static inline size_t next_node(const mn_trees *t, const int32_t *w, const double *x)
{
  return mn_node_left(w) + !mn_value_goes_left(t, w, x[w[2]]);
}

static size_t descend(const mn_trees *t, const int32_t *root, const double *x)
{
  size_t at = 0;
  for (const int32_t *w = root; mn_node_left(w) > 0; w = root + MN_NODE_WORDS * at) at = next_node(t, w, x);
  return at;
}

size_t mn_tree_leaf(const mn_trees *t, size_t tree, const double *x)
{
  return descend(t, mn_tree_root(t, tree), x);
}

/* The node below, or the same one where it is a leaf. No branch hangs on the value: a wrong guess would cost more than
 * all else here. */
static inline const int32_t *step_down(const mn_trees *t, const int32_t *root, const int32_t *w, const double *x)
{
  const uint32_t link = (uint32_t)w[3];
  const size_t left = link >> 2;
  const double value = x[w[2]];
  size_t right = (value > mn_node_real(w)) | (isnan(value) & !(link & MN_MISSING_LEFT));
  if (left > 0 && link & MN_LEVEL_SPLIT) right = !mn_value_goes_left(t, w, value);
  return left > 0 ? root + MN_NODE_WORDS * (left + right) : w;
}

/* Several rows in step, or one row in several trees: while one waits for memory, the others go on. `leaf` is where each
 * comes to. */
static inline void descend_together(const mn_trees *t, const int32_t *const *root, const double *const *x,
                                    const int32_t **leaf)
{
  for (size_t r = 0; r < TOGETHER; r++) leaf[r] = root[r];
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t r = 0; r < TOGETHER; r++) {
      const int32_t *now = leaf[r];
      leaf[r] = step_down(t, root[r], now, x[r]);
      moved |= leaf[r] != now;
    }
  }
}

void mn_add_leaf(const mn_trees *t, const int32_t *w, size_t width, double scale, double *out)
{
  const size_t place = (uint32_t)w[0];
  switch ((mn_leaf_kind)w[3]) {
  case MN_LEAF_VALUE: out[0] += scale * mn_node_real(w); break;
  case MN_LEAF_PURE: out[place] += scale; break;
  case MN_LEAF_BLOCK:
    for (size_t k = 0; k < width; k++) out[k] += scale * t->value.at[place * width + k];
    break;
  }
}

void mn_tree_node_values(const mn_trees *t, size_t tree, size_t width, double scale, double *value)
{
  const double *cover = t->cover.at + t->root.at[tree];
  for (size_t i = mn_tree_nodes(t, tree); i-- > 0;) { /* children stand behind their parent */
    const int32_t *w = mn_tree_root(t, tree) + MN_NODE_WORDS * i;
    const size_t l = mn_node_left(w), r = l + 1;
    if (l == 0) mn_add_leaf(t, w, width, scale, value + i * width);
    for (size_t c = 0; l > 0 && c < width; c++)
      value[i * width + c] =
          (cover[l] * value[l * width + c] + cover[r] * value[r * width + c]) / (cover[l] + cover[r]);
  }
}

/* --- blocks of rows --- */

struct pass {
  const mn_trees *t;
  const mn_data *data;
  double *dense; /* workers x BLOCK_ROWS x features, for sparse rows; NULL: their values are looked up */
  size_t width;
  double scale;
  mn_matrix *out; /* or NULL */
  int32_t *leaf;  /* or NULL */
  mn_blocks blocks;
  mn_quantized_trees *ballot; /* or NULL */
  uint8_t *ballot_room;       /* workers */
};

/* The rows of a block as dense ones, in zeros. */
static const double *rows_of(const struct pass *p, size_t begin, size_t end, size_t worker)
{
  const size_t features = p->data->features;
  if (!p->data->sparse) return p->data->x.at + begin * features;
  const mn_csr *s = p->data->sparse;
  double *dense = p->dense + worker * p->blocks.size * features;
  for (size_t i = begin; i < end; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) dense[(i - begin) * features + (size_t)s->col[e]] = s->at[e];
  return dense;
}

/* The room of sparse rows back to zeros: there are few values, but many columns. */
static void wipe_rows(const struct pass *p, size_t begin, size_t end, size_t worker)
{
  const mn_csr *s = p->data->sparse;
  const size_t features = p->data->features;
  if (!s) return;
  double *dense = p->dense + worker * p->blocks.size * features;
  for (size_t i = begin; i < end; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) dense[(i - begin) * features + (size_t)s->col[e]] = 0;
}

static void note(const struct pass *p, size_t tree, size_t row, size_t node)
{
  if (p->leaf) {
    p->leaf[row * mn_trees_count(p->t) + tree] = (int32_t)node;
    return;
  }
  const int32_t *w = mn_tree_root(p->t, tree) + MN_NODE_WORDS * node;
  mn_add_leaf(p->t, w, p->width, p->scale, mn_row(p->out, row) + tree * p->width % p->out->cols);
}

/* n <= MN_TREE_BLOCK_ROWS rows through all trees at once. */
static void pass_ballot(const struct pass *p, size_t begin, size_t n, const double *x, uint8_t *room)
{
  const mn_quantized_trees *b = p->ballot;
  mn_quantized_trees_code_rows(b, n, x, p->data->features, room);
  for (size_t tree = 0; tree < mn_trees_count(p->t); tree++) {
    const uint8_t *leaf = mn_quantized_trees_leaves(b, tree, room);
    if (p->out && b->value) {
      double *out = mn_row(p->out, begin) + tree * p->width % p->out->cols;
      mn_add_leaf_values(n, leaf, b->value + b->first_leaf[tree], p->out->cols, out);
      continue;
    }
    const int32_t *node = b->node + b->first_leaf[tree];
    for (size_t i = 0; i < n; i++) note(p, tree, begin + i, (size_t)node[leaf[i]]);
  }
}

static size_t node_at(const int32_t *root, const int32_t *w)
{
  return (size_t)(w - root) / MN_NODE_WORDS;
}

/* TOGETHER rows through one tree. */
static void pass_in_step(const struct pass *p, size_t tree, size_t row, const double *x)
{
  const int32_t *root[TOGETHER], *leaf[TOGETHER];
  const double *at_row[TOGETHER];
  for (size_t r = 0; r < TOGETHER; r++) {
    root[r] = mn_tree_root(p->t, tree);
    at_row[r] = x + r * p->data->features;
  }
  descend_together(p->t, root, at_row, leaf);
  for (size_t r = 0; r < TOGETHER; r++) note(p, tree, row + r, node_at(root[r], leaf[r]));
}

static bool is_plain(const struct pass *p, const double *x)
{
  bool missing = false;
  for (size_t j = 0; j < p->data->features; j++) missing |= isnan(x[j]);
  return !missing && p->t->subset.size == 0;
}

/* One row through all trees. */
static void pass_row(const struct pass *p, size_t row, const double *x)
{
  const size_t trees = mn_trees_count(p->t);
  const bool plain = is_plain(p, x);
  const int32_t *root[TOGETHER], *leaf[TOGETHER];
  const double *same[TOGETHER];
  size_t tree = 0;
  for (; tree + TOGETHER <= trees; tree += TOGETHER) {
    for (size_t r = 0; r < TOGETHER; r++) {
      root[r] = mn_tree_root(p->t, tree + r);
      same[r] = x;
    }
    if (plain)
      mn_walk_trees(root, x, leaf);
    else
      descend_together(p->t, root, same, leaf);
    for (size_t r = 0; r < TOGETHER; r++) note(p, tree + r, row, node_at(root[r], leaf[r]));
  }
  for (; tree < trees; tree++) note(p, tree, row, mn_tree_leaf(p->t, tree, x));
}

static void pass_dense(const struct pass *p, size_t begin, size_t end, const double *x, size_t worker)
{
  const size_t features = p->data->features;
  if (p->ballot) {
    uint8_t *room = p->ballot_room + worker * mn_quantized_trees_buffer_size(p->ballot);
    for (size_t i = begin; i < end; i += MN_TREE_BLOCK_ROWS)
      pass_ballot(p, i, end - i < MN_TREE_BLOCK_ROWS ? end - i : MN_TREE_BLOCK_ROWS, x + (i - begin) * features, room);
    return;
  }
  const size_t whole = begin + (end - begin) / TOGETHER * TOGETHER;
  for (size_t tree = 0; tree < mn_trees_count(p->t); tree++)
    for (size_t i = begin; i < whole; i += TOGETHER) pass_in_step(p, tree, i, x + (i - begin) * features);
  for (size_t i = whole; i < end; i++) pass_row(p, i, x + (i - begin) * features);
}

static size_t descend_sparse(const mn_trees *t, const int32_t *root, const mn_data *data, size_t row)
{
  const int32_t *w = root;
  while (mn_node_left(w) > 0) {
    const size_t right = !mn_value_goes_left(t, w, mn_element(data, row, (size_t)w[2]));
    w = root + MN_NODE_WORDS * (mn_node_left(w) + right);
  }
  return node_at(root, w);
}

static void pass_sparse(const struct pass *p, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++)
    for (size_t tree = 0; tree < mn_trees_count(p->t); tree++)
      note(p, tree, i, descend_sparse(p->t, mn_tree_root(p->t, tree), p->data, i));
}

static void pass_block(void *work, size_t block, size_t worker)
{
  const struct pass *p = work;
  const size_t begin = mn_block_begin(&p->blocks, block), end = mn_block_end(&p->blocks, block);
  if (p->data->sparse && !p->dense) {
    pass_sparse(p, begin, end);
    return;
  }
  pass_dense(p, begin, end, rows_of(p, begin, end, worker), worker);
  wipe_rows(p, begin, end, worker);
}

static double steps_of(size_t n)
{
  return 1 + log2((double)n);
}

/* Is it less work to look up values on the way through few trees than to lay out all values of a row? */
static bool looks_up(const struct pass *p)
{
  const mn_csr *s = p->data->sparse;
  double steps = 0;
  if (!s || s->rows == 0) return false;
  const double values = (double)s->start[s->rows] / (double)s->rows;
  for (size_t t = 0; t < mn_trees_count(p->t) && steps < 2 * values; t++)
    steps += steps_of(mn_tree_nodes(p->t, t)) * steps_of((size_t)values + 1) / 2;
  return steps < 2 * values;
}

static mn_status pass_rows(mn_context *ctx, struct pass *p)
{
  const size_t features = p->data->features;
  p->blocks = mn_make_blocks(p->data->rows, p->data->sparse ? 1 + (BLOCK_ROWS << 5) / features : BLOCK_ROWS, SIZE_MAX);
  if (looks_up(p)) return mn_parallel(ctx, p->blocks.count, pass_block, p);
  if (p->data->sparse) {
    p->dense = MN_NEW(ctx, double, mn_threads(ctx), p->blocks.size *features);
    MN_CHECK_ALLOC(p->dense);
  }
  MN_TRY(mn_quantized_trees_make(ctx, p->t, p->data, p->scale, &p->ballot));
  if (p->ballot) {
    p->ballot_room = MN_RAW(ctx, uint8_t, mn_threads(ctx), mn_quantized_trees_buffer_size(p->ballot));
    MN_CHECK_ALLOC(p->ballot_room);
    for (size_t w = 0; w < mn_threads(ctx); w++)
      mn_quantized_trees_init_buffer(p->ballot, p->ballot_room + w * mn_quantized_trees_buffer_size(p->ballot));
  }
  return mn_parallel(ctx, p->blocks.count, pass_block, p);
}

mn_status mn_trees_sum(mn_context *ctx, const mn_trees *t, const mn_data *data, size_t width, double scale,
                       mn_matrix *out)
{
  struct pass p = { .t = t, .data = data, .width = width, .scale = scale, .out = out };
  return pass_rows(ctx, &p);
}

mn_status mn_trees_leaves(mn_context *ctx, const mn_trees *t, const mn_data *data, int32_t *leaf)
{
  struct pass p = { .t = t, .data = data, .leaf = leaf };
  return pass_rows(ctx, &p);
}

size_t mn_tree_depths(const mn_trees *t, size_t tree, int32_t *depth)
{
  const int32_t *root = mn_tree_root(t, tree);
  int32_t deepest = 0;
  depth[0] = 0;
  for (size_t i = 0; i < mn_tree_nodes(t, tree); i++) {
    const size_t left = mn_node_left(root + MN_NODE_WORDS * i);
    if (left > 0) depth[left] = depth[left + 1] = depth[i] + 1;
    if (depth[i] > deepest) deepest = depth[i];
  }
  return (size_t)deepest;
}

/* --- after loading --- */

static bool subset_is_sound(const mn_trees *t, const int32_t *w)
{
  const int64_t offset = w[0], size = w[1] < 0 ? -(int64_t)w[1] : w[1];
  if (offset < 0 || offset + size > (int64_t)t->subset.size) return false;
  for (int64_t i = 1; w[1] < 0 && i < size; i++)
    if (t->subset.at[offset + i] <= t->subset.at[offset + i - 1]) return false;
  return true;
}

static bool leaf_is_sound(const mn_trees *t, const int32_t *w, size_t width)
{
  const size_t place = (uint32_t)w[0];
  switch (w[3]) {
  case MN_LEAF_VALUE: return isfinite(mn_node_real(w));
  case MN_LEAF_BLOCK: return place < t->value.size / width;
  case MN_LEAF_PURE: return place < width;
  default: return false;
  }
}

static bool node_is_sound(const mn_estimator *model, const mn_trees *t, size_t nodes, size_t i, const int32_t *w,
                          size_t width)
{
  const size_t left = mn_node_left(w);
  if (w[2] < 0 || (size_t)w[2] >= model->n_features) return false;
  if (left == 0) return w[2] == 0 && leaf_is_sound(t, w, width);
  if (left <= i || left + 1 >= nodes) return false;
  if (w[3] & MN_LEVEL_SPLIT) return subset_is_sound(t, w);
  return !isnan(mn_node_real(w));
}

/* Each node but the root is the child of one node; seen: nodes, room. */
static bool has_one_parent_each(const mn_trees *t, size_t tree, uint8_t *seen)
{
  const size_t n = mn_tree_nodes(t, tree);
  size_t children = 0;
  memset(seen, 0, n);
  for (size_t i = 0; i < n; i++) {
    const size_t left = mn_node_left(mn_tree_root(t, tree) + MN_NODE_WORDS * i);
    if (left == 0) continue;
    if (seen[left] || seen[left + 1]) return false;
    seen[left] = seen[left + 1] = 1;
    children += 2;
  }
  return children + 1 == n;
}

static bool trees_are_sound(const mn_estimator *model, const mn_trees *t, size_t width, uint8_t *seen)
{
  const size_t nodes = t->cover.size, trees = mn_trees_count(t);
  if (trees == 0 || nodes == 0 || t->node.size / MN_NODE_WORDS != nodes || t->node.size % MN_NODE_WORDS != 0)
    return false;
  if (t->root.at[0] != 0 || (size_t)t->root.at[trees] != nodes) return false;
  for (size_t tree = 0; tree < trees; tree++)
    if (t->root.at[tree + 1] <= t->root.at[tree]) return false; /* so all are from 0 to nodes */
  for (size_t tree = 0; tree < trees; tree++)
    for (size_t i = 0, n = mn_tree_nodes(t, tree); i < n; i++)
      if (!node_is_sound(model, t, n, i, mn_tree_root(t, tree) + MN_NODE_WORDS * i, width)) return false;
  for (size_t tree = 0; tree < trees; tree++)
    if (!has_one_parent_each(t, tree, seen)) return false;
  return t->value.size % width == 0;
}

mn_status mn_trees_check(mn_context *ctx, const mn_estimator *model, const mn_trees *t, size_t width)
{
  uint8_t *seen = MN_RAW(ctx, uint8_t, t->cover.size, 1);
  MN_CHECK_ALLOC(seen);
  if (trees_are_sound(model, t, width, seen)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the nodes do not make up trees", model->class->name);
}

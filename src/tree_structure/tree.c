#include "tree.h"
#include <stdlib.h>

/* --- levels of a split --- */

bool mn_subset_has(const int32_t *subset, int32_t size, double code)
{
  if (size > 0) {
    if (!(code < 32.0 * size)) return false;
    const uint32_t c = (uint32_t)code;
    return (uint32_t)subset[c / 32] >> c % 32 & 1;
  }
  int32_t low = 0, high = -size; /* binary search */
  while (low < high) {
    const int32_t mid = low + (high - low) / 2;
    if (subset[mid] < code)
      low = mid + 1;
    else
      high = mid;
  }
  return low < -size && !(subset[low] > code);
}

static int compare_codes(const void *a, const void *b)
{
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

size_t mn_subset_encode(const uint32_t *code, size_t n, int32_t *to, int32_t *size)
{
  uint32_t last = 0;
  for (size_t k = 0; k < n; k++) last = code[k] > last ? code[k] : last;
  const size_t words = n > 0 ? last / 32 + 1 : 0;
  const bool as_list = words > n;
  *size = as_list ? -(int32_t)n : (int32_t)words;
  if (!to || n == 0) return as_list ? n : words;
  if (as_list) {
    memcpy(to, code, n * sizeof *to);
    qsort(to, n, sizeof *to, compare_codes);
    return n;
  }
  memset(to, 0, words * sizeof *to);
  for (size_t k = 0; k < n; k++) to[code[k] / 32] = (int32_t)((uint32_t)to[code[k] / 32] | UINT32_C(1) << code[k] % 32);
  return words;
}

/* --- leaves --- */

size_t mn_trees_leaf(const mn_trees *t, size_t tree, const double *x)
{
  const int32_t *root = mn_tree_root(t, tree);
  size_t node = 0;
  for (const int32_t *w = root; mn_node_left(w) > 0; w = root + MN_NODE_WORDS * node)
    node = mn_node_left(w) + !mn_value_goes_left(t, w, x[mn_node_feature(w)]);
  return node;
}

void mn_add_leaf(const mn_trees *t, const int32_t *w, size_t width, double scale, double *out)
{
  const size_t index = (uint32_t)w[MN_NODE_LOW];
  switch ((mn_leaf_kind)w[MN_NODE_LINK]) {
  case MN_LEAF_VALUE: out[0] += scale * mn_node_real(w); break;
  case MN_LEAF_PURE: out[index] += scale; break;
  case MN_LEAF_BLOCK:
    for (size_t k = 0; k < width; k++) out[k] += scale * t->value.at[index * width + k];
    break;
  }
}

void mn_tree_node_values(const mn_trees *t, size_t tree, size_t width, double scale, double *value)
{
  const double *cover = t->cover.at + t->root.at[tree];
  for (size_t i = mn_tree_nodes(t, tree); i-- > 0;) { /* children follow their parent */
    const int32_t *w = mn_tree_root(t, tree) + MN_NODE_WORDS * i;
    const size_t l = mn_node_left(w), r = l + 1;
    if (l == 0) mn_add_leaf(t, w, width, scale, value + i * width);
    for (size_t c = 0; l > 0 && c < width; c++)
      value[i * width + c] =
          (cover[l] * value[l * width + c] + cover[r] * value[r * width + c]) / (cover[l] + cover[r]);
  }
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

static bool is_valid_subset(const mn_trees *t, const int32_t *w)
{
  const int64_t offset = w[MN_NODE_LOW], words = w[MN_NODE_HIGH], size = words < 0 ? -words : words;
  if (offset < 0 || offset + size > (int64_t)t->subset.size) return false;
  for (int64_t i = 1; words < 0 && i < size; i++)
    if (t->subset.at[offset + i] <= t->subset.at[offset + i - 1]) return false;
  return true;
}

static bool is_valid_leaf(const mn_trees *t, const int32_t *w, size_t width)
{
  const size_t index = (uint32_t)w[MN_NODE_LOW];
  switch (w[MN_NODE_LINK]) {
  case MN_LEAF_VALUE: return isfinite(mn_node_real(w));
  case MN_LEAF_BLOCK: return index < t->value.size / width;
  case MN_LEAF_PURE: return index < width;
  default: return false;
  }
}

static bool is_valid_node(const mn_estimator *model, const mn_trees *t, size_t nodes, size_t i, const int32_t *w,
                          size_t width)
{
  const size_t left = mn_node_left(w);
  if (mn_node_feature(w) >= model->n_features) return false;
  if (left == 0) return mn_node_feature(w) == 0 && is_valid_leaf(t, w, width);
  if (left <= i || left + 1 >= nodes) return false;
  if (mn_is_level_split(w)) return is_valid_subset(t, w);
  return !isnan(mn_node_real(w));
}

/* True if each node except the root is the child of exactly one node. seen: a buffer of nodes. */
static bool have_one_parent_each(const mn_trees *t, size_t tree, uint8_t *seen)
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

static bool are_valid_trees(const mn_estimator *model, const mn_trees *t, size_t width, uint8_t *seen)
{
  const size_t nodes = t->cover.size, trees = mn_trees_count(t);
  if (trees == 0 || nodes == 0 || t->node.size / MN_NODE_WORDS != nodes || t->node.size % MN_NODE_WORDS != 0)
    return false;
  if (t->root.at[0] != 0 || (size_t)t->root.at[trees] != nodes) return false;
  for (size_t tree = 0; tree < trees; tree++)
    if (t->root.at[tree + 1] <= t->root.at[tree]) return false; /* hence all roots are between 0 and nodes */
  for (size_t tree = 0; tree < trees; tree++)
    for (size_t i = 0, n = mn_tree_nodes(t, tree); i < n; i++)
      if (!is_valid_node(model, t, n, i, mn_tree_root(t, tree) + MN_NODE_WORDS * i, width)) return false;
  for (size_t tree = 0; tree < trees; tree++)
    if (!have_one_parent_each(t, tree, seen)) return false;
  return t->value.size % width == 0;
}

mn_status mn_trees_check(mn_context *ctx, const mn_estimator *model, const mn_trees *t, size_t width)
{
  uint8_t *seen = MN_RAW(ctx, uint8_t, t->cover.size, 1);
  MN_CHECK_ALLOC(seen);
  if (are_valid_trees(model, t, width, seen)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the nodes in the file do not form trees", model->class->name);
}

#include "boost_prune.h"
#include <string.h>

enum { NO_LEAF = UINT32_MAX };

struct mn_boost_pruner {
  const mn_boost_settings *settings;
  uint32_t *rows[2];
  double *value;     /* nodes: the value of a split node if it were a leaf */
  uint32_t *leaf_at; /* nodes: index of its leaf, or NO_LEAF */
  uint32_t *moved;   /* nodes: index after pruning */
  int32_t *subset;   /* copy of the sets of levels */
};

mn_status mn_boost_pruner_make(mn_context *ctx, const mn_boost_settings *settings, size_t max_leaves,
                               uint32_t *const rows[2], mn_boost_pruner **out)
{
  mn_boost_pruner *p = MN_NEW(ctx, mn_boost_pruner, 1, 1);
  MN_CHECK_ALLOC(p);
  *out = p;
  *p = (mn_boost_pruner){ .settings = settings, .rows = { rows[0], rows[1] } };
  p->value = MN_RAW(ctx, double, max_leaves, 2);
  p->leaf_at = MN_RAW(ctx, uint32_t, max_leaves, 2);
  p->moved = MN_RAW(ctx, uint32_t, max_leaves, 2);
  p->subset = MN_RAW(ctx, int32_t, max_leaves, MN_SET_WORDS);
  return p->value && p->leaf_at && p->moved && p->subset ? MN_OK : MN_NO_MEMORY;
}

void mn_boost_pruner_note(mn_boost_pruner *pruner, const mn_boost_leaf *leaf)
{
  pruner->value[leaf->node] = leaf->value;
}

/* Merge the ascending rows of two leaves with neighboring ranges into one leaf. */
static void merge_rows(const mn_boost_pruner *p, mn_boost_leaf *left, const mn_boost_leaf *right)
{
  uint32_t *from = p->rows[left->buffer], *to = p->rows[1 - left->buffer] + left->begin;
  if (right->buffer != left->buffer)
    memcpy(from + right->begin, p->rows[right->buffer] + right->begin, right->count * sizeof *from);
  const uint32_t *a = from + left->begin, *b = from + right->begin;
  size_t i = 0, j = 0;
  while (i < left->count || j < right->count)
    if (j == right->count || (i < left->count && a[i] < b[j]))
      to[i + j] = a[i], i++;
    else
      to[i + j] = b[j], j++;
  left->count += right->count;
  left->buffer = 1 - left->buffer;
}

/* Make leaves of the splits whose children are leaves and whose gain is too low. Children follow their parent. */
static void remove_splits(mn_boost_pruner *p, mn_boost_leaf *leaf, size_t nodes, mn_boost_builder *trees)
{
  for (size_t node = nodes; node-- > 0;) {
    int32_t *w = mn_boost_node(trees, node);
    const size_t left = mn_node_left(w);
    if (left == 0 || p->leaf_at[left] == NO_LEAF || p->leaf_at[left + 1] == NO_LEAF) continue;
    if (*mn_boost_gain(trees, node) >= p->settings->prune_gain) continue;
    mn_boost_leaf *merged = &leaf[p->leaf_at[left]];
    merge_rows(p, merged, &leaf[p->leaf_at[left + 1]]);
    merged->node = node;
    merged->value = p->value[node];
    p->leaf_at[node] = p->leaf_at[left];
    p->leaf_at[left] = p->leaf_at[left + 1] = NO_LEAF;
    mn_node_set_leaf(w, p->settings->learning_rate * merged->value);
    *mn_boost_gain(trees, node) = 0;
  }
}

static void move_node(mn_boost_pruner *p, mn_boost_builder *trees, size_t node, size_t words_before)
{
  const size_t to = p->moved[node];
  int32_t *w = mn_boost_node(trees, to);
  memmove(w, mn_boost_node(trees, node), MN_NODE_WORDS * sizeof *w);
  trees->cover[trees->first_node[trees->trees - 1] + to] = trees->cover[trees->first_node[trees->trees - 1] + node];
  *mn_boost_gain(trees, to) = *mn_boost_gain(trees, node);
  if (mn_node_left(w) == 0) return;
  if (mn_is_level_split(w)) {
    memcpy(trees->subset + trees->words, p->subset + w[MN_NODE_LOW], MN_SET_WORDS * sizeof *p->subset);
    w[MN_NODE_LOW] = (int32_t)(trees->words - words_before);
    trees->words += MN_SET_WORDS;
  }
  mn_node_set_left(w, p->moved[mn_node_left(w)]);
}

/* Close the gaps that removed nodes left. */
static void compact_nodes(mn_boost_pruner *p, size_t nodes, mn_boost_builder *trees)
{
  const size_t first_word = trees->first_word[trees->trees - 1];
  uint32_t kept = 0;
  for (size_t node = 0; node < nodes; node++) p->moved[node] = node == 0 ? 0 : NO_LEAF;
  for (size_t node = 0; node < nodes; node++) {
    const size_t left = mn_node_left(mn_boost_node(trees, node));
    if (left > 0 && p->moved[node] != NO_LEAF) p->moved[left] = p->moved[left + 1] = 0;
  }
  for (size_t node = 0; node < nodes; node++)
    if (p->moved[node] != NO_LEAF) p->moved[node] = kept++;
  if (trees->words > first_word)
    memcpy(p->subset, trees->subset + first_word, (trees->words - first_word) * sizeof *p->subset);
  trees->words = first_word;
  for (size_t node = 0; node < nodes; node++)
    if (p->moved[node] != NO_LEAF) move_node(p, trees, node, first_word);
  trees->nodes = trees->first_node[trees->trees - 1] + kept;
}

size_t mn_boost_prune(mn_boost_pruner *pruner, mn_boost_leaf *leaf, size_t leaves, mn_boost_builder *trees)
{
  const size_t nodes = 2 * leaves - 1;
  size_t kept = 0;
  for (size_t node = 0; node < nodes; node++) pruner->leaf_at[node] = NO_LEAF;
  for (size_t k = 0; k < leaves; k++) pruner->leaf_at[leaf[k].node] = (uint32_t)k;
  remove_splits(pruner, leaf, nodes, trees);
  for (size_t k = 0; k < leaves; k++)
    if (pruner->leaf_at[leaf[k].node] == k) leaf[kept++] = leaf[k];
  compact_nodes(pruner, nodes, trees);
  for (size_t k = 0; k < kept; k++) leaf[k].node = pruner->moved[leaf[k].node];
  return kept;
}

#include "boost_leaves.h"

#include <string.h>

/* Whether leaf a is split before leaf b; ties go to the older one. */
static bool splits_before(const mn_boost_leaf *leaf, int64_t grow, uint32_t a, uint32_t b)
{
  if (grow == MN_GROW_DEPTH && leaf[a].depth != leaf[b].depth) return leaf[a].depth < leaf[b].depth;
  if (grow == MN_GROW_LEAF && leaf[a].best.gain != leaf[b].best.gain) return leaf[a].best.gain > leaf[b].best.gain;
  return leaf[a].node < leaf[b].node;
}

void mn_leaf_heap_push(mn_leaf_heap *heap, const mn_boost_leaf *leaf, int64_t grow, size_t which)
{
  if (!(leaf[which].best.gain > 0)) return;
  size_t at = heap->size++;
  for (; at > 0 && splits_before(leaf, grow, (uint32_t)which, heap->at[(at - 1) / 2]); at = (at - 1) / 2)
    heap->at[at] = heap->at[(at - 1) / 2];
  heap->at[at] = (uint32_t)which;
}

size_t mn_leaf_heap_pop(mn_leaf_heap *heap, const mn_boost_leaf *leaf, int64_t grow)
{
  const size_t top = heap->at[0];
  const uint32_t moved = heap->at[--heap->size];
  size_t at = 0;
  for (;;) {
    size_t next = 2 * at + 1;
    if (next >= heap->size) break;
    if (next + 1 < heap->size && splits_before(leaf, grow, heap->at[next + 1], heap->at[next])) next++;
    if (!splits_before(leaf, grow, heap->at[next], moved)) break;
    heap->at[at] = heap->at[next];
    at = next;
  }
  heap->at[at] = moved;
  return top;
}

mn_status mn_histogram_pool_acquire(mn_context *ctx, mn_histogram_pool *pool, int64_t **hist)
{
  if (pool->size > 0) {
    *hist = pool->at[--pool->size];
    return MN_OK;
  }
  *hist = MN_RAW(ctx, int64_t, pool->values, 1);
  MN_CHECK_ALLOC(*hist);
  pool->all[pool->made++] = *hist;
  return MN_OK;
}

void mn_histogram_pool_release(mn_histogram_pool *pool, int64_t *hist)
{
  pool->at[pool->size++] = hist;
}

void mn_histogram_pool_reset(mn_histogram_pool *pool)
{
  pool->size = pool->made;
  if (pool->made > 0) memcpy(pool->at, pool->all, pool->made * sizeof *pool->at);
}

static double leaf_cover(const mn_boost_gradients *gradients, int64_t hc)
{
  return mn_boost_count(gradients, hc) * gradients->count_unit;
}

static size_t add_leaf(const mn_boost_settings *settings, const mn_boost_gradients *gradients,
                       const mn_boost_leaf *leaf, mn_boost_builder *trees)
{
  return mn_boost_add_leaf(trees, settings->learning_rate * leaf->value, leaf_cover(gradients, leaf->hc));
}

void mn_boost_add_root(const mn_boost_settings *settings, const mn_boost_gradients *gradients, mn_boost_leaf *root,
                       mn_boost_builder *trees)
{
  root->node = add_leaf(settings, gradients, root, trees);
}

void mn_boost_add_split(const mn_boost_settings *settings, const mn_boost_gradients *gradients,
                        const mn_boost_leaf *parent, mn_boost_leaf *child, mn_boost_builder *trees)
{
  const mn_boost_split *best = &parent->best;
  int32_t *node = mn_boost_node(trees, parent->node);
  *mn_boost_gain(trees, parent->node) = best->gain;
  for (size_t k = 0; k < 2; k++) child[k].node = add_leaf(settings, gradients, &child[k], trees);
  if (best->categorical) {
    const size_t offset = trees->words - trees->first_word[trees->trees - 1];
    memcpy(trees->subset + trees->words, best->left_levels, sizeof best->left_levels);
    trees->words += MN_SET_WORDS;
    mn_node_set_level_split(node, best->feature, offset, MN_SET_WORDS, child[0].node, best->missing_left);
  } else {
    mn_node_set_split(node, best->feature, best->threshold, child[0].node, best->missing_left);
  }
}

/* Whether the group has every feature of the path (path[f] is 1). */
static bool group_holds_path(const double *group, const uint8_t *path, size_t features)
{
  for (size_t f = 0; f < features; f++)
    if (path[f] && !(group[f] > 0)) return false;
  return true;
}

void mn_boost_restrict_features(const mn_boost_settings *settings, size_t features, const mn_boost_leaf *parent,
                                mn_boost_leaf *child, uint8_t *allowed_rows, size_t leaf)
{
  if (!settings->interaction_groups) return;
  uint8_t *allowed = allowed_rows + leaf * 2 * features, *path = allowed + features;
  memset(allowed, 0, 2 * features);
  if (parent) {
    memcpy(path, parent->allowed + features, features);
    path[parent->best.feature] = 1;
  }
  for (size_t g = 0; g < settings->interaction_groups->rows; g++) {
    const double *group = mn_row(settings->interaction_groups, g);
    if (!group_holds_path(group, path, features)) continue;
    for (size_t f = 0; f < features; f++) allowed[f] |= group[f] > 0;
  }
  child[0].allowed = allowed;
  if (parent) child[1].allowed = allowed;
}

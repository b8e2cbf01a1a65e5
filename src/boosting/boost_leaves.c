#include "boost_leaves.h"
#include "boost_split.h"
#include <string.h>

/* Is leaf a to be split before b? Of equal ones the older. */
static bool before(const mn_boost_leaf_rows *leaf, int64_t grow, uint32_t a, uint32_t b)
{
  if (grow == MN_GROW_DEPTH && leaf[a].depth != leaf[b].depth) return leaf[a].depth < leaf[b].depth;
  if (grow == MN_GROW_LEAF && leaf[a].best.gain != leaf[b].best.gain) return leaf[a].best.gain > leaf[b].best.gain;
  return leaf[a].node < leaf[b].node;
}

void mn_boost_heap_add(mn_boost_heap *heap, const mn_boost_leaf_rows *leaf, int64_t grow, size_t which)
{
  if (!(leaf[which].best.gain > 0)) return;
  size_t at = heap->size++;
  for (; at > 0 && before(leaf, grow, (uint32_t)which, heap->at[(at - 1) / 2]); at = (at - 1) / 2)
    heap->at[at] = heap->at[(at - 1) / 2];
  heap->at[at] = (uint32_t)which;
}

size_t mn_boost_heap_take(mn_boost_heap *heap, const mn_boost_leaf_rows *leaf, int64_t grow)
{
  const size_t top = heap->at[0];
  const uint32_t moved = heap->at[--heap->size];
  size_t at = 0;
  for (;;) {
    size_t next = 2 * at + 1;
    if (next >= heap->size) break;
    if (next + 1 < heap->size && before(leaf, grow, heap->at[next + 1], heap->at[next])) next++;
    if (!before(leaf, grow, heap->at[next], moved)) break;
    heap->at[at] = heap->at[next];
    at = next;
  }
  heap->at[at] = moved;
  return top;
}

mn_status mn_boost_pool_take(mn_context *ctx, mn_boost_pool *pool, int64_t **hist)
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

void mn_boost_pool_give(mn_boost_pool *pool, int64_t *hist)
{
  pool->at[pool->size++] = hist;
}

void mn_boost_pool_clear(mn_boost_pool *pool)
{
  pool->size = pool->made;
  if (pool->made > 0) memcpy(pool->at, pool->all, pool->made * sizeof *pool->at);
}

static double cover_of(const mn_boost_gradients *unit, int64_t hc)
{
  return mn_boost_count(unit, hc) * unit->count_unit;
}

static size_t note_leaf(const mn_boost_rules *rules, const mn_boost_gradients *unit, const mn_boost_leaf_rows *leaf,
                        mn_boost_builder *trees)
{
  return mn_boost_add_leaf(trees, rules->rate * leaf->value, cover_of(unit, leaf->hc));
}

void mn_boost_note_root(const mn_boost_rules *rules, const mn_boost_gradients *unit, mn_boost_leaf_rows *root,
                        mn_boost_builder *trees)
{
  root->node = note_leaf(rules, unit, root, trees);
}

void mn_boost_note_split(const mn_bins *bins, const mn_boost_rules *rules, const mn_boost_gradients *unit,
                         const mn_boost_leaf_rows *parent, mn_boost_leaf_rows *child, mn_boost_builder *trees)
{
  const mn_boost_split *best = &parent->best;
  int32_t *node = mn_boost_node(trees, parent->node);
  *mn_boost_gain(trees, parent->node) = best->gain;
  for (size_t k = 0; k < 2; k++) child[k].node = note_leaf(rules, unit, &child[k], trees);
  if (best->levels) {
    const size_t offset = trees->words - trees->first_word[trees->trees - 1];
    memcpy(trees->subset + trees->words, best->set, sizeof best->set);
    trees->words += MN_SET_WORDS;
    mn_node_set_level_split(node, best->feature, offset, MN_SET_WORDS, child[0].node, best->missing_left);
  } else {
    const double threshold = bins->edge[best->feature * MN_EDGE_CAPACITY + best->bin];
    mn_node_set_split(node, best->feature, threshold, child[0].node, best->missing_left);
  }
}

/* Does the group hold every column that was split by on the way? `way`: 1 for those. */
static bool holds(const double *group, const uint8_t *way, size_t features)
{
  for (size_t f = 0; f < features; f++)
    if (way[f] && !(group[f] > 0)) return false;
  return true;
}

void mn_boost_narrow(const mn_boost_rules *rules, size_t features, const mn_boost_leaf_rows *parent,
                     mn_boost_leaf_rows *child, uint8_t *room, size_t leaf)
{
  if (!rules->together) return;
  uint8_t *allowed = room + leaf * 2 * features, *way = allowed + features;
  memset(allowed, 0, 2 * features);
  if (parent) {
    memcpy(way, parent->allowed + features, features);
    way[parent->best.feature] = 1;
  }
  for (size_t g = 0; g < rules->together->rows; g++) {
    const double *group = mn_row(rules->together, g);
    if (!holds(group, way, features)) continue;
    for (size_t f = 0; f < features; f++) allowed[f] |= group[f] > 0;
  }
  child[0].allowed = allowed;
  if (parent) child[1].allowed = allowed;
}

/* What growing a tree keeps at hand: open leaves in order, histograms that are free, nodes that are noted. */
#ifndef MN_BOOSTING_BOOST_LEAVES_H
#define MN_BOOSTING_BOOST_LEAVES_H
#include "boost_grow.h"

/* Leaves that can be split, the next one on top. */
typedef struct mn_boost_heap {
  uint32_t *at;
  size_t size;
} mn_boost_heap;

/* Nothing is added where the leaf has no split. */
void mn_boost_heap_add(mn_boost_heap *heap, const mn_boost_leaf_rows *leaf, int64_t grow, size_t which);
size_t mn_boost_heap_take(mn_boost_heap *heap, const mn_boost_leaf_rows *leaf, int64_t grow);

/* Histograms that were made; at[0..size-1] are free. All are again when a tree begins. */
typedef struct mn_boost_pool {
  int64_t **at, **all;
  size_t size, made, values;
} mn_boost_pool;

mn_status mn_boost_pool_take(mn_context *ctx, mn_boost_pool *pool, int64_t **hist);
void mn_boost_pool_give(mn_boost_pool *pool, int64_t *hist);
void mn_boost_pool_clear(mn_boost_pool *pool);

void mn_boost_note_root(const mn_boost_rules *rules, const mn_boost_gradients *unit, mn_boost_leaf_rows *root,
                        mn_boost_builder *trees);
void mn_boost_note_split(const mn_bins *bins, const mn_boost_rules *rules, const mn_boost_gradients *unit,
                         const mn_boost_leaf_rows *parent, mn_boost_leaf_rows *child, mn_boost_builder *trees);

/* Columns that may be split by below a node, where `together` says which go together: those of the groups that hold all
 * columns on the way. parent NULL: child is the root. That and the way are noted in room (leaves x 2 x features), at
 * leaf. */
void mn_boost_narrow(const mn_boost_rules *rules, size_t features, const mn_boost_leaf_rows *parent,
                     mn_boost_leaf_rows *child, uint8_t *room, size_t leaf);

#endif

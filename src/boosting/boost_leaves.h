/* State of a growing tree: heap of splittable leaves, pool of histograms, nodes added to the tree. */
#ifndef MN_BOOSTING_BOOST_LEAVES_H
#define MN_BOOSTING_BOOST_LEAVES_H
#include "../core/context.h"
#include "boost_node.h"
#include "boost_trees.h"

/* Binary heap of splittable leaves; the next one to split is on top. */
typedef struct mn_leaf_heap {
  uint32_t *at;
  size_t size;
} mn_leaf_heap;

/* Does nothing if the leaf has no split. */
void mn_leaf_heap_push(mn_leaf_heap *heap, const mn_boost_leaf *leaf, int64_t grow, size_t which);
size_t mn_leaf_heap_pop(mn_leaf_heap *heap, const mn_boost_leaf *leaf, int64_t grow);

/* Histograms allocated so far (all[0..made-1]), of which at[0..size-1] are free. */
typedef struct mn_histogram_pool {
  int64_t **at, **all;
  size_t size, made, values;
} mn_histogram_pool;

mn_status mn_histogram_pool_acquire(mn_context *ctx, mn_histogram_pool *pool, int64_t **hist);
void mn_histogram_pool_release(mn_histogram_pool *pool, int64_t *hist);

/* Mark all histograms as free, for the next tree. */
void mn_histogram_pool_reset(mn_histogram_pool *pool);

void mn_boost_add_root(const mn_boost_settings *settings, const mn_boost_gradients *gradients, mn_boost_leaf *root,
                       mn_boost_builder *trees);
void mn_boost_add_split(const mn_boost_settings *settings, const mn_boost_gradients *gradients,
                        const mn_boost_leaf *parent, mn_boost_leaf *child, mn_boost_builder *trees);

/* Under interaction constraints a node may be split by the features of those groups that hold every feature used on
 * its path. Stores both sets in `allowed` (leaves x 2 x features), row `leaf`. parent NULL: child is the root. */
void mn_boost_restrict_features(const mn_boost_settings *settings, size_t features, const mn_boost_leaf *parent,
                                mn_boost_leaf *child, uint8_t *allowed, size_t leaf);

#endif

/* Grow one tree on binned or sorted features, gradients and Hessians.
 *
 * A tree lowers the second-order objective (Chen & Guestrin, KDD 2016)
 *
 *     sum_i (g_i f(x_i) + h_i f(x_i)^2 / 2) + gamma leaves + sum_leaves (l2 v^2 / 2 + l1 |v|)
 *
 * greedily: the leaf with the largest gain is split next ("leaf"), or all leaves of a level first ("depth"). Each leaf
 * holds the ascending indices of its rows. Only the histogram of the smaller child is computed; its sibling's is the
 * parent's minus that one. Sorted columns have no histograms: each split scans the rows of the leaf. */
#ifndef MN_BOOSTING_BOOST_GROW_H
#define MN_BOOSTING_BOOST_GROW_H
#include "../core/rng.h"
#include "../core/threads.h"
#include "boost_node.h"
#include "boost_sorted.h"
#include "boost_trees.h"

typedef struct mn_grower mn_grower;

/* `sorted`: the columns for exact growth; NULL: grow on bins. */
mn_status mn_grower_make(mn_context *ctx, const mn_bins *bins, mn_sorted_columns *sorted,
                         const mn_boost_settings *settings, mn_grower **grower);

/* Grow the tree begun in `trees` (mn_boost_begin_tree). `number` selects its random stream. */
mn_status mn_boost_grow(mn_context *ctx, mn_grower *grower, const mn_boost_gradients *gradients, uint64_t number,
                        mn_boost_builder *trees);

/* Maximum number of nodes of a tree. */
size_t mn_grower_max_nodes(const mn_grower *grower);

/* Leaves of the last tree. */
size_t mn_grower_leaves(const mn_grower *grower, const mn_boost_leaf **leaf);

#endif

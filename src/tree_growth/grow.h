/* Growing one tree from the root down. */
#ifndef MN_TREE_GROWTH_GROW_H
#define MN_TREE_GROWTH_GROW_H
#include "../tree_structure/append_trees.h"
#include "growth_settings.h"

/* Grow a tree on the rows with positive weight (NULL: all rows, each with weight 1); view->weight is ignored. The tree
 * is allocated in scratch of `ctx`, exactly as large as needed. seed: of its random numbers. */
mn_status mn_grow(mn_context *ctx, const mn_growth_settings *settings, mn_grow_workspace *ws,
                  const mn_training_view *view, const double *weight, uint64_t seed, mn_grown_tree *out);

#endif

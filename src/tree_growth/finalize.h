/* The final form of a tree that has been grown. */
#ifndef MN_TREE_GROWTH_FINALIZE_H
#define MN_TREE_GROWTH_FINALIZE_H
#include "../tree_structure/append_trees.h"
#include "grow_workspace.h"

/* Join the upper tree and its subtrees, and fill in leaf values and the levels of splits. In scratch. */
mn_status mn_finalize_tree(mn_context *ctx, const mn_growth_settings *settings, mn_grow_workspace *ws,
                           const mn_training_view *view, mn_grown_tree *out);

#endif

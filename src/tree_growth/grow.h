/* One tree grown from the root down. */
#ifndef MN_TREE_GROWTH_GROW_H
#define MN_TREE_GROWTH_GROW_H
#include "../tree_structure/append_trees.h"
#include "search.h"

typedef struct mn_growth_settings {
  mn_split_settings rules;
  size_t max_depth, max_features;
  size_t max_leaves; /* 0: no limit. Else the leaf that gains most is split next */
  double min_split, min_decrease;
} mn_growth_settings;

typedef struct mn_grow_workspace mn_grow_workspace;

/* Room in which trees grow one after the other, for the threads of `ctx`. In scratch. */
mn_status mn_grow_workspace_make(mn_context *ctx, const mn_growth_settings *g, mn_grow_workspace **out);

/* Grow a tree on the rows whose weight is above 0 (NULL: on all, each with weight 1). rows->weight is not read. The
 * tree is in scratch of `ctx`, exactly as large as it is. seed: of the tree's random numbers. */
mn_status mn_grow(mn_context *ctx, const mn_growth_settings *growth, mn_grow_workspace *room,
                  const mn_training_view *rows, const double *weight, uint64_t seed, mn_grown_tree *out);

/* The levels of a split, code[0..n-1] in any order, as tree.h has them in `subset`: bits or, where that is shorter, a
 * list. Into `to` unless it is NULL; *size: the second word of the node. Returns how many words these are. */
size_t mn_split_subset(const uint32_t *code, size_t n, int32_t *to, int32_t *size);

/* add[j] += weighted decrease of impurity by splits on feature j, as a share of the weight of all rows. */
void mn_add_importances(const mn_grown_tree *tree, double *add);

#endif

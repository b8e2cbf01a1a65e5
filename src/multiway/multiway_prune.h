/* Shared by the files of C4.5 pruning: multiway_prune.c, and multiway_raise.c, which estimates the errors of a branch
 * in the place of its parent. */
#ifndef MN_MULTIWAY_MULTIWAY_PRUNE_H
#define MN_MULTIWAY_MULTIWAY_PRUNE_H
#include "multiway_grow.h"

/* Cases on the stack, from `begin` on, still to be passed down from a node. */
struct mn_pending {
  size_t at, begin;
};

/* Workspace of subtree raising; see multiway_raise.c. */
struct mn_subtree_raising {
  uint64_t *missing_any, *missing_all; /* rows: bits of the features that are missing */
  uint64_t *above, *below;             /* nodes: bits of the features tested above, and in or below */
  double *known_weight;                /* nodes: weight of the fixed rows */
  double *fixed_counts;                /* leaves x classes: class weights of the fixed rows */
  double *pooled;                      /* pending x classes: class weights of pooled cases */
  size_t node_capacity, pooled_capacity;
};

struct mn_pruning {
  mn_multiway_growth *tree;
  double confidence, z;
  uint32_t *stack, *subtree; /* nodes to be visited; nodes of a subtree */
  size_t stack_size, stack_capacity;
  double *row_weight;    /* rows: weight of each row in a node; all 0 between uses */
  double *class_weights; /* classes */
  struct mn_pending *pending;
  size_t pending_capacity;
  struct mn_subtree_raising raising;
};

/* Estimated errors of a leaf with these class counts. */
double mn_expected_errors(const struct mn_pruning *p, const double *counts);

/* List node `at` and its descendants in p->subtree, parents first, excluding the subtree `without`. Returns their
 * number. */
size_t mn_subtree_nodes(struct mn_pruning *p, size_t at, size_t without);

/* Push onto p->pending, which has *n_pending elements. */
mn_status mn_push_pending(mn_context *ctx, struct mn_pruning *p, size_t *n_pending, struct mn_pending one);

mn_status mn_subtree_raising_make(mn_context *ctx, struct mn_pruning *p);

/* Estimated errors of `branch` with all cases of its parent `at`, if some cases below have fractional weights. */
mn_status mn_raised_errors(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch, double *errors);

#endif

/* Export and inspection of adaptive forests: exported programs descend the same tables of splits, whatever the leaves
 * predict, and `structure` differs by one score. */
#ifndef MN_ONLINE_ADAPTIVE_EXPORT_H
#define MN_ONLINE_ADAPTIVE_EXPORT_H
#include "../model/operation.h"
#include "adaptive_forest.h"

/* Splits of some trees, tree after tree. */
typedef struct mn_adaptive_splits {
  int32_t *first;              /* trees: the root */
  int32_t *child;              /* 2 x nodes: left and right; 0 in a leaf */
  int32_t *feature, *observed; /* nodes; nodes x n_observed */
  double *threshold;           /* nodes: threshold */
  size_t trees, nodes, n_observed;
} mn_adaptive_splits;

/* Collect the splits of the trees in store[0 .. trees-1], in scratch. Fails for 2^30 nodes or more. */
mn_status mn_adaptive_collect_splits(mn_context *ctx, const mn_adaptive_forest *m, size_t trees, const size_t *store,
                                     mn_adaptive_splits *s);

/* Write the tables trees, watched, first, child, feature, cut and observed. */
void mn_adaptive_write_splits(mn_program *program, const mn_adaptive_splits *s);

/* Statements that descend from the root of `tree` to its leaf `at`. */
#define MN_ADAPTIVE_DESCENT                                                                                            \
  " int at = first[tree]"                                                                                              \
  " while child[2 * at] > 0 {"                                                                                         \
  "   if x[feature[at]] <= cut[at] { at = child[2 * at] } else { at = child[2 * at + 1] }"                             \
  " }"

/* leaves and drifts of each tree, and `score`, which score_of computes from its errors. */
mn_status mn_adaptive_structure(mn_context *ctx, const mn_adaptive_forest *m, const char *score,
                                double (*score_of)(const double *errors), mn_results *results);

#endif

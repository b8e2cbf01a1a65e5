/* What both adaptive forests tell of their trees: programs walk down the same tables of splits, whatever the leaves
 * answer, and `structure` differs by one number. */
#ifndef MN_ONLINE_ADAPTIVE_EXPORT_H
#define MN_ONLINE_ADAPTIVE_EXPORT_H
#include "../model/operation.h"
#include "adaptive_forest.h"

/* Splits of some trees, the nodes of one behind those of another. */
typedef struct mn_adaptive_splits {
  int32_t *first;              /* trees: the root                              */
  int32_t *child;              /* 2 x nodes: left and right; 0 in a leaf       */
  int32_t *feature, *observed; /* nodes; nodes x watched          */
  double *cut;                 /* nodes                                        */
  size_t trees, nodes, watched;
} mn_adaptive_splits;

/* Those of the trees in store[0 .. trees-1], in scratch. Refused from 2^30 nodes on. */
mn_status mn_adaptive_splits_of(mn_context *ctx, const mn_adaptive_forest *m, size_t trees, const size_t *store,
                                mn_adaptive_splits *s);

/* Tables trees, watched, first, child, feature, cut and observed. */
void mn_adaptive_put_splits(mn_program *program, const mn_adaptive_splits *s);

/* Statements: from the root of `tree` to its leaf `at`. */
#define MN_ADAPTIVE_WALK                                                                                               \
  " int at = first[tree]"                                                                                              \
  " while child[2 * at] > 0 {"                                                                                         \
  "   if x[feature[at]] <= cut[at] { at = child[2 * at] } else { at = child[2 * at + 1] }"                             \
  " }"

/* leaves and drifts of each tree, and `score`, which score_of makes of its errors. */
mn_status mn_adaptive_structure(mn_context *ctx, const mn_adaptive_forest *m, const char *score,
                                double (*score_of)(const double *errors), mn_results *results);

#endif

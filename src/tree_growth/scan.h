/* One pass over rows sorted by a column, which finds the threshold with the best proxy. */
#ifndef MN_TREE_GROWTH_SCAN_H
#define MN_TREE_GROWTH_SCAN_H
#include "search_workspace.h"

typedef struct mn_scan {
  const mn_split_settings *settings;
  const mn_training_view *view;
  const mn_node_stats *stats;
  const uint32_t *key, *id; /* n rows, ascending by key     */
  size_t n;
  const uint32_t *missing; /* rows without a value         */
  size_t n_missing;
  bool missing_left; /* side of the rows without a value */
  int monotone;
  double *left, *right; /* width: sums of the two sides */
  double tolerance;
  /* results */
  double best;   /* best proxy so far, possibly of an earlier pass           */
  size_t n_left; /* rows left of the best threshold of this pass; 0: no better one */
} mn_scan;

/* Score all thresholds. */
void mn_scan_thresholds(mn_scan *s, mn_search_workspace *ws);

/* Proxy of one split, with s->left the sums of the left side. -INFINITY if a side is too small. */
double mn_scan_split_proxy(mn_scan *s, double left_weight, double left_count);

/* Proxy of one side of a split, or of a whole node, from its sums. */
double mn_side_proxy(const mn_split_settings *settings, const double *sum, double weight);

#endif

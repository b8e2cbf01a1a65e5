/* One pass over rows sorted by a column: the cut after which the sides are purest. */
#ifndef MN_TREE_GROWTH_SCAN_H
#define MN_TREE_GROWTH_SCAN_H
#include "search.h"

typedef struct mn_scan {
  const mn_split_settings *rules;
  const mn_training_view *ground;
  const mn_node_stats *tally;
  const uint32_t *key, *id; /* n rows, ascending by key */
  size_t n;
  const uint32_t *missing; /* rows without a value ... */
  size_t n_missing;
  bool missing_left; /* ... and where they go    */
  int monotone;
  double *left, *right; /* width: room */
  double tolerance;
  /* results */
  double best; /* proxy of the best cut so far; may hold that of an earlier pass */
  size_t at;   /* rows left of it; 0: none better was found */
} mn_scan;

void mn_scan_thresholds(mn_scan *s, mn_search_workspace *bench);

/* The proxy of one cut, of which s->left holds the sums left of it. -INFINITY where a side is too small. */
double mn_scan_split_proxy(mn_scan *s, double left_weight, double left_count);

/* The proxy of sums: of a whole node, or of the two sides of a cut together. */
double mn_side_proxy(const mn_split_settings *rules, const double *sum, double weight);

double mn_x_log_x(const mn_split_settings *rules, double x); /* x log x */

#endif

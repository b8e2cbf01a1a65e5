/* The best split of a leaf by one column, from its histogram. */
#ifndef MN_BOOSTING_BOOST_SPLIT_H
#define MN_BOOSTING_BOOST_SPLIT_H
#include "boost_grow.h"

typedef struct mn_boost_scan {
  const mn_bins *bins;
  const mn_boost_rules *rules;
  const mn_boost_gradients *unit;
} mn_boost_scan;

void mn_boost_scan_feature(const mn_boost_scan *scan, const mn_boost_leaf_rows *leaf, size_t feature,
                           mn_boost_split *best);

/* Rules of a leaf's split by a column. */
mn_hist_split_params mn_boost_rules_of(const mn_boost_rules *rules, const mn_boost_leaf_rows *leaf, double direction);

static inline double mn_boost_g(const mn_boost_gradients *u, int64_t g)
{
  return (double)g * u->g_unit;
}
static inline double mn_boost_h(const mn_boost_gradients *u, int64_t hc)
{
  return (double)(hc & ((INT64_C(1) << u->bits) - 1)) * u->h_unit;
}
static inline double mn_boost_count(const mn_boost_gradients *u, int64_t hc)
{
  return (double)(hc >> u->bits);
}

#endif

/* Find the best split of a leaf by one feature, from its histogram or from its sorted rows. */
#ifndef MN_BOOSTING_BOOST_SPLIT_H
#define MN_BOOSTING_BOOST_SPLIT_H
#include "boost_node.h"
#include "boost_sorted.h"

typedef struct mn_boost_split_search {
  const mn_bins *bins;
  const mn_sorted_columns *sorted; /* NULL: use the histogram of the leaf */
  const mn_boost_settings *settings;
  const mn_boost_gradients *gradients;
} mn_boost_split_search;

void mn_boost_search_feature(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t feature,
                             mn_boost_split *best);

/* Constraints on the children of a leaf; direction: -1, 0 or 1 for a monotone feature. */
mn_hist_split_params mn_boost_split_params(const mn_boost_settings *settings, const mn_boost_leaf *leaf,
                                           double direction);

#endif

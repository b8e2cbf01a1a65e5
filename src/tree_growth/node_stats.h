/* Statistics of the rows of a node, and comparison of splits by them. */
#ifndef MN_TREE_GROWTH_NODE_STATS_H
#define MN_TREE_GROWTH_NODE_STATS_H
#include "search_workspace.h"

/* Compute the statistics of the rows id[0..n-1]. The caller provides stats->sum; low and high are kept. */
void mn_compute_node_stats(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id,
                           size_t n, mn_search_workspace *ws, mn_node_stats *stats);

/* Add the rows with left[i] != 0 (NULL: all n) to `width` sums, to their weight, and to their count as defined for
 * min_samples_leaf. */
void mn_add_rows(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id,
                 const uint32_t *left, size_t n, double *sum, double *weight, double *count);

/* Bound on the rounding error of a proxy. */
double mn_proxy_tolerance(const mn_split_settings *settings, const mn_node_stats *stats);

/* True if proxy a is larger than b by more than rounding error. */
bool mn_is_better(const mn_split_settings *settings, const mn_node_stats *stats, double a, double b);

/* True if no proxy can be larger by more than rounding error: both sides are pure. False where the bound of the
 * criterion is not known without another pass. */
bool mn_is_perfect(const mn_split_settings *settings, const mn_node_stats *stats, double proxy);

/* Decrease of the impurity by a split, times the weight of the node. */
double mn_split_gain(const mn_split_settings *settings, const mn_node_stats *stats, const mn_split *split);

#endif

/* The best split of the rows of one node by one feature. */
#ifndef MN_TREE_GROWTH_SEARCH_H
#define MN_TREE_GROWTH_SEARCH_H
#include "search_workspace.h"

/* Find the best split of the rows id[0..n-1] by feature j; split->found is false if there is none. *constant: all rows
 * have the same value. key selects the random numbers. */
void mn_search_feature(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id, size_t n,
                       const mn_node_stats *stats, size_t j, uint64_t key, mn_search_workspace *ws, mn_split *split,
                       bool *constant);

#endif

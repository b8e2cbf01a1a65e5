/* One node of a growing tree: its statistics, its best split, its children. */
#ifndef MN_TREE_GROWTH_NODE_H
#define MN_TREE_GROWTH_NODE_H
#include "grow_workspace.h"

/* Compute the statistics of the node and, unless it must be a leaf, search its split: s->found. The caller provides
 * stats->sum. */
mn_status mn_examine_node(struct mn_subtree_growth *p, const struct mn_open_node *open, mn_node_stats *stats,
                          mn_split *s);

/* Split the node: partition its rows and make both children. */
void mn_split_node(struct mn_subtree_growth *p, const struct mn_open_node *open, const mn_node_stats *stats,
                   mn_split *s, struct mn_open_node child[2]);

void mn_make_leaf(struct mn_subtree_growth *p, const struct mn_open_node *open, const mn_node_stats *stats);

/* Weight of rows[begin .. end-1]. */
double mn_rows_weight(const struct mn_subtree_growth *p, uint32_t begin, uint32_t end);

#endif

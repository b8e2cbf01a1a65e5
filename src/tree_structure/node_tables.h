/* Trees as tables.
 *
 *     nodes    nodes of all trees: tree, node, left, right (nodes of that tree; 0 in a leaf), feature, threshold,
 *              missing_left, value (of leaves with one value), cover
 *     levels   levels of splits by levels: tree, node, level, goes_left
 *     values   nodes x width: values of the leaves; NaN elsewhere */
#ifndef MN_TREE_STRUCTURE_NODE_TABLES_H
#define MN_TREE_STRUCTURE_NODE_TABLES_H
#include "../model/operation.h"
#include "tree.h"

/* The tables nodes and levels, for trees with one value in each leaf. */
mn_status mn_node_tables(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, mn_results *results);

/* The same with the table values, for trees with `width` values in each leaf. */
mn_status mn_node_tables_wide(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, size_t width,
                              mn_results *results);

#define MN_NODES_RETURNS(value)                                                                                        \
  "nodes: Frame of tree, node, left and right (nodes of that tree; 0 in a leaf), feature, threshold (x <= threshold "  \
  "goes left), missing_left, " value "cover; levels: Frame of tree, node, level, goes_left"

#endif

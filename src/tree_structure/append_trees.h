/* Trees that were grown by themselves come into the arrays of a model. */
#ifndef MN_TREE_STRUCTURE_APPEND_TREES_H
#define MN_TREE_STRUCTURE_APPEND_TREES_H
#include "tree.h"

/* One tree as it was grown, in memory of whoever grew it. Blocks and levels are counted from its own first one. */
typedef struct mn_grown_tree {
  int32_t *node;            /* nodes x 4 words */
  double *cover, *impurity; /* nodes; impurity may be NULL in all trees   */
  double *mean;             /* nodes: the value it would have as a leaf (first target; share of the second class);
                               not joined; may be NULL                      */
  size_t nodes;
  double *value; /* blocks x width */
  size_t blocks;
  int32_t *subset; /* levels */
  size_t levels;
} mn_grown_tree;

/* Trees into `out`, behind those that are there. MN_BAD_DATA when they have more nodes than can be counted. */
mn_status mn_append_trees(mn_context *ctx, const char *who, const mn_grown_tree *tree, size_t trees, size_t width,
                          mn_trees *out);

/* The same for trees that come one after the other, from several threads, in any order: they are copied when they come,
 * so what they were grown in is free for the next ones. */
typedef struct mn_tree_appender mn_tree_appender;

/* For so many trees without impurities, behind those in `out`, which must not be read before the end. In scratch. */
mn_status mn_tree_appender_begin(mn_context *ctx, const char *who, size_t trees, size_t width, mn_trees *out,
                                 mn_tree_appender **joining);

/* Tree t, counted from 0. The context is that of the thread. */
mn_status mn_tree_appender_add(mn_tree_appender *joining, mn_context *ctx, size_t t, const mn_grown_tree *tree);

/* All trees have come; or some never will, and `out` is only fit to be freed. */
mn_status mn_tree_appender_end(mn_tree_appender *joining, mn_context *ctx);

#endif

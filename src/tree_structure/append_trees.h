/* Appending trees that were grown one by one to the arrays of a model. */
#ifndef MN_TREE_STRUCTURE_APPEND_TREES_H
#define MN_TREE_STRUCTURE_APPEND_TREES_H
#include "tree.h"

/* One tree as it was grown, in memory of the caller. Blocks and levels are numbered from 0 within the tree. */
typedef struct mn_grown_tree {
  int32_t *node;            /* nodes x 4 words */
  double *cover, *impurity; /* nodes; impurity may be NULL in all trees */
  double *mean;             /* nodes: the value as a leaf (first target; share of the second class); not appended,
                               may be NULL */
  size_t nodes;
  double *value; /* blocks x width */
  size_t blocks;
  int32_t *subset; /* levels */
  size_t levels;
} mn_grown_tree;

/* Append trees to `out`. MN_BAD_DATA if the nodes exceed the index range. */
mn_status mn_append_trees(mn_context *ctx, const char *who, const mn_grown_tree *tree, size_t trees, size_t width,
                          mn_trees *out);

/* The same for trees that come one by one from several threads, in any order. They are copied at once, so that the
 * memory in which they were grown can be reused. */
typedef struct mn_tree_appender mn_tree_appender;

/* Begin to append `trees` trees without impurities to `out`, which must not be read before the end. In scratch. */
mn_status mn_tree_appender_begin(mn_context *ctx, const char *who, size_t trees, size_t width, mn_trees *out,
                                 mn_tree_appender **appender);

/* Add tree t, counted from 0. The context is that of the calling thread. */
mn_status mn_tree_appender_add(mn_tree_appender *appender, mn_context *ctx, size_t t, const mn_grown_tree *tree);

/* End, after all trees were added or after an error. In the latter case `out` is only fit to be freed. */
mn_status mn_tree_appender_end(mn_tree_appender *appender, mn_context *ctx);

#endif

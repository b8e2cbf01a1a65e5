/* Trees that were grown by themselves come into the arrays of a model. */
#ifndef MN_TREE_STRUCTURE_JOIN_H
#define MN_TREE_STRUCTURE_JOIN_H
#include "tree.h"

/* One tree as it was grown, in memory of whoever grew it. Blocks and levels are counted from its own first one. */
typedef struct mn_grown {
  int32_t *node;            /* nodes x 4 words */
  double *cover, *impurity; /* nodes; impurity may be NULL in all trees   */
  double *mean;             /* nodes: the value it would have as a leaf (first target; share of the second class);
                               not joined; may be NULL                      */
  size_t nodes;
  double *value; /* blocks x width */
  size_t blocks;
  int32_t *subset; /* levels */
  size_t levels;
} mn_grown;

/* Trees into `out`, behind those that are there. MN_BAD_DATA when they have more nodes than can be counted. */
mn_status mn_trees_join(mn_context *ctx, const char *who, const mn_grown *tree, size_t trees, size_t width,
                        mn_trees *out);

/* The same for trees that come one after the other, from several threads, in any order: they are copied when they come,
 * so what they were grown in is free for the next ones. */
typedef struct mn_joining mn_joining;

/* For so many trees without impurities, behind those in `out`, which must not be read before the end. In scratch. */
mn_status mn_joining_begin(mn_context *ctx, const char *who, size_t trees, size_t width, mn_trees *out,
                           mn_joining **joining);

/* Tree t, counted from 0. The context is that of the thread. */
mn_status mn_joining_add(mn_joining *joining, mn_context *ctx, size_t t, const mn_grown *tree);

/* All trees have come; or some never will, and `out` is only fit to be freed. */
mn_status mn_joining_end(mn_joining *joining, mn_context *ctx);

#endif

/* The clustering feature tree of BIRCH. An entry summarizes rows by their number, sum and sum of squares; a node holds
 * up to `branching` entries, and an entry of an inner node summarizes a child node. A row descends to the nearest entry
 * of a leaf and joins it if the radius of the entry, the root mean square distance of its rows from their mean, stays
 * within the threshold; otherwise it becomes an entry. A node that is too full is split at its two entries that are
 * farthest apart. Zhang, Ramakrishnan & Livny, SIGMOD (1996). */
#ifndef MN_CLUSTER_CF_TREE_H
#define MN_CLUSTER_CF_TREE_H
#include "../core/matrix.h"

/* All in scratch memory. */
typedef struct mn_cf_entry {
  double count, square; /* square: sum of |x|^2         */
  int32_t child;        /* node; -1 in a leaf           */
} mn_cf_entry;

typedef struct mn_cf_tree {
  size_t d, branching;
  double threshold;
  size_t entries, nodes, entry_capacity, node_capacity;
  mn_cf_entry *entry;
  double *sum;     /* entries x d                             */
  int32_t *member; /* nodes x (branching + 1): entries of each */
  int32_t *size;   /* nodes: number of entries                */
  int32_t root;    /* -1: empty                               */
} mn_cf_tree;

/* An empty tree. */
mn_status mn_cf_init(mn_context *ctx, size_t d, size_t branching, double threshold, mn_cf_tree *t);

mn_status mn_cf_insert(mn_context *ctx, mn_cf_tree *t, const double *x);

/* A new node without entries, and a new entry at its end; both may move the arrays. */
mn_status mn_cf_new_node(mn_context *ctx, mn_cf_tree *t, int32_t *node);
mn_status mn_cf_new_entry(mn_context *ctx, mn_cf_tree *t, int32_t node, int32_t *entry);

#endif

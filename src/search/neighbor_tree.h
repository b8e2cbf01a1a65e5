/* A tree over rows for searches that exclude whole groups of rows by bounds on their distances: k-d trees with boxes
 * and ball trees.
 *
 * Rows are sorted into positions 0 .. n - 1, and a node is a range of positions. A node is split at the median of its
 * widest column; all leaves have the same depth and, to within one, the same number of rows. Three binary splits are
 * taken as one step: an inner node has eight children (the root may have 1, 2 or 4), whose bounds lie side by side, so
 * that vector instructions compute all of them together. Node i of level l has the children f i, ..., f i + f - 1 of
 * level l + 1, where f is mn_tree_children(t, l); the nodes of level t->levels are the leaves, and level 0 is the root.
 *
 * The tree does not depend on the number of threads. Friedman, Bentley & Finkel, ACM TOMS 3 (1977); Omohundro, ICSI
 * TR-89-063 (1989); Wald et al., IEEE/EG Symp. Interactive Ray Tracing (2008), for wide nodes. */
#ifndef MN_SEARCH_NEIGHBOR_TREE_H
#define MN_SEARCH_NEIGHBOR_TREE_H
#include "metric.h"

enum { MN_TREE_LEVELS = 12, MN_TREE_STACK = MN_TREE_LEVELS * MN_LANES };

/* 64-bit counts, so that estimators can list them as derived fields. */
typedef struct mn_neighbor_tree {
  int64_t n, width; /* rows; columns of the embedded rows                         */
  int64_t depth;    /* binary levels: there are 2^depth leaves                     */
  int64_t capacity; /* of a leaf: a multiple of MN_LANES                           */
  int64_t balls;    /* bounds are balls instead of boxes                           */
  mn_vector points; /* leaves x width x capacity: the rows of each leaf, by column */
  mn_vector bounds; /* of the children of each inner node; see mn_tree_lower_bounds */
  mn_indexes row;   /* n: the row at each position                                 */
} mn_neighbor_tree;

/* Build a tree over n > 0 embedded rows (n x space->width), with at most leaf_size rows in a leaf. The tree is in
 * scratch memory, or owns memory from the account of ctx. O(n width log n). */
mn_status mn_tree_init(mn_context *ctx, mn_neighbor_tree *t, const mn_space *space, size_t n, const double *rows,
                       size_t leaf_size, bool balls, bool scratch);
void mn_tree_free(mn_memory *memory, mn_neighbor_tree *t);

/* Levels below the root: 0 if the root is a leaf. */
static inline size_t mn_tree_levels(const mn_neighbor_tree *t)
{
  return ((size_t)t->depth + 2) / 3;
}

/* The binary depth of a level. */
static inline size_t mn_tree_depth(const mn_neighbor_tree *t, size_t level)
{
  return level == 0 ? 0 : (size_t)t->depth - 3 * (mn_tree_levels(t) - level);
}

/* The number of children of an inner node of this level. */
static inline size_t mn_tree_children(const mn_neighbor_tree *t, size_t level)
{
  return (size_t)1 << (mn_tree_depth(t, level + 1) - mn_tree_depth(t, level));
}

/* The first position of a node; that of the next node of the level is its end. */
static inline size_t mn_tree_begin(const mn_neighbor_tree *t, size_t level, size_t node)
{
  return node * (size_t)t->n >> mn_tree_depth(t, level);
}

/* A node in a walk that visits the nearest first, with a lower bound on the reduced distances of its rows. */
typedef struct mn_tree_node {
  double bound;
  uint32_t level, index;
} mn_tree_node;

static inline mn_tree_node mn_tree_child(const mn_neighbor_tree *t, mn_tree_node parent, size_t i, double bound)
{
  return (mn_tree_node){ bound, parent.level + 1, (uint32_t)(parent.index * mn_tree_children(t, parent.level) + i) };
}

/* Push a node onto a stack of `size` nodes. Those from `bottom` on, its siblings, stay in falling order of their
 * bounds, so that the nearest is popped first. Returns the new size. */
static inline size_t mn_tree_push(mn_tree_node *stack, size_t bottom, size_t size, mn_tree_node node)
{
  size_t at = size;
  for (; at > bottom && stack[at - 1].bound < node.bound; at--) stack[at] = stack[at - 1];
  stack[at] = node;
  return size + 1;
}

/* Push the children of a node whose bounds (MN_LANES values) are not above the limit. */
static inline size_t mn_tree_push_within(const mn_neighbor_tree *t, mn_tree_node parent, const double *bound,
                                         double limit, mn_tree_node *stack, size_t size)
{
  const size_t children = mn_tree_children(t, parent.level), bottom = size;
  for (size_t i = 0; i < children; i++)
    if (!(bound[i] > limit)) size = mn_tree_push(stack, bottom, size, mn_tree_child(t, parent, i, bound[i]));
  return size;
}

/* The values of a leaf: value j of its i-th row at [j * capacity + i]. */
static inline const double *mn_tree_leaf(const mn_neighbor_tree *t, size_t leaf)
{
  return t->points.at + leaf * (size_t)(t->width * t->capacity);
}

/* The number of inner nodes above a level: node i of level l is the inner node mn_tree_above(t, l) + i. */
size_t mn_tree_above(const mn_neighbor_tree *t, size_t level);

/* Bounds on the reduced distances from an embedded query to the rows of each child of an inner node, MN_LANES values;
 * those after the last child are INFINITY for lower bounds and arbitrary for upper bounds. The bounds hold for the
 * distances of mn_block_distances, allowing for rounding. */
void mn_tree_lower_bounds(const mn_neighbor_tree *t, const mn_space *space, size_t level, size_t node, const double *q,
                          double *lower);
void mn_tree_upper_bounds(const mn_neighbor_tree *t, const mn_space *space, size_t level, size_t node, const double *q,
                          double *upper);

/* The box of the rows of a leaf, width values each. Only trees with boxes whose root is not a leaf. */
void mn_tree_leaf_box(const mn_neighbor_tree *t, size_t leaf, double *low, double *high);

/* Lower bounds on the reduced distances between the rows of a box and those of each child of an inner node of a tree
 * with boxes, MN_LANES values as in mn_tree_lower_bounds. Not for MN_FORM_POWERS. */
void mn_tree_gaps(const mn_neighbor_tree *t, const mn_space *space, size_t level, size_t node, const double *low,
                  const double *high, double *gap);

/* The sums of the weights (n, by row; NULL: all 1) of all nodes: *sums (scratch) of node i of level l is at
 * mn_tree_above(t, l) + i. Leaves come after all inner nodes. */
mn_status mn_tree_weight_sums(mn_context *ctx, const mn_neighbor_tree *t, const double *weights, double **sums);

#endif

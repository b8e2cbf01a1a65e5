/* Growing one tree on bins, gradients and Hessians.
 *
 * A tree lowers the second-order objective (Chen & Guestrin, KDD 2016)
 *
 *     sum_i (g_i f(x_i) + h_i f(x_i)^2 / 2) + gamma leaves + sum_leaves (l2 v^2 / 2 + l1 |v|)
 *
 * greedily: the leaf whose best split gains most is split next ("leaf"), or all leaves of a level first ("depth"). Rows
 * are kept as lists of their numbers, one stretch for each leaf; the histogram is made for the smaller child, that of
 * its sibling is what is left of the parent's. */
#ifndef MN_BOOSTING_BOOST_GROW_H
#define MN_BOOSTING_BOOST_GROW_H
#include "../core/rng.h"
#include "../core/threads.h"
#include "../histogram/bins.h"
#include "../histogram/hist_kernel.h"
#include "boost_trees.h"

enum { MN_GROW_LEAF, MN_GROW_DEPTH };

typedef struct mn_boost_rules {
  int64_t grow;
  size_t max_leaves, max_depth; /* SIZE_MAX: no limit                            */
  double least_count;           /* in the unit of the rows' count, as all_count  */
  double all_count;
  double largest_value; /* bound of a leaf's value, before rate          */
  double least_hessian, l1, l2, gamma, rate, smooth;
  double colsample_tree, colsample_level, colsample_node; /* each a share of the one before */
  int64_t seed;
  const double *monotone;    /* features: -1, 0 or 1; or NULL                   */
  const mn_matrix *together; /* groups x features: 1 for a column of the group; or NULL */
} mn_boost_rules;

/* Gradients of all rows in fixed point, see hist_kernel.h; narrow: a word each, see hist_narrow_kernel.h. A sum of them
 * times its unit is what it stands for. */
typedef struct mn_boost_gradients {
  int64_t *gh;
  double g_unit, h_unit, count_unit;
  unsigned bits;
  bool narrow;
} mn_boost_gradients;

typedef struct mn_boost_split {
  double gain; /* <= 0: there is none */
  uint32_t feature, bin;
  bool levels, missing_left;
  int64_t g, hc; /* of the left child */
  double left_value, right_value;
  uint32_t set[MN_SET_WORDS];
} mn_boost_split;

typedef struct mn_boost_leaf_rows {
  size_t begin, count, depth, node;
  const uint32_t *rows; /* count, ascending */
  size_t side;          /* which of the two lists holds them */
  int64_t *hist;
  int64_t g, hc;
  double value, low, high;
  uint8_t *allowed; /* 2 x features: those that may be split by, and those that were; NULL: all may */
  bool open;        /* may be split        */
  mn_boost_split best;
} mn_boost_leaf_rows;

typedef struct mn_grower mn_grower;

mn_status mn_grower_make(mn_context *ctx, const mn_bins *bins, const mn_boost_rules *rules, mn_grower **grower);

/* Grow the tree that was begun in `trees` (mn_boost_begin). `number` names its random stream. */
mn_status mn_boost_grow(mn_context *ctx, mn_grower *grower, const mn_boost_gradients *gradients, uint64_t number,
                        mn_boost_builder *trees);

/* The most nodes that a tree can have. */
size_t mn_grower_nodes(const mn_grower *grower);

/* The leaves of the last tree. */
size_t mn_grower_leaves(const mn_grower *grower, const mn_boost_leaf_rows **leaf);

#endif

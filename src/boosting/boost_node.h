/* Types shared by the parts of histogram tree growing: settings, gradients in fixed point, splits and leaves. */
#ifndef MN_BOOSTING_BOOST_NODE_H
#define MN_BOOSTING_BOOST_NODE_H
#include "../core/matrix.h"
#include "../histogram/bins.h"
#include "../histogram/hist_kernel.h"
#include "boost_trees.h"

enum { MN_GROW_LEAF, MN_GROW_DEPTH };

typedef struct mn_boost_settings {
  int64_t grow;
  size_t max_leaves, max_depth; /* SIZE_MAX: unlimited */
  double min_count;             /* of a leaf, in the same unit as total_count */
  double total_count;
  double max_value; /* bound on the absolute value of a leaf, before the learning rate */
  double min_hessian, l1, l2, gamma, learning_rate, cat_smooth;
  double prune_gain; /* splits with less gain are removed from the grown tree; gamma is 0 then. 0: no pruning */
  double colsample_tree, colsample_level, colsample_node; /* each a fraction of the one before */
  int64_t seed;
  const double *monotone;              /* features: -1, 0 or 1; or NULL */
  const mn_matrix *interaction_groups; /* groups x features: 1 where the feature is in the group; or NULL */
} mn_boost_settings;

/* Gradients and Hessians of all rows in fixed point (hist_kernel.h), or one word per row if `narrow`
 * (hist_narrow_kernel.h). A sum times its unit is the real value. */
typedef struct mn_boost_gradients {
  int64_t *gh;
  double g_unit, h_unit, count_unit;
  unsigned bits;
  bool narrow;
} mn_boost_gradients;

typedef struct mn_boost_split {
  double gain;           /* <= 0: no split was found */
  uint32_t feature, bin; /* the last bin, or rank of a sorted column, that goes left */
  double threshold;
  bool categorical, missing_left;
  int64_t g, hc; /* sums of the left child */
  double left_value, right_value;
  uint32_t left_levels[MN_SET_WORDS];
} mn_boost_split;

typedef struct mn_boost_leaf {
  size_t begin, count, depth, node;
  const uint32_t *rows; /* count, ascending */
  size_t buffer;        /* which of the two row buffers holds them */
  int64_t *hist;
  int64_t g, hc;
  double value, low, high;
  uint8_t *allowed; /* 2 x features: those allowed for a split, and those used on the path; NULL: all are allowed */
  bool splittable;
  mn_boost_split best;
} mn_boost_leaf;

/* Real values of fixed-point sums. */
static inline double mn_boost_g(const mn_boost_gradients *u, int64_t g)
{
  return (double)g * u->g_unit;
}
static inline double mn_boost_h(const mn_boost_gradients *u, int64_t hc)
{
  return (double)(hc & ((INT64_C(1) << u->bits) - 1)) * u->h_unit;
}
static inline double mn_boost_count(const mn_boost_gradients *u, int64_t hc)
{
  return (double)(hc >> u->bits);
}

#endif

/* Hoeffding trees for regression (FIMT-DD: Ikonomovska, Gama & Dzeroski, Data Mining and Knowledge Discovery 23, 2011).
 *
 * A leaf predicts its mean, or a linear model through it, whichever was more accurate recently. For each observed
 * feature it keeps a streaming histogram of MN_HISTOGRAM_BINS bins with weight and mean of y (Ben-Haim & Tom-Tov, JMLR
 * 11, 2010); thresholds lie halfway between two bins. The split with the largest reduction of variance is made when the
 * second best is worse with high probability, and when the reduction is larger than expected from noise. */
#ifndef MN_ONLINE_REGRESSION_TREE_H
#define MN_ONLINE_REGRESSION_TREE_H
#include "adaptive_forest.h"

enum { MN_HISTOGRAM_BINS = 16 };
enum { MN_STATS_TABLE, MN_SLOPES_TABLE, MN_BINS_TABLE };

/* Errors of a tree: of the detector, then rows, squared errors, mean of y, absolute deviations from it. */
enum {
  MN_REGRESSION_ROWS = MN_DETECTOR,
  MN_REGRESSION_SQUARES,
  MN_REGRESSION_MEAN,
  MN_REGRESSION_DEVIATION,
  MN_REGRESSION_ERRORS
};

/* Node statistics. Weight, mean, minimum and maximum of y include the rows inherited from the parent; the own ones do
 * not. The squared errors of mean and linear model decay exponentially. */
enum {
  MN_NODE_WEIGHT,
  MN_NODE_MEAN,
  MN_NODE_MIN,
  MN_NODE_MAX,
  MN_NODE_ROWS,
  MN_NODE_OWN_WEIGHT,
  MN_NODE_OWN_MEAN,
  MN_NODE_SQUARES,
  MN_NODE_MEAN_ERROR,
  MN_NODE_LINEAR_ERROR,
  MN_NODE_STATS
};

/* An observed feature in the linear model of a node: mean and squares of x, slope. */
typedef struct mn_leaf_slope {
  double mean, squares, slope;
} mn_leaf_slope;

/* Streaming histogram of an observed feature; bins are ascending in x. */
typedef struct mn_histogram_bin {
  double x, weight, mean;
} mn_histogram_bin;
typedef struct mn_streaming_histogram {
  double used;
  mn_histogram_bin bin[MN_HISTOGRAM_BINS];
} mn_streaming_histogram;

/* View of one store. */
typedef struct mn_regression_tree {
  int32_t *used, *child, *feature, *observed;
  double *threshold, *last_weight, *stats;
  mn_leaf_slope *slope;              /* slots x n_observed */
  mn_streaming_histogram *histogram; /* slots x n_observed */
  size_t features, n_observed;
  double grace, delta, tau;
  bool adaptive;
} mn_regression_tree;

mn_regression_tree mn_regression_tree_view(const mn_adaptive_forest *m, size_t store);

/* Make a tree of one empty leaf. */
void mn_regression_tree_init(const mn_regression_tree *t, mn_rng *rng);

/* Learn one row. Requires two free slots. */
void mn_regression_tree_learn(const mn_regression_tree *t, mn_rng *rng, const double *x, double y, double weight);

/* Returns false if the tree has not learned any row. */
bool mn_regression_tree_predict(const mn_regression_tree *t, const double *x, double *value);

/* Whether the linear model predicts in this leaf. */
bool mn_leaf_is_linear(const mn_regression_tree *t, int32_t leaf);

/* Prediction if no tree has learned any row: the mean of y. */
double mn_regression_default(const mn_adaptive_forest *m);

#endif

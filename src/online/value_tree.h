/* Hoeffding trees for numbers (Ikonomovska, Gama & Dzeroski, Data Mining and Knowledge Discovery 23, 2011: FIMT-DD).
 *
 * A leaf answers by its mean or by a line through it, whichever has been nearer of late. Of each column that it watches
 * it keeps MN_VALUE_BINS places with weight and mean of y (Ben-Haim & Tom-Tov, JMLR 11, 2010); it may be split halfway
 * between two of them. The split that lowers the variance most is made when the second best is surely worse, and when
 * chance alone would hardly lower it so much. */
#ifndef MN_ONLINE_VALUE_TREE_H
#define MN_ONLINE_VALUE_TREE_H
#include "adaptive_forest.h"

enum { MN_VALUE_BINS = 16 };
enum { MN_SUMS_TABLE, MN_LINES_TABLE, MN_BINS_TABLE };

/* Errors of a tree: of the detector, then rows, squared errors, mean of y, absolute distances from it. */
enum { MN_VALUES_SEEN = MN_DETECTOR, MN_VALUES_SQUARES, MN_VALUES_MEAN, MN_VALUES_SPREAD, MN_VALUE_ERRORS };

/* What a node sums up: of all rows that count there, those that its parent passed on among them, weight, mean, least
 * and largest y; of the rows that it saw itself their number, weight, mean of y and squares about it; squared errors of
 * the mean and of the line, those long past counting less. */
enum {
  MN_NODE_WEIGHT,
  MN_NODE_MEAN,
  MN_NODE_LOW,
  MN_NODE_HIGH,
  MN_NODE_ROWS,
  MN_NODE_SEEN,
  MN_NODE_CENTER,
  MN_NODE_SQUARES,
  MN_NODE_OFF_MEAN,
  MN_NODE_OFF_LINE,
  MN_NODE_SUMS
};

/* Of a column that a node watches, for its line: mean of x, squares about it, slope. */
typedef struct mn_slope {
  double mean, squares, slope;
} mn_slope;

/* Of a column that a node watches, for its splits: places in ascending order. */
typedef struct mn_value_bin {
  double x, weight, mean;
} mn_value_bin;
typedef struct mn_value_histogram {
  double used;
  mn_value_bin bin[MN_VALUE_BINS];
} mn_value_histogram;

/* One store. */
typedef struct mn_value_tree {
  int32_t *used, *child, *feature, *observed;
  double *cut, *looked, *sums;
  mn_slope *slope;            /* slots x watched */
  mn_value_histogram *column; /* slots x watched */
  size_t features, watched;
  double grace, delta, tau;
  bool adaptive;
} mn_value_tree;

mn_value_tree mn_value_tree_of(const mn_adaptive_forest *m, size_t store);

/* A tree of one leaf, which knows nothing. */
void mn_value_begin(const mn_value_tree *t, mn_rng *rng);

/* Learn one row. There are two slots free. */
void mn_value_learn(const mn_value_tree *t, mn_rng *rng, const double *x, double y, double weight);

/* False: the tree has not seen a row. */
bool mn_value_predict(const mn_value_tree *t, const double *x, double *value);

/* Does the line answer in this leaf? */
bool mn_leaf_is_line(const mn_value_tree *t, int32_t leaf);

/* The answer where no tree has seen a row: the mean of y. */
double mn_value_default(const mn_adaptive_forest *m);

#endif

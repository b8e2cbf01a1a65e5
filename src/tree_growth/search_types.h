/* Types that growing a tree passes around: the training data, the settings, the statistics of a node, a split. */
#ifndef MN_TREE_GROWTH_SEARCH_TYPES_H
#define MN_TREE_GROWTH_SEARCH_TYPES_H
#include "columns.h"

typedef enum mn_criterion {
  MN_CRITERION_GINI,
  MN_CRITERION_ENTROPY,
  MN_CRITERION_SQUARED_ERROR,
  MN_CRITERION_FRIEDMAN_MSE,
  MN_CRITERION_POISSON,
  MN_CRITERION_ABSOLUTE_ERROR
} mn_criterion;

/* The training data as a tree reads it: all rows of X, or a compact copy of the rows of one subtree. Rows are numbered
 * within the view. */
typedef struct mn_training_view {
  const uint32_t *row;      /* row of X for each row of the view; NULL: the view is X                 */
  const mn_packed *rank;    /* features x rows                                                        */
  double *const *value;     /* features x rows; NULL unless thresholds are drawn at random            */
  size_t stride;            /* capacity for rows                                                      */
  const uint32_t *position; /* index of a row in the order of all nodes, or MN_NO_POSITION; NULL unless
                               the columns include sparse ones                                        */
  const double *weight;     /* NULL: all 1                                                            */
  const int32_t *code;      /* class codes; NULL in regression                                        */
  const double *y;          /* rows x targets, centered; NULL in classification                       */
  const uint32_t *y_rank;   /* rank of y among its distinct values, for absolute_error                */
} mn_training_view;

/* Settings of the search for splits. They are the same for all nodes. */
typedef struct mn_split_settings {
  mn_criterion criterion;
  bool random_thresholds; /* draw one threshold for each feature instead of searching the best */
  size_t width;           /* number of classes or targets                                      */
  const mn_tree_columns *columns;
  double min_leaf_rows, min_leaf_weight;
  const int8_t *monotone; /* features: -1, 0 or 1; NULL: no constraints                             */
  const uint64_t *groups; /* features: bit set of the interaction groups that contain it; or NULL   */
  const double *center;   /* targets: means that were subtracted from y                             */
  const double *x_log_x;  /* table of x log x for x = 0 .. size - 1; NULL: weights are not integers */
  size_t x_log_x_size;
} mn_split_settings;

/* Statistics of the rows of one node. */
typedef struct mn_node_stats {
  double weight, count; /* count: a row of weight w counts as max(1, w) rows                        */
  double *sum;          /* width: weight of each class, or sum of w y for each target               */
  double sum_squares;   /* sum of w y^2 over all targets                                            */
  double proxy;         /* proxy of the node itself, see scan.c                                     */
  double impurity;
  double value;               /* mean or median of the first target, or share of the second class   */
  bool pure;                  /* all rows have the same class or y                                  */
  double low, high;           /* bounds of the value under monotone constraints                     */
  const uint64_t *class_word; /* class words of the rows (node_kernel.h), or NULL                   */
  /* For absolute_error, in the workspace that computed the statistics: the position of the y of each row in the sorted
   * y of the node, and the sorted y. */
  const uint32_t *y_position;
  const double *y_sorted;
} mn_node_stats;

/* Special values of mn_split.last_row and next_row: no such row; any row with value 0 in a sparse column. */
enum { MN_NO_NEXT_ROW = INT32_MAX, MN_ZERO_ROW = INT32_MAX - 1 };
#define MN_NO_POSITION UINT32_MAX

typedef struct mn_split {
  bool found;
  double proxy; /* larger is better */
  size_t feature;
  double threshold;            /* of a random threshold: x <= threshold goes left                              */
  uint32_t last_rank;          /* of a searched threshold: the largest rank that goes left                     */
  uint32_t last_row, next_row; /* a row of that rank, and one of the next rank in the node; MN_NO_NEXT_ROW: all
                                  rows with a value go left, and the threshold is infinite                     */
  const uint16_t *quantized;   /* random threshold in a large node: row i of the node goes left if
                                  quantized[i] <= last_quantized; NULL otherwise                               */
  uint16_t last_quantized;
  bool by_levels, missing_left;
  size_t levels; /* number of levels that go left; they are in the workspace, ascending */
} mn_split;

/* The rows of a node split by one column into those with a value and those without, and the range of the ranks. */
struct mn_gathered_rows {
  const uint32_t *id, *missing;
  size_t n, n_missing;
  uint32_t low, high;
};

/* A threshold in [low, high), for u in [0, 1). */
static inline double mn_threshold_between(double low, double high, double u)
{
  const double cut = low + u * (high - low);
  return (cut < high ? cut : low) + 0.0; /* no -0 */
}

#endif

/* The best split of the rows of one node by one feature. */
#ifndef MN_TREE_GROWTH_SEARCH_H
#define MN_TREE_GROWTH_SEARCH_H
#include "../core/rng.h"
#include "../core/threads.h"
#include "columns.h"

typedef enum mn_criterion {
  MN_CRITERION_GINI,
  MN_CRITERION_ENTROPY,
  MN_CRITERION_SQUARED_ERROR,
  MN_CRITERION_FRIEDMAN_MSE,
  MN_CRITERION_POISSON,
  MN_CRITERION_ABSOLUTE_ERROR
} mn_criterion;

/* Rows where a tree grows: all of X, or the few of a subtree, copied close together. A row is named by its place. */
typedef struct mn_training_view {
  const uint32_t *row;   /* where they stand in X, or NULL: they are X    */
  const mn_packed *rank; /* features, of rows                          */
  double *const *value;  /* features, of rows; or NULL                  */
  size_t stride;
  const uint32_t *place;  /* where a row stands among those of all nodes, MN_NO_POSITION: in none; NULL: no column is
                             kept as  few, see columns.h */
  const double *weight;   /* or NULL: all 1                              */
  const int32_t *code;    /* classes, or NULL                            */
  const double *y;        /* rows x targets, about their mean; or NULL   */
  const uint32_t *y_rank; /* place of y among its distinct values, for the absolute error */
} mn_training_view;

/* What does not change from node to node. */
typedef struct mn_split_settings {
  mn_criterion criterion;
  bool random;  /* cuts are drawn, not searched                                    */
  size_t width; /* classes, or targets                                             */
  const mn_tree_columns *columns;
  double min_leaf, min_leaf_weight;
  const int8_t *monotone; /* features: -1, 0, 1; or NULL                                     */
  const uint64_t *groups; /* features: bits of the groups that hold it, see groups.h; or NULL */
  const double *center;   /* targets: what was taken off y                                   */
  const double *x_log_x;  /* x log x for x = 0 .. size - 1; NULL: weights are not whole      */
  size_t x_log_x_size;
} mn_split_settings;

/* The rows of one node together. */
typedef struct mn_node_stats {
  double weight, count; /* count: a row of weight w counts as max(1, w) rows                  */
  double *sum;          /* width: weight of each class, or sum of w y                         */
  double square;        /* sum of w y^2 (all targets)                                         */
  double proxy;         /* what a split must improve on                                       */
  double impurity;
  double value;         /* mean or median of the first target, share of the second class       */
  bool pure;            /* one class, or all y alike                                          */
  double low, high;     /* where the value must lie, for monotone constraints                 */
  const uint64_t *vote; /* of each row (node_kernel.h), where drawn cuts count classes; or NULL */
  /* absolute error: the place of a row's y within the node, by row; and the y sorted. In the bench that summed up,
   * which need not be the one that searches. */
  const uint32_t *y_place;
  const double *y_sorted;
} mn_node_stats;

/* In place of a row: none; any that has 0, of a column that is kept as few. */
enum { MN_NO_NEXT_ROW = INT32_MAX, MN_ZERO_ROW = INT32_MAX - 1 };
#define MN_NO_POSITION UINT32_MAX

typedef struct mn_split {
  bool found;
  double proxy; /* larger is better                                                        */
  size_t feature;
  double threshold;     /* drawn cuts of numbers: left where x <= threshold                     */
  uint32_t rank;        /* searched ones: the last rank that goes left                          */
  uint32_t last, next;  /* a row of that rank, and one of the next in the node; MN_NO_NEXT_ROW: all that have a value go
                           left, the threshold is infinite                                      */
  const uint16_t *step; /* drawn in a large node: left where step[i] <= last_step of its row i; or NULL */
  uint16_t last_step;
  bool by_levels, missing_left;
  size_t levels; /* how many levels go left: bench->levels, ascending                       */
} mn_split;

/* Room for one thread; `rows` of everything unless said otherwise. */
typedef struct mn_search_workspace {
  mn_cancel_token token;      /* nodes of many rows are left where the operation was cancelled */
  size_t rows;                /* for which it is laid */
  uint32_t *key, *id;         /* sorted by key. They share memory with `pair`, as do value, vote and, where cuts are
                                 searched, raw_key: each is read before the next is written */
  uint32_t *raw_key, *raw_id; /* before sorting, behind which the missing ones stand */
  uint64_t *pair[2];
  double *value; /* where cuts are drawn */
  uint64_t *vote;
  uint16_t *steps; /* coarse values of some columns, each in step_room */
  size_t step_room;
  uint16_t *step;               /* of the column that is searched, or NULL */
  uint32_t *few_entry, *few_at; /* where a column is kept as few, see few.c */
  double *left, *right;         /* width                                           */
  uint32_t *levels;             /* codes that go left, ascending                   */
  double *level_score;          /* factors: what orders the levels of a node       */
  uint32_t *level_start, *level_order, *level_id;
  double *tree_weight, *tree_sum; /* absolute error: 2 x rows, by place of y         */
  uint32_t *y_place;              /* stride: the place of a row's y within the node  */
  double *y_sorted;
} mn_search_workspace;

/* For the calling thread. rows: of a node at most; stride: of the ground. Before it is used it must be laid. */
mn_status mn_search_workspace_make(mn_context *ctx, const mn_split_settings *rules, size_t rows, size_t stride,
                                   mn_search_workspace *bench);

/* What is sorted stands in `pairs`, of mn_search_pairs_size(rows), for nodes of so many rows. */
size_t mn_search_pairs_size(size_t rows);
void mn_search_workspace_attach(const mn_split_settings *rules, uint64_t *pairs, size_t rows,
                                mn_search_workspace *bench);

/* Sum up the rows id[0..n-1]. tally->sum is room of the caller; low and high stay. */
void mn_compute_node_stats(const mn_split_settings *rules, const mn_training_view *ground, const uint32_t *id, size_t n,
                           mn_search_workspace *bench, mn_node_stats *tally);

/* The best cut by feature j into *split, whose `found` is false where there is none. *constant: all rows alike. key
 * names the random numbers of the node. */
void mn_search_feature(const mn_split_settings *rules, const mn_training_view *ground, const uint32_t *id, size_t n,
                       const mn_node_stats *tally, size_t j, uint64_t key, mn_search_workspace *bench, mn_split *split,
                       bool *constant);

/* Is a better than b, beyond what rounding can do? */
bool mn_is_better(const mn_split_settings *rules, const mn_node_stats *tally, double a, double b);

/* Is there nothing better than this proxy, beyond what rounding can do? Both sides are then pure, or all y of a side
 * alike. False where the limit of the criterion is not known without another pass. */
bool mn_is_perfect(const mn_split_settings *rules, const mn_node_stats *tally, double proxy);

/* The loss of the node that a split leaves unexplained gets smaller by this, times the weight of all rows. */
double mn_split_gain(const mn_split_settings *rules, const mn_node_stats *tally, const mn_split *split);

#endif

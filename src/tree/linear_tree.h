/* A regression tree with a linear model in each leaf, as it is fitted. */
#ifndef MN_TREE_LINEAR_TREE_H
#define MN_TREE_LINEAR_TREE_H
#include "model.h"
#include "../tree_structure/text_buffer.h"

typedef struct mn_linear_tree {
  mn_tree_model tree; /* max_depth and min_samples_leaf of it; a leaf has the mean of y, and is that of a row of coef */
  double alpha, smoothing;
  int64_t max_bins;
  bool unpruned;
  mn_matrix coef; /* leaves x features */
  mn_vector intercept;
  mn_matrix means; /* leaves x features, of the values that are there; none in old archives */
  mn_indexes leaf; /* nodes: the row of coef, 0 where it is no leaf */
} mn_linear_tree;

extern const mn_class mn_linear_tree_regressor;

/* A node while the tree grows. */
typedef struct mn_linear_node {
  uint32_t begin, end, depth; /* its rows: at[begin .. end-1] */
  size_t left;                /* child, the right one stands behind it; 0: a leaf */
  size_t feature;
  uint32_t rank; /* the last that goes left */
  double threshold;
  size_t first_level, levels; /* of a factor: those in `level` that go left  */
  bool missing_left;
  double weight, mean, rss; /* of y; squares that its own linear model leaves */
  double gain;              /* by which the split lowers them                */
  double below;             /* squares that the models of its leaves leave   */
  size_t leaves;
} mn_linear_node;

typedef struct mn_linear_growth {
  const mn_linear_tree *m;
  const mn_data *data;
  mn_tree_columns columns;
  size_t numbers;       /* columns that models may have: all but factors          */
  uint32_t *column;     /* numbers: which                                         */
  size_t gaps;          /* numbers that are missing in some row                   */
  uint32_t *gap;        /* gaps: which of the numbers                             */
  double *mean, *scale; /* features: z = (x - mean) * scale                       */
  uint32_t *at, *spare; /* rows                                                   */
  bool *goes;           /* rows: does at[begin + i] of the node go left           */
  bool *chosen;         /* levels, all false: room                                */
  mn_linear_node *node;
  double *model;  /* nodes x (numbers + 1): coefficients of z, then the constant  */
  double *center; /* nodes x numbers: mean of z, which stands for a missing one   */
  size_t nodes, room;
  uint32_t *level; /* of factors: codes that go left, of one node after the other */
  size_t levels, level_room;
  size_t max_depth;
  double min_leaf;
} mn_linear_growth;

/* The model of the leaf `node` of a mn_linear_tree: 2.5 + 0.3 age - 1.2 x3. */
void mn_text_put_linear_leaf(mn_text_buffer *t, const mn_tree_model *model, size_t node);

mn_status mn_linear_grow(mn_context *ctx, mn_linear_growth *g);

#endif

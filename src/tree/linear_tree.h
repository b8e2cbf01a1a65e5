/* A regression tree with a linear model in each leaf, and its state while it is fitted. */
#ifndef MN_TREE_LINEAR_TREE_H
#define MN_TREE_LINEAR_TREE_H
#include "model.h"
#include "../tree_structure/tree_text.h"

typedef struct mn_linear_tree {
  mn_tree_model tree; /* of its parameters, max_depth and min_samples_leaf are used; leaf values are means of y */
  double alpha, smoothing;
  int64_t max_bins;
  bool unpruned;
  mn_matrix coef; /* leaves x features */
  mn_vector intercept;
  mn_matrix means; /* leaves x features: means of the values that are not missing; empty in old archives */
  mn_indexes leaf; /* nodes: the row of coef, 0 if it is not a leaf    */
} mn_linear_tree;

extern const mn_class mn_linear_tree_regressor;

/* A node of a growing tree. */
typedef struct mn_linear_node {
  uint32_t begin, end, depth; /* its rows are rows[begin .. end-1]              */
  size_t left;                /* left child, which the right one follows; 0: a leaf */
  size_t feature;
  uint32_t rank; /* the last that goes left */
  double threshold;
  size_t first_level, levels; /* of a factor: range of the levels in `level` that go left */
  bool missing_left;
  double weight, mean, rss; /* mean of y, and residual sum of squares of its own model */
  double gain;              /* decrease of the loss by its split                       */
  double subtree_rss;       /* residual sum of squares of the models of its leaves     */
  size_t leaves;
} mn_linear_node;

typedef struct mn_linear_growth {
  const mn_linear_tree *m;
  const mn_data *data;
  mn_tree_columns columns;
  size_t numbers;          /* numeric columns, which leaf models use                         */
  uint32_t *column;        /* numbers: their columns                                         */
  size_t gaps;             /* numeric columns with missing values                            */
  uint32_t *gap;           /* gaps: their indexes among the numeric columns                  */
  double *mean, *scale;    /* features: z = (x - mean) * scale                               */
  uint32_t *rows, *buffer; /* rows in the order of the nodes; as many more                   */
  bool *goes_left;         /* rows: does row begin + i of the node go left                   */
  bool *is_left_level;     /* levels: all false between calls                                */
  mn_linear_node *node;
  double *model;  /* nodes x (numbers + 1): coefficients of z, then the intercept            */
  double *center; /* nodes x numbers: means of z, which replace missing values               */
  size_t nodes, capacity;
  uint32_t *level; /* codes of factors that go left, node after node                         */
  size_t levels, level_capacity;
  size_t max_depth;
  double min_leaf_weight;
} mn_linear_growth;

/* Write the model of the leaf `node` of a mn_linear_tree, for instance 2.5 + 0.3 age - 1.2 x3. */
void mn_text_put_linear_leaf(mn_text_buffer *t, const mn_tree_model *model, size_t node);

mn_status mn_linear_grow(mn_context *ctx, mn_linear_growth *g);

#endif

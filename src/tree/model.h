/* What decision trees and forests share: parameters, fields, and the preparation of X and y for growing. */
#ifndef MN_TREE_MODEL_H
#define MN_TREE_MODEL_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../tree_growth/grow.h"
#include "../tree_structure/node_tables.h"

/* The first member of decision trees and forests. */
typedef struct mn_tree_model {
  mn_estimator base;
  int64_t criterion, splitter, max_depth, max_leaf_nodes, seed; /* parameters */
  double min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, min_impurity_decrease;
  double ccp_alpha;
  mn_feature_list monotonic_cst;
  mn_feature_groups interaction_cst;
  mn_trees trees; /* learned fields */
  mn_vector feature_importances;
  mn_indexes gaps;         /* of single trees: see MN_TREE_MISSING_FIELD */
  int64_t n_leaves, depth; /* of single trees */
} mn_tree_model;

enum { MN_SPLITTER_BEST, MN_SPLITTER_RANDOM };
extern const char *const mn_class_criteria[]; /* gini, entropy, log_loss */
extern const char *const mn_real_criteria[];  /* squared_error, friedman_mse, poisson, absolute_error */
extern const char *const mn_splitters[];

/* Parameters of all trees, and those of trees that split the columns of X themselves. */
#define MN_TREE_SIZE_PARAMS(criteria)                                                                                  \
  MN_CHOICE(mn_tree_model, criterion, 0, criteria,                                                                     \
            "impurity of a node; a split minimizes the weighted impurity of its children"),                            \
      MN_COUNT(mn_tree_model, max_depth, MN_UNSET, MN_CLOSED(0, INT32_MAX),                                            \
               "maximum number of splits from the root to a leaf; nil: unlimited"),                                    \
      MN_REAL(mn_tree_model, min_samples_split, 2, MN_GREATER_THAN(0),                                                 \
              "minimum number of rows of a node that is split; below 1: a share of all rows"),                         \
      MN_REAL(mn_tree_model, min_samples_leaf, 1, MN_GREATER_THAN(0),                                                  \
              "minimum number of rows of a leaf; below 1: a share of all rows"),                                       \
      MN_REAL(mn_tree_model, min_weight_fraction_leaf, 0, MN_CLOSED(0, 0.5),                                           \
              "minimum weight of a leaf, as a share of the weight of all rows"),                                       \
      MN_COUNT(mn_tree_model, max_leaf_nodes, MN_UNSET, MN_CLOSED(2, INT32_MAX),                                       \
               "maximum number of leaves; the node with the largest gain is split first; nil: unlimited"),             \
      MN_REAL(mn_tree_model, min_impurity_decrease, 0, MN_AT_LEAST(0),                                                 \
              "minimum decrease of the impurity by a split, times the share of the weight in the node"),               \
      MN_PENALTY(                                                                                                      \
          mn_tree_model, ccp_alpha, 0, MN_AT_LEAST(0),                                                                 \
          "cost-complexity pruning: subtrees that decrease the impurity by less than this per leaf are removed")

#define MN_TREE_PARAMS(criteria)                                                                                       \
  MN_TREE_SIZE_PARAMS(criteria),                                                                                       \
      MN_COLUMN_VALUES(mn_tree_model, monotonic_cst, MN_CLOSED(-1, 1),                                                 \
                       "monotonic constraint for each column, or { name = constraint } or { [number] = constraint } "  \
                       "for some: 1 increasing, -1 decreasing, 0 none; nil: none"),                                    \
      MN_GROUPS(mn_tree_model, interaction_cst,                                                                        \
                "groups of columns that may occur together on a path from the root to a leaf: lists of numbers or "    \
                "names, { {1, 2}, {\"age\", \"income\"} }, or a groups x features matrix of 0 and 1; columns in no "   \
                "list form another group; nil: no constraint"),                                                        \
      MN_SEED(mn_tree_model, seed)

#define MN_TREE_FIELDS                                                                                                 \
  MN_TREES_FIELDS(mn_tree_model),                                                                                      \
      MN_VECTOR(mn_tree_model, feature_importances, "features",                                                        \
                "share of each column in the total decrease of the impurity; all 0 if nothing was split")

/* For each feature, 1 if there were missing values in fit. Empty if there were none, and in older archives. */
#define MN_TREE_MISSING_FIELD MN_INDEXES(mn_tree_model, gaps, "features?", NULL)

/* The data and the settings for growing trees. */
typedef struct mn_tree_problem {
  mn_growth_settings settings;
  mn_tree_columns columns;
  mn_training_view view;
  double total_weight; /* of all rows */
} mn_tree_problem;

/* Check and prepare data and settings, in scratch. features: the value of max_features if it is unset; random: draw
 * thresholds at random. */
mn_status mn_tree_problem_make(mn_context *ctx, const mn_tree_model *m, const mn_data *data, size_t features,
                               bool random, mn_tree_problem *problem);

/* Turn sums over trees (rows x classes) into log probabilities. */
mn_status mn_log_shares(mn_context *ctx, mn_matrix *sums);

/* Number of values of a leaf: classes or targets. */
size_t mn_tree_width(const mn_tree_model *m);

/* Minimal cost-complexity pruning, in place. */
mn_status mn_prune(mn_context *ctx, double ccp_alpha, size_t width, mn_grown_tree *tree);

/* importance[j] += weighted decrease of the impurity by the splits on feature j, relative to the weight of all rows. */
void mn_add_importances(const mn_grown_tree *tree, double *importance);

/* The values of alpha at which subtrees are pruned, ascending from 0, and the impurity of the leaves then. alpha and
 * impurity have a capacity of tree->nodes. */
mn_status mn_pruning_path(mn_context *ctx, const mn_grown_tree *tree, double *alpha, double *impurity, size_t *steps);

mn_status mn_tree_model_check(mn_context *ctx, const void *self);
mn_status mn_tree_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_tree_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* The operation `shap` of trees and forests. */
mn_status mn_tree_shap(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                       mn_results *results);
#define MN_TREE_SHAP                                                                                                   \
  {                                                                                                                    \
    .name = "shap",                                                                                                    \
    .brief = "contribution of each column to the prediction of a row (TreeSHAP), for classifiers to the "              \
             "probabilities; base plus the sum of the values is the prediction",                                       \
    .returns = "values (rows x features; for several classes or targets one block of columns after the other), "       \
               "base (classes or targets)",                                                                            \
    .needs = MN_NEEDS_X, .run = mn_tree_shap                                                                           \
  }

/* The operation `trees` of trees and forests. */
mn_status mn_tree_tables(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results);
#define MN_TREE_TABLES                                                                                                 \
  {                                                                                                                    \
    .name = "trees",                                                                                                   \
    .brief = "nodes of all trees, levels of factor splits, and leaf values; a prediction is the mean over the "        \
             "leaves of a row",                                                                                        \
    .returns = MN_NODES_RETURNS("") "; values (nodes x classes or targets; NaN in splits)", .run = mn_tree_tables      \
  }

/* The operation `apply`: result `leaf` of one tree, `leaves` of several. */
mn_status mn_tree_apply(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results);

#endif

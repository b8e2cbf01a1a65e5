/* What the estimators that are made of grown trees share: settings, and what is made of X and y before growing. */
#ifndef MN_TREE_MODEL_H
#define MN_TREE_MODEL_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../tree_growth/grow.h"
#include "../tree_structure/node_tables.h"

/* Decision trees and forests begin with this. */
typedef struct mn_tree_model {
  mn_estimator base;
  int64_t criterion, splitter, max_depth, max_leaf_nodes, seed; /* what the user sets */
  double min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, min_impurity_decrease;
  double ccp_alpha;
  mn_vector monotonic_cst;
  mn_feature_groups interaction_cst;
  mn_trees trees; /* what fitting learns */
  mn_vector feature_importances;
  mn_indexes gaps; /* of a tree that is told in words: see MN_TREE_MISSING_FIELD */
} mn_tree_model;

enum { MN_SPLITTER_BEST, MN_SPLITTER_RANDOM };
extern const char *const mn_class_criteria[]; /* gini, entropy, log_loss */
extern const char *const mn_real_criteria[];  /* squared_error, friedman_mse, poisson, absolute_error */
extern const char *const mn_splitters[];

/* What every tree may be told, and what those that cut the columns of X themselves may be told beside it. */
#define MN_TREE_SIZE_PARAMS(criteria)                                                                                  \
  MN_CHOICE(mn_tree_model, criterion, 0, criteria, "what makes a node impure; a split lowers it most"),                \
      MN_COUNT(mn_tree_model, max_depth, MN_UNSET, MN_CLOSED(0, INT32_MAX),                                            \
               "most splits from the root to a leaf; nil: until the leaves are pure"),                                 \
      MN_REAL(mn_tree_model, min_samples_split, 2, MN_GREATER_THAN(0),                                                 \
              "rows that a node needs to be split; below 1: a share of all rows"),                                     \
      MN_REAL(mn_tree_model, min_samples_leaf, 1, MN_GREATER_THAN(0),                                                  \
              "rows that a leaf needs; below 1: a share of all rows"),                                                 \
      MN_REAL(mn_tree_model, min_weight_fraction_leaf, 0, MN_CLOSED(0, 0.5),                                           \
              "share of the weight of all rows that a leaf needs"),                                                    \
      MN_COUNT(mn_tree_model, max_leaf_nodes, MN_UNSET, MN_CLOSED(2, INT32_MAX),                                       \
               "most leaves: the node that gains most is split next; nil: no limit"),                                  \
      MN_REAL(mn_tree_model, min_impurity_decrease, 0, MN_AT_LEAST(0),                                                 \
              "decrease of the impurity, times the share of the weight of the node, that a split needs"),              \
      MN_PENALTY(mn_tree_model, ccp_alpha, 0, MN_AT_LEAST(0),                                                          \
                 "price of a leaf: subtrees that lower the impurity by less for each leaf are pruned")

#define MN_TREE_PARAMS(criteria)                                                                                       \
  MN_TREE_SIZE_PARAMS(criteria),                                                                                       \
      MN_REALS(mn_tree_model, monotonic_cst, MN_CLOSED(-1, 1),                                                         \
               "for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free"),       \
      MN_GROUPS(mn_tree_model, interaction_cst,                                                                        \
                "groups of columns of which only those of one meet on a way from the root to a leaf: lists by number " \
                "or name, { {1, 2}, {\"age\", \"income\"} }, or groups x features of 0 and 1; columns in none form "   \
                "one more"),                                                                                           \
      MN_SEED(mn_tree_model, seed)

#define MN_TREE_FIELDS                                                                                                 \
  MN_TREES_FIELDS(mn_tree_model),                                                                                      \
      MN_VECTOR(mn_tree_model, feature_importances, "features",                                                        \
                "share of each column in the decrease of the impurity; all 0 where nothing was split")

/* Features: 1 where fit saw missing values. Not there where it saw none, and in archives from before it was kept. */
#define MN_TREE_MISSING_FIELD MN_INDEXES(mn_tree_model, gaps, "features?", NULL)

/* X and y as growing reads them, and the settings in its terms. */
typedef struct mn_tree_problem {
  mn_growth_settings settings;
  mn_tree_columns columns;
  mn_training_view view;
  double total; /* weight of all rows */
} mn_tree_problem;

/* In scratch. `features` is what max_features means when it is unset; random: cuts are random at random. */
mn_status mn_tree_problem_make(mn_context *ctx, const mn_tree_model *m, const mn_data *data, size_t features,
                               bool random, mn_tree_problem *problem);

/* Sums over trees, rows x classes, become logarithms of shares. */
mn_status mn_log_shares(mn_context *ctx, mn_matrix *sums);

/* Values of a leaf: classes, or targets. */
size_t mn_tree_width(const mn_tree_model *m);

/* Prune the weakest subtrees whose price is at most ccp_alpha. In place. */
mn_status mn_prune(mn_context *ctx, double ccp_alpha, size_t width, mn_grown_tree *tree);

/* importance[j] += weighted decrease of the impurity by the splits on feature j, relative to the weight of all rows. */
void mn_add_importances(const mn_grown_tree *tree, double *importance);

/* The prices at which subtrees fall, ascending, beginning with 0, and the impurity of all leaves then. Room for
 * tree->nodes of each. */
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
    .brief = "what each column adds to the prediction of a row (TreeSHAP), of labels to the probabilities; values "    \
             "and base add up to it",                                                                                  \
    .returns = "values (rows x features; of several classes or targets those of one behind those of another), base "   \
               "(classes or targets)",                                                                                 \
    .needs = MN_NEEDS_X, .run = mn_tree_shap                                                                           \
  }

/* The operation `trees` of trees and forests. */
mn_status mn_tree_tables(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results);
#define MN_TREE_TABLES                                                                                                 \
  {                                                                                                                    \
    .name = "trees",                                                                                                   \
    .brief = "the nodes of all trees, where levels of factors go, and what leaves say: the prediction is the mean of " \
             "the leaves in which a row ends",                                                                         \
    .returns = MN_NODES_RETURNS("") "; values (nodes x classes or targets), NaN in splits", .run = mn_tree_tables      \
  }

/* The operation `apply`: `leaf` of one tree, `leaves` of several. */
mn_status mn_tree_apply(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results);

#endif

/* Gradient boosting over exact trees: what its classifier and its regressor share.
 *
 * With raw predictions F_0 = start, each round fits a tree to the negative gradients -dL/dF of all rows, gives each
 * leaf the value that lowers the loss of its rows most, and adds learning_rate times that:
 *
 *     F_m(x) = F_{m-1}(x) + learning_rate sum_leaves [x in leaf] argmin_v sum_{i in leaf} w_i L(y_i, F_{m-1}(x_i) + v)
 *
 * Friedman, Annals of Statistics 29 (2001), algorithm 1; rows drawn for a round: Computational Statistics & Data
 * Analysis 38 (2002). */
#ifndef MN_BOOSTING_GRADIENT_BOOSTING_H
#define MN_BOOSTING_GRADIENT_BOOSTING_H
#include "../tree/model.h"
#include "boosted.h"
#include "line_loss.h"

typedef struct mn_gradient_boosting {
  mn_tree_model tree; /* settings of a tree, and all trees: their leaves times the learning rate */
  double learning_rate, subsample, alpha, power, validation_fraction, tol; /* what the user sets */
  int64_t loss, init, n_estimators, n_iter_no_change;
  bool warm_start;
  int64_t lambdarank_truncation_level; /* of the ranker */
  bool lambdarank_norm;
  mn_vector start, train_score, oob_scores, oob_improvement, validation_trace; /* what fitting learns */
} mn_gradient_boosting;

extern const char *const mn_boost_inits[]; /* constant, zero */

#define MN_GRADIENT_BOOSTING_ROUNDS                                                                                    \
  MN_REAL(mn_gradient_boosting, learning_rate, 0.1, MN_GREATER_THAN(0), "share of each tree that is added"),           \
      MN_COUNT(mn_gradient_boosting, n_estimators, 100, MN_CLOSED(1, 1000000),                                         \
               "rounds, each of one tree a raw prediction"),                                                           \
      MN_REAL(mn_gradient_boosting, subsample, 1, MN_LEFT_OPEN(0, 1), "share of the rows that a round learns from")

#define MN_GRADIENT_BOOSTING_INIT                                                                                      \
  MN_CHOICE(mn_gradient_boosting, init, 0, mn_boost_inits,                                                             \
            "raw prediction before the first tree: the best constant, zero, or an estimator (BoostedRegressor)")

#define MN_GRADIENT_BOOSTING_TREES                                                                                     \
  MN_COUNT(mn_tree_model, max_depth, 3, MN_CLOSED(1, INT32_MAX), "most splits from the root to a leaf"),               \
      MN_REAL(mn_tree_model, min_samples_split, 2, MN_GREATER_THAN(0),                                                 \
              "rows that a node needs to be split; below 1: a share of all rows"),                                     \
      MN_REAL(mn_tree_model, min_samples_leaf, 1, MN_GREATER_THAN(0),                                                  \
              "rows that a leaf needs; below 1: a share of all rows"),                                                 \
      MN_REAL(mn_tree_model, min_weight_fraction_leaf, 0, MN_CLOSED(0, 0.5),                                           \
              "share of the weight of all rows of the round that a leaf needs"),                                       \
      MN_COUNT(mn_tree_model, max_leaf_nodes, MN_UNSET, MN_CLOSED(2, INT32_MAX),                                       \
               "most leaves: the node that gains most is split next; nil: no limit"),                                  \
      MN_REAL(mn_tree_model, min_impurity_decrease, 0, MN_AT_LEAST(0),                                                 \
              "decrease of the variance of the gradients, times the share of the weight of the node, that a split "    \
              "needs"),                                                                                                \
      MN_REAL(mn_tree_model, max_features, MN_UNSET_REAL, MN_GREATER_THAN(0),                                          \
              "columns tried at each node, drawn at random; below 1: a share of all; nil: all"),                       \
      MN_PENALTY(mn_tree_model, ccp_alpha, 0, MN_AT_LEAST(0),                                                          \
                 "price of a leaf: subtrees that lower the variance by less for each leaf are pruned"),                \
      MN_COUNT(mn_gradient_boosting, n_iter_no_change, MN_UNSET, MN_CLOSED(1, 1000000),                                \
               "stop when rows held out have gained no more for so many rounds; nil: hold none out"),                  \
      MN_REAL(mn_gradient_boosting, validation_fraction, 0.1, MN_OPEN(0, 1), "share of the rows that is held out"),    \
      MN_REAL(mn_gradient_boosting, tol, 1e-4, MN_AT_LEAST(0),                                                         \
              "least fall of the loss of rows held out, on the scale of train_score, that is a gain"),                 \
      MN_FLAG(mn_gradient_boosting, warm_start, false,                                                                 \
              "fit goes on with the trees that there are, up to n_estimators rounds in all"),                          \
      MN_SEED(mn_tree_model, seed)

#define MN_GRADIENT_BOOSTING_FIELDS                                                                                    \
  MN_TREES_FIELDS(mn_tree_model),                                                                                      \
      MN_VECTOR(mn_gradient_boosting, start, "decisions", "raw prediction before the first tree"),                     \
      MN_VECTOR(mn_gradient_boosting, train_score, "rounds",                                                           \
                "loss of the rows that each round learned from, after it, as scikit-learn reckons it: squared errors " \
                "and log loss of two classes count twice"),                                                            \
      MN_VECTOR(mn_gradient_boosting, oob_scores, "rounds?", "the same of the rows that the round did not draw"),      \
      MN_VECTOR(mn_gradient_boosting, oob_improvement, "rounds?",                                                      \
                "by how much oob_scores fell; empty with subsample = 1"),                                              \
      MN_VECTOR(mn_gradient_boosting, validation_trace, "held?",                                                       \
                "mean loss of the rows held out, after each round; empty without any"),                                \
      MN_VECTOR(mn_tree_model, feature_importances, "features",                                                        \
                "share of each column in the decrease of the variance of the gradients")

mn_status mn_gradient_boosting_fit(mn_context *ctx, mn_gradient_boosting *m, const mn_data *data, mn_line_kind kind);
bool mn_gradient_boosting_goes_on(const void *self);
mn_status mn_gradient_boosting_raw(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_gradient_boosting_check(mn_context *ctx, const void *self);
mn_boosted mn_gradient_boosting_view(const mn_gradient_boosting *m);

extern const mn_operation mn_gradient_boosting_operations[];

#endif

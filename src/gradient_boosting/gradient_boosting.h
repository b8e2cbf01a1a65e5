/* Gradient boosting over exact trees: model, parameters and learned fields shared by classifier, regressor and ranker.
 *
 * With raw predictions F_0 = start, each round fits a tree to the negative gradients -dL/dF of all rows, sets each leaf
 * to the value that minimizes the loss of its rows, and adds learning_rate times that:
 *
 *     F_m(x) = F_{m-1}(x) + learning_rate sum_leaves [x in leaf] argmin_v sum_{i in leaf} w_i L(y_i, F_{m-1}(x_i) + v)
 *
 * Friedman, Annals of Statistics 29 (2001), algorithm 1; subsampling: Computational Statistics & Data Analysis 38
 * (2002). */
#ifndef MN_GRADIENT_BOOSTING_GRADIENT_BOOSTING_H
#define MN_GRADIENT_BOOSTING_GRADIENT_BOOSTING_H
#include "../tree/model.h"
#include "../boosting/boosted.h"
#include "gradient_boosting_loss.h"

typedef struct mn_gradient_boosting {
  mn_tree_model tree; /* tree parameters, and all trees; leaf values include the learning rate */
  double learning_rate, subsample, alpha, power, validation_fraction, tol; /* parameters */
  int64_t loss, init, n_estimators, n_iter_no_change;
  bool warm_start;
  int64_t lambdarank_truncation_level; /* parameters of the ranker */
  bool lambdarank_norm;
  mn_vector start, train_score, oob_scores, oob_improvement, validation_trace; /* learned fields */
  int64_t best_iteration;
} mn_gradient_boosting;

extern const char *const mn_boost_init_choices[]; /* constant, zero */

#define MN_GRADIENT_BOOSTING_ROUNDS                                                                                    \
  MN_REAL(mn_gradient_boosting, learning_rate, 0.1, MN_GREATER_THAN(0), "shrinkage: factor applied to each tree"),     \
      MN_COUNT(mn_gradient_boosting, n_estimators, 100, MN_CLOSED(1, 1000000),                                         \
               "number of boosting rounds, each of one tree per raw prediction"),                                      \
      MN_REAL(mn_gradient_boosting, subsample, 1, MN_LEFT_OPEN(0, 1),                                                  \
              "fraction of the samples drawn for each round, without replacement")

#define MN_GRADIENT_BOOSTING_INIT                                                                                      \
  MN_CHOICE(mn_gradient_boosting, init, 0, mn_boost_init_choices,                                                      \
            "raw prediction before the first tree: the constant with the lowest loss, zero, or an estimator "          \
            "(BoostedRegressor)")

#define MN_GRADIENT_BOOSTING_TREES                                                                                     \
  MN_COUNT(mn_tree_model, max_depth, 3, MN_CLOSED(1, INT32_MAX), "maximum depth of a tree"),                           \
      MN_REAL(mn_tree_model, min_samples_split, 2, MN_GREATER_THAN(0),                                                 \
              "minimum number of samples to split a node; below 1: a fraction of all samples"),                        \
      MN_REAL(mn_tree_model, min_samples_leaf, 1, MN_GREATER_THAN(0),                                                  \
              "minimum number of samples in a leaf; below 1: a fraction of all samples"),                              \
      MN_REAL(mn_tree_model, min_weight_fraction_leaf, 0, MN_CLOSED(0, 0.5),                                           \
              "minimum fraction of the total sample weight of the round in a leaf"),                                   \
      MN_COUNT(mn_tree_model, max_leaf_nodes, MN_UNSET, MN_CLOSED(2, INT32_MAX),                                       \
               "maximum number of leaves; the node with the largest gain is split next; nil: unlimited"),              \
      MN_REAL(mn_tree_model, min_impurity_decrease, 0, MN_AT_LEAST(0),                                                 \
              "minimum decrease of the variance of the gradients by a split, times the node's fraction of the "        \
              "total weight"),                                                                                         \
      MN_REAL(mn_tree_model, max_features, MN_UNSET_REAL, MN_GREATER_THAN(0),                                          \
              "features drawn at random as candidates at each node; below 1: a fraction of all; nil: all"),            \
      MN_PENALTY(mn_tree_model, ccp_alpha, 0, MN_AT_LEAST(0),                                                          \
                 "complexity parameter of pruning: subtrees that lower the variance by less per leaf are pruned"),     \
      MN_COUNT(                                                                                                        \
          mn_gradient_boosting, n_iter_no_change, MN_UNSET, MN_CLOSED(1, 1000000),                                     \
          "stop when the loss of the evaluation set (the fit option eval) or of held-out samples has not improved "    \
          "for this many rounds. These rounds are kept, and predict uses them; for fewer, fit again with "             \
          "n_estimators = best_iteration. nil: no early stopping"),                                                    \
      MN_REAL(mn_gradient_boosting, validation_fraction, 0.1, MN_OPEN(0, 1),                                           \
              "fraction of the samples held out for early stopping, unless fit is given eval"),                        \
      MN_REAL(mn_gradient_boosting, tol, 1e-4, MN_AT_LEAST(0),                                                         \
              "minimum decrease of the held-out loss, on the scale of train_score, that counts as an "                 \
              "improvement"),                                                                                          \
      MN_FLAG(mn_gradient_boosting, warm_start, false,                                                                 \
              "fit continues with the existing trees, up to n_estimators rounds in total"),                            \
      MN_SEED(mn_tree_model, seed)

#define MN_GRADIENT_BOOSTING_FIELDS                                                                                    \
  MN_TREES_FIELDS(mn_tree_model),                                                                                      \
      MN_VECTOR(mn_gradient_boosting, start, "scores", "raw prediction before the first tree"),                        \
      MN_VECTOR(mn_gradient_boosting, train_score, "rounds",                                                           \
                "loss of the samples used in each round, after it, as in scikit-learn: squared error and binary "      \
                "log loss are doubled"),                                                                               \
      MN_VECTOR(mn_gradient_boosting, oob_scores, "rounds?", "the same loss of the samples not drawn in the round"),   \
      MN_VECTOR(mn_gradient_boosting, oob_improvement, "rounds?",                                                      \
                "decrease of oob_scores in each round; empty if subsample = 1"),                                       \
      MN_VECTOR(mn_gradient_boosting, validation_trace, "held?",                                                       \
                "mean loss of the evaluation set or the held-out samples after each round; empty without them"),       \
      MN_BEST_ITERATION(mn_gradient_boosting),                                                                         \
      MN_VECTOR(mn_tree_model, feature_importances, "features",                                                        \
                "share of each feature in the total decrease of the variance of the gradients")

/* Members of the class tables. */
#define MN_GRADIENT_BOOSTING_CLASS                                                                                     \
  .size = sizeof(mn_gradient_boosting), .operations = mn_gradient_boosting_operations,                                 \
  .can_resume = mn_gradient_boosting_can_resume, .check = mn_gradient_boosting_check,                                  \
  .derive = mn_gradient_boosting_derive

mn_status mn_gradient_boosting_fit(mn_context *ctx, mn_gradient_boosting *m, const mn_data *data,
                                   mn_gradient_loss_kind kind);
bool mn_gradient_boosting_can_resume(const void *self);
mn_status mn_gradient_boosting_raw(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_gradient_boosting_check(mn_context *ctx, const void *self);
mn_status mn_gradient_boosting_derive(mn_context *ctx, void *self);
mn_boosted mn_gradient_boosting_view(const mn_gradient_boosting *m);

extern const mn_operation mn_gradient_boosting_operations[];

#endif

/* Histogram gradient boosting: model, parameters and learned fields shared by classifier, regressor and ranker. */
#ifndef MN_BOOSTING_HIST_GRADIENT_BOOSTING_H
#define MN_BOOSTING_HIST_GRADIENT_BOOSTING_H
#include "../model/operation.h"
#include "../tree_structure/tree.h"
#include "boost_loss_kernel.h"
#include "boosted.h"

enum { MN_STOP_AUTO, MN_STOP_ALWAYS, MN_STOP_NEVER };
enum { MN_METHOD_HIST, MN_METHOD_EXACT };
extern const char *const mn_boost_growth_orders[], *const mn_boost_stop_choices[], *const mn_boosters[];
extern const char *const mn_dart_normalizations[], *const mn_tree_methods[];

struct mn_hist_gradient_boosting {
  mn_estimator base;
  double learning_rate, l1_regularization, l2_regularization, min_split_gain, min_child_weight; /* parameters */
  double subsample, colsample_bytree, colsample_bylevel, colsample_bynode, cat_smooth, validation_fraction, tol;
  double min_samples_leaf, max_delta_step, base_score;
  int64_t max_iter, max_leaf_nodes, max_depth, max_bins, tree_method, grow, early_stopping, n_iter_no_change, seed;
  mn_feature_list monotonic_cst;
  mn_feature_groups interaction_cst;
  int64_t loss; /* parameters of the regressor */
  double quantile, delta, power;
  int64_t lambdarank_truncation_level; /* parameters of the ranker */
  bool lambdarank_norm;
  int64_t booster, normalize_type;
  double rate_drop, skip_drop;
  bool one_drop, warm_start, prune;
  mn_trees trees; /* learned fields */
  mn_vector gain, start, validation_trace, feature_importances, drop_factor;
  mn_indexes drop_start, dropped; /* booster dart: see dart.h */
  int64_t best_iteration;
};

#define MN_HIST_GRADIENT_BOOSTING_PARAMS                                                                               \
  MN_REAL(struct mn_hist_gradient_boosting, learning_rate, 0.1, MN_GREATER_THAN(0),                                    \
          "shrinkage: factor applied to each tree"),                                                                   \
      MN_COUNT(struct mn_hist_gradient_boosting, max_iter, 100, MN_CLOSED(1, 1000000),                                 \
               "maximum number of boosting rounds, each of one tree per raw prediction"),                              \
      MN_COUNT(struct mn_hist_gradient_boosting, max_leaf_nodes, 31, MN_CLOSED(2, 1 << 24),                            \
               "maximum number of leaves of a tree"),                                                                  \
      MN_COUNT(struct mn_hist_gradient_boosting, max_depth, MN_UNSET, MN_CLOSED(1, 1 << 24),                           \
               "maximum depth of a tree; nil: unlimited"),                                                             \
      MN_REAL(struct mn_hist_gradient_boosting, min_samples_leaf, 20, MN_AT_LEAST(0),                                  \
              "minimum number of samples in a leaf; with weights, their sum, divided by the mean weight if "           \
              "that is below 1"),                                                                                      \
      MN_REAL(struct mn_hist_gradient_boosting, min_child_weight, 1e-3, MN_AT_LEAST(0),                                \
              "minimum sum of Hessians in a leaf, in the same unit"),                                                  \
      MN_PENALTY(struct mn_hist_gradient_boosting, l2_regularization, 0, MN_AT_LEAST(0),                               \
                 "L2 penalty on the leaf values"),                                                                     \
      MN_PENALTY(struct mn_hist_gradient_boosting, l1_regularization, 0, MN_AT_LEAST(0),                               \
                 "L1 penalty on the leaf values"),                                                                     \
      MN_PENALTY(struct mn_hist_gradient_boosting, min_split_gain, 0, MN_AT_LEAST(0),                                  \
                 "minimum gain of a split: a penalty per leaf, half of XGBoost's gamma"),                              \
      MN_FLAG(struct mn_hist_gradient_boosting, prune, false,                                                          \
              "how min_split_gain applies. false: a leaf without such a split stays a leaf, as in LightGBM; "          \
              "true: trees are grown without it, then splits of two leaves with less gain are removed, bottom-up, "    \
              "as by XGBoost's gamma, so that a weak split stays above a strong one"),                                 \
      MN_REAL(struct mn_hist_gradient_boosting, max_delta_step, 0, MN_AT_LEAST(0),                                     \
              "maximum absolute leaf value, before learning_rate; 0: unlimited, with a log link 10"),                  \
      MN_REAL(struct mn_hist_gradient_boosting, base_score, MN_UNSET_REAL, MN_NO_LIMITS(),                             \
              "prediction before the first tree: a value of y; for two classes, the probability of the second; "       \
              "for several classes and ranking, a raw prediction. nil: the constant with the lowest loss. "            \
              "init_score replaces it"),                                                                               \
      MN_CHOICE(                                                                                                       \
          struct mn_hist_gradient_boosting, tree_method, MN_METHOD_HIST, mn_tree_methods,                              \
          "candidate thresholds: hist, the edges of at most max_bins bins of the training set; exact, midpoints "      \
          "of all neighboring values in the node, for small data"),                                                    \
      MN_COUNT(struct mn_hist_gradient_boosting, max_bins, 255, MN_CLOSED(2, 255),                                     \
               "hist: maximum number of bins per feature; missing values have an additional bin"),                     \
      MN_CHOICE(struct mn_hist_gradient_boosting, grow, 0, mn_boost_growth_orders,                                     \
                "which leaf is split next: leaf, the one with the largest gain; depth, level by level"),               \
      MN_REAL(struct mn_hist_gradient_boosting, subsample, 1, MN_LEFT_OPEN(0, 1),                                      \
              "fraction of the samples drawn for each round"),                                                         \
      MN_REAL(struct mn_hist_gradient_boosting, colsample_bytree, 1, MN_LEFT_OPEN(0, 1),                               \
              "fraction of the features drawn for each tree"),                                                         \
      MN_REAL(struct mn_hist_gradient_boosting, colsample_bylevel, 1, MN_LEFT_OPEN(0, 1),                              \
              "fraction of the features of the tree drawn for each depth"),                                            \
      MN_REAL(struct mn_hist_gradient_boosting, colsample_bynode, 1, MN_LEFT_OPEN(0, 1),                               \
              "fraction of the features of the depth drawn for each split"),                                           \
      MN_REAL(struct mn_hist_gradient_boosting, cat_smooth, 10, MN_AT_LEAST(0),                                        \
              "added to the Hessian of each level when the levels of a factor are sorted"),                            \
      MN_COLUMN_VALUES(struct mn_hist_gradient_boosting, monotonic_cst, MN_CLOSED(-1, 1),                              \
                       "one value per feature, or { name = value } or { [number] = value } for some: 1, predictions "  \
                       "increase with it; -1, they decrease; 0, no constraint"),                                       \
      MN_GROUPS(struct mn_hist_gradient_boosting, interaction_cst,                                                     \
                "groups of features that may interact: the splits on a path from the root to a leaf use features "     \
                "of one group only. "                                                                                  \
                "Lists of numbers or names, { {1, 2}, {\"age\", \"income\"} }, or groups x features of 0 and 1; "      \
                "features in no group form one more"),                                                                 \
      MN_CHOICE(struct mn_hist_gradient_boosting, early_stopping, MN_STOP_AUTO, mn_boost_stop_choices,                 \
                "stop when the loss of the evaluation set (the fit option eval) or of held-out samples no longer "     \
                "improves (also: true, false). auto: with eval, or if there are more than 10000 samples. "             \
                "predict uses all rounds, also those after best_iteration; for fewer, fit with max_iter lowered"),     \
      MN_REAL(struct mn_hist_gradient_boosting, validation_fraction, 0.1, MN_OPEN(0, 1),                               \
              "fraction of the samples held out for early stopping, unless fit is given eval"),                        \
      MN_COUNT(struct mn_hist_gradient_boosting, n_iter_no_change, 10, MN_CLOSED(1, 1000000),                          \
               "rounds without improvement before stopping"),                                                          \
      MN_REAL(struct mn_hist_gradient_boosting, tol, 1e-7, MN_AT_LEAST(0),                                             \
              "minimum decrease of the held-out loss that counts as an improvement"),                                  \
      MN_CHOICE(struct mn_hist_gradient_boosting, booster, 0, mn_boosters,                                             \
                "gbtree: ordinary boosting; dart: each round drops some previous rounds, against overfitting"),        \
      MN_REAL(struct mn_hist_gradient_boosting, rate_drop, 0.1, MN_CLOSED(0, 1),                                       \
              "dart: probability of dropping each previous round"),                                                    \
      MN_REAL(struct mn_hist_gradient_boosting, skip_drop, 0, MN_CLOSED(0, 1),                                         \
              "dart: probability that a round drops nothing"),                                                         \
      MN_FLAG(struct mn_hist_gradient_boosting, one_drop, false, "dart: drop at least one round"),                     \
      MN_CHOICE(struct mn_hist_gradient_boosting, normalize_type, 0, mn_dart_normalizations,                           \
                "dart: a new tree has the weight of one dropped tree (tree) or of all of them (forest)"),              \
      MN_FLAG(struct mn_hist_gradient_boosting, warm_start, false,                                                     \
              "fit continues with the existing trees, up to max_iter rounds in total"),                                \
      MN_SEED(struct mn_hist_gradient_boosting, seed)

/* Members of the class tables. */
#define MN_HIST_GRADIENT_BOOSTING_CLASS                                                                                \
  .size = sizeof(struct mn_hist_gradient_boosting), .operations = mn_hist_gradient_boosting_operations,                \
  .can_resume = mn_hist_gradient_boosting_can_resume, .check = mn_hist_gradient_boosting_check,                        \
  .derive = mn_hist_gradient_boosting_derive

#define MN_HIST_GRADIENT_BOOSTING_FIELDS                                                                               \
  MN_TREES_FIELDS(struct mn_hist_gradient_boosting),                                                                   \
      MN_LEARNED(MN_KIND_VECTOR, struct mn_hist_gradient_boosting, gain, "tree_nodes",                                 \
                 "decrease of the objective by each split"),                                                           \
      MN_VECTOR(struct mn_hist_gradient_boosting, start, "scores", "raw prediction before the first tree"),            \
      MN_VECTOR(struct mn_hist_gradient_boosting, validation_trace, "rounds?",                                         \
                "mean loss of the evaluation set or the held-out samples after each round"),                           \
      MN_BEST_ITERATION(struct mn_hist_gradient_boosting),                                                             \
      MN_LEARNED(MN_KIND_VECTOR, struct mn_hist_gradient_boosting, drop_factor, "dart_rounds?", NULL),                 \
      MN_LEARNED(MN_KIND_INDEXES, struct mn_hist_gradient_boosting, drop_start, "dart_starts?", NULL),                 \
      MN_LEARNED(MN_KIND_INDEXES, struct mn_hist_gradient_boosting, dropped, "dart_drops?", NULL),                     \
      MN_VECTOR(struct mn_hist_gradient_boosting, feature_importances, "features",                                     \
                "share of each feature in the total gain of all splits")

/* y: real numbers (regression, ranking) or 0 and 1; for more than two classes data->code is used. */
mn_status mn_hist_gradient_boosting_fit(mn_context *ctx, struct mn_hist_gradient_boosting *m, const mn_data *data,
                                        mn_boost_loss_kind loss, double shape);

/* out (rows x decisions) = raw predictions. */
mn_status mn_hist_gradient_boosting_raw(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_hist_gradient_boosting_check(mn_context *ctx, const void *self);
mn_status mn_hist_gradient_boosting_derive(mn_context *ctx, void *self);

bool mn_hist_gradient_boosting_can_resume(const void *self);
mn_boosted mn_hist_gradient_boosting_view(const struct mn_hist_gradient_boosting *m);

extern const mn_operation mn_hist_gradient_boosting_operations[];

#endif

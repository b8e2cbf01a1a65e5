/* Histogram gradient boosting: what its classifier and its regressor share. */
#ifndef MN_BOOSTING_BOOSTING_H
#define MN_BOOSTING_BOOSTING_H
#include "../model/operation.h"
#include "../tree_structure/tree.h"
#include "boost_loss_kernel.h"
#include "boosted.h"

enum { MN_STOP_AUTO, MN_STOP_YES, MN_STOP_NO };
extern const char *const mn_boost_grows[], *const mn_boost_stops[], *const mn_boosters[], *const mn_dart_norms[];

struct mn_boosting {
  mn_estimator base;
  double learning_rate, l1_regularization, l2_regularization, min_split_gain, min_child_weight; /* what the user sets */
  double subsample, colsample_bytree, colsample_bylevel, colsample_bynode, cat_smooth, validation_fraction, tol;
  double min_samples_leaf;
  int64_t max_iter, max_leaf_nodes, max_depth, max_bins, grow, early_stopping, n_iter_no_change, seed;
  mn_vector monotonic_cst;
  mn_feature_groups interaction_cst;
  int64_t loss; /* of the regressor */
  double quantile, delta, power;
  int64_t lambdarank_truncation_level; /* of the ranker */
  bool lambdarank_norm;
  int64_t booster, normalize_type;
  double rate_drop, skip_drop;
  bool one_drop, warm_start;
  mn_trees trees; /* what fitting learns */
  mn_vector gain, start, validation_trace, feature_importances, drop_factor;
  mn_indexes drop_start, dropped; /* of booster dart: see dart.h */
};

#define MN_BOOST_PARAMS                                                                                                \
  MN_REAL(struct mn_boosting, learning_rate, 0.1, MN_GREATER_THAN(0), "share of each tree that is added"),             \
      MN_COUNT(struct mn_boosting, max_iter, 100, MN_CLOSED(1, 1000000), "rounds, each of one tree a raw prediction"), \
      MN_COUNT(struct mn_boosting, max_leaf_nodes, 31, MN_CLOSED(2, 1 << 24), "most leaves of a tree"),                \
      MN_COUNT(struct mn_boosting, max_depth, MN_UNSET, MN_CLOSED(1, 1 << 24), "most splits on a way; unset: any"),    \
      MN_REAL(struct mn_boosting, min_samples_leaf, 20, MN_AT_LEAST(0),                                                \
              "least rows of a leaf: a sum of weights, over their mean where that is below 1"),                        \
      MN_REAL(struct mn_boosting, min_child_weight, 1e-3, MN_AT_LEAST(0),                                              \
              "least sum of Hessians of a leaf, in the same unit"),                                                    \
      MN_PENALTY(struct mn_boosting, l2_regularization, 0, MN_AT_LEAST(0),                                             \
                 "penalty on half the squared values of leaves"),                                                      \
      MN_PENALTY(struct mn_boosting, l1_regularization, 0, MN_AT_LEAST(0),                                             \
                 "penalty on the absolute values of leaves"),                                                          \
      MN_PENALTY(struct mn_boosting, min_split_gain, 0, MN_AT_LEAST(0),                                                \
                 "penalty on each leaf: what a split must gain at least (gamma)"),                                     \
      MN_COUNT(struct mn_boosting, max_bins, 255, MN_CLOSED(2, 255), "most bins of a column; missing has its own"),    \
      MN_CHOICE(struct mn_boosting, grow, 0, mn_boost_grows,                                                           \
                "split next: the leaf that gains most, or level by level"),                                            \
      MN_REAL(struct mn_boosting, subsample, 1, MN_LEFT_OPEN(0, 1), "share of the rows that a round learns from"),     \
      MN_REAL(struct mn_boosting, colsample_bytree, 1, MN_LEFT_OPEN(0, 1), "share of the columns drawn for a tree"),   \
      MN_REAL(struct mn_boosting, colsample_bylevel, 1, MN_LEFT_OPEN(0, 1),                                            \
              "share of the columns of the tree drawn for each depth"),                                                \
      MN_REAL(struct mn_boosting, colsample_bynode, 1, MN_LEFT_OPEN(0, 1),                                             \
              "share of the columns of its depth drawn for a split"),                                                  \
      MN_REAL(struct mn_boosting, cat_smooth, 10, MN_AT_LEAST(0),                                                      \
              "added to the Hessian of a level when levels of a factor are put in order"),                             \
      MN_REALS(struct mn_boosting, monotonic_cst, MN_CLOSED(-1, 1),                                                    \
               "for each column 1: predictions rise with it, -1: fall, 0: free"),                                      \
      MN_GROUPS(struct mn_boosting, interaction_cst,                                                                   \
                "groups of columns of which only those of one meet on a way from the root to a leaf: lists by number " \
                "or name, { {1, 2}, {\"age\", \"income\"} }, or groups x features of 0 and 1; columns in none form "   \
                "one more"),                                                                                           \
      MN_CHOICE(struct mn_boosting, early_stopping, MN_STOP_AUTO, mn_boost_stops,                                      \
                "stop when rows held out gain no more (also: true, false); auto: with more than 10000 rows"),          \
      MN_REAL(struct mn_boosting, validation_fraction, 0.1, MN_OPEN(0, 1), "share of the rows that is held out"),      \
      MN_COUNT(struct mn_boosting, n_iter_no_change, 10, MN_CLOSED(1, 1000000),                                        \
               "rounds without gain before it stops"),                                                                 \
      MN_REAL(struct mn_boosting, tol, 1e-7, MN_AT_LEAST(0),                                                           \
              "least fall of the loss of rows held out that is a gain"),                                               \
      MN_CHOICE(struct mn_boosting, booster, 0, mn_boosters,                                                           \
                "dart: each round leaves out some rounds before it, against those that only mend single rows"),        \
      MN_REAL(struct mn_boosting, rate_drop, 0.1, MN_CLOSED(0, 1), "of dart: share of the rounds that is left out"),   \
      MN_REAL(struct mn_boosting, skip_drop, 0, MN_CLOSED(0, 1), "of dart: share of the rounds that leave out none"),  \
      MN_FLAG(struct mn_boosting, one_drop, false, "of dart: leave out at least one"),                                 \
      MN_CHOICE(struct mn_boosting, normalize_type, 0, mn_dart_norms,                                                  \
                "of dart: a new tree weighs as much as one of those left out, or as all of them"),                     \
      MN_FLAG(struct mn_boosting, warm_start, false,                                                                   \
              "fit goes on with the trees that there are, up to max_iter rounds in all"),                              \
      MN_SEED(struct mn_boosting, seed)

#define MN_BOOST_FIELDS                                                                                                \
  MN_TREES_FIELDS(struct mn_boosting),                                                                                 \
      MN_LEARNED(MN_KIND_VECTOR, struct mn_boosting, gain, "tree_nodes",                                               \
                 "by how much each split lowered the objective"),                                                      \
      MN_VECTOR(struct mn_boosting, start, "decisions", "raw prediction before the first tree"),                       \
      MN_VECTOR(struct mn_boosting, validation_trace, "rounds?", "loss of the rows held out, after each round"),       \
      MN_LEARNED(MN_KIND_VECTOR, struct mn_boosting, drop_factor, "dart_rounds?", NULL),                               \
      MN_LEARNED(MN_KIND_INDEXES, struct mn_boosting, drop_start, "dart_starts?", NULL),                               \
      MN_LEARNED(MN_KIND_INDEXES, struct mn_boosting, dropped, "dart_drops?", NULL),                                   \
      MN_VECTOR(struct mn_boosting, feature_importances, "features", "share of each column in the gain of all splits")

/* y: as reals (regression) or 0 and 1; classes above 2: data->code is used. */
mn_status mn_boosting_fit(mn_context *ctx, struct mn_boosting *m, const mn_data *data, mn_boost_loss_kind loss,
                          double shape);

/* out (rows x decisions) = raw predictions. */
mn_status mn_boosting_raw(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_boosting_check(mn_context *ctx, const void *self);

bool mn_boosting_goes_on(const void *self);
mn_boosted mn_boosting_view(const struct mn_boosting *m);

extern const mn_operation mn_boosting_operations[];

#endif

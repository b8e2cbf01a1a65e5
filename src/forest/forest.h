/* Forests: trees grown on random rows and features. Parameters, fields and steps shared by random forests and extra
 * trees. */
#ifndef MN_FOREST_FOREST_H
#define MN_FOREST_FOREST_H
#include "../tree/model.h"

typedef struct mn_forest {
  mn_tree_model tree;
  int64_t n_estimators; /* parameters */
  bool bootstrap, oob, oob_importance, quantiles;
  double max_samples;
  mn_vector importances_std; /* learned fields */
  double oob_score;
  mn_matrix oob_prediction;
  mn_vector oob_errors;                              /* trees */
  mn_vector permutation_importances, permutation_se; /* features, or empty */
  mn_indexes train_leaf;                             /* rows x trees: leaf of each training row, for quantiles */
  mn_vector train_y;                                 /* training rows */
  mn_vector train_weight;                            /* training rows, or empty: all 1 */
} mn_forest;

#define MN_FOREST_PARAMS(criteria, bootstrap_default, features)                                                        \
  MN_COUNT(mn_forest, n_estimators, 100, MN_CLOSED(1, 1000000), "number of trees"), MN_TREE_PARAMS(criteria),          \
      MN_REAL(mn_tree_model, max_features, MN_UNSET_REAL, MN_GREATER_THAN(0),                                          \
              "features drawn at random as candidates at each node; below 1: a fraction of all; nil: " features),      \
      MN_FLAG(mn_forest, bootstrap, bootstrap_default,                                                                 \
              "grow each tree on a bootstrap sample, drawn in proportion to the weights; otherwise on all "            \
              "samples"),                                                                                              \
      MN_REAL(mn_forest, max_samples, MN_UNSET_REAL, MN_GREATER_THAN(0),                                               \
              "size of a bootstrap sample; below 1: a fraction of all samples; nil: the number of samples"),           \
      MN_FLAG(mn_forest, oob, false, "evaluate out-of-bag: predict each sample by the trees that did not draw it"),    \
      MN_FLAG(mn_forest, oob_importance, false, "compute permutation_importances on the out-of-bag samples")

#define MN_FOREST_FIELDS                                                                                               \
  MN_TREE_FIELDS,                                                                                                      \
      MN_VECTOR(mn_forest, importances_std, "features", "standard deviation of feature_importances over the trees"),   \
      MN_NUMBER(mn_forest, oob_score, "accuracy or R2 of oob_prediction; NaN without oob"),                            \
      MN_MATRIX(mn_forest, oob_prediction, "rows? x outputs?",                                                         \
                "out-of-bag probabilities or values of each training sample (of positive weight); NaN if every "       \
                "tree drew it; empty without oob"),                                                                    \
      MN_VECTOR(mn_forest, oob_errors, "oob_trees?",                                                                   \
                "out-of-bag error of the first 1, 2, ... trees: misclassification rate, or mean squared error "        \
                "(averaged over targets); empty without oob"),                                                         \
      MN_VECTOR(mn_forest, permutation_importances, "features?",                                                       \
                "mean increase of the error of a tree on its out-of-bag samples (misclassification rate, or mean "     \
                "squared error) if a feature is permuted; empty without oob_importance"),                              \
      MN_VECTOR(mn_forest, permutation_se, "features?",                                                                \
                "standard errors of permutation_importances over the trees; empty without oob_importance")

/* Members of the class tables of random forests and extra trees. */
#define MN_FOREST_CLASSIFIER                                                                                           \
  .size = sizeof(mn_forest), .operations = mn_forest_operations, .log_proba = mn_tree_log_proba,                       \
  .export = mn_tree_export, .check = mn_forest_check
#define MN_FOREST_REGRESSOR                                                                                            \
  .size = sizeof(mn_forest), .fields = mn_forest_regressor_fields, .operations = mn_forest_regressor_operations,       \
  .predict = mn_tree_predict, .export = mn_tree_export, .check = mn_forest_check

mn_status mn_random_forest_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_extra_trees_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_forest_check(mn_context *ctx, const void *self);

/* After the trees have grown: compute what oob, oob_importance and quantiles require. in_bag[t * rows + i], or NULL if
 * neither oob nor oob_importance is set. */
mn_status mn_forest_finish(mn_context *ctx, mn_forest *m, const mn_data *data, const uint8_t *in_bag);

/* Set oob_prediction, oob_score and oob_errors. leaf[i * trees + t]. */
mn_status mn_forest_out_of_bag(mn_context *ctx, mn_forest *m, const mn_data *data, const int32_t *leaf,
                               const uint8_t *in_bag);

/* Set permutation_importances and their standard errors. */
mn_status mn_forest_importance(mn_context *ctx, mn_forest *m, const mn_data *data, const uint8_t *in_bag);

extern const mn_operation mn_forest_operations[];           /* apply, proximity */
extern const mn_operation mn_forest_regressor_operations[]; /* and predict_quantiles */
extern const mn_field mn_forest_regressor_fields[];

#endif

/* Many trees, each on rows and columns drawn at random: what the four forests share. */
#ifndef MN_FOREST_FOREST_H
#define MN_FOREST_FOREST_H
#include "../tree/model.h"

typedef struct mn_forest {
  mn_tree_model tree;
  int64_t n_estimators; /* what the user sets */
  bool bootstrap, oob, oob_importance, quantiles;
  double max_samples;
  mn_vector importances_std; /* what fitting learns */
  double oob_score;
  mn_matrix oob_prediction;
  mn_vector oob_errors;                              /* trees */
  mn_vector permutation_importances, permutation_se; /* features, or empty */
  mn_indexes train_leaf;                             /* rows x trees: where the rows of fit end, for quantiles */
  mn_vector train_y;                                 /* rows */
  mn_vector train_weight;                            /* rows, or empty: all 1 */
} mn_forest;

#define MN_FOREST_PARAMS(criteria, bags, columns)                                                                      \
  MN_COUNT(mn_forest, n_estimators, 100, MN_CLOSED(1, 1000000), "trees"), MN_TREE_PARAMS(criteria),                    \
      MN_REAL(mn_tree_model, max_features, MN_UNSET_REAL, MN_GREATER_THAN(0),                                          \
              "columns tried at each node, drawn at random; below 1: a share of all; nil: " columns),                  \
      MN_FLAG(mn_forest, bootstrap, bags,                                                                              \
              "each tree on rows drawn with replacement, in proportion to their weights; else on all rows"),           \
      MN_REAL(mn_forest, max_samples, MN_UNSET_REAL, MN_GREATER_THAN(0),                                               \
              "rows drawn for a tree by bootstrap; below 1: a share of all; nil: as many as there are"),               \
      MN_FLAG(mn_forest, oob, false, "score each row by the trees that did not draw it"),                              \
      MN_FLAG(mn_forest, oob_importance, false,                                                                        \
              "how much each column matters to the rows that trees did not draw: permutation_importances")

#define MN_FOREST_FIELDS                                                                                               \
  MN_TREE_FIELDS, MN_VECTOR(mn_forest, importances_std, "features", "spread of feature_importances over the trees"),   \
      MN_NUMBER(mn_forest, oob_score, "accuracy or R2 of oob_prediction; NaN without oob"),                            \
      MN_MATRIX(                                                                                                       \
          mn_forest, oob_prediction, "rows? x answers?",                                                               \
          "probabilities or values of each row of fit (of weight above 0) by the trees that did not draw it; NaN "     \
          "where all drew it; empty without oob"),                                                                     \
      MN_VECTOR(mn_forest, oob_errors, "oob_trees?",                                                                   \
                "error of oob_prediction by the first 1, 2, ... trees alone, of the rows that one of them did not "    \
                "draw: share of wrong labels, or mean squared error (the mean over targets); empty without oob"),      \
      MN_VECTOR(mn_forest, permutation_importances, "features?",                                                       \
                "how much more a tree is off on the rows that it did not draw (share of wrong labels, or mean "        \
                "squared error) when a column is shuffled among them, mean over the trees; empty without "             \
                "oob_importance"),                                                                                     \
      MN_VECTOR(mn_forest, permutation_se, "features?",                                                                \
                "standard errors of permutation_importances over the trees; empty without oob_importance")

mn_status mn_forest_fit(mn_context *ctx, mn_forest *m, const mn_data *data, bool drawn);
mn_status mn_random_forest_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_extra_trees_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_forest_check(mn_context *ctx, const void *self);

/* After the trees are made: what oob, oob_importance and quantiles ask for. in_bag[t * rows + i], or NULL where neither
 * of the first two does. */
mn_status mn_forest_look_back(mn_context *ctx, mn_forest *m, const mn_data *data, const uint8_t *in_bag);

/* oob_prediction, oob_score and oob_errors. leaf[i * trees + t] */
mn_status mn_forest_out_of_bag(mn_context *ctx, mn_forest *m, const mn_data *data, const int32_t *leaf,
                               const uint8_t *in_bag);

/* permutation_importances and their standard errors. */
mn_status mn_forest_importance(mn_context *ctx, mn_forest *m, const mn_data *data, const uint8_t *in_bag);

extern const mn_operation mn_forest_operations[];           /* apply, proximity */
extern const mn_operation mn_forest_regressor_operations[]; /* and predict_quantiles */

#endif

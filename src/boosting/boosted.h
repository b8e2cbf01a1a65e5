/* Prediction and inspection of a boosted sum of trees, however the trees were grown. The leaf values include the
 * learning rate; with several outputs, the trees of a round are stored one after the other. */
#ifndef MN_BOOSTING_BOOSTED_H
#define MN_BOOSTING_BOOSTED_H
#include "../model/operation.h"
#include "../model/program.h"
#include "../tree_structure/node_tables.h"

struct mn_hist_gradient_boosting;

typedef struct mn_boosted {
  const mn_estimator *model;
  const mn_trees *trees;
  const mn_vector *start; /* outputs: raw predictions before the first tree */
  bool exponential;       /* the prediction is exp of the raw prediction */
  /* If trees were scaled after their round: convert the contribution of each tree to a row from after `round` to before
   * it; otherwise NULL. */
  void (*unscale)(const struct mn_hist_gradient_boosting *m, size_t round, double *contribution);
} mn_boosted;

/* Check that init_score, if given, has one column for each raw prediction. */
mn_status mn_boosted_check_init_score(mn_context *ctx, const mn_estimator *model, const mn_data *data, size_t outputs);

/* Check y for a loss with a log link: >= 0 and not all 0, or > 0 if `positive`. */
mn_status mn_boosted_check_y(mn_context *ctx, const char *who, const char *loss, bool positive, const mn_data *data);

/* out (rows x outputs) = raw predictions; when a fit continues, starting from init_score. */
mn_status mn_boosted_raw(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_matrix *out);

/* out (rows x classes) = log probabilities; for two classes p = 1 / (1 + exp(-scale f)). */
mn_status mn_boosted_log_proba(mn_context *ctx, const mn_boosted *b, double scale, const mn_data *data, mn_matrix *out);

/* The round, from 1, with the lowest loss in this trace (the first on ties), or MN_UNSET if it is empty. */
int64_t mn_best_round(const mn_vector *trace);
#define MN_BEST_ITERATION(type)                                                                                        \
  MN_DERIVED_INTEGER(type, best_iteration,                                                                             \
                     "round with the lowest loss in validation_trace; predictions use all rounds, staged those "       \
                     "up to each; nil without an evaluation set or held-out samples")

/* Check a loaded model. */
mn_status mn_boosted_check(mn_context *ctx, const mn_boosted *b);

/* Generate code for the raw predictions, out[0..outputs-1], and for log probabilities computed from them. */
mn_status mn_boosted_program(mn_context *ctx, const mn_boosted *b, mn_program *program);
void mn_boosted_proba_program(const mn_boosted *b, mn_program *program);

mn_status mn_boosted_shap(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_results *results);
mn_status mn_boosted_staged(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_results *results);

#define MN_BOOSTED_OPERATIONS(shap_, staged_, trees_)                                                                  \
  { .name = "shap",                                                                                                    \
    .brief = "contribution of each feature to the raw prediction (TreeSHAP); values and base sum to it",               \
    .returns = "values (rows x features; for several classes, one block of features per class), base (decisions)",     \
    .needs = MN_NEEDS_X,                                                                                               \
    .run = (shap_) },                                                                                                  \
      { .name = "trees",                                                                                               \
        .brief = "nodes of all trees and the levels that go left; leaf values and `start` sum to the raw "             \
                 "prediction",                                                                                         \
        .returns = MN_NODES_RETURNS("value, "),                                                                        \
        .run = (trees_) },                                                                                             \
  {                                                                                                                    \
    .name = "staged", .brief = "prediction after each round; for classifiers, the decision function",                  \
    .returns = "Matrix (rows x rounds; for several classes rows x rounds classes)", .needs = MN_NEEDS_X,               \
    .run = (staged_)                                                                                                   \
  }

#endif

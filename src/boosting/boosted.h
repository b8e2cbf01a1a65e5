/* A sum of trees that was boosted, whatever grew them: what can be done with it. The leaves hold what is added to the
 * raw predictions, the learning rate worked in; of several outputs the trees of a round stand one behind the other. */
#ifndef MN_BOOSTING_BOOSTED_H
#define MN_BOOSTING_BOOSTED_H
#include "../model/operation.h"
#include "../model/program.h"
#include "../tree_structure/node_tables.h"

struct mn_boosting;

typedef struct mn_boosted {
  const mn_estimator *model;
  const mn_trees *trees;
  const mn_vector *start; /* outputs: raw predictions before the first tree */
  bool exponential;       /* the prediction is exp of the raw one            */
  /* Where trees were scaled after their round: what each tree adds to a row, from after the round to before it; else
   * NULL. */
  void (*undo)(const struct mn_boosting *m, size_t round, double *adds);
} mn_boosted;

/* Does init_score, where it is given, have a column for each raw prediction? */
mn_status mn_boosted_check_init(mn_context *ctx, const mn_estimator *model, const mn_data *data, size_t outputs);

/* Is y what a loss with a logarithm for its link takes: >= 0 and not all 0, or where `positive` is set > 0? */
mn_status mn_boosted_check_y(mn_context *ctx, const char *who, const char *loss, bool positive, const mn_data *data);

/* out (rows x outputs) = raw predictions; in a fit that goes on, from init_score on. */
mn_status mn_boosted_raw(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_matrix *out);

/* out (rows x classes) = logarithms of the probabilities, p = 1 / (1 + exp(-scale f)) of two classes. */
mn_status mn_boosted_log_proba(mn_context *ctx, const mn_boosted *b, double scale, const mn_data *data, mn_matrix *out);

/* After loading. */
mn_status mn_boosted_check(mn_context *ctx, const mn_boosted *b);

/* Code for the raw predictions, as out[0..outputs-1], and from these for log_proba. */
mn_status mn_boosted_program(mn_context *ctx, const mn_boosted *b, mn_program *program);
void mn_boosted_proba_program(const mn_boosted *b, mn_program *program);

mn_status mn_boosted_shap(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_results *results);
mn_status mn_boosted_staged(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_results *results);

#define MN_BOOSTED_OPERATIONS(shap_, staged_, trees_)                                                                  \
  { .name = "shap",                                                                                                    \
    .brief = "what each column adds to the raw prediction of a row (TreeSHAP); values and base add up to it",          \
    .returns = "values (rows x features; of several classes those of one behind those of another), base (decisions)",  \
    .needs = MN_NEEDS_X,                                                                                               \
    .run = (shap_) },                                                                                                  \
      { .name = "trees",                                                                                               \
        .brief = "the nodes of all trees, and where levels of factors go; the values of leaves, learning rate "        \
                 "and all, and `start` add up to the raw prediction",                                                  \
        .returns = MN_NODES_RETURNS("value, "),                                                                        \
        .run = (trees_) },                                                                                             \
  {                                                                                                                    \
    .name = "staged", .brief = "the prediction after each round; of a classifier the decision function",               \
    .returns = "Matrix (rows x rounds; of several classes rows x rounds classes)", .needs = MN_NEEDS_X,                \
    .run = (staged_)                                                                                                   \
  }

#endif

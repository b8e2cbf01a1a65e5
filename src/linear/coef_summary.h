/* `summary` of linear models that have coefficients but no standard errors: a table of them, and why. */
#ifndef MN_LINEAR_COEF_SUMMARY_H
#define MN_LINEAR_COEF_SUMMARY_H
#include "../model/operation.h"

typedef struct mn_coef_summary_options {
  int64_t target;
} mn_coef_summary_options;

extern const mn_param mn_coef_summary_params[];

/* Of any model whose struct begins with mn_linear. */
mn_status mn_coef_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results);

/* The same with another text after the table, which says why there are no standard errors. */
mn_status mn_coef_summary_because(mn_context *ctx, const void *self, const mn_coef_summary_options *options,
                                  const char *reason, mn_results *results);

/* An element of a table of operations. */
#define MN_COEF_SUMMARY(function)                                                                                      \
  {                                                                                                                    \
    .name = "summary", .brief = "coefficients, how many are nonzero, and why there are no standard errors",            \
    .returns = "coefficients (Frame: term, estimate), nonzero; prints as a table", .options = mn_coef_summary_params,  \
    .options_size = sizeof(mn_coef_summary_options), .run = (function)                                                 \
  }

/* Tables for models that have no other operations: penalized linear models, penalized generalized linear models, models
 * fitted by stochastic gradient descent, and quantile regression. */
extern const mn_operation mn_coef_operations[], mn_glm_coef_operations[], mn_sgd_coef_operations[],
    mn_quantile_coef_operations[];

#endif

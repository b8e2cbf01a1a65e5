/* `summary` of linear models that have weights but no standard errors of them, and say why. */
#ifndef MN_LINEAR_COEF_SUMMARY_H
#define MN_LINEAR_COEF_SUMMARY_H
#include "../model/operation.h"

typedef struct mn_weights_summary_options {
  int64_t target;
} mn_weights_summary_options;

extern const mn_param mn_weights_summary_params[];

/* Of any model that begins with mn_linear. */
mn_status mn_weights_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results);

/* An element of a table of operations. */
#define MN_WEIGHTS_SUMMARY(function)                                                                                   \
  {                                                                                                                    \
    .name = "summary", .brief = "weights and constant, how many are not 0, and why there are no standard errors",      \
    .returns = "coefficients (Frame: term, estimate), nonzero; prints as a table",                                     \
    .options = mn_weights_summary_params, .options_size = sizeof(mn_weights_summary_options), .run = (function)        \
  }

/* For models that have no others: with a penalty; generalised linear models with one; models whose fit is a walk of
 * steps, or of a loss that is any; medians and other quantiles. */
extern const mn_operation mn_weights_operations[], mn_glm_weights_operations[], mn_steps_operations[],
    mn_density_operations[];

#endif

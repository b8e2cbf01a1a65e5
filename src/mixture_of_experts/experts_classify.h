/* Predictions of mixtures of logistic experts: log probabilities, operations and export. */
#ifndef MN_MIXTURE_OF_EXPERTS_EXPERTS_CLASSIFY_H
#define MN_MIXTURE_OF_EXPERTS_EXPERTS_CLASSIFY_H
#include "experts_predict.h"

typedef struct mn_expert_options {
  int64_t expert;
} mn_expert_options;
extern const mn_param mn_expert_options_params[];

mn_status mn_experts_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_experts_expert_proba(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results);
mn_status mn_experts_label_posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                     mn_results *results);
mn_status mn_experts_label_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#endif

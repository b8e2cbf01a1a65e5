/* Labels spread from labelled rows to similar rows:
 *
 *     F := A F, each row divided by its sum; labelled rows are reset to their labels
 *
 * until F does not change. Zhu & Ghahramani, CMU-CALD-02-107 (2002). */
#include "label_model.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_label_model_fit(ctx, self, data, false);
}

static const mn_param params[] = { MN_LABEL_PARAMS(1000), MN_END };
static const mn_field fields[] = { MN_LABEL_FIELDS, MN_END };

const mn_class mn_label_propagation = {
  .name = "LabelPropagation",
  .family = "semi-supervised",
  .brief = "Semi-supervised classification: labels spread to similar rows.",
  .objective = "F = D^-1 A F with the labels of y fixed; A_ij = exp(-gamma |x_i - x_j|^2) or knn",
  .source = "Zhu & Ghahramani, CMU-CALD-02-107 (2002)",
  .notes = MN_LABEL_NOTES "that no label reaches get the same probability for every class. LabelSpreading tolerates "
                          "wrong labels.",
  .example = "local y = ml.Factor{ 'a', nil, nil, 'b', n = 4 }\n"
             "local model = ml.LabelPropagation{ gamma = 1 }:fit({ {0}, {1}, {3}, {4} }, y)\n"
             "print(model.label_distributions, model:predict{ {0.6}, {3.2} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_NOISY_OBJECTIVE,
  .accepts = MN_UNLABELLED,
  .size = sizeof(mn_label_model),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = mn_label_model_warning,
  .log_proba = mn_label_model_log_proba,
  .export = mn_label_model_export,
};

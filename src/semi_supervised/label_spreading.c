/* Labels spread from labelled rows to similar rows, and may be overruled by them:
 *
 *     F := alpha S F + (1 - alpha) Y,      S = D^-1/2 A D^-1/2 without its diagonal
 *
 * until F does not change. Zhou, Bousquet, Lal, Weston & Schoelkopf, NIPS 16 (2004). */
#include "label_model.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_label_model_fit(ctx, self, data, true);
}

static const mn_param params[] = {
  MN_LABEL_PARAMS(30),
  MN_REAL(mn_label_model, alpha, 0.2, MN_OPEN(0, 1),
          "weight of the neighbors in the distribution of a row; its own label has weight 1 - alpha"),
  MN_END,
};
static const mn_field fields[] = { MN_LABEL_FIELDS, MN_END };

const mn_class mn_label_spreading = {
  .name = "LabelSpreading",
  .family = "semi-supervised",
  .brief = "Semi-supervised classification: labels spread on a normalized graph.",
  .objective = "F = alpha S F + (1 - alpha) Y, S = D^-1/2 A D^-1/2; A_ij = exp(-gamma |x_i - x_j|^2) or knn",
  .source = "Zhou, Bousquet, Lal, Weston & Schoelkopf, NIPS 16 (2004)",
  .notes = MN_LABEL_NOTES "that no label reaches get the same probability for every class. With a large alpha the "
                          "neighbors of a labelled row can change its label.",
  .example = "local y = ml.Factor{ 'a', nil, nil, 'b', n = 4 }\n"
             "local model = ml.LabelSpreading{ gamma = 1 }:fit({ {0}, {1}, {3}, {4} }, y)\n"
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

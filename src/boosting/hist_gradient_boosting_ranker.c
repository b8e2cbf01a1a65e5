/* Ranker over binned features: LambdaMART (lambda_rank.h).
 *
 * Burges, Microsoft Research MSR-TR-2010-82; trees as in hist_gradient_boosting_regressor.c. */
#include "hist_gradient_boosting.h"
#include "lambda_rank.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  MN_TRY(mn_lambda_rank_check(ctx, "HistGradientBoostingRanker", data));
  return mn_hist_gradient_boosting_fit(ctx, self, data, MN_BOOST_RANK, 0);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  return action == MN_PREDICT ? mn_boosted_program(ctx, &b, program) : MN_OK;
}

static const mn_param params[] = {
  MN_LAMBDA_RANK_PARAMS(struct mn_hist_gradient_boosting),
  MN_HIST_GRADIENT_BOOSTING_PARAMS,
  MN_END,
};
static const mn_field fields[] = { MN_HIST_GRADIENT_BOOSTING_FIELDS, MN_END };

const mn_class mn_hist_gradient_boosting_ranker = {
  .name = "HistGradientBoostingRanker",
  .family = "ensemble",
  .brief = "LambdaMART ranker over binned features: orders the samples of each query.",
  .objective =
      "mean over queries of 1 - NDCG@k; gradients: sum over pairs |change of NDCG@k by a swap| / (1 + exp(s_better - s_worse))",
  .source = "Burges, Microsoft Research MSR-TR-2010-82 (2010); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017",
  .notes =
      "y is the relevance of each sample, >= 0, with gain 2^y - 1. "
      "The samples of a query are contiguous; fit(X, y, { lengths = { 12, 7, ... } }) gives the size of each query, and without it all samples form one. "
      "predict returns scores, larger first; score is NDCG@k and takes lengths and k. "
      "weights are one per query, or one per sample. "
      "Early stopping holds out whole queries; `objective` and `trace` need not decrease. "
      "For other parameters see HistGradientBoostingRegressor.",
  .example = "local X, y = { {1}, {2}, {3}, {1}, {2} }, { 0, 1, 2, 0, 1 }\n"
             "local model = ml.HistGradientBoostingRanker{ min_samples_leaf = 1 }:fit(X, y, { lengths = { 3, 2 } })\n"
             "print(model:predict(X), model:score(X, y, { lengths = { 3, 2 } }))",
  .capabilities = MN_RANK | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_Y_REALS | MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_WEIGHTS_SCALE | MN_LENGTHS | MN_INIT_SCORE | MN_EVAL |
             MN_SPARSE | MN_MISSING | MN_FACTORS,
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_HIST_GRADIENT_BOOSTING_CLASS,
  .predict = mn_hist_gradient_boosting_raw,
  .export = export,
};

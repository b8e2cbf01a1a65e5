/* Gradient boosting ranker (gradient_boosting.h): LambdaMART (lambda_rank.h). Each leaf value is one Newton step, the
 * sum of the lambdas over the sum of their Hessians.
 *
 * Burges, Microsoft Research MSR-TR-2010-82. */
#include "gradient_boosting.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  MN_TRY(mn_lambda_rank_check(ctx, "GradientBoostingRanker", data));
  return mn_gradient_boosting_fit(ctx, self, data, MN_GRADIENT_RANK);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_boosted b = mn_gradient_boosting_view(self);
  return action == MN_PREDICT ? mn_boosted_program(ctx, &b, program) : MN_OK;
}

static const mn_param params[] = {
  MN_LAMBDA_RANK_PARAMS(mn_gradient_boosting),
  MN_GRADIENT_BOOSTING_ROUNDS,
  MN_GRADIENT_BOOSTING_TREES,
  MN_END,
};
static const mn_field fields[] = { MN_GRADIENT_BOOSTING_FIELDS, MN_END };

const mn_class mn_gradient_boosting_ranker = {
  .name = "GradientBoostingRanker",
  .family = "ensemble",
  .brief = "LambdaMART ranker over exact trees: orders the samples of each query.",
  .objective =
      "mean over queries of 1 - NDCG@k; gradients: sum over pairs |change of NDCG@k by a swap| / (1 + exp(s_better - s_worse)); each leaf value is one Newton step",
  .source = "Burges, Microsoft Research MSR-TR-2010-82 (2010); Friedman, Annals of Statistics 29 (2001)",
  .notes =
      "y, lengths, weights, the Hessian, predict and score are as in HistGradientBoostingRanker, which is faster for more than a few thousand samples. "
      "Its leaf values are limited by penalties; here they are at most 10. "
      "Splits are those of GradientBoostingRegressor. "
      "Whole queries are drawn (subsample) and held out (n_iter_no_change). "
      "train_score, oob_scores and validation_trace are 1 - NDCG@k, which need not decrease. "
      "With warm_start and the same data, raising n_estimators gives exactly the result of one longer fit.",
  .example = "local X, y = { {1}, {2}, {3}, {1}, {2} }, { 0, 1, 2, 0, 1 }\n"
             "local model = ml.GradientBoostingRanker{ n_estimators = 20 }:fit(X, y, { lengths = { 3, 2 } })\n"
             "print(model:predict(X), model:score(X, y, { lengths = { 3, 2 } }))",
  .capabilities = MN_RANK | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_Y_REALS | MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_WEIGHTS_SCALE | MN_LENGTHS | MN_INIT_SCORE | MN_EVAL |
             MN_SPARSE | MN_MISSING | MN_FACTORS,
  .params = params,
  .fields = fields,
  MN_GRADIENT_BOOSTING_CLASS,
  .fit = fit,
  .predict = mn_gradient_boosting_raw,
  .export = export,
};

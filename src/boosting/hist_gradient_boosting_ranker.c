/* Boosted trees on binned columns that order the rows of each group: LambdaMART (lambda_rank.h).
 *
 * Burges, Microsoft Research MSR-TR-2010-82; trees as in hist_gradient_boosting_regressor.c. */
#include "boosting.h"
#include "lambda_rank.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  MN_TRY(mn_lambda_rank_check(ctx, "HistGradientBoostingRanker", data));
  return mn_boosting_fit(ctx, self, data, MN_BOOST_RANK, 0);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_boosted b = mn_boosting_view(self);
  return action == MN_PREDICT ? mn_boosted_program(ctx, &b, program) : MN_OK;
}

static const mn_param params[] = {
  MN_LAMBDA_RANK_PARAMS(struct mn_boosting),
  MN_BOOST_PARAMS,
  MN_END,
};
static const mn_field fields[] = { MN_BOOST_FIELDS, MN_END };

const mn_class mn_hist_gradient_boosting_ranker = {
  .name = "HistGradientBoostingRanker",
  .family = "ensemble",
  .brief = "Boosted trees that put the rows of each query in order: LambdaMART.",
  .objective = "1 - NDCG@k, the mean over queries; by the gradients sum over pairs |change of NDCG@k by a swap| / "
               "(1 + exp(s_better - s_worse))",
  .source = "Burges, Microsoft Research MSR-TR-2010-82 (2010); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017",
  .notes =
      "y says how relevant each row is, >= 0, and counts as 2^y - 1; a query's rows stand together, and the option "
      "lengths of fit says how many each has: fit(X, y, { lengths = { 12, 7, ... } }), as read_svmlight gives them. "
      "Without it all rows are one query. predict gives scores: larger comes first. score is NDCG with that gain, and "
      "takes lengths and k. Names are LightGBM's, whose truncation still counts ranks behind k by their discount. Both "
      "rows of a pair step at once, with the Hessian 2 p (1 - p), as in XGBoost; LightGBM takes p (1 - p): its "
      "learning_rate of 0.1 is 0.2 here. Whole queries are held out for early stopping (auto: with more than 10000 "
      "rows); `objective` and `trace` need not fall. weights are one for each query, by which its pairs and its NDCG "
      "count (XGBoost's definition), or one for each row, by which its part of the pairs counts (LightGBM's); where "
      "rows of a query weigh alike the two are the same, and a weight k is the query k times. cross_validate and "
      "searches take lengths too. For the rest see HistGradientBoostingRegressor.",
  .example = "local X, y = { {1}, {2}, {3}, {1}, {2} }, { 0, 1, 2, 0, 1 }\n"
             "local model = ml.HistGradientBoostingRanker{ min_samples_leaf = 1 }:fit(X, y, { lengths = { 3, 2 } })\n"
             "print(model:predict(X), model:score(X, y, { lengths = { 3, 2 } }))",
  .capabilities = MN_RANK | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_Y_REALS | MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_WEIGHTS_SCALE | MN_LENGTHS | MN_INIT_SCORE | MN_SPARSE |
             MN_MISSING | MN_FACTORS,
  .size = sizeof(struct mn_boosting),
  .params = params,
  .fields = fields,
  .fit = fit,
  .can_resume = mn_boosting_goes_on,
  .predict = mn_boosting_raw,
  .export = export,
  .check = mn_boosting_check,
  .operations = mn_boosting_operations,
};

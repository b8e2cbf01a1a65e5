/* Boosted trees on binned columns, for classes. With raw predictions F_c (one for two classes, F = log p / (1 - p)) the
 * log loss is lowered by one tree a class and round, each the greedy minimum of the second-order objective
 *
 *     sum_i w_i (g_i f(x_i) + h_i f(x_i)^2 / 2) + gamma leaves + sum_leaves (l2 v^2 / 2 + l1 |v|)
 *
 * with g = p - [y = c] and h = p (1 - p), for more than two classes twice that: all of them step at once.
 *
 * Friedman, Annals of Statistics 29 (2001); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017. */
#include "../model/program.h"
#include "boosting.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_boosting_fit(ctx, self, data, data->classes == 2 ? MN_BOOST_LOGISTIC : MN_BOOST_SOFTMAX, 0);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_boosted b = mn_boosting_view(self);
  return mn_boosted_log_proba(ctx, &b, 1, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_boosted b = mn_boosting_view(self);
  if (action != MN_DECISION_FUNCTION && action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(mn_boosted_program(ctx, &b, program));
  if (action == MN_PREDICT_LOG_PROBA) mn_boosted_proba_program(&b, program);
  return MN_OK;
}

static const mn_param params[] = { MN_BOOST_PARAMS, MN_END };
static const mn_field fields[] = { MN_BOOST_FIELDS, MN_END };

const mn_class mn_hist_gradient_boosting_classifier = {
  .name = "HistGradientBoostingClassifier",
  .family = "ensemble",
  .brief = "Boosted trees on binned columns, for classes: the usual first choice for tables.",
  .objective = "mean log loss; each tree: sum w (g f + h f^2 / 2) + min_split_gain leaves + l2 |v|^2 / 2 + l1 |v|_1",
  .source = "Friedman, Annals of Statistics 29 (2001); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017",
  .notes =
      "Names and defaults as scikit-learn has them, and from XGBoost l1_regularization (alpha), min_split_gain "
      "(its gamma is twice ours, which is that of the paper), min_child_weight, subsample and colsample_bytree, "
      "_bylevel, _bynode: each draws a share of the columns that the one before it drew, at least one. Missing "
      "values go the way that lowers the loss more, factors are split by sets of levels. `objective` and `trace` "
      "are the mean loss of the rows learned from, without penalties. booster = \"dart\" is that of Vinayak & "
      "Gilad-Bachrach (AISTATS 2015), its names from XGBoost, whose rate_drop starts at 0; of several classes all "
      "trees of a round are dropped together. Of more than two classes all step at once with the Hessian 2 p (1 - p), "
      "as in XGBoost; scikit-learn takes p (1 - p), whose steps are twice as long, LightGBM k / (k - 1) times that: "
      "for their pace raise learning_rate. With warm_start and the same rows, fits that raise max_iter give "
      "the bits of one fit. Exported to Lua, probabilities of two classes agree within 4 units in the last place.",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\nlocal X, y = iris:split \"species\"\n"
             "local model = ml.HistGradientBoostingClassifier{ max_iter = 20 }:fit(X, y)\nprint(model:score(X, y))",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_INIT_SCORE | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_CLASS_WEIGHT,
  .size = sizeof(struct mn_boosting),
  .params = params,
  .fields = fields,
  .fit = fit,
  .can_resume = mn_boosting_goes_on,
  .decision = mn_boosting_raw,
  .log_proba = log_proba,
  .export = export,
  .check = mn_boosting_check,
  .operations = mn_boosting_operations,
};

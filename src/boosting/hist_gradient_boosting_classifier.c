/* Gradient boosting classifier over binned features. The raw predictions F_c (one for two classes, F = log p / (1 - p))
 * lower the log loss by one tree per class and round, each a greedy minimizer of the second-order objective
 *
 *     sum_i w_i (g_i f(x_i) + h_i f(x_i)^2 / 2) + gamma leaves + sum_leaves (l2 v^2 / 2 + l1 |v|)
 *
 * with g = p - [y = c] and h = p (1 - p). For more than two classes h is doubled, because all classes are updated at
 * once.
 *
 * Friedman, Annals of Statistics 29 (2001); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017. */
#include "../model/program.h"
#include "hist_gradient_boosting.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_hist_gradient_boosting_fit(ctx, self, data, data->classes == 2 ? MN_BOOST_LOGISTIC : MN_BOOST_SOFTMAX, 0);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  return mn_boosted_log_proba(ctx, &b, 1, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  if (action != MN_DECISION_FUNCTION && action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(mn_boosted_program(ctx, &b, program));
  if (action == MN_PREDICT_LOG_PROBA) mn_boosted_proba_program(&b, program);
  return MN_OK;
}

static const mn_param params[] = { MN_HIST_GRADIENT_BOOSTING_PARAMS, MN_END };
static const mn_field fields[] = { MN_HIST_GRADIENT_BOOSTING_FIELDS, MN_END };

const mn_class mn_hist_gradient_boosting_classifier = {
  .name = "HistGradientBoostingClassifier",
  .family = "ensemble",
  .brief = "Gradient-boosted classification trees over binned features; a good first choice.",
  .objective = "mean log loss; each tree: sum w (g f + h f^2 / 2) + min_split_gain leaves + l2 |v|^2 / 2 + l1 |v|_1",
  .source = "Friedman, Annals of Statistics 29 (2001); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017",
  .notes = "Parameters follow scikit-learn, and XGBoost for regularization, column sampling and dart. "
           "Thresholds are bin edges of the whole training set unless tree_method is exact. "
           "Missing values go to the side with the lower loss; factors are split by sets of levels. "
           "`objective` and `trace` are the mean training loss without penalties. "
           "With more than two classes steps are half as long as in scikit-learn. "
           "With warm_start and the same data, raising max_iter gives exactly the result of one longer fit.",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\nlocal X, y = iris:split \"species\"\n"
             "local model = ml.HistGradientBoostingClassifier{ max_iter = 20 }:fit(X, y)\nprint(model:score(X, y))",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts =
      MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_INIT_SCORE | MN_EVAL | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_CLASS_WEIGHT,
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_HIST_GRADIENT_BOOSTING_CLASS,
  .decision = mn_hist_gradient_boosting_raw,
  .log_proba = log_proba,
  .export = export,
};

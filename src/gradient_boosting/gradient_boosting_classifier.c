/* Gradient boosting classifier (gradient_boosting.h) with the losses
 *
 *     log_loss      - log p(y), p = 1 / (1 + exp(-F)) for two classes, otherwise the softmax of one F per class
 *     exponential   exp(-F) for the second of two classes, exp(F) for the first (AdaBoost); p = 1 / (1 + exp(-2 F)) */
#include "gradient_boosting.h"

enum { LOG_LOSS, EXPONENTIAL };
static const char *const losses[] = { "log_loss", "exponential", NULL };

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_gradient_boosting *m = self;
  if (m->loss == EXPONENTIAL && data->classes > 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: loss exponential requires y with 2 classes, got %zu",
                   m->tree.base.class->name, data->classes);
  return mn_gradient_boosting_fit(ctx, m, data,
                                  m->loss == EXPONENTIAL ? MN_GRADIENT_EXPONENTIAL : MN_GRADIENT_LOG_LOSS);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_gradient_boosting *m = self;
  const mn_boosted b = mn_gradient_boosting_view(m);
  return mn_boosted_log_proba(ctx, &b, m->loss == EXPONENTIAL ? 2 : 1, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_gradient_boosting *m = self;
  const mn_boosted b = mn_gradient_boosting_view(m);
  if (action != MN_DECISION_FUNCTION && action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(mn_boosted_program(ctx, &b, program));
  if (action == MN_DECISION_FUNCTION) return MN_OK;
  if (m->loss == EXPONENTIAL) mn_program_code(program, "out[0] = 2 * out[0]");
  mn_boosted_proba_program(&b, program);
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(mn_gradient_boosting, loss, LOG_LOSS, losses, "loss to minimize; exponential: two classes only"),
  MN_GRADIENT_BOOSTING_ROUNDS,
  MN_GRADIENT_BOOSTING_INIT,
  MN_GRADIENT_BOOSTING_TREES,
  MN_END,
};
static const mn_field fields[] = { MN_GRADIENT_BOOSTING_FIELDS, MN_END };

const mn_class mn_gradient_boosting_classifier = {
  .name = "GradientBoostingClassifier",
  .family = "ensemble",
  .brief = "Gradient boosting classifier: small trees with exact splits, added in sequence.",
  .objective = "sum_i w_i L(y_i, F(x_i)), F = start + learning_rate sum of trees; each leaf value is one Newton step",
  .source = "Friedman, Annals of Statistics 29 (2001); Computational Statistics & Data Analysis 38 (2002)",
  .notes =
      "Parameters, defaults and results follow scikit-learn; its criteria friedman_mse and squared_error choose the same splits, so there is no such option. "
      "init = a classifier with predict_proba gives a BoostedClassifier. "
      "Missing values and factors are split as in DecisionTreeRegressor. "
      "`trace` is the mean training loss. "
      "With warm_start and the same data, raising n_estimators gives exactly the result of one longer fit. "
      "For more than a few thousand samples HistGradientBoostingClassifier is faster.",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\nlocal X, y = iris:split \"species\"\n"
             "local model = ml.GradientBoostingClassifier{ n_estimators = 20 }:fit(X, y)\n"
             "print(model:score(X, y), model.feature_importances)",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts =
      MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_INIT_SCORE | MN_EVAL | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_CLASS_WEIGHT,
  .params = params,
  .fields = fields,
  MN_GRADIENT_BOOSTING_CLASS,
  .fit = fit,
  .decision = mn_gradient_boosting_raw,
  .log_proba = log_proba,
  .export = export,
};

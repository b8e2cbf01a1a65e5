/* Gradient boosting regressor (gradient_boosting.h) with the losses
 *
 *     squared_error    (y - F)^2 / 2
 *     absolute_error   |y - F|
 *     huber            quadratic within delta of F; delta is the quantile alpha of |y - F| in each round
 *     quantile         the pinball loss of level alpha
 *     poisson          exp(F) - y F
 *     gamma            F + y exp(-F)
 *     tweedie          exp((2 - p) F) / (2 - p) - y exp((1 - p) F) / (1 - p)
 *
 * The last three predict exp(F). */
#include "gradient_boosting.h"

static const char *const losses[] = { "squared_error", "absolute_error", "huber",   "quantile",
                                      "poisson",       "gamma",          "tweedie", NULL };

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_gradient_boosting *m = self;
  if (m->loss >= MN_GRADIENT_POISSON)
    MN_TRY(mn_boosted_check_y(ctx, m->tree.base.class->name, losses[m->loss], m->loss == MN_GRADIENT_GAMMA, data));
  return mn_gradient_boosting_fit(ctx, m, data, (mn_gradient_loss_kind)m->loss);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(mn_gradient_boosting_raw(ctx, self, data, out));
  if (mn_gradient_boosting_view(self).exponential)
    for (size_t i = 0; i < out->rows; i++) out->at[i] = exp(out->at[i]);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_boosted b = mn_gradient_boosting_view(self);
  if (action != MN_PREDICT) return MN_OK;
  MN_TRY(mn_boosted_program(ctx, &b, program));
  if (b.exponential) mn_program_code(program, "out[0] = exp(out[0])");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(mn_gradient_boosting, loss, MN_GRADIENT_SQUARED, losses, "loss to minimize"),
  MN_REAL(mn_gradient_boosting, alpha, 0.9, MN_OPEN(0, 1),
          "quantile: the level to predict; huber: the fraction of samples that are not outliers"),
  MN_REAL(mn_gradient_boosting, power, 1.5, MN_OPEN(1, 2), "tweedie: the power p of the variance, mean^p"),
  MN_GRADIENT_BOOSTING_ROUNDS,
  MN_GRADIENT_BOOSTING_INIT,
  MN_GRADIENT_BOOSTING_TREES,
  MN_END,
};
static const mn_field fields[] = { MN_GRADIENT_BOOSTING_FIELDS, MN_END };

const mn_class mn_gradient_boosting_regressor = {
  .name = "GradientBoostingRegressor",
  .family = "ensemble",
  .brief = "Gradient boosting regressor: small trees with exact splits, added in sequence.",
  .objective =
      "sum_i w_i L(y_i, F(x_i)), F = start + learning_rate sum of trees; each leaf value minimizes the loss of its rows",
  .source = "Friedman, Annals of Statistics 29 (2001); Computational Statistics & Data Analysis 38 (2002)",
  .notes =
      "Parameters, defaults and results follow scikit-learn, except that quantiles of weighted samples are interpolated. "
      "init = a regressor gives a BoostedRegressor. "
      "poisson, gamma and tweedie, which scikit-learn does not have here, predict exp(F). "
      "Missing values and factors are split as in DecisionTreeRegressor. "
      "`trace` is the mean training loss. "
      "With warm_start and the same data, raising n_estimators gives exactly the result of one longer fit. "
      "For more than a few thousand samples HistGradientBoostingRegressor is faster.",
  .example = "local cars = ml.read_csv \"examples/data/mtcars.csv\"\n"
             "local X, y = cars:select{ \"mpg\", \"hp\", \"wt\" }:split \"mpg\"\n"
             "local model = ml.GradientBoostingRegressor{ loss = \"huber\" }:fit(X, y)\n"
             "print(model:score(X, y), model.feature_importances)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_INIT_SCORE | MN_EVAL | MN_SPARSE | MN_MISSING | MN_FACTORS,
  .params = params,
  .fields = fields,
  MN_GRADIENT_BOOSTING_CLASS,
  .fit = fit,
  .predict = predict,
  .export = export,
};

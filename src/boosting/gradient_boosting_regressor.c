/* Gradient boosting for reals (gradient_boosting.h) with the losses
 *
 *     squared_error    (y - F)^2 / 2
 *     absolute_error   |y - F|
 *     huber            quadratic within delta of F, which is the quantile alpha of |y - F| in each round
 *     quantile         the pinball loss of level alpha
 *     poisson          exp(F) - y F
 *     gamma            F + y exp(-F)
 *     tweedie          exp((2 - p) F) / (2 - p) - y exp((1 - p) F) / (1 - p)
 *
 * of which the last three predict exp(F). */
#include "gradient_boosting.h"

static const char *const losses[] = { "squared_error", "absolute_error", "huber",   "quantile",
                                      "poisson",       "gamma",          "tweedie", NULL };

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_gradient_boosting *m = self;
  if (m->loss >= MN_LINE_POISSON)
    MN_TRY(mn_boosted_check_y(ctx, m->tree.base.class->name, losses[m->loss], m->loss == MN_LINE_GAMMA, data));
  return mn_gradient_boosting_fit(ctx, m, data, (mn_line_kind)m->loss);
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
  MN_CHOICE(mn_gradient_boosting, loss, MN_LINE_SQUARED, losses, "what is minimised"),
  MN_REAL(mn_gradient_boosting, alpha, 0.9, MN_OPEN(0, 1),
          "of the loss quantile: which one is predicted; of huber: share of the rows that are no outliers"),
  MN_REAL(mn_gradient_boosting, power, 1.5, MN_OPEN(1, 2), "of the loss tweedie: variance is mean^power"),
  MN_GRADIENT_BOOSTING_ROUNDS,
  MN_GRADIENT_BOOSTING_INIT,
  MN_GRADIENT_BOOSTING_TREES,
  MN_END,
};
static const mn_field fields[] = { MN_GRADIENT_BOOSTING_FIELDS, MN_END };

const mn_class mn_gradient_boosting_regressor = {
  .name = "GradientBoostingRegressor",
  .family = "ensemble",
  .brief = "Small exact trees, each fitted to what the loss of those before it says is missing, for reals.",
  .objective = "sum_i w_i L(y_i, F(x_i)), F = start + learning_rate sum of trees; each leaf has the value that lowers "
               "the loss of its rows most",
  .source = "Friedman, Annals of Statistics 29 (2001); Computational Statistics & Data Analysis 38 (2002)",
  .notes =
      "Names, defaults and results as scikit-learn has them (but that quantiles of weighted rows are interpolated, "
      "where it takes the lower row); its criteria friedman_mse and squared_error choose the same splits, so there "
      "is no choice here. init = a regressor makes a BoostedRegressor. poisson, gamma and tweedie are ours: they "
      "predict exp(F), and a leaf adds log(sum y exp((1 - p) F) / sum exp((2 - p) F)), within 10, p being 1, 2 and "
      "power. Missing values and factors are split as DecisionTreeRegressor does. `trace` is the mean loss of all "
      "rows learned from. With warm_start and the same rows, fits that raise n_estimators give the bits of one "
      "fit. HistGradientBoostingRegressor is the faster one for more than some thousand rows.",
  .example = "local cars = ml.read_csv \"examples/data/mtcars.csv\"\n"
             "local X, y = cars:select{ \"mpg\", \"hp\", \"wt\" }:split \"mpg\"\n"
             "local model = ml.GradientBoostingRegressor{ loss = \"huber\" }:fit(X, y)\n"
             "print(model:score(X, y), model.feature_importances)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_INIT_SCORE | MN_SPARSE | MN_MISSING | MN_FACTORS,
  .size = sizeof(mn_gradient_boosting),
  .params = params,
  .fields = fields,
  .operations = mn_gradient_boosting_operations,
  .fit = fit,
  .can_resume = mn_gradient_boosting_goes_on,
  .predict = predict,
  .export = export,
  .check = mn_gradient_boosting_check,
};

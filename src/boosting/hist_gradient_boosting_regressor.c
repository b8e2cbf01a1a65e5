/* Boosted trees on binned columns, for reals: the sum F of all trees lowers the mean of a loss
 *
 *     squared_error    (y - F)^2 / 2             poisson   exp(F) - y F
 *     absolute_error   |y - F|                   gamma     F + y exp(-F)
 *     huber            quadratic within delta    tweedie   exp((2 - p) F) / (2 - p) - y exp((1 - p) F) / (1 - p)
 *     quantile         the pinball loss
 *
 * and the prediction is F, or exp(F) for those on the right. The leaves of absolute_error and quantile are quantiles of
 * what is left of y, those of huber where its loss with the penalties is least.
 *
 * Friedman, Annals of Statistics 29 (2001); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017. */
#include "../model/program.h"
#include "boosting.h"

static const char *const losses[] = { "squared_error", "absolute_error", "huber",   "quantile",
                                      "poisson",       "gamma",          "tweedie", NULL };

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_boosting *m = self;
  const double shape = m->loss == MN_BOOST_QUANTILE ? m->quantile : m->loss == MN_BOOST_HUBER ? m->delta : m->power;
  if (m->loss >= MN_BOOST_POISSON)
    MN_TRY(mn_boosted_check_y(ctx, m->base.class->name, losses[m->loss], m->loss == MN_BOOST_GAMMA, data));
  return mn_boosting_fit(ctx, m, data, (mn_boost_loss_kind)m->loss, shape);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_boosting *m = self;
  MN_TRY(mn_boosting_raw(ctx, m, data, out));
  if (m->loss < MN_BOOST_POISSON) return MN_OK;
  for (size_t i = 0; i < out->rows; i++) out->at[i] = exp(out->at[i]);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_boosted b = mn_boosting_view(self);
  if (action != MN_PREDICT) return MN_OK;
  MN_TRY(mn_boosted_program(ctx, &b, program));
  if (b.exponential) mn_program_code(program, "out[0] = exp(out[0])");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct mn_boosting, loss, MN_BOOST_SQUARED, losses, "what is minimised"),
  MN_REAL(struct mn_boosting, quantile, 0.5, MN_OPEN(0, 1), "of the loss quantile: which one is predicted"),
  MN_REAL(struct mn_boosting, delta, 1, MN_GREATER_THAN(0), "of the loss huber: up to here quadratic, in units of y"),
  MN_REAL(struct mn_boosting, power, 1.5, MN_OPEN(1, 2), "of the loss tweedie: variance is mean^power"),
  MN_BOOST_PARAMS,
  MN_END,
};
static const mn_field fields[] = { MN_BOOST_FIELDS, MN_END };

const mn_class mn_hist_gradient_boosting_regressor = {
  .name = "HistGradientBoostingRegressor",
  .family = "ensemble",
  .brief = "Boosted trees on binned columns, for reals: the usual first choice for tables.",
  .objective = "mean loss; each tree: sum w (g f + h f^2 / 2) + min_split_gain leaves + l2 |v|^2 / 2 + l1 |v|_1",
  .source = "Friedman, Annals of Statistics 29 (2001); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017",
  .notes = "Names and defaults as scikit-learn has them, and from XGBoost l1_regularization (alpha), min_split_gain "
           "(its gamma is twice ours, which is that of the paper), min_child_weight, subsample and colsample_bytree, "
           "_bylevel, _bynode: each draws a share of the columns that the one before it drew, at least one. Missing "
           "values go the way that lowers the loss more, factors are split by sets of levels. poisson, gamma and "
           "tweedie predict exp(F). The constant that it begins with is the best one; leaves of absolute_error, "
           "quantile and huber are the best values, too, so that rows far off do not slow it down; a quantile between "
           "two rows is interpolated, as numpy's, and may miss the least loss of few rows (LightGBM's huber "
           "begins with the mean, and a round of it moves no prediction by more than learning_rate times delta). "
           "`objective` and `trace` are the mean loss of the rows learned from, without "
           "penalties. booster = \"dart\" is that of Vinayak & Gilad-Bachrach (AISTATS 2015), its names from XGBoost, "
           "whose rate_drop starts at 0. With warm_start and the same rows, fits that raise max_iter give the bits of "
           "one fit.",
  .example =
      "local cars = ml.read_csv \"examples/data/mtcars.csv\"\nlocal X, y = cars:select{ \"mpg\", \"hp\", \"wt\" "
      "}:split \"mpg\"\n"
      "local model = ml.HistGradientBoostingRegressor{ min_samples_leaf = 3 }:fit(X, y)\nprint(model:score(X, y))",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_INIT_SCORE | MN_SPARSE | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct mn_boosting),
  .params = params,
  .fields = fields,
  .fit = fit,
  .can_resume = mn_boosting_goes_on,
  .predict = predict,
  .export = export,
  .check = mn_boosting_check,
  .operations = mn_boosting_operations,
};

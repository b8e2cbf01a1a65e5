/* Gradient boosting regressor over binned features: the sum F of all trees lowers the mean of a loss
 *
 *     squared_error    (y - F)^2 / 2             poisson   exp(F) - y F
 *     absolute_error   |y - F|                   gamma     F + y exp(-F)
 *     huber            quadratic within delta    tweedie   exp((2 - p) F) / (2 - p) - y exp((1 - p) F) / (1 - p)
 *     quantile         the pinball loss
 *
 * and the prediction is F, or exp(F) for the losses on the right. Leaf values of absolute_error and quantile are
 * quantiles of the residuals; those of huber minimize the loss with penalties.
 *
 * Friedman, Annals of Statistics 29 (2001); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017. */
#include "../model/program.h"
#include "hist_gradient_boosting.h"

static const char *const losses[] = { "squared_error", "absolute_error", "huber",   "quantile",
                                      "poisson",       "gamma",          "tweedie", NULL };

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_hist_gradient_boosting *m = self;
  const double shape = m->loss == MN_BOOST_QUANTILE ? m->quantile : m->loss == MN_BOOST_HUBER ? m->delta : m->power;
  if (m->loss >= MN_BOOST_POISSON)
    MN_TRY(mn_boosted_check_y(ctx, m->base.class->name, losses[m->loss], m->loss == MN_BOOST_GAMMA, data));
  return mn_hist_gradient_boosting_fit(ctx, m, data, (mn_boost_loss_kind)m->loss, shape);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_hist_gradient_boosting *m = self;
  MN_TRY(mn_hist_gradient_boosting_raw(ctx, m, data, out));
  if (m->loss < MN_BOOST_POISSON) return MN_OK;
  for (size_t i = 0; i < out->rows; i++) out->at[i] = exp(out->at[i]);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  if (action != MN_PREDICT) return MN_OK;
  MN_TRY(mn_boosted_program(ctx, &b, program));
  if (b.exponential) mn_program_code(program, "out[0] = exp(out[0])");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct mn_hist_gradient_boosting, loss, MN_BOOST_SQUARED, losses,
            "loss to minimize; poisson, gamma and tweedie have a log link and predict exp(F)"),
  MN_REAL(struct mn_hist_gradient_boosting, quantile, 0.5, MN_OPEN(0, 1), "quantile: the level to predict"),
  MN_REAL(struct mn_hist_gradient_boosting, delta, 1, MN_GREATER_THAN(0),
          "huber: absolute residual up to which the loss is quadratic, in the unit of y"),
  MN_REAL(struct mn_hist_gradient_boosting, power, 1.5, MN_OPEN(1, 2), "tweedie: the power p of the variance, mean^p"),
  MN_HIST_GRADIENT_BOOSTING_PARAMS,
  MN_END,
};
static const mn_field fields[] = { MN_HIST_GRADIENT_BOOSTING_FIELDS, MN_END };

const mn_class mn_hist_gradient_boosting_regressor = {
  .name = "HistGradientBoostingRegressor",
  .family = "ensemble",
  .brief = "Gradient-boosted regression trees over binned features; a good first choice.",
  .objective = "mean loss; each tree: sum w (g f + h f^2 / 2) + min_split_gain leaves + l2 |v|^2 / 2 + l1 |v|_1",
  .source = "Friedman, Annals of Statistics 29 (2001); Chen & Guestrin, KDD 2016; Ke et al., NIPS 2017",
  .notes = "Parameters follow scikit-learn, and XGBoost for regularization, column sampling and dart. "
           "Thresholds are bin edges of the whole training set unless tree_method is exact. "
           "Missing values go to the side with the lower loss; factors are split by sets of levels. "
           "Leaf values of absolute_error, quantile and huber are optimal for their samples. "
           "`objective` and `trace` are the mean training loss without penalties. "
           "With warm_start and the same data, raising max_iter gives exactly the result of one longer fit.",
  .example =
      "local cars = ml.read_csv \"examples/data/mtcars.csv\"\nlocal X, y = cars:select{ \"mpg\", \"hp\", \"wt\" "
      "}:split \"mpg\"\n"
      "local model = ml.HistGradientBoostingRegressor{ min_samples_leaf = 3 }:fit(X, y)\nprint(model:score(X, y))",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_INIT_SCORE | MN_EVAL | MN_SPARSE | MN_MISSING | MN_FACTORS,
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_HIST_GRADIENT_BOOSTING_CLASS,
  .predict = predict,
  .export = export,
};

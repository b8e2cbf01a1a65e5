/* Quantile regression; frisch_newton.h states the objective and the algorithm. Koenker & Bassett, Econometrica 46
 * (1978). */
#include "frisch_newton.h"
#include "../linear/linear.h"
#include "../linear/coef_summary.h"
#include <string.h>

struct quantile_regressor {
  mn_linear linear;
  double quantile, alpha, tol; /* parameters */
  int64_t max_iter;
  bool fit_intercept;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct quantile_regressor *m = self;
  mn_report *report = &m->linear.base.report;
  report->advice = "raise max_iter or scale the columns";
  report->scaled_advice = "raise max_iter or tol";
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, data->features));
  return mn_frisch_newton(ctx, data, m->quantile, m->alpha * mn_total_weight(data), m->fit_intercept, m->max_iter,
                          m->tol, report, m->linear.coef.at, m->linear.intercept.at);
}

static const mn_param params[] = {
  MN_REAL(struct quantile_regressor, quantile, 0.5, MN_OPEN(0, 1), "quantile of y to predict; 0.5: the median"),
  MN_PENALTY(struct quantile_regressor, alpha, 0, MN_AT_LEAST(0),
             "strength of the L1 penalty on the coefficients; 0: none"),
  MN_FLAG(struct quantile_regressor, fit_intercept, true, "fit an intercept; it is never penalized"),
  MN_COUNT(struct quantile_regressor, max_iter, 100, MN_AT_LEAST(1),
           "maximum number of steps of the interior-point method"),
  MN_REAL(struct quantile_regressor, tol, 1e-10, MN_AT_LEAST(0),
          "stop when the duality gap is below this share of the objective"),
  MN_END,
};

static const mn_field fields[] = { MN_LINEAR_FIELDS("targets"), MN_END };

const mn_class mn_quantile_regressor = {
  .name = "QuantileRegressor",
  .family = "linear",
  .brief = "Linear regression for the median or another quantile of y.",
  .objective = "sum_i w_i rho(y_i - x_i b - c) / sum_i w_i + alpha |b|_1, rho(r) = r (quantile - [r < 0])",
  .source = "Koenker & Bassett, Econometrica 46 (1978); Portnoy & Koenker, Statistical Science 12 (1997)",
  .notes =
      "alpha is that of scikit-learn, but 0 by default. The optimum need not be unique; then one of its vertices is returned, which may differ from that of other programs.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5} }, { 1, 2, 3, 4, 50 }\n"
             "print(ml.QuantileRegressor{ quantile = 0.5 }:fit(X, y):predict{ {6} })",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_NO_COLUMNS,
  .size = sizeof(struct quantile_regressor),
  .params = params,
  .fields = fields,
  .operations = mn_quantile_coef_operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};

/* Quantile regression; frisch_newton.h states the objective and the algorithm. Koenker & Bassett, Econometrica 46
 * (1978). */
#include "frisch_newton.h"
#include "../linalg/product.h"
#include "../linear/coef_summary.h"
#include "../linear/linear.h"
#include "../linear/terms.h"
#include "../stats/special.h"
#include "quantile_inference.h"
#include <string.h>

struct quantile_regressor {
  mn_linear linear;
  double quantile, alpha, tol; /* parameters */
  int64_t max_iter;
  bool fit_intercept;
  mn_vector std_error; /* learned: of the coefficients, the intercept first; absent with a penalty */
  mn_vector figures;   /* indexed by mn_quantile_figure; absent like std_error                     */
};

static mn_status infer(mn_context *ctx, struct quantile_regressor *m, const mn_data *data)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = data->rows, p = data->features;
  double *residual = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(residual);
  for (size_t i = 0; i < n; i++) residual[i] = data->y.at[i] - m->linear.intercept.at[0];
  MN_TRY(mn_gemv(ctx, false, n, p, -1, data->x.at, p, m->linear.coef.at, 1, residual));
  MN_TRY(mn_vector_init(ctx, &m->std_error, p + m->fit_intercept));
  MN_TRY(mn_vector_init(ctx, &m->figures, MN_QUANTILE_FIGURES));
  MN_TRY(mn_quantile_inference(ctx, data, m->quantile, m->fit_intercept, residual, m->std_error.at, m->figures.at));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct quantile_regressor *m = self;
  mn_report *report = &m->linear.base.report;
  report->advice = "raise max_iter or scale the columns";
  report->scaled_advice = "raise max_iter or tol";
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, data->features));
  MN_TRY(mn_frisch_newton(ctx, data, m->quantile, m->alpha * mn_total_weight(data), m->fit_intercept, m->max_iter,
                          m->tol, report, m->linear.coef.at, m->linear.intercept.at));
  return m->alpha > 0 || data->features + m->fit_intercept == 0 ? MN_OK : infer(ctx, m, data);
}

/* Checks after load that array shapes do not cover. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct quantile_regressor *m = self;
  if (!m->std_error.at && !m->figures.at) return MN_OK;
  const size_t features = m->linear.base.n_features, terms = m->std_error.size;
  const bool whole = terms > 0 && (terms == features || terms == features + 1);
  if (m->std_error.at && whole && m->figures.at && m->figures.size == MN_QUANTILE_FIGURES) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "QuantileRegressor: a part of the fitted model is missing or invalid");
}

struct summary_options {
  int64_t target;
  double level;
};

static const mn_param summary_params[] = {
  MN_COUNT(struct summary_options, target, MN_UNSET, MN_CLOSED(1, 1), "column of y: there is only the first"),
  MN_REAL(struct summary_options, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals, between 0 and 1"),
  MN_END,
};

static void print_footer(mn_text_page *page, const struct quantile_regressor *m)
{
  char df[MN_NUMBER_SIZE];
  const double *figure = m->figures.at;
  mn_print(page, "Quantile: %g, bandwidth: %.4g, mean density of the errors at the fit: %.4g\n", m->quantile,
           figure[MN_QUANTILE_BANDWIDTH], mn_printable(figure[MN_QUANTILE_MEAN_DENSITY]));
  mn_print(page, "%s degrees of freedom\n", mn_format_number(df, figure[MN_QUANTILE_DF]));
  if (!(figure[MN_QUANTILE_DF] > 0))
    mn_print(page, "\nThere are not more rows than coefficients: no standard errors.\n");
  else if (!(figure[MN_QUANTILE_BANDWIDTH] > 0))
    mn_print(page, "\nAt least half of the rows are fitted exactly: there are no standard errors.\n");
  else if (isnan(m->std_error.at[0]))
    mn_print(page, "\nThe columns of X are collinear near the fit: there are no standard errors.\n");
  if (!m->linear.base.report.converged) mn_print(page, "\nNot converged: raise max_iter.\n");
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct quantile_regressor *m = self;
  const struct summary_options *o = options;
  const mn_coef_summary_options coefs = { .target = o->target };
  if (!m->figures.at) return mn_coef_summary(ctx, self, data, &coefs, results);
  const double df = m->figures.at[MN_QUANTILE_DF], quantile = df > 0 ? mn_t_isf((1 - o->level) / 2, df) : (double)NAN;
  const size_t first = m->std_error.size - m->linear.coef.cols; /* 1 with an intercept in fit */
  mn_term_table t;
  mn_text_page page;
  MN_TRY(mn_term_table_init(ctx, &m->linear.base, results, NULL, m->linear.coef.cols, first, "coefficients.t", &t));
  for (size_t i = 0; i < t.rows; i++)
    mn_term_table_set(&t, i, i < first ? m->linear.intercept.at[0] : m->linear.coef.at[i - first], m->std_error.at[i],
                      df, quantile);
  mn_result_real(results, "df", df);
  mn_result_real(results, "bandwidth", m->figures.at[MN_QUANTILE_BANDWIDTH]);
  mn_result_real(results, "n", m->figures.at[MN_QUANTILE_TOTAL]);
  MN_TRY(mn_page_begin(ctx, &page, 2048 + 200 * t.rows));
  mn_print_quartiles(&page, "Residuals", m->figures.at + MN_QUANTILE_QUARTILES);
  mn_term_table_print(&page, &t, 't');
  print_footer(&page, m);
  return mn_result_text(ctx, results, "text", page.at, page.size - 1); /* without the last newline */
}

static const mn_operation operations[] = {
  { .name = "summary",
    .brief = "coefficients; without a penalty with standard errors (Powell's kernel sandwich) and t tests",
    .returns = "coefficients (Frame: term, estimate, std_error, t, p, low, high), df, bandwidth (of the kernel), n; "
               "with alpha > 0 coefficients (Frame: term, estimate), nonzero; prints as a table",
    .options = summary_params,
    .options_size = sizeof(struct summary_options),
    .run = summary },
  { .name = NULL },
};

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

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_VECTOR(struct quantile_regressor, std_error, "terms?",
            "standard errors of the intercept and the coefficients, without a penalty"),
  MN_LEARNED(MN_KIND_VECTOR, struct quantile_regressor, figures, "figures?", NULL),
  MN_END,
};

const mn_class mn_quantile_regressor = {
  .name = "QuantileRegressor",
  .family = "linear",
  .brief = "Linear regression for the median or another quantile of y.",
  .objective = "sum_i w_i rho(y_i - x_i b - c) / sum_i w_i + alpha |b|_1, rho(r) = r (quantile - [r < 0])",
  .source = "Koenker & Bassett, Econometrica 46 (1978); Portnoy & Koenker, Statistical Science 12 (1997)",
  .notes =
      "alpha is that of scikit-learn, but 0 by default. The optimum need not be unique; then one of its vertices is returned, which may differ from that of other programs. "
      "Standard errors are those of summary(se = 'ker') of R's quantreg; weights count rows in them.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5} }, { 1, 2, 3, 4, 50 }\n"
             "print(ml.QuantileRegressor{ quantile = 0.5 }:fit(X, y):predict{ {6} })",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_NO_COLUMNS,
  .size = sizeof(struct quantile_regressor),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
  .check = check,
};

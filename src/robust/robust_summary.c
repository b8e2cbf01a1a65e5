/* Standard errors and summary of robust regression. With psi the derivative of rho, u_i = r_i / s, n the number of
 * observations and p the number of coefficients (Huber & Ronchetti, Robust Statistics (2009), section 7.6; summary of
 * rlm in R's MASS),
 *
 *     cov(b) = V^2 inv(X'WX),   V = K / m sqrt(s^2 sum_i w_i psi(u_i)^2 / (n - p)),
 *     m = mean of psi'(u_i),    K = 1 + p var(psi'(u_i)) / (n m^2).
 *
 * Frequency weights add up to n. Precision weights are scaled so that they add up to the number of rows: for large
 * tuning constants the errors are those of weighted least squares, whatever the unit of the weights is. */
#include "../factorization/lapack.h"
#include "../stats/quantile.h"
#include "robust.h"
#include "../linear/alias.h"
#include "../linear/information.h"
#include "../linear/terms.h"
#include <string.h>

/* V above; NaN where undefined. `unit`: factor of the weights. */
static double compute_spread(const struct mn_robust *m, const mn_data *data, const double *residual, double unit,
                             double df)
{
  double n = 0, slopes = 0, squares = 0, sum = 0;
  if (m->loss == MN_ROBUST_ABSOLUTE || !(m->scale > 0) || !(df > 0)) return (double)NAN;
  for (size_t i = 0; i < data->rows; i++) {
    const double w = unit * mn_weight(data, i), u = residual[i] / m->scale, slope = mn_robust_slope(m, u);
    const double psi = u * mn_robust_weight(m, u);
    n += w;
    slopes += w * slope;
    squares += w * slope * slope;
    sum += w * psi * psi;
  }
  const double mean = slopes / n, coefficients = n - df;
  const double kappa = 1 + coefficients * (squares - slopes * mean) / (n - 1) / (n * mean * mean);
  return mean > 0 ? m->scale * sqrt(sum / df) * kappa / mean : (double)NAN;
}

/* The model without its dependent columns: its coefficients, and the square roots of the diagonal of inv(X'WX), NaN for
 * the others. */
static mn_status alias_errors(mn_context *ctx, struct mn_robust *m, size_t p, const double *r, const double *mean,
                              double n, size_t rank)
{
  const size_t first = m->fit_intercept;
  double *column = MN_NEW(ctx, double, p, p), *scale = MN_RAW(ctx, double, p, 1), *out = m->std_error.at;
  mn_alias alias;
  if (!column || !scale) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k <= j; k++) column[j * p + k] = r[k * p + j];
  MN_TRY(mn_alias_find_unscaled(ctx, p, column, rank, scale, &alias));
  const mn_indexes dependent = { .at = alias.dependent, .size = p - alias.rank };
  const mn_matrix combination = { .at = alias.combination, .rows = dependent.size, .cols = p };
  const mn_information f = { .p = p,
                             .mean = mean,
                             .norm = scale,
                             .inverse = alias.inverse,
                             .total = n,
                             .intercept = m->fit_intercept,
                             .dependent = &dependent,
                             .combination = &combination };
  double *v = MN_RAW(ctx, double, p + first, p + first);
  MN_CHECK_ALLOC(v);
  MN_TRY(mn_information_inverse(ctx, &f, v));
  for (size_t t = 0; t < p + first; t++) out[t] = sqrt(v[t * (p + first) + t]);
  MN_TRY(mn_vector_init(ctx, &m->aliased, p + first));
  mn_alias_coefficients(&f, m->linear.coef.at, m->linear.intercept.at[0], m->aliased.at);
  m->figures.at[MN_ROBUST_RANK] = (double)alias.rank;
  return MN_OK;
}

/* Square roots of the diagonal of inv(X'WX), intercept first, from the R of the centered rows. Row j of inv(R) solves z
 * R = e_j. */
static mn_status unscaled_errors(mn_context *ctx, struct mn_robust *m, size_t p, const double *r, const double *mean,
                                 double n)
{
  double *z = MN_RAW(ctx, double, p, 1), *constant = MN_NEW(ctx, double, p, 1), *out = m->std_error.at;
  if (!z || !constant) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    double square = 0;
    for (size_t k = j; k < p; k++) {
      double rest = k == j ? 1 : 0;
      for (size_t i = j; i < k; i++) rest -= z[i] * r[i * p + k];
      z[k] = rest / r[k * p + k];
      square += z[k] * z[k];
      constant[k] += mean[j] * z[k];
    }
    out[(size_t)m->fit_intercept + j] = sqrt(square);
  }
  if (!m->fit_intercept) return MN_OK;
  double square = 1 / n;
  for (size_t k = 0; k < p; k++) square += constant[k] * constant[k];
  out[0] = sqrt(square);
  return MN_OK;
}

static mn_status compute_errors(mn_context *ctx, struct mn_robust *m, const mn_data *data, const double *residual)
{
  const size_t p = data->features;
  double *mean = MN_NEW(ctx, double, p, 1), *r = MN_RAW(ctx, double, p, p), *qty = MN_RAW(ctx, double, p, 1);
  double *step = MN_RAW(ctx, double, p, 1), n = 0;
  if (!mean || !r || !qty || !step) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    const double w = mn_weight(data, i);
    n += w;
    if (m->fit_intercept)
      for (size_t j = 0; j < p; j++) mean[j] += w / n * (mn_row(&data->x, i)[j] - mean[j]);
  }
  const mn_rows rows = {
    .n = data->rows, .p = p, .m = 1, .x = data->x.at, .y = residual, .weights = data->weights, .x_center = mean
  };
  mn_rank found = { .pivot = NULL };
  MN_TRY(mn_tall_qr(ctx, &rows, r, qty, NULL));
  MN_TRY(mn_solve_r(ctx, p, 1, r, qty, 0, step, NULL, &found));
  double *figure = m->figures.at;
  mn_observations observations = { .type = m->weights_type, .total = n };
  mn_count_observations(data, &observations.rows, &observations.log_sum);
  const double count = mn_observation_count(&observations), unit = count / n;
  figure[MN_ROBUST_ROWS] = observations.rows;
  figure[MN_ROBUST_TOTAL] = n;
  figure[MN_ROBUST_LOG_WEIGHTS] = observations.log_sum;
  figure[MN_ROBUST_RANK] = (double)found.rank;
  figure[MN_ROBUST_DF] = count - (double)found.rank - m->fit_intercept;
  figure[MN_ROBUST_SPREAD] = compute_spread(m, data, residual, unit, figure[MN_ROBUST_DF]);
  if (found.rank == p)
    MN_TRY(unscaled_errors(ctx, m, p, r, mean, n));
  else
    MN_TRY(alias_errors(ctx, m, p, r, mean, n, found.rank));
  for (size_t t = 0; t < m->std_error.size; t++) m->std_error.at[t] *= figure[MN_ROBUST_SPREAD] / sqrt(unit);
  return MN_OK;
}

mn_status mn_robust_inference(mn_context *ctx, struct mn_robust *m, const mn_data *data, const double *residual)
{
  static const double levels[] = { 0, 0.25, 0.5, 0.75, 1 };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_vector_init(ctx, &m->figures, MN_ROBUST_FIGURES));
  MN_TRY(mn_quantiles(ctx, data->rows, residual, data->weights, 5, levels, m->figures.at + MN_ROBUST_QUARTILES));
  if (data->features + m->fit_intercept > 0) {
    MN_TRY(mn_vector_init(ctx, &m->std_error, data->features + m->fit_intercept));
    MN_TRY(compute_errors(ctx, m, data, residual));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

struct table {
  size_t rows;
  const char **names;
  mn_vector *estimate, *std_error, *t;
};

/* Number of intercepts of the fit: fit_intercept may have been set since for the next one. */
static size_t fitted_intercept(const struct mn_robust *m)
{
  return m->std_error.size - m->linear.base.n_features;
}

static mn_status fill_table(mn_context *ctx, const struct mn_robust *m, mn_results *results, struct table *t)
{
  const size_t p = m->linear.base.n_features, constant = fitted_intercept(m);
  t->rows = p + constant;
  MN_TRY(mn_term_names(ctx, &m->linear.base, NULL, p, constant, &t->names));
  MN_TRY(mn_result_names(ctx, results, "coefficients.term", t->names, t->rows));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.estimate", t->rows, &t->estimate));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.std_error", t->rows, &t->std_error));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.t", t->rows, &t->t));
  for (size_t row = 0; row < t->rows; row++) {
    t->estimate->at[row] = m->aliased.at    ? m->aliased.at[row]
                           : row < constant ? m->linear.intercept.at[0]
                                            : m->linear.coef.at[row - constant];
    t->std_error->at[row] = m->std_error.at[row];
    t->t->at[row] = t->estimate->at[row] / t->std_error->at[row];
  }
  return MN_OK;
}

static void print_table(mn_text_page *page, const struct table *t)
{
  size_t width = 8;
  for (size_t i = 0; i < t->rows; i++) width = strlen(t->names[i]) > width ? strlen(t->names[i]) : width;
  if (width > 40) width = 40;
  mn_print(page, "Coefficients:\n%-*s %12s %12s %9s\n", (int)width, "", "Estimate", "Std. Error", "t value");
  for (size_t i = 0; i < t->rows; i++) {
    if (isnan(t->estimate->at[i])) {
      mn_print(page, "%-*.*s %12s\n", (int)width, (int)width, t->names[i], "aliased");
      continue;
    }
    mn_print(page, "%-*.*s %12.6g %12.6g %9.3f\n", (int)width, (int)width, t->names[i],
             mn_printable(t->estimate->at[i]), mn_printable(t->std_error->at[i]), mn_printable(t->t->at[i]));
  }
}

/* Name the columns without a coefficient of their own. */
static mn_status print_dependent(mn_context *ctx, mn_text_page *page, const struct mn_robust *m, const struct table *t)
{
  const size_t p = m->linear.base.n_features, first = fitted_intercept(m);
  mn_indexes dependent = { .at = MN_RAW(ctx, int32_t, p, 1) };
  MN_CHECK_ALLOC(dependent.at);
  for (size_t j = 0; m->aliased.at && j < p; j++)
    if (isnan(m->aliased.at[first + j])) dependent.at[dependent.size++] = (int32_t)j;
  mn_print_aliased(page, &dependent, t->names + first, (size_t)m->figures.at[MN_ROBUST_RANK], p);
  return MN_OK;
}

/* Explain missing p-values and standard errors. */
static void print_explanation(mn_text_page *page, const struct mn_robust *m)
{
  const bool early = m->figures.at[MN_ROBUST_RANK] < (double)m->linear.base.n_features && !m->aliased.at;
  if (m->loss == MN_ROBUST_ABSOLUTE)
    mn_print(
        page,
        "\nThere are no standard errors of loss absolute; ml.QuantileRegressor{} fits the same model and computes them.\n");
  else if (early)
    mn_print(page, "\nThe columns of X are collinear; standard errors require a fit by this version or later.\n");
  else if (!(m->scale > 0))
    mn_print(page, "\nAt least half of the rows are fitted exactly: there are no standard errors.\n");
  else
    mn_print(page, "\nThere are no p-values: t is only asymptotically normal, that is, for many rows.\n");
}

mn_status mn_robust_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  (void)data;
  (void)options;
  const struct mn_robust *m = self;
  char df[MN_NUMBER_SIZE];
  struct table t;
  mn_text_page page;
  if (!m->figures.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "RobustRegression: summary requires a model fitted by this version or later; fit it again");
  const double *figure = m->figures.at;
  MN_TRY(fill_table(ctx, m, results, &t));
  mn_result_real(results, "sigma", m->scale);
  mn_result_real(results, "spread", figure[MN_ROBUST_SPREAD]);
  mn_result_real(results, "df", figure[MN_ROBUST_DF]);
  MN_TRY(mn_page_begin(ctx, &page, 1536 + 220 * t.rows));
  mn_print_quartiles(&page, "Residuals", figure);
  print_table(&page, &t);
  if (m->figures.size == MN_ROBUST_FIGURES) {
    const mn_observations observations = { .type = m->weights_type,
                                           .rows = figure[MN_ROBUST_ROWS],
                                           .total = figure[MN_ROBUST_TOTAL],
                                           .log_sum = figure[MN_ROBUST_LOG_WEIGHTS] };
    if (mn_is_weighted(&observations)) mn_print(&page, "\n");
    mn_print_weights_type(&page, &observations);
  }
  mn_print(&page, "\nResidual scale: %.4g on %s degrees of freedom\n", m->scale,
           mn_format_number(df, figure[MN_ROBUST_DF]));
  MN_TRY(print_dependent(ctx, &page, m, &t));
  print_explanation(&page, m);
  if (!m->linear.base.report.converged) mn_print(&page, "\nNot converged: %s.\n", "raise max_iter");
  return mn_result_text(ctx, results, "text", page.at, page.size > 0 ? page.size - 1 : 0);
}

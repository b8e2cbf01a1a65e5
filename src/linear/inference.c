/* Inference for ordinary least squares: coefficient table, intervals and regression diagnostics.
 *
 * With Gaussian errors of variance sigma^2 the coefficients have covariance sigma^2 C, where C is the inverse of the
 * Gram matrix of [1 X]. Fitting keeps U, the inverse of the Gram matrix of the columns centered and scaled to norm 1. C
 * follows from it, and a row has leverage 1/n + z U z' with z = (x - mean) / norm.
 *
 * Seber & Lee, Linear Regression Analysis (2003), chapters 3, 5, 10; Cook (1977); Durbin & Watson (1950); Breusch &
 * Pagan (1979) in the studentized form of Koenker (1981). */
#include "../core/levels.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "../stats/special.h"
#include "linear_regression.h"
#include "terms.h"

struct summary_options {
  double level;
  int64_t target;
};

static const mn_param summary_params[] = {
  MN_REAL(struct summary_options, level, 0.95, MN_OPEN(0, 1), "coverage of the confidence intervals"),
  MN_COUNT(struct summary_options, target, 1, MN_AT_LEAST(1), "column of y, from 1"),
  MN_END,
};

static mn_status require_inference(mn_context *ctx, const struct mn_ols *m, const char *what)
{
  if (m->unscaled.at) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "LinearRegression: %s requires a model fitted with inference = true", what);
}

static mn_status require_target(mn_context *ctx, const struct mn_ols *m, int64_t target)
{
  if ((uint64_t)target <= m->linear.base.n_targets) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "LinearRegression: target must be from 1 to %zu, got %lld",
                 m->linear.base.n_targets, (long long)target);
}

/* Goodness of fit of one target. */
struct fit_statistics {
  double df, model_df, sigma, r2, adjusted_r2, f, f_p, loglik, aic, bic;
};

static struct fit_statistics compute_statistics(const struct mn_ols *m, size_t target)
{
  const double pi = 3.14159265358979323846, intercept = m->fit_intercept;
  struct fit_statistics s = { .model_df = (double)m->rank };
  const double rss = m->rss.at[target], tss = m->tss.at[target];
  s.df = m->n - s.model_df - intercept;
  s.sigma = s.df > 0 ? sqrt(rss / s.df) : (double)NAN;
  s.r2 = 1 - rss / tss;
  s.adjusted_r2 = 1 - (1 - s.r2) * (m->n - intercept) / s.df;
  s.f = s.df > 0 ? (tss - rss) / s.model_df / (rss / s.df) : (double)NAN;
  s.f_p = mn_f_sf(s.f, s.model_df, s.df);
  s.loglik = -m->n / 2 * (log(2 * pi) + log(rss / m->n) + 1);
  s.aic = -2 * s.loglik + 2 * (s.model_df + intercept + 1); /* counts the variance as a parameter, as R does */
  s.bic = -2 * s.loglik + log(m->n) * (s.model_df + intercept + 1);
  return s;
}

/* Variance of the intercept in units of sigma^2. */
static mn_status intercept_variance(mn_context *ctx, const struct mn_ols *m, double *variance)
{
  double *z = MN_RAW(ctx, double, m->mean.size, 1);
  MN_CHECK_ALLOC(z);
  for (size_t j = 0; j < m->mean.size; j++) z[j] = m->mean.at[j] / m->scale.at[j];
  *variance = 1 / m->n + mn_quadratic_form(m->mean.size, m->unscaled.at, z);
  return MN_OK;
}

static mn_status fill_table(mn_context *ctx, const struct mn_ols *m, size_t target, const struct fit_statistics *s,
                            double level, const mn_term_table *t)
{
  const size_t p = m->mean.size;
  const double quantile = mn_t_isf((1 - level) / 2, s->df);
  double variance;
  size_t row = 0;
  MN_TRY(intercept_variance(ctx, m, &variance));
  if (m->fit_intercept)
    mn_term_table_set(t, row++, m->linear.intercept.at[target], s->sigma * sqrt(variance), s->df, quantile);
  for (size_t j = 0; j < p; j++)
    mn_term_table_set(t, row++, m->linear.coef.at[target * p + j],
                      s->sigma / m->scale.at[j] * sqrt(m->unscaled.at[j * p + j]), s->df, quantile);
  return MN_OK;
}

static void print_footer(mn_text_page *page, const struct mn_ols *m, const struct fit_statistics *s)
{
  char df[MN_NUMBER_SIZE], p[32];
  mn_print(page, "Residual standard error: %.4g on %s degrees of freedom\n", mn_printable(s->sigma),
           mn_format_number(df, s->df));
  mn_print(page, "Multiple R-squared: %.4f, Adjusted R-squared: %.4f\n", mn_printable(s->r2),
           mn_printable(s->adjusted_r2));
  if (m->rank > 0)
    mn_print(page, "F-statistic: %.4g on %lld and %s DF, p-value: %s\n", mn_printable(s->f), (long long)m->rank,
             mn_format_number(df, s->df), mn_format_p_value(p, s->f_p));
  mn_print(page, "Log-likelihood: %.4f, AIC: %.4f, BIC: %.4f\n", mn_printable(s->loglik), mn_printable(s->aic),
           mn_printable(s->bic));
}

static void print_rank(mn_text_page *page, const struct mn_ols *m, const char *const *names)
{
  if (m->dependent.size == 0) return;
  mn_print(page,
           "\nX is rank-deficient: rank %lld of %zu columns. Linear combinations of other columns:", (long long)m->rank,
           m->mean.size);
  for (size_t j = 0; j < m->dependent.size; j++)
    mn_print(page, "%s %s", j > 0 ? "," : "", names[(size_t)m->fit_intercept + (size_t)m->dependent.at[j]]);
  mn_print(page, ".\nThe coefficients are the minimum-norm solution and have no standard errors.\n");
}

static mn_status write_text(mn_context *ctx, const struct mn_ols *m, size_t target, const struct fit_statistics *s,
                            const mn_term_table *t, mn_results *results)
{
  mn_text_page page;
  MN_TRY(mn_page_begin(ctx, &page, 2048 + 160 * t->rows));
  if (isnan(m->residuals.at[5 * target]))
    mn_print(&page, "Residual quartiles are not available after partial_fit.\n\n");
  else
    mn_print_quartiles(&page, "Residuals", m->residuals.at + 5 * target);
  mn_term_table_print(&page, t, 't');
  print_footer(&page, m, s);
  print_rank(&page, m, t->names);
  return mn_result_text(ctx, results, "text", page.at,
                        page.size > 0 ? page.size - 1 : 0); /* without the last newline */
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct mn_ols *m = self;
  const struct summary_options *o = options;
  MN_TRY(require_inference(ctx, m, "summary"));
  MN_TRY(require_target(ctx, m, o->target));
  const size_t target = (size_t)o->target - 1;
  const struct fit_statistics s = compute_statistics(m, target);
  mn_term_table t;
  MN_TRY(mn_term_table_init(ctx, &m->linear.base, results, NULL, m->mean.size, m->fit_intercept, "coefficients.t", &t));
  MN_TRY(fill_table(ctx, m, target, &s, o->level, &t));
  mn_result_real(results, "sigma", s.sigma);
  mn_result_real(results, "df", s.df);
  mn_result_real(results, "r2", s.r2);
  mn_result_real(results, "adjusted_r2", s.adjusted_r2);
  mn_result_real(results, "f", s.f);
  mn_result_real(results, "f_p", s.f_p);
  mn_result_real(results, "loglik", s.loglik);
  mn_result_real(results, "aic", s.aic);
  mn_result_real(results, "bic", s.bic);
  mn_result_real(results, "n", m->n);
  return write_text(ctx, m, target, &s, &t, results);
}

struct interval_options {
  double level;
  int64_t kind, target;
};

static const char *const interval_kinds[] = { "prediction", "confidence", NULL };

static const mn_param interval_params[] = {
  MN_REAL(struct interval_options, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals"),
  MN_CHOICE(struct interval_options, kind, 0, interval_kinds,
            "prediction: interval for a new observation; confidence: for its mean"),
  MN_COUNT(struct interval_options, target, 1, MN_AT_LEAST(1), "column of y, from 1"),
  MN_END,
};

/* z U z' + 1/n; `z` is workspace. */
static double leverage(const struct mn_ols *m, const double *row, double *z)
{
  for (size_t j = 0; j < m->mean.size; j++) z[j] = (row[j] - m->mean.at[j]) / m->scale.at[j];
  return (m->fit_intercept ? 1 / m->n : 0) + mn_quadratic_form(m->mean.size, m->unscaled.at, z);
}

static double fitted(const struct mn_ols *m, size_t target, const double *row)
{
  const size_t p = m->mean.size;
  double sum = m->linear.intercept.at[target];
  for (size_t j = 0; j < p; j++) sum += row[j] * m->linear.coef.at[target * p + j];
  return sum;
}

static mn_status intervals(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct mn_ols *m = self;
  const struct interval_options *o = options;
  MN_TRY(require_inference(ctx, m, "intervals"));
  MN_TRY(require_target(ctx, m, o->target));
  const size_t target = (size_t)o->target - 1;
  const struct fit_statistics s = compute_statistics(m, target);
  const double quantile = mn_t_isf((1 - o->level) / 2, s.df), noise = o->kind == 0 ? 1 : 0;
  double *centered = MN_RAW(ctx, double, data->features, 1);
  mn_vector *fit, *low, *high, *std_error;
  MN_CHECK_ALLOC(centered);
  MN_TRY(mn_result_vector(ctx, results, "intervals.fit", data->rows, &fit));
  MN_TRY(mn_result_vector(ctx, results, "intervals.low", data->rows, &low));
  MN_TRY(mn_result_vector(ctx, results, "intervals.high", data->rows, &high));
  MN_TRY(mn_result_vector(ctx, results, "intervals.std_error", data->rows, &std_error));
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i);
    fit->at[i] = fitted(m, target, row);
    std_error->at[i] = s.sigma * sqrt(leverage(m, row, centered) + noise);
    low->at[i] = fit->at[i] - quantile * std_error->at[i];
    high->at[i] = fit->at[i] + quantile * std_error->at[i];
  }
  return MN_OK;
}

struct diagnostics_options {
  int64_t target;
};

static const mn_param diagnostics_params[] = {
  MN_COUNT(struct diagnostics_options, target, 1, MN_AT_LEAST(1), "column of y, from 1"),
  MN_END,
};

/* Test for heteroscedasticity: n R^2 of the regression of the squared residuals on X, which is chi-square with p
 * degrees of freedom if their variance does not depend on X (Koenker 1981). */
static mn_status breusch_pagan(mn_context *ctx, const mn_data *data, const double *residual, mn_results *results)
{
  const size_t n = data->rows, p = data->features;
  double *square = MN_RAW(ctx, double, n, 1), *mean = MN_NEW(ctx, double, p, 1), *coef = MN_RAW(ctx, double, p, 1);
  double y_mean = 0, rss = 0, tss = 0;
  if (!square || !mean || !coef) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    square[i] = residual[i] * residual[i];
    y_mean += square[i] / (double)n;
    for (size_t j = 0; j < p; j++) mean[j] += data->x.at[i * p + j] / (double)n;
  }
  for (size_t i = 0; i < n; i++) tss += (square[i] - y_mean) * (square[i] - y_mean);
  const mn_rows rows = { .n = n, .p = p, .m = 1, .x = data->x.at, .y = square, .x_center = mean, .y_center = &y_mean };
  MN_TRY(mn_least_squares(ctx, &rows, 0, coef, &rss, NULL));
  const double statistic = tss > 0 ? (double)n * (1 - rss / tss) : 0;
  mn_result_real(results, "breusch_pagan", statistic);
  mn_result_real(results, "breusch_pagan_p", mn_chi2_sf(statistic, (double)p));
  return MN_OK;
}

/* Variance inflation factors: the diagonal of U, which is 1 for a column that is orthogonal to the others. */
static mn_status variance_inflation(mn_context *ctx, const struct mn_ols *m, mn_results *results)
{
  const size_t p = m->mean.size;
  mn_vector *vif;
  MN_TRY(mn_result_vector(ctx, results, "vif", p, &vif));
  for (size_t j = 0; j < p; j++) vif->at[j] = m->unscaled.at[j * p + j];
  return MN_OK;
}

static mn_status diagnostics(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  const struct mn_ols *m = self;
  const struct diagnostics_options *o = options;
  MN_TRY(require_inference(ctx, m, "diagnostics"));
  MN_TRY(require_target(ctx, m, o->target));
  const size_t n = data->rows, target = (size_t)o->target - 1;
  const struct fit_statistics s = compute_statistics(m, target);
  const double parameters = s.model_df + m->fit_intercept, variance = s.sigma * s.sigma;
  double *centered = MN_RAW(ctx, double, data->features, 1);
  mn_vector *fit, *residual, *hat, *standardized, *studentized, *cooks;
  MN_CHECK_ALLOC(centered);
  MN_TRY(mn_result_vector(ctx, results, "rows.fitted", n, &fit));
  MN_TRY(mn_result_vector(ctx, results, "rows.residual", n, &residual));
  MN_TRY(mn_result_vector(ctx, results, "rows.leverage", n, &hat));
  MN_TRY(mn_result_vector(ctx, results, "rows.standardized", n, &standardized));
  MN_TRY(mn_result_vector(ctx, results, "rows.studentized", n, &studentized));
  MN_TRY(mn_result_vector(ctx, results, "rows.cooks_distance", n, &cooks));
  double square = 0, step = 0;
  for (size_t i = 0; i < n; i++) {
    const double *row = mn_row(&data->x, i);
    fit->at[i] = fitted(m, target, row);
    const double r = data->y.at[i * data->y.cols + target] - fit->at[i], h = leverage(m, row, centered);
    const double left_out = (s.df * variance - r * r / (1 - h)) / (s.df - 1); /* variance without row i */
    residual->at[i] = r;
    hat->at[i] = h;
    standardized->at[i] = r / (s.sigma * sqrt(1 - h));
    studentized->at[i] = r / sqrt(left_out * (1 - h));
    cooks->at[i] = standardized->at[i] * standardized->at[i] * h / (1 - h) / parameters;
    square += r * r;
    if (i > 0) step += (r - residual->at[i - 1]) * (r - residual->at[i - 1]);
  }
  mn_result_real(results, "durbin_watson", step / square);
  mn_result_real(results, "condition_number", 1 / m->rcond);
  MN_TRY(variance_inflation(ctx, m, results));
  return breusch_pagan(ctx, data, residual->at, results);
}

const mn_operation mn_ols_operations[] = {
  { .name = "summary",
    .brief = "coefficients with standard errors, t and p values, and goodness of fit",
    .returns = "coefficients (Frame: term, estimate, std_error, t, p, low, high), sigma, df, r2, adjusted_r2, f, f_p, "
               "loglik, aic, bic, n; prints as a table",
    .options = summary_params,
    .options_size = sizeof(struct summary_options),
    .run = summary },
  { .name = "intervals",
    .brief = "prediction or confidence interval for each row of X",
    .returns = "Frame: fit, low, high, std_error",
    .needs = MN_NEEDS_X,
    .options = interval_params,
    .options_size = sizeof(struct interval_options),
    .run = intervals },
  { .name = "diagnostics",
    .brief = "residuals, leverage and influence of the rows, and tests of the assumptions",
    .returns = "rows (Frame: fitted, residual, leverage, standardized, studentized, cooks_distance), durbin_watson, "
               "condition_number, vif, breusch_pagan, breusch_pagan_p",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = diagnostics_params,
    .options_size = sizeof(struct diagnostics_options),
    .run = diagnostics },
  { .name = NULL },
};

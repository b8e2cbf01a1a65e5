/* Inference for ordinary least squares: coefficient table, covariances and intervals.
 *
 * With Gaussian errors of variance sigma^2 / w_i the coefficients have covariance sigma^2 C (information.h). sigma^2 is
 * the weighted residual sum of squares over the degrees of freedom, which count rows, or copies of rows with frequency
 * weights.
 *
 * Seber & Lee, Linear Regression Analysis (2003), chapters 3 and 5. */
#include "../stats/special.h"
#include "anova.h"
#include "linear_regression.h"
#include "sandwich.h"
#include "terms.h"
#include <string.h>

struct summary_options {
  double level;
  int64_t target;
  MN_COVARIANCE_OPTIONS;
};

#define TARGET_PARAM(type) MN_COUNT(type, target, 1, MN_AT_LEAST(1), "column of y, from 1")

static const mn_param summary_params[] = {
  MN_REAL(struct summary_options, level, 0.95, MN_OPEN(0, 1), "coverage of the confidence intervals"),
  TARGET_PARAM(struct summary_options),
  MN_COVARIANCE_PARAMS(struct summary_options),
  MN_END,
};

mn_status mn_ols_require(mn_context *ctx, const struct mn_ols *m, const char *operation, int64_t target)
{
  if (!m->unscaled.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LinearRegression: %s requires a model fitted with inference = true",
                   operation);
  if (m->dependent.size > 0 && !m->alias.at)
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "LinearRegression: %s of a rank-deficient model requires one fitted by this version or later; fit it again",
        operation);
  if ((uint64_t)target <= m->linear.base.n_targets) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "LinearRegression: target must be from 1 to %zu, got %lld",
                 m->linear.base.n_targets, (long long)target);
}

mn_observations mn_ols_observations(const struct mn_ols *m)
{
  return (mn_observations){ .type = m->weights_type, .rows = m->rows, .total = m->n, .log_sum = m->log_weights };
}

mn_information mn_ols_information(const struct mn_ols *m)
{
  return (mn_information){ .p = m->mean.size,
                           .mean = m->mean.at,
                           .norm = m->scale.at,
                           .inverse = m->unscaled.at,
                           .total = m->n,
                           .intercept = m->fit_intercept,
                           .dependent = &m->dependent,
                           .combination = &m->alias };
}

mn_ols_statistics mn_ols_compute_statistics(const struct mn_ols *m, size_t target)
{
  const double pi = 3.14159265358979323846, intercept = m->fit_intercept;
  const mn_observations o = mn_ols_observations(m);
  const double n = mn_observation_count(&o), rss = m->rss.at[target], tss = m->tss.at[target];
  mn_ols_statistics s = { .n = n, .model_df = (double)m->rank, .df = n - (double)m->rank - intercept };
  s.sigma = s.df > 0 ? sqrt(rss / s.df) : (double)NAN;
  s.r2 = 1 - rss / tss;
  s.adjusted_r2 = s.df > 0 ? 1 - (1 - s.r2) * (n - intercept) / s.df : (double)NAN;
  s.f = s.df > 0 ? (tss - rss) / s.model_df / (rss / s.df) : (double)NAN;
  s.f_p = mn_f_sf(s.f, s.model_df, s.df);
  s.loglik = -n / 2 * (log(2 * pi) + log(rss / n) + 1) + (mn_is_frequency(&o) ? 0 : o.log_sum / 2);
  s.aic = -2 * s.loglik + 2 * (s.model_df + intercept + 1); /* counts the variance as a parameter, as R does */
  s.bic = -2 * s.loglik + log(n) * (s.model_df + intercept + 1);
  return s;
}

double mn_ols_fitted(const struct mn_ols *m, size_t target, const double *row)
{
  const size_t p = m->mean.size;
  double sum = m->linear.intercept.at[target];
  for (size_t j = 0; j < p; j++) sum += row[j] * m->linear.coef.at[target * p + j];
  return sum;
}

/* MN_BAD_ARGUMENT if the rows are not those of fit: their residual sum of squares differs. */
static mn_status check_rows_of_fit(mn_context *ctx, const struct mn_ols *m, size_t target, double rss)
{
  const double expected = m->rss.at[target];
  if (fabs(rss - expected) <= 1e-6 * expected + 1e-9 * m->tss.at[target]) return MN_OK;
  return mn_fail(
      ctx, MN_BAD_ARGUMENT,
      "LinearRegression: X, y and weights must be those of fit for a robust covariance; their residual sum of squares is %g, that of fit is %g",
      rss, expected);
}

static mn_status fill_scores(mn_context *ctx, const struct mn_ols *m, const mn_data *data, size_t target,
                             const double *weights, mn_scores *s)
{
  const mn_information f = mn_ols_information(m);
  const mn_observations o = mn_ols_observations(m);
  const bool frequency = mn_is_frequency(&o);
  double *workspace = MN_RAW(ctx, double, m->mean.size, 2), *count = MN_RAW(ctx, double, data->rows, 1), rss = 0;
  if (!workspace || !count) return MN_NO_MEMORY;
  MN_TRY(mn_scores_init(ctx, data->rows, mn_information_size(&f), s));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    const double w = weights ? weights[i] : 1, *row = mn_row(&data->x, i);
    if (!(w > 0)) continue;
    const double r = data->y.at[i * data->y.cols + target] - mn_ols_fitted(m, target, row);
    const double leverage = mn_information_row(&f, row, workspace, s->direction + s->rows * s->k);
    s->score[s->rows] = frequency ? r : w * r;
    s->leverage[s->rows] = frequency ? leverage : w * leverage;
    s->place[s->rows] = i;
    count[s->rows++] = w;
    rss += w * r * r;
  }
  s->count = frequency && weights ? count : NULL;
  s->n = mn_observation_count(&o);
  s->parameters = (double)m->rank + m->fit_intercept;
  return check_rows_of_fit(ctx, m, target, rss);
}

/* v: covariance of the coefficients; df: of their tests, in and out. */
static mn_status covariance(mn_context *ctx, const struct mn_ols *m, const mn_data *data, size_t target, double sigma,
                            const mn_vector *weights, mn_covariance_choice *choice, double *v, double *df)
{
  const mn_information f = mn_ols_information(m);
  const mn_observations o = mn_ols_observations(m);
  const size_t k = mn_information_size(&f);
  if (choice->kind == MN_COVARIANCE_CLASSICAL) {
    MN_TRY(mn_information_inverse(ctx, &f, v));
    for (size_t e = 0; e < k * k; e++) v[e] *= sigma * sigma;
    return MN_OK;
  }
  if (!data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LinearRegression: covariance '%s' requires X and y of fit before the options",
                   mn_covariance_names[choice->kind]);
  const double *w;
  mn_scores scores;
  MN_TRY(mn_operation_weights(ctx, "LinearRegression", "covariance", &o, data, weights, true, &w));
  MN_TRY(fill_scores(ctx, m, data, target, w, &scores));
  MN_TRY(mn_robust_covariance(ctx, "LinearRegression", &scores, data->rows, choice, v, df));
  mn_mask_dependent(&f, v);
  return MN_OK;
}

/* The Wald F test of all slopes, with a robust covariance. */
static mn_status robust_f(mn_context *ctx, const struct mn_ols *m, const double *b, const double *v, double df,
                          mn_ols_statistics *s)
{
  const mn_information f = mn_ols_information(m);
  size_t *list = MN_RAW(ctx, size_t, f.p, 1), q = 0;
  MN_CHECK_ALLOC(list);
  for (size_t j = 0; j < f.p; j++)
    if (!mn_is_dependent(&f, j)) list[q++] = j + f.intercept;
  MN_TRY(mn_wald_statistic(ctx, mn_information_size(&f), v, b, q, list, &s->f));
  s->f_p = mn_f_sf(s->f, (double)q, df);
  return MN_OK;
}

static void print_f(mn_text_page *page, const struct mn_ols *m, const mn_ols_statistics *s,
                    const mn_covariance_choice *choice, double test_df)
{
  char df[MN_NUMBER_SIZE], p[32];
  if (!isnan(s->f) || choice->kind == MN_COVARIANCE_CLASSICAL)
    mn_print(page, "F-statistic: %.4g on %lld and %s DF, p-value: %s\n", mn_printable(s->f), (long long)m->rank,
             mn_format_number(df, test_df), mn_format_p_value(p, s->f_p));
  else if (choice->kind == MN_COVARIANCE_CLUSTER && choice->group_count <= (size_t)m->rank + 1)
    mn_print(page, "F-statistic: none, because %zu groups are too few to test %lld coefficients together\n",
             choice->group_count, (long long)m->rank);
  else
    mn_print(page, "F-statistic: none, because the covariance of the coefficients is singular or not defined\n");
}

static void print_footer(mn_text_page *page, const struct mn_ols *m, const mn_ols_statistics *s,
                         const mn_covariance_choice *choice, double test_df)
{
  char df[MN_NUMBER_SIZE];
  mn_print(page, "Residual standard error: %.4g on %s degrees of freedom\n", mn_printable(s->sigma),
           mn_format_number(df, s->df));
  mn_print(page, "Multiple R-squared: %.4f, Adjusted R-squared: %.4f\n", mn_printable(s->r2),
           mn_printable(s->adjusted_r2));
  if (m->rank > 0) print_f(page, m, s, choice, test_df);
  mn_print(page, "Log-likelihood: %.4f, AIC: %.4f, BIC: %.4f\n", mn_printable(s->loglik), mn_printable(s->aic),
           mn_printable(s->bic));
  if (!(s->df > 0))
    mn_print(page, "\nThere are not more observations than coefficients: no standard errors or tests.\n");
}

static mn_status write_text(mn_context *ctx, const struct mn_ols *m, size_t target, const mn_ols_statistics *s,
                            const mn_term_table *t, const mn_covariance_choice *choice, double test_df,
                            mn_results *results)
{
  const mn_observations o = mn_ols_observations(m);
  mn_text_page page;
  MN_TRY(mn_page_begin(ctx, &page, 2048 + 200 * t->rows));
  if (isnan(mn_row(&m->residuals, target)[0]))
    mn_print(&page, "Residual quartiles are not available after partial_fit.\n\n");
  else
    mn_print_quartiles(&page, mn_is_weighted(&o) && !mn_is_frequency(&o) ? "Weighted residuals" : "Residuals",
                       mn_row(&m->residuals, target));
  mn_term_table_print(&page, t, 't');
  mn_print_covariance(&page, choice);
  mn_print_weights_type(&page, &o);
  print_footer(&page, m, s, choice, test_df);
  mn_print_aliased(&page, &m->dependent, t->names + m->fit_intercept, (size_t)m->rank, m->mean.size);
  return mn_result_text(ctx, results, "text", page.at,
                        page.size > 0 ? page.size - 1 : 0); /* without the last newline */
}

static void set_results(mn_results *results, const mn_ols_statistics *s)
{
  mn_result_real(results, "sigma", s->sigma);
  mn_result_real(results, "df", s->df);
  mn_result_real(results, "r2", s->r2);
  mn_result_real(results, "adjusted_r2", s->adjusted_r2);
  mn_result_real(results, "f", s->f);
  mn_result_real(results, "f_p", s->f_p);
  mn_result_real(results, "loglik", s->loglik);
  mn_result_real(results, "aic", s->aic);
  mn_result_real(results, "bic", s->bic);
  mn_result_real(results, "n", s->n);
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct mn_ols *m = self;
  const struct summary_options *o = options;
  MN_TRY(mn_ols_require(ctx, m, "summary", o->target));
  const mn_information f = mn_ols_information(m);
  const size_t target = (size_t)o->target - 1, k = mn_information_size(&f);
  mn_covariance_choice choice = { .kind = o->covariance, .lags = o->lags, .groups = &o->groups };
  mn_ols_statistics s = mn_ols_compute_statistics(m, target);
  double df = s.df, *v = MN_RAW(ctx, double, k, k), *b = MN_RAW(ctx, double, k, 1);
  if (!v || !b) return MN_NO_MEMORY;
  MN_TRY(covariance(ctx, m, data, target, s.sigma, &o->weights, &choice, v, &df));
  mn_alias_coefficients(&f, m->linear.coef.at + target * f.p, m->linear.intercept.at[target], b);
  if (choice.kind != MN_COVARIANCE_CLASSICAL) MN_TRY(robust_f(ctx, m, b, v, df, &s));
  mn_term_table t;
  MN_TRY(mn_term_table_init(ctx, &m->linear.base, results, NULL, f.p, f.intercept, "coefficients.t", &t));
  const double quantile = mn_t_isf((1 - o->level) / 2, df);
  for (size_t j = 0; j < k; j++) mn_term_table_set(&t, j, b[j], sqrt(v[j * k + j]), df, quantile);
  set_results(results, &s);
  return write_text(ctx, m, target, &s, &t, &choice, df, results);
}

static mn_status vcov(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  const struct mn_ols *m = self;
  const struct summary_options *o = options;
  MN_TRY(mn_ols_require(ctx, m, "vcov", o->target));
  const mn_information f = mn_ols_information(m);
  const size_t target = (size_t)o->target - 1, k = mn_information_size(&f);
  mn_covariance_choice choice = { .kind = o->covariance, .lags = o->lags, .groups = &o->groups };
  const mn_ols_statistics s = mn_ols_compute_statistics(m, target);
  double df = s.df;
  mn_matrix *v;
  MN_TRY(mn_result_matrix(ctx, results, "vcov", k, k, &v));
  return covariance(ctx, m, data, target, s.sigma, &o->weights, &choice, v->at, &df);
}

static const mn_param vcov_params[] = {
  TARGET_PARAM(struct summary_options),
  MN_COVARIANCE_PARAMS(struct summary_options),
  MN_END,
};

struct interval_options {
  double level;
  int64_t kind, target;
  mn_vector weights;
};

enum { PREDICTION, CONFIDENCE };
static const char *const interval_kinds[] = { "prediction", "confidence", NULL };

static const mn_param interval_params[] = {
  MN_REAL(struct interval_options, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals"),
  MN_CHOICE(struct interval_options, kind, PREDICTION, interval_kinds,
            "prediction: interval for a new observation; confidence: for its mean"),
  TARGET_PARAM(struct interval_options),
  MN_REALS(struct interval_options, weights, MN_GREATER_THAN(0),
           "precision of each new observation: its variance is sigma^2 / weight; nil: 1"),
  MN_END,
};

static mn_status intervals(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct mn_ols *m = self;
  const struct interval_options *o = options;
  MN_TRY(mn_ols_require(ctx, m, "intervals", o->target));
  const mn_information f = mn_ols_information(m);
  const mn_observations observations = mn_ols_observations(m);
  const size_t target = (size_t)o->target - 1;
  const mn_ols_statistics s = mn_ols_compute_statistics(m, target);
  const double quantile = mn_t_isf((1 - o->level) / 2, s.df), *weights;
  double *workspace = MN_RAW(ctx, double, f.p, 2);
  mn_vector *fit, *low, *high, *std_error;
  MN_CHECK_ALLOC(workspace);
  MN_TRY(mn_operation_weights(ctx, "LinearRegression", "intervals", &observations, data, &o->weights, false, &weights));
  MN_TRY(mn_result_vector(ctx, results, "intervals.fit", data->rows, &fit));
  MN_TRY(mn_result_vector(ctx, results, "intervals.low", data->rows, &low));
  MN_TRY(mn_result_vector(ctx, results, "intervals.high", data->rows, &high));
  MN_TRY(mn_result_vector(ctx, results, "intervals.std_error", data->rows, &std_error));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    const double *row = mn_row(&data->x, i), noise = o->kind == CONFIDENCE ? 0 : weights ? 1 / weights[i] : 1;
    fit->at[i] = mn_ols_fitted(m, target, row);
    std_error->at[i] = s.sigma * sqrt(mn_information_row(&f, row, workspace, NULL) + noise);
    low->at[i] = fit->at[i] - quantile * std_error->at[i];
    high->at[i] = fit->at[i] + quantile * std_error->at[i];
  }
  return MN_OK;
}

const mn_operation mn_ols_operations[] = {
  { .name = "summary",
    .brief = "coefficients with standard errors, t and p values, and goodness of fit",
    .returns = "coefficients (Frame: term, estimate, std_error, t, p, low, high), sigma, df, r2, adjusted_r2, f, f_p "
               "(nan if a robust covariance is singular, as with too few groups), loglik, aic, bic (sigma counts as a "
               "parameter, as in R), n; prints as a table",
    .needs = MN_TAKES_ROWS,
    .options = summary_params,
    .options_size = sizeof(struct summary_options),
    .run = summary },
  { .name = "vcov",
    .brief = "covariance matrix of the coefficients, classical or robust; nan in aliased rows and columns",
    .returns = "Matrix (coefficients x coefficients, the intercept first)",
    .needs = MN_TAKES_ROWS,
    .options = vcov_params,
    .options_size = sizeof(struct summary_options),
    .run = vcov },
  { .name = "anova",
    .brief = "F tests of the columns, or of terms of several columns, each added to those before it",
    .returns = "Frame: term, df, sum_sq, mean_sq, f, p; the last row holds the residuals",
    .options = mn_ols_anova_params,
    .options_size = sizeof(mn_ols_anova_options),
    .run = mn_ols_anova },
  { .name = "intervals",
    .brief = "prediction or confidence interval for each row of X; nan if a rank-deficient fit does not determine it",
    .returns = "Frame: fit, low, high, std_error (of a new observation, or with kind = 'confidence' of its mean)",
    .needs = MN_NEEDS_X,
    .options = interval_params,
    .options_size = sizeof(struct interval_options),
    .run = intervals },
  { .name = "diagnostics",
    .brief = "residuals, leverage and influence of the rows, and tests of the assumptions",
    .returns = "rows (Frame: fitted, residual, leverage, standardized, studentized, cooks_distance, dffits), "
               "durbin_watson, condition_number, vif, breusch_pagan, breusch_pagan_p",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = mn_ols_row_params,
    .options_size = sizeof(mn_ols_row_options),
    .run = mn_ols_diagnostics },
  { .name = "dfbetas",
    .brief = "change of each coefficient when a row is left out, in standard errors computed without that row",
    .returns = "Matrix (rows x coefficients, the intercept first)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = mn_ols_row_params,
    .options_size = sizeof(mn_ols_row_options),
    .run = mn_ols_dfbetas },
  { .name = NULL },
};

/* Inference for generalized linear models: Wald tables, covariances, confidence bands.
 *
 * In large samples the estimates have covariance phi C, C the inverse of the expected information of [1 X]. fit keeps
 * the inverse U of the weighted Gram matrix of the columns about their weighted means, divided by their norms; then a
 * linear predictor x b + c has variance phi (1/total + z U z') with z = (x - mean) / norm. McCullagh & Nelder, sections
 * 2.4, 4.4 and 12; Williams, Appl. Statist. 36 (1987) for the residuals. */
#include "../stats/special.h"
#include "glm.h"
#include "../linear/sandwich.h"
#include "../linear/terms.h"

struct summary_options {
  double level;
  MN_COVARIANCE_OPTIONS;
};

static const mn_param summary_params[] = {
  MN_REAL(struct summary_options, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals, between 0 and 1"),
  MN_COVARIANCE_PARAMS(struct summary_options),
  MN_END,
};

mn_status mn_glm_require(mn_context *ctx, const struct mn_glm *m, const char *operation)
{
  const bool deficient = m->alpha == 0 && (size_t)m->rank < m->terms.size;
  if (!m->residuals.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GLM: %s requires a model fitted with inference = true", operation);
  if (!deficient || m->alias.at) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "GLM: %s of collinear columns requires a model fitted by this version or later; fit it again",
                 operation);
}

bool mn_glm_estimates_dispersion(const struct mn_glm *m)
{
  return mn_glm_families[m->family_code].free_dispersion || m->quasi;
}

mn_observations mn_glm_observations(const struct mn_glm *m)
{
  return (mn_observations){ .type = m->weights_type, .rows = m->rows, .total = m->n, .log_sum = m->log_weights };
}

mn_information mn_glm_information(const struct mn_glm *m)
{
  return (mn_information){ .p = m->terms.size,
                           .columns = m->terms.at,
                           .mean = m->mean.at,
                           .norm = m->spread.at,
                           .inverse = m->unscaled.at,
                           .total = m->total,
                           .intercept = m->fit_intercept,
                           .dependent = &m->dependent,
                           .combination = &m->alias };
}

/* Degrees of freedom of the tests; infinite (normal) where the dispersion is known. */
static double test_df(const struct mn_glm *m)
{
  return !mn_glm_estimates_dispersion(m) ? INFINITY : m->df_residual > 0 ? m->df_residual : (double)NAN;
}

static double predictor(const struct mn_glm *m, const double *row)
{
  double sum = m->linear.intercept.at[0];
  for (size_t j = 0; j < m->linear.coef.cols; j++) sum += row[j] * m->linear.coef.at[j];
  return sum;
}

mn_glm_row mn_glm_row_at(const struct mn_glm *m, const double *row, double y, double trials)
{
  mn_glm_row r = { .eta = predictor(m, row), .trials = trials, .y = y };
  mn_glm_links[m->link_code].inverse(m->exponent, 1, &r.eta, &r.mu, &r.complement, &r.dmu);
  r.variance = mn_glm_families[m->family_code].variance(m->parameter, r.mu, r.complement);
  return r;
}

mn_status mn_glm_rows_init(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const mn_vector *weights,
                           const char *operation, mn_glm_rows *rows)
{
  const mn_observations observations = mn_glm_observations(m);
  *rows = (mn_glm_rows){ .frequency = mn_is_frequency(&observations) };
  rows->workspace = MN_RAW(ctx, double, m->terms.size, 2);
  rows->buffer = MN_RAW(ctx, double, data->features, 1);
  if (!rows->workspace || !rows->buffer) return MN_NO_MEMORY;
  MN_TRY(mn_operation_weights(ctx, m->linear.base.class->name, operation, &observations, data, weights, true,
                              &rows->weights));
  return mn_glm_targets(ctx, m, data, &rows->y, &rows->trials);
}

/* MN_BAD_ARGUMENT if the rows are not those of fit: their chi-squared differs. */
static mn_status check_rows_of_fit(mn_context *ctx, const struct mn_glm *m, double chi2)
{
  if (fabs(chi2 - m->pearson_chi2) <= 1e-6 * m->pearson_chi2 + 1e-9 * fabs(m->null_deviance)) return MN_OK;
  return mn_fail(
      ctx, MN_BAD_ARGUMENT,
      "GLM: X, y and weights must be those of fit for a robust covariance; their Pearson chi-squared is %g, that of fit is %g",
      chi2, m->pearson_chi2);
}

static mn_status fill_scores(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const mn_vector *weights,
                             mn_scores *s)
{
  const mn_information f = mn_glm_information(m);
  const mn_observations observations = mn_glm_observations(m);
  double *count = MN_RAW(ctx, double, data->rows, 1), chi2 = 0;
  mn_glm_rows rows;
  MN_CHECK_ALLOC(count);
  MN_TRY(mn_glm_rows_init(ctx, m, data, weights, "covariance", &rows));
  MN_TRY(mn_scores_init(ctx, data->rows, mn_information_size(&f), s));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    const double w = rows.weights ? rows.weights[i] : 1, *row = mn_dense_row(data, i, rows.buffer);
    if (!(w > 0)) continue;
    const mn_glm_row r = mn_glm_row_at(m, row, rows.y[i], rows.trials ? rows.trials[i] : 1);
    const double precision = rows.frequency ? r.trials : w * r.trials;
    const double leverage = mn_information_row(&f, row, rows.workspace, s->direction + s->rows * s->k);
    s->score[s->rows] = precision * (r.y - r.mu) * r.dmu / r.variance;
    s->leverage[s->rows] = precision * r.dmu * r.dmu / r.variance * leverage;
    s->place[s->rows] = i;
    count[s->rows++] = w;
    chi2 += w * r.trials * (r.y - r.mu) * (r.y - r.mu) / r.variance;
  }
  s->count = rows.frequency && rows.weights ? count : NULL;
  s->n = mn_observation_count(&observations);
  s->parameters = (double)m->rank + m->fit_intercept;
  return check_rows_of_fit(ctx, m, chi2);
}

/* v: covariance of the coefficients; df: of their tests, in and out. */
static mn_status covariance(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const mn_vector *weights,
                            mn_covariance_choice *choice, double *v, double *df)
{
  const mn_information f = mn_glm_information(m);
  const size_t k = mn_information_size(&f);
  mn_scores scores;
  if (choice->kind == MN_COVARIANCE_CLASSICAL || m->alpha > 0) {
    MN_TRY(mn_information_inverse(ctx, &f, v));
    for (size_t e = 0; e < k * k; e++) v[e] *= m->alpha > 0 ? (double)NAN : m->dispersion;
    return MN_OK;
  }
  if (!data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GLM: covariance '%s' requires X and y of fit before the options",
                   mn_covariance_names[choice->kind]);
  MN_TRY(fill_scores(ctx, m, data, weights, &scores));
  MN_TRY(mn_robust_covariance(ctx, "GLM", &scores, data->rows, choice, v, df));
  mn_mask_dependent(&f, v);
  return MN_OK;
}

static mn_status fill_table(mn_context *ctx, const struct mn_glm *m, const double *v, double df, double level,
                            const mn_term_table *t)
{
  const mn_information f = mn_glm_information(m);
  const size_t k = mn_information_size(&f);
  const double quantile = mn_t_isf((1 - level) / 2, df);
  double *b = MN_RAW(ctx, double, f.p, 1), *estimate = MN_RAW(ctx, double, k, 1);
  if (!b || !estimate) return MN_NO_MEMORY;
  for (size_t j = 0; j < f.p; j++) b[j] = m->linear.coef.at[m->terms.at[j]];
  mn_alias_coefficients(&f, b, m->linear.intercept.at[0], estimate);
  for (size_t j = 0; j < k; j++) mn_term_table_set(t, j, estimate[j], sqrt(v[j * k + j]), df, quantile);
  return MN_OK;
}

static void print_column(mn_text_page *page, const char *what, const mn_feature *column)
{
  if (column->name.bytes)
    mn_print(page, ", %s: %s", what, column->name.bytes);
  else if (mn_column_is_set(column))
    mn_print(page, ", %s: column %lld", what, (long long)column->number);
}

static void print_header(mn_text_page *page, const struct mn_glm *m)
{
  char number[MN_NUMBER_SIZE];
  mn_print(page, "Family: %s", mn_glm_family_names[m->family]);
  if (m->family == MN_TWEEDIE) mn_print(page, " (power %s)", mn_format_number(number, m->power));
  if (m->family == MN_NEGATIVE_BINOMIAL) mn_print(page, " (theta %.4g)", m->parameter);
  mn_print(page, ", link: %s", mn_glm_link_names[m->link_code]);
  if (m->linear.base.classes) {
    char label[80];
    mn_print(page, ", success: %s", mn_format_label(label, sizeof label, mn_levels_at(m->linear.base.classes, 1)));
  }
  if (m->link_code == MN_LINK_POWER) mn_print(page, " %s", mn_format_number(number, m->exponent));
  print_column(page, "offset", &m->offset);
  print_column(page, "trials", &m->trials);
  mn_print(page, "\n\n");
}

static void print_footer(mn_text_page *page, const struct mn_glm *m)
{
  char number[MN_NUMBER_SIZE];
  mn_print(page, "Dispersion: %.6g%s\n", mn_printable(m->dispersion),
           mn_glm_estimates_dispersion(m) ? " (Pearson chi-squared / residual degrees of freedom)"
                                          : " (taken to be 1)");
  mn_print(page, "    Null deviance: %.6g on %s degrees of freedom\n", mn_printable(m->null_deviance),
           mn_format_number(number, m->df_null));
  mn_print(page, "Residual deviance: %.6g on %s degrees of freedom\n", m->deviance,
           mn_format_number(number, m->df_residual));
  mn_print(page, "Log-likelihood: %.4f, AIC: %.4f, BIC: %.4f\n", mn_printable(m->loglik), mn_printable(m->aic),
           mn_printable(m->bic));
  mn_print(page, "Fisher scoring iterations: %lld\n", (long long)m->linear.base.report.n_iter);
}

/* Explain missing standard errors, and warn where the fit did not converge. */
static void print_warnings(mn_text_page *page, const struct mn_glm *m, const mn_term_table *t)
{
  char number[MN_NUMBER_SIZE];
  if (m->alpha > 0)
    mn_print(
        page,
        "\nThe penalty alpha = %s biases the estimates towards 0 on purpose: there are no standard errors, tests and\nintervals.\n",
        mn_format_number(number, m->alpha));
  mn_print_aliased(page, &m->dependent, t->names + m->fit_intercept, (size_t)m->rank, m->terms.size);
  if (!m->linear.base.report.converged)
    mn_print(page, "\nNot converged: %s.\n",
             m->linear.base.report.advice ? m->linear.base.report.advice : "raise max_iter");
}

static mn_status write_text(mn_context *ctx, const struct mn_glm *m, const mn_term_table *t,
                            const mn_covariance_choice *choice, mn_results *results)
{
  const mn_observations observations = mn_glm_observations(m);
  mn_text_page page;
  MN_TRY(mn_page_begin(ctx, &page, 3072 + 200 * t->rows));
  print_header(&page, m);
  mn_print_quartiles(&page, "Deviance residuals", m->residuals.at);
  mn_term_table_print(&page, t, mn_glm_estimates_dispersion(m) ? 't' : 'z');
  mn_print_covariance(&page, choice);
  mn_print_weights_type(&page, &observations);
  print_footer(&page, m);
  print_warnings(&page, m, t);
  return mn_result_text(ctx, results, "text", page.at,
                        page.size > 0 ? page.size - 1 : 0); /* without the last line end */
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct mn_glm *m = self;
  const struct summary_options *o = options;
  const char *statistic = mn_glm_estimates_dispersion(m) ? "coefficients.t" : "coefficients.z";
  mn_covariance_choice choice = { .kind = o->covariance, .lags = o->lags, .groups = &o->groups };
  mn_term_table t;
  MN_TRY(mn_glm_require(ctx, m, "summary"));
  const mn_observations observations = mn_glm_observations(m);
  const size_t k = m->terms.size + m->fit_intercept;
  double *v = MN_RAW(ctx, double, k, k), df = test_df(m);
  MN_CHECK_ALLOC(v);
  MN_TRY(covariance(ctx, m, data, &o->weights, &choice, v, &df));
  MN_TRY(
      mn_term_table_init(ctx, &m->linear.base, results, m->terms.at, m->terms.size, m->fit_intercept, statistic, &t));
  MN_TRY(fill_table(ctx, m, v, df, o->level, &t));
  mn_result_real(results, "dispersion", m->dispersion);
  mn_result_real(results, "deviance", m->deviance);
  mn_result_real(results, "null_deviance", m->null_deviance);
  mn_result_real(results, "df_residual", m->df_residual);
  mn_result_real(results, "df_null", m->df_null);
  mn_result_real(results, "pearson_chi2", m->pearson_chi2);
  mn_result_real(results, "loglik", m->loglik);
  mn_result_real(results, "aic", m->aic);
  mn_result_real(results, "bic", m->bic);
  mn_result_real(results, "n", mn_observation_count(&observations));
  return write_text(ctx, m, &t, &choice, results);
}

static mn_status vcov(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  const struct mn_glm *m = self;
  const struct summary_options *o = options;
  mn_covariance_choice choice = { .kind = o->covariance, .lags = o->lags, .groups = &o->groups };
  const size_t k = m->terms.size + m->fit_intercept;
  double df = test_df(m);
  mn_matrix *v;
  MN_TRY(mn_glm_require(ctx, m, "vcov"));
  MN_TRY(mn_result_matrix(ctx, results, "vcov", k, k, &v));
  return covariance(ctx, m, data, &o->weights, &choice, v->at, &df);
}

static const mn_param vcov_params[] = { MN_COVARIANCE_PARAMS(struct summary_options), MN_END };

/* The mean at eta; outside the domain of the link, the limit of its range. */
static double mean_at(const struct mn_glm *m, double eta, double *dmu)
{
  double mu, complement;
  if (mn_glm_links[m->link_code].inverse(m->exponent, 1, &eta, &mu, &complement, dmu) == 0) return mu;
  const bool falling = m->link_code == MN_LINK_INVERSE || m->exponent < 0;
  return m->link_code == MN_LINK_LOG ? exp(eta) : falling ? INFINITY : 0;
}

struct interval_options {
  double level;
  int64_t kind; /* a single choice, so that options match those of other models */
};

static const char *const interval_kinds[] = { "confidence", NULL };

static const mn_param interval_params[] = {
  MN_REAL(struct interval_options, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals, between 0 and 1"),
  MN_CHOICE(struct interval_options, kind, 0, interval_kinds,
            "confidence: interval of the mean, not of an observation"),
  MN_END,
};

static mn_status intervals(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct mn_glm *m = self;
  const struct interval_options *o = options;
  MN_TRY(mn_glm_require(ctx, m, "intervals"));
  const mn_information f = mn_glm_information(m);
  const double quantile = mn_t_isf((1 - o->level) / 2, test_df(m));
  double *z = MN_RAW(ctx, double, m->terms.size, 2), *buffer = MN_RAW(ctx, double, data->features, 1);
  mn_vector *fit, *low, *high, *std_error, *link;
  if (!z || !buffer) return MN_NO_MEMORY;
  MN_TRY(mn_result_vector(ctx, results, "intervals.fit", data->rows, &fit));
  MN_TRY(mn_result_vector(ctx, results, "intervals.low", data->rows, &low));
  MN_TRY(mn_result_vector(ctx, results, "intervals.high", data->rows, &high));
  MN_TRY(mn_result_vector(ctx, results, "intervals.std_error", data->rows, &std_error));
  MN_TRY(mn_result_vector(ctx, results, "intervals.link", data->rows, &link));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    const double *row = mn_dense_row(data, i, buffer);
    const double eta = predictor(m, row), deviation = sqrt(m->dispersion * mn_information_row(&f, row, z, NULL));
    double dmu, ignored;
    link->at[i] = eta;
    fit->at[i] = mean_at(m, eta, &dmu);
    std_error->at[i] = fabs(dmu) * deviation;
    if (isnan(deviation)) {
      low->at[i] = high->at[i] = (double)NAN;
      continue;
    }
    const double one = mean_at(m, eta - quantile * deviation, &ignored);
    const double other = mean_at(m, eta + quantile * deviation, &ignored);
    low->at[i] = fmin(one, other);
    high->at[i] = fmax(one, other);
  }
  return MN_OK;
}

const mn_operation mn_glm_operations[] = {
  { .name = "summary",
    .brief = "coefficients with standard errors, z or t and p-values, and goodness of fit, as printed by R",
    .returns = "coefficients (Frame: term, estimate, std_error, z or t, p, low, high), dispersion, deviance, "
               "null_deviance, df_residual, df_null, pearson_chi2, loglik, aic, bic, n; prints as a table",
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
    .brief = "tests of the columns, or of terms of several columns, each added to those before it, by the deviance",
    .returns =
        "Frame: term, df, deviance (decrease), df_residual, residual_deviance, statistic (F if the dispersion is "
        "estimated, else chi-squared), p",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = mn_glm_anova_params,
    .options_size = sizeof(mn_glm_anova_options),
    .run = mn_glm_anova },
  { .name = "intervals",
    .brief = "confidence interval of the mean at each row of X, computed on the scale of the link",
    .returns = "Frame: fit, low, high, std_error (of the mean), link (the linear predictor)",
    .needs = MN_NEEDS_X,
    .options = interval_params,
    .options_size = sizeof(struct interval_options),
    .run = intervals },
  { .name = "diagnostics",
    .brief = "residuals, leverage and influence of the fitted rows",
    .returns = "Frame: fitted, link, response, pearson, deviance, leverage, standardized (deviance), studentized, "
               "cooks_distance, dffits (as R, with the dispersion estimated without the row)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = mn_glm_row_params,
    .options_size = sizeof(mn_glm_row_options),
    .run = mn_glm_diagnostics },
  { .name = "dfbetas",
    .brief = "change of each coefficient when a row is left out, to first order, in standard errors",
    .returns = "Matrix (rows x coefficients, the intercept first)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = mn_glm_row_params,
    .options_size = sizeof(mn_glm_row_options),
    .run = mn_glm_dfbetas },
  { .name = NULL },
};

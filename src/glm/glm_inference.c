/* Inference for generalized linear models: Wald tables, confidence bands, residuals.
 *
 * In large samples the estimates have covariance phi C, C the inverse of the expected information of [1 X]. fit keeps
 * the inverse U of the weighted Gram matrix of the columns about their weighted means, divided by their norms; then a
 * linear predictor x b + c has variance phi (1/total + z U z') with z = (x - mean) / norm. McCullagh & Nelder, sections
 * 2.4, 4.4 and 12; Williams, Appl. Statist. 36 (1987) for the residuals. */
#include "../linalg/product.h"
#include "../stats/special.h"
#include "glm.h"
#include "../linear/terms.h"
#include <string.h>

struct level_option {
  double level;
};

static const mn_param level_params[] = {
  MN_REAL(struct level_option, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals, between 0 and 1"),
  MN_END,
};

static mn_status need_inference(mn_context *ctx, const struct mn_glm *m, const char *what)
{
  if (m->residuals.at) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "GLM: %s requires a model fitted with inference = true", what);
}

static bool estimated_dispersion(const struct mn_glm *m)
{
  return mn_glm_families[m->family_code].free_dispersion || m->quasi;
}

/* Degrees of freedom of the tests; infinite (normal) where the dispersion is known. */
static double test_df(const struct mn_glm *m)
{
  return !estimated_dispersion(m) ? INFINITY : m->df_residual > 0 ? m->df_residual : (double)NAN;
}

/* Variance of the linear predictor at a row of X, divided by the dispersion; `z` is workspace. */
static double predictor_variance(const struct mn_glm *m, const double *row, double *z)
{
  for (size_t j = 0; j < m->terms.size; j++) z[j] = (row[m->terms.at[j]] - m->mean.at[j]) / m->spread.at[j];
  return (m->fit_intercept ? 1 / m->total : 0) + mn_quadratic_form(m->terms.size, m->unscaled.at, z);
}

static double predictor(const struct mn_glm *m, const double *row)
{
  double sum = m->linear.intercept.at[0];
  for (size_t j = 0; j < m->linear.coef.cols; j++) sum += row[j] * m->linear.coef.at[j];
  return sum;
}

/* Row i of X, expanded in `buffer` (features) where X is sparse. */
static const double *dense_row(const mn_data *data, size_t i, double *buffer)
{
  const mn_csr *s = data->sparse;
  if (!s) return mn_row(&data->x, i);
  memset(buffer, 0, data->features * sizeof *buffer);
  for (size_t e = s->start[i]; e < s->start[i + 1]; e++) buffer[s->col[e]] = s->at[e];
  return buffer;
}

static mn_status fill_table(mn_context *ctx, const struct mn_glm *m, double level, const mn_term_table *t)
{
  const size_t p = m->terms.size;
  const double sigma = sqrt(m->dispersion), df = test_df(m), quantile = mn_t_isf((1 - level) / 2, df);
  const bool has_covariance = m->alpha == 0 && (size_t)m->rank == p;
  double *z = MN_RAW(ctx, double, p + 1, 1);
  size_t row = 0;
  MN_CHECK_ALLOC(z);
  for (size_t j = 0; j < p; j++) z[j] = m->mean.at[j] / m->spread.at[j];
  if (m->fit_intercept) {
    const double variance =
        has_covariance ? 1 / m->total + mn_quadratic_form(m->terms.size, m->unscaled.at, z) : (double)NAN;
    mn_term_table_set(t, row++, m->linear.intercept.at[0], sigma * sqrt(variance), df, quantile);
  }
  for (size_t j = 0; j < p; j++)
    mn_term_table_set(t, row++, m->linear.coef.at[m->terms.at[j]],
                      sigma / m->spread.at[j] * sqrt(m->unscaled.at[j * p + j]), df, quantile);
  return MN_OK;
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
  if (m->offset.bytes) mn_print(page, ", offset: %s", m->offset.bytes);
  if (m->trials.bytes) mn_print(page, ", trials: %s", m->trials.bytes);
  mn_print(page, "\n\n");
}

static void print_footer(mn_text_page *page, const struct mn_glm *m)
{
  char number[MN_NUMBER_SIZE];
  mn_print(page, "Dispersion: %.6g%s\n", mn_printable(m->dispersion),
           estimated_dispersion(m) ? " (Pearson chi-squared / residual degrees of freedom)" : " (taken to be 1)");
  mn_print(page, "    Null deviance: %.6g on %s degrees of freedom\n", mn_printable(m->null_deviance),
           mn_format_number(number, m->df_null));
  mn_print(page, "Residual deviance: %.6g on %s degrees of freedom\n", m->deviance,
           mn_format_number(number, m->df_residual));
  mn_print(page, "Log-likelihood: %.4f, AIC: %.4f, BIC: %.4f\n", mn_printable(m->loglik), mn_printable(m->aic),
           mn_printable(m->bic));
  mn_print(page, "Fisher scoring iterations: %lld\n", (long long)m->linear.base.report.n_iter);
}

/* Explain missing standard errors, and warn where the fit did not converge. */
static void print_warnings(mn_text_page *page, const struct mn_glm *m)
{
  char number[MN_NUMBER_SIZE];
  if (m->alpha > 0)
    mn_print(
        page,
        "\nThe penalty alpha = %s biases the estimates towards 0 on purpose: there are no standard errors, tests and\nintervals.\n",
        mn_format_number(number, m->alpha));
  if (m->alpha == 0 && (size_t)m->rank < m->terms.size)
    mn_print(
        page,
        "\nThe columns of X are collinear: rank %lld of %zu. The coefficients are the minimum-norm solution in units of\nthe columns\' spread; they have no standard errors.\n",
        (long long)m->rank, m->terms.size);
  if (!m->linear.base.report.converged)
    mn_print(page, "\nNot converged: %s.\n",
             m->linear.base.report.advice ? m->linear.base.report.advice : "raise max_iter");
}

static mn_status write_text(mn_context *ctx, const struct mn_glm *m, const mn_term_table *t, mn_results *results)
{
  mn_text_page page;
  MN_TRY(mn_page_begin(ctx, &page, 3072 + 160 * t->rows));
  print_header(&page, m);
  mn_print_quartiles(&page, "Deviance residuals", m->residuals.at);
  mn_term_table_print(&page, t, estimated_dispersion(m) ? 't' : 'z');
  print_footer(&page, m);
  print_warnings(&page, m);
  return mn_result_text(ctx, results, "text", page.at,
                        page.size > 0 ? page.size - 1 : 0); /* without the last line end */
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct mn_glm *m = self;
  const struct level_option *o = options;
  const char *statistic = estimated_dispersion(m) ? "coefficients.t" : "coefficients.z";
  mn_term_table t;
  MN_TRY(need_inference(ctx, m, "summary"));
  MN_TRY(
      mn_term_table_init(ctx, &m->linear.base, results, m->terms.at, m->terms.size, m->fit_intercept, statistic, &t));
  MN_TRY(fill_table(ctx, m, o->level, &t));
  mn_result_real(results, "dispersion", m->dispersion);
  mn_result_real(results, "deviance", m->deviance);
  mn_result_real(results, "null_deviance", m->null_deviance);
  mn_result_real(results, "df_residual", m->df_residual);
  mn_result_real(results, "df_null", m->df_null);
  mn_result_real(results, "pearson_chi2", m->pearson_chi2);
  mn_result_real(results, "loglik", m->loglik);
  mn_result_real(results, "aic", m->aic);
  mn_result_real(results, "bic", m->bic);
  mn_result_real(results, "n", m->n);
  return write_text(ctx, m, &t, results);
}

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
  MN_TRY(need_inference(ctx, m, "intervals"));
  const double quantile = mn_t_isf((1 - o->level) / 2, test_df(m));
  double *z = MN_RAW(ctx, double, m->terms.size + 1, 1), *buffer = MN_RAW(ctx, double, data->features, 1);
  mn_vector *fit, *low, *high, *std_error, *link;
  if (!z || !buffer) return MN_NO_MEMORY;
  MN_TRY(mn_result_vector(ctx, results, "intervals.fit", data->rows, &fit));
  MN_TRY(mn_result_vector(ctx, results, "intervals.low", data->rows, &low));
  MN_TRY(mn_result_vector(ctx, results, "intervals.high", data->rows, &high));
  MN_TRY(mn_result_vector(ctx, results, "intervals.std_error", data->rows, &std_error));
  MN_TRY(mn_result_vector(ctx, results, "intervals.link", data->rows, &link));
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = dense_row(data, i, buffer);
    const double eta = predictor(m, row), deviation = sqrt(m->dispersion * predictor_variance(m, row, z));
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

struct diagnostic_columns {
  mn_vector *fitted, *link, *response, *pearson, *deviance, *leverage, *standardized, *cooks;
};

static mn_status init_columns(mn_context *ctx, mn_results *results, size_t n, struct diagnostic_columns *f)
{
  MN_TRY(mn_result_vector(ctx, results, "rows.fitted", n, &f->fitted));
  MN_TRY(mn_result_vector(ctx, results, "rows.link", n, &f->link));
  MN_TRY(mn_result_vector(ctx, results, "rows.response", n, &f->response));
  MN_TRY(mn_result_vector(ctx, results, "rows.pearson", n, &f->pearson));
  MN_TRY(mn_result_vector(ctx, results, "rows.deviance", n, &f->deviance));
  MN_TRY(mn_result_vector(ctx, results, "rows.leverage", n, &f->leverage));
  MN_TRY(mn_result_vector(ctx, results, "rows.standardized", n, &f->standardized));
  return mn_result_vector(ctx, results, "rows.cooks_distance", n, &f->cooks);
}

static void fill_row(const struct mn_glm *m, const struct diagnostic_columns *f, size_t i, const double *row, double y,
                     double trials, double *z)
{
  const mn_glm_family *family = &mn_glm_families[m->family_code];
  const double eta = predictor(m, row);
  double mu, complement, dmu;
  mn_glm_links[m->link_code].inverse(m->exponent, 1, &eta, &mu, &complement, &dmu);
  const double variance = family->variance(m->parameter, mu, complement);
  const double leverage = trials * dmu * dmu / variance * predictor_variance(m, row, z);
  const double parameters = (double)m->rank + m->fit_intercept;
  f->fitted->at[i] = mu;
  f->link->at[i] = eta;
  f->response->at[i] = y - mu;
  f->pearson->at[i] = (y - mu) * sqrt(trials / variance);
  f->deviance->at[i] = copysign(sqrt(trials * family->unit_deviance(m->parameter, y, mu, complement)), y - mu);
  f->leverage->at[i] = leverage;
  f->standardized->at[i] = f->deviance->at[i] / sqrt(m->dispersion * (1 - leverage));
  f->cooks->at[i] =
      f->pearson->at[i] * f->pearson->at[i] / m->dispersion * leverage / (1 - leverage) / (1 - leverage) / parameters;
}

static mn_status diagnostics(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)options;
  const struct mn_glm *m = self;
  struct diagnostic_columns f;
  MN_TRY(need_inference(ctx, m, "diagnostics"));
  MN_TRY(init_columns(ctx, results, data->rows, &f));
  double *z = MN_RAW(ctx, double, m->terms.size + 1, 1), *buffer = MN_RAW(ctx, double, data->features, 1);
  if (!z || !buffer) return MN_NO_MEMORY;
  const double *y, *trials;
  MN_TRY(mn_glm_targets(ctx, m, data, &y, &trials));
  for (size_t i = 0; i < data->rows; i++)
    fill_row(m, &f, i, dense_row(data, i, buffer), y[i], trials ? trials[i] : 1, z);
  return MN_OK;
}

const mn_operation mn_glm_operations[] = {
  { .name = "summary",
    .brief = "coefficients with standard errors, z or t and p-values, and goodness of fit, as printed by R",
    .returns = "coefficients (Frame: term, estimate, std_error, z or t, p, low, high), dispersion, deviance, "
               "null_deviance, df_residual, df_null, pearson_chi2, loglik, aic, bic, n; prints as a table",
    .options = level_params,
    .options_size = sizeof(struct level_option),
    .run = summary },
  { .name = "intervals",
    .brief = "confidence interval of the mean at each row of X, computed on the scale of the link",
    .returns = "Frame: fit, low, high, std_error (of the mean), link (the linear predictor)",
    .needs = MN_NEEDS_X,
    .options = interval_params,
    .options_size = sizeof(struct interval_options),
    .run = intervals },
  { .name = "diagnostics",
    .brief = "residuals, leverage and influence of the fitted rows",
    .returns = "Frame: fitted, link, response, pearson, deviance, leverage, standardized (deviance), cooks_distance",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = diagnostics },
  { .name = NULL },
};

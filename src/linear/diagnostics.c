/* Regression diagnostics of least squares: residuals, leverage and influence of rows, tests of the assumptions.
 *
 * With precision weights the formulas are those of the rows multiplied by the roots of their weights; with frequency
 * weights those of one copy of a row.
 *
 * Seber & Lee, Linear Regression Analysis (2003), chapter 10; Cook (1977); Belsley, Kuh & Welsch, Regression
 * Diagnostics (1980), section 2.1; Durbin & Watson (1950); Breusch & Pagan (1979) in the studentized form of Koenker
 * (1981). */
#include "../factorization/lapack.h"
#include "../stats/special.h"
#include "linear_regression.h"

const mn_param mn_ols_row_params[] = {
  MN_COUNT(mn_ols_row_options, target, 1, MN_AT_LEAST(1), "column of y, from 1"),
  MN_REALS(mn_ols_row_options, weights, MN_AT_LEAST(0),
           "sample weights of the rows; required if fit had precision weights"),
  MN_END,
};

/* Rows and what is computed from one of them. */
struct rows {
  const struct mn_ols *m;
  const mn_data *data;
  size_t target;
  const double *weights; /* NULL: all 1 */
  bool frequency;
  mn_information information;
  mn_ols_statistics statistics;
  double *workspace; /* 2 features */
};

static mn_status begin(mn_context *ctx, const struct mn_ols *m, const mn_data *data, const char *operation,
                       const mn_ols_row_options *o, struct rows *s)
{
  MN_TRY(mn_ols_require(ctx, m, operation, o->target));
  const mn_observations observations = mn_ols_observations(m);
  *s = (struct rows){ .m = m, .data = data, .target = (size_t)o->target - 1 };
  s->frequency = mn_is_frequency(&observations);
  s->information = mn_ols_information(m);
  s->statistics = mn_ols_compute_statistics(m, s->target);
  s->workspace = MN_RAW(ctx, double, m->mean.size, 2);
  MN_CHECK_ALLOC(s->workspace);
  return mn_operation_weights(ctx, "LinearRegression", operation, &observations, data, &o->weights, true, &s->weights);
}

/* Root of the precision of row i, by which its residual is scaled. */
static double root_weight(const struct rows *s, size_t i)
{
  return s->weights && !s->frequency ? sqrt(s->weights[i]) : 1;
}

struct influence {
  double fitted, residual, leverage, standardized, studentized, cooks, dffits;
};

static struct influence influence_of(const struct rows *s, size_t i, double *direction)
{
  const mn_ols_statistics *t = &s->statistics;
  const double *row = mn_row(&s->data->x, i), root = root_weight(s, i), parameters = t->model_df + s->m->fit_intercept;
  struct influence v = { .fitted = mn_ols_fitted(s->m, s->target, row) };
  const double h = root * root * mn_information_row(&s->information, row, s->workspace, direction);
  v.residual = s->data->y.at[i * s->data->y.cols + s->target] - v.fitted;
  v.leverage = h;
  const double r = root * v.residual;
  const double left_out = (t->df * t->sigma * t->sigma - r * r / (1 - h)) / (t->df - 1); /* variance without row i */
  v.standardized = r / (t->sigma * sqrt(1 - h));
  v.studentized = r / sqrt(left_out * (1 - h));
  v.cooks = v.standardized * v.standardized * h / (1 - h) / parameters;
  v.dffits = v.studentized * sqrt(h / (1 - h));
  return v;
}

/* Test for heteroscedasticity: n R^2 of the regression of the squared residuals on X, which is chi-square with as many
 * degrees of freedom as X has independent columns if their variance does not depend on X (Koenker 1981). */
static mn_status breusch_pagan(mn_context *ctx, const struct rows *s, const double *residual, mn_results *results)
{
  const mn_data *data = s->data;
  const size_t rows = data->rows, p = data->features;
  double *square = MN_RAW(ctx, double, rows, 1), *mean = MN_NEW(ctx, double, p, 1), *coef = MN_RAW(ctx, double, p, 1);
  double y_mean = 0, rss = 0, tss = 0, n = 0;
  if (!square || !mean || !coef) return MN_NO_MEMORY;
  const double *count = s->frequency ? s->weights : NULL;
  for (size_t i = 0; i < rows; i++) {
    const double w = count ? count[i] : 1;
    n += w;
    square[i] = residual[i] * residual[i];
    if (!(w > 0)) continue;
    y_mean += w / n * (square[i] - y_mean);
    for (size_t j = 0; j < p; j++) mean[j] += w / n * (data->x.at[i * p + j] - mean[j]);
  }
  for (size_t i = 0; i < rows; i++) tss += (count ? count[i] : 1) * (square[i] - y_mean) * (square[i] - y_mean);
  const mn_rows problem = {
    .n = rows, .p = p, .m = 1, .x = data->x.at, .y = square, .weights = count, .x_center = mean, .y_center = &y_mean
  };
  mn_rank found = { .pivot = NULL };
  MN_TRY(mn_least_squares(ctx, &problem, 0, coef, &rss, &found));
  const double statistic = tss > 0 ? n * (1 - rss / tss) : 0;
  mn_result_real(results, "breusch_pagan", statistic);
  mn_result_real(results, "breusch_pagan_p", mn_chi2_sf(statistic, (double)found.rank));
  return MN_OK;
}

/* Variance inflation factors: the diagonal of the inverse Gram matrix of the scaled columns, which is 1 for a column
 * that is orthogonal to the others; NaN for an aliased column. */
static mn_status variance_inflation(mn_context *ctx, const struct mn_ols *m, mn_results *results)
{
  const mn_information f = mn_ols_information(m);
  mn_vector *vif;
  MN_TRY(mn_result_vector(ctx, results, "vif", f.p, &vif));
  for (size_t j = 0; j < f.p; j++) vif->at[j] = mn_is_dependent(&f, j) ? (double)NAN : m->unscaled.at[j * f.p + j];
  return MN_OK;
}

struct columns {
  mn_vector *fitted, *residual, *leverage, *standardized, *studentized, *cooks, *dffits;
};

static mn_status init_columns(mn_context *ctx, mn_results *results, size_t n, struct columns *c)
{
  MN_TRY(mn_result_vector(ctx, results, "rows.fitted", n, &c->fitted));
  MN_TRY(mn_result_vector(ctx, results, "rows.residual", n, &c->residual));
  MN_TRY(mn_result_vector(ctx, results, "rows.leverage", n, &c->leverage));
  MN_TRY(mn_result_vector(ctx, results, "rows.standardized", n, &c->standardized));
  MN_TRY(mn_result_vector(ctx, results, "rows.studentized", n, &c->studentized));
  MN_TRY(mn_result_vector(ctx, results, "rows.cooks_distance", n, &c->cooks));
  return mn_result_vector(ctx, results, "rows.dffits", n, &c->dffits);
}

mn_status mn_ols_diagnostics(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  struct rows s;
  struct columns c;
  MN_TRY(begin(ctx, self, data, "diagnostics", options, &s));
  MN_TRY(init_columns(ctx, results, data->rows, &c));
  double *residual = MN_RAW(ctx, double, data->rows, 1), square = 0, step = 0;
  MN_CHECK_ALLOC(residual);
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    const struct influence v = influence_of(&s, i, NULL);
    c.fitted->at[i] = v.fitted;
    c.residual->at[i] = v.residual;
    c.leverage->at[i] = v.leverage;
    c.standardized->at[i] = v.standardized;
    c.studentized->at[i] = v.studentized;
    c.cooks->at[i] = v.cooks;
    c.dffits->at[i] = v.dffits;
    residual[i] = root_weight(&s, i) * v.residual;
    square += residual[i] * residual[i];
    if (i > 0) step += (residual[i] - residual[i - 1]) * (residual[i] - residual[i - 1]);
  }
  mn_result_real(results, "durbin_watson", step / square);
  mn_result_real(results, "condition_number", 1 / s.m->rcond);
  MN_TRY(variance_inflation(ctx, s.m, results));
  return breusch_pagan(ctx, &s, residual, results);
}

/* Without row i coefficient j changes by (C x_i)_j w_i r_i / (1 - h_i). */
mn_status mn_ols_dfbetas(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  struct rows s;
  MN_TRY(begin(ctx, self, data, "dfbetas", options, &s));
  const size_t k = mn_information_size(&s.information);
  double *c = MN_RAW(ctx, double, k, k), *direction = MN_RAW(ctx, double, k, 1);
  mn_matrix *out;
  if (!c || !direction) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "dfbetas", data->rows, k, &out));
  MN_TRY(mn_information_inverse(ctx, &s.information, c));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    const double root = root_weight(&s, i);
    const struct influence v = influence_of(&s, i, direction);
    /* studentized = root r / (sigma_i sqrt(1 - h)) */
    const double factor = root * v.studentized / sqrt(1 - v.leverage);
    for (size_t j = 0; j < k; j++) out->at[i * k + j] = factor * direction[j] / sqrt(c[j * k + j]);
  }
  return MN_OK;
}

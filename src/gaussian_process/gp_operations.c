/* What Gaussian process regression computes beside means: variances, intervals, samples, likelihoods and leave-one-out
 * predictions. */
#include "../core/rng.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "../model/interval.h"
#include "../model/kernel_param.h"
#include "gp_regressor.h"
#include <string.h>

/* Minus the part of the covariance that the data explain, plus that of the coefficients b: for n rows with columns
 * v = inv(L) k(X, x) (rows of the model x n), what has to be added to k(x, x'). */
static mn_status explained(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data, double *v, double *r)
{
  const size_t n = m->x.rows, rows = data->rows, columns = m->mean_coef.rows;
  const mn_kernel_rows stored = { .n = n, .d = m->x.cols, .x = m->x.at }, x = mn_kernel_rows_of(data);
  double *h = MN_RAW(ctx, double, columns + 1, 1);
  MN_CHECK_ALLOC(h);
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &stored, &x, v, rows));
  MN_TRY(mn_chol_lower(ctx, n, rows, m->factor.at, v));
  if (columns == 0) return MN_OK;
  for (size_t i = 0; i < rows; i++) {
    mn_gp_mean_row((mn_gp_mean)m->mean_kind, data->features, mn_row(&data->x, i), h);
    for (size_t k = 0; k < columns; k++) r[k * rows + i] = h[k];
  }
  MN_TRY(mn_gemm(ctx, true, false, columns, rows, n, -1, m->basis.at, columns, v, rows, 1, r, rows));
  return mn_chol_lower(ctx, columns, rows, m->precision.at, r);
}

/* Prior variance of the function, and of a new observation beyond it: alpha, and the White kernels. */
static mn_status prior_variances(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data,
                                 double *function, double *noise)
{
  const mn_kernel_rows rows = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_diagonal(ctx, &m->fitted_kernel, &rows, noise));
  MN_TRY(mn_gp_function_variances(ctx, &m->fitted_kernel, &rows, function));
  for (size_t i = 0; i < data->rows; i++) noise[i] = fmax(noise[i] - function[i], 0) + m->noise;
  return MN_OK;
}

/* The posterior variance of the function at the rows of data, and the variance of the noise, in normalized units. */
static mn_status posterior_variances(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data,
                                     double *variance, double *noise)
{
  enum { BLOCK_ROWS = 256 };
  const size_t n = m->x.rows, columns = m->mean_coef.rows;
  for (size_t begin = 0; begin < data->rows; begin += BLOCK_ROWS) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_data part = *data;
    part.rows = part.x.rows = data->rows - begin < BLOCK_ROWS ? data->rows - begin : BLOCK_ROWS;
    part.x.at = mn_row(&data->x, begin);
    double *v = MN_RAW(ctx, double, n, part.rows), *r = MN_RAW(ctx, double, columns + 1, part.rows);
    if (!v || !r) return MN_NO_MEMORY;
    MN_TRY(prior_variances(ctx, m, &part, variance + begin, noise + begin));
    MN_TRY(explained(ctx, m, &part, v, r));
    for (size_t k = 0; k < n; k++)
      for (size_t i = 0; i < part.rows; i++) variance[begin + i] -= v[k * part.rows + i] * v[k * part.rows + i];
    for (size_t k = 0; k < columns; k++)
      for (size_t i = 0; i < part.rows; i++) variance[begin + i] += r[k * part.rows + i] * r[k * part.rows + i];
    for (size_t i = 0; i < part.rows; i++) variance[begin + i] = fmax(variance[begin + i], 0);
    mn_scratch_release(ctx, mark);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* The posterior covariance of the function at the rows of data, rows x rows, in normalized units. */
static mn_status posterior_covariance(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data,
                                      double *out)
{
  const size_t n = m->x.rows, rows = data->rows, columns = m->mean_coef.rows;
  const mn_kernel_rows x = mn_kernel_rows_of(data);
  double *v = MN_RAW(ctx, double, n, rows), *r = MN_RAW(ctx, double, columns + 1, rows);
  if (!v || !r) return MN_NO_MEMORY;
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &x, &x, out, rows));
  MN_TRY(explained(ctx, m, data, v, r));
  MN_TRY(mn_gemm(ctx, true, false, rows, rows, n, -1, v, rows, v, rows, 1, out, rows));
  return mn_gemm(ctx, true, false, rows, rows, columns, 1, r, rows, r, rows, 1, out, rows);
}

static mn_status predict_means(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data, double *out)
{
  mn_matrix means = { .at = out, .rows = data->rows, .cols = m->y.cols };
  return mn_gp_predict(ctx, m, data, &means);
}

/* --- operations --- */

static mn_status require_one_target(mn_context *ctx, const struct mn_gp_regressor *m, const char *operation)
{
  if (m->y.cols == 1) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "GaussianProcessRegressor: %s requires one target, got %zu; use posterior",
                 operation, m->y.cols);
}

static mn_status predict_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const mn_interval_options *o = options;
  mn_intervals out;
  double *noise = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(noise);
  MN_TRY(require_one_target(ctx, m, "predict_interval"));
  MN_TRY(mn_intervals_make(ctx, results, data->rows, &out));
  MN_TRY(predict_means(ctx, m, data, out.mean->at));
  MN_TRY(posterior_variances(ctx, m, data, out.std->at, noise));
  for (size_t i = 0; i < data->rows; i++) out.std->at[i] = m->y_scale.at[0] * sqrt(out.std->at[i] + noise[i]);
  mn_intervals_normal(&out, o->level);
  return MN_OK;
}

enum { OF_OBSERVATION, OF_FUNCTION };
static const char *const interval_kinds[] = { "prediction", "confidence", NULL };

struct interval_options {
  double level;
  int64_t kind;
};

static const mn_param interval_params[] = {
  MN_REAL(struct interval_options, level, 0.95, MN_OPEN(0, 1), "probability of the intervals"),
  MN_CHOICE(struct interval_options, kind, OF_OBSERVATION, interval_kinds,
            "prediction: of a new observation; confidence: of the function"),
  MN_END,
};

static mn_status intervals(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const struct interval_options *o = options;
  mn_intervals out;
  double *noise = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(noise);
  MN_TRY(require_one_target(ctx, m, "intervals"));
  MN_TRY(mn_result_vector(ctx, results, "intervals.fit", data->rows, &out.mean));
  MN_TRY(mn_result_vector(ctx, results, "intervals.low", data->rows, &out.low));
  MN_TRY(mn_result_vector(ctx, results, "intervals.high", data->rows, &out.high));
  MN_TRY(mn_result_vector(ctx, results, "intervals.std_error", data->rows, &out.std));
  MN_TRY(predict_means(ctx, m, data, out.mean->at));
  MN_TRY(posterior_variances(ctx, m, data, out.std->at, noise));
  for (size_t i = 0; i < data->rows; i++)
    out.std->at[i] = m->y_scale.at[0] * sqrt(out.std->at[i] + (o->kind == OF_OBSERVATION ? noise[i] : 0));
  mn_intervals_normal(&out, o->level);
  return MN_OK;
}

static mn_status posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const size_t rows = data->rows;
  mn_matrix *mean, *covariance;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "mean", rows, m->y.cols, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "covariance", rows, rows, &covariance));
  MN_TRY(predict_means(ctx, m, data, mean->at));
  return posterior_covariance(ctx, m, data, covariance->at);
}

struct sample_options {
  int64_t n, seed;
};

static const mn_param sample_params[] = {
  MN_COUNT(struct sample_options, n, 1, MN_CLOSED(1, INT32_MAX), "number of functions"),
  MN_SEED(struct sample_options, seed),
  MN_END,
};

/* mean + L z for normal z, with the posterior covariance L L' by its eigenvectors, which may be singular. */
static mn_status sample_y(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const struct sample_options *o = options;
  const size_t rows = data->rows, n = (size_t)o->n;
  mn_matrix *samples;
  double *covariance = MN_RAW(ctx, double, rows, rows), *values = MN_RAW(ctx, double, rows, 1),
         *vectors = MN_RAW(ctx, double, rows, rows), *z = MN_RAW(ctx, double, rows, n),
         *mean = MN_RAW(ctx, double, rows, 1);
  if (!covariance || !values || !vectors || !z || !mean) return MN_NO_MEMORY;
  MN_TRY(require_one_target(ctx, m, "sample_y"));
  MN_TRY(mn_result_matrix(ctx, results, "samples", rows, n, &samples));
  MN_TRY(predict_means(ctx, m, data, mean));
  MN_TRY(posterior_covariance(ctx, m, data, covariance));
  MN_TRY(mn_eigh(ctx, rows, rows, MN_LARGEST, covariance, values, vectors));
  for (size_t i = 0; i < rows; i++) {
    mn_rng random = mn_stream(o->seed, i);
    const double scale = m->y_scale.at[0] * sqrt(fmax(values[i], 0));
    for (size_t k = 0; k < n; k++) z[i * n + k] = scale * mn_random_normal(&random);
  }
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < n; k++) mn_row(samples, i)[k] = mean[i];
  return mn_gemm(ctx, true, false, rows, n, rows, 1, vectors, rows, z, n, 1, samples->at, n);
}

struct likelihood_options {
  mn_vector theta;
};

static const mn_param likelihood_params[] = {
  MN_REALS(struct likelihood_options, theta, MN_NO_LIMITS(),
           "logarithms of the free hyperparameters, as fitted_kernel.theta; nil: those of the fit"),
  MN_END,
};

static mn_status log_marginal_likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                         mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const struct likelihood_options *o = options;
  const mn_gp_problem problem = mn_gp_problem_of(m);
  const size_t n = m->x.rows, k = mn_kernel_free_count(&m->fitted_kernel);
  mn_kernel kernel;
  mn_gp_solution s;
  mn_vector *gradient;
  double *inverse = MN_RAW(ctx, double, n, n);
  (void)data;
  MN_CHECK_ALLOC(inverse);
  if (o->theta.at && o->theta.size != k)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "GaussianProcessRegressor: theta must have a value for each of %zu free hyperparameters, got %zu", k,
                   o->theta.size);
  MN_TRY(mn_result_vector(ctx, results, "gradient", k, &gradient));
  MN_TRY(mn_gp_solution_new(ctx, &problem, &s));
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->fitted_kernel, &kernel));
  if (o->theta.at) mn_kernel_set_theta(&kernel, o->theta.at);
  MN_TRY(mn_gp_solve(ctx, &kernel, &problem, &s));
  if (isfinite(s.log_likelihood)) MN_TRY(mn_gp_gradient(ctx, &kernel, &problem, &s, inverse, gradient->at));
  mn_result_real(results, "value", s.log_likelihood);
  return MN_OK;
}

/* In closed form, with the hyperparameters of the fit: Rasmussen & Williams, section 5.4.2. */
static mn_status leave_one_out(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const size_t n = m->x.rows, columns = m->mean_coef.rows;
  mn_vector *mean, *std;
  double *inverse = MN_RAW(ctx, double, n, n), *z = MN_RAW(ctx, double, n, columns + 1);
  (void)data;
  (void)options;
  if (!inverse || !z) return MN_NO_MEMORY;
  MN_TRY(require_one_target(ctx, m, "leave_one_out"));
  MN_TRY(mn_result_vector(ctx, results, "mean", n, &mean));
  MN_TRY(mn_result_vector(ctx, results, "std", n, &std));
  memcpy(inverse, m->factor.at, n * n * sizeof *inverse);
  MN_TRY(mn_chol_inverse(ctx, n, inverse));
  for (size_t i = 0; i < n; i++) { /* inv(A) H, whose part of the precision the mean function takes */
    for (size_t k = 0; k < columns; k++) z[i * columns + k] = mn_row(&m->basis, i)[k];
  }
  MN_TRY(mn_chol_upper(ctx, n, columns, m->factor.at, z));
  for (size_t i = 0; i < n; i++) {
    double precision = inverse[i * n + i];
    for (size_t k = 0; k < columns; k++) { /* |inv(R) (inv(A) H)_i|^2 with R R' = H' inv(A) H */
      double part = z[i * columns + k];
      for (size_t l = 0; l < k; l++) part -= mn_row(&m->precision, k)[l] * z[i * columns + l];
      z[i * columns + k] = part / mn_row(&m->precision, k)[k];
      precision -= z[i * columns + k] * z[i * columns + k];
    }
    const double y = m->y.at[i] - m->dual_coef.at[i] / precision;
    mean->at[i] = m->y_mean.at[0] + m->y_scale.at[0] * y;
    std->at[i] = m->y_scale.at[0] / sqrt(precision);
  }
  return MN_OK;
}

const mn_operation mn_gp_operations[] = {
  MN_PREDICT_INTERVAL(", of a new observation", predict_interval),
  { .name = "intervals",
    .brief = "intervals of a new observation or of the function",
    .returns = "intervals (Frame of fit, low, high, std_error)",
    .needs = MN_NEEDS_X,
    .options = interval_params,
    .options_size = sizeof(struct interval_options),
    .run = intervals },
  { .name = "posterior",
    .brief = "mean and covariance of the function, the covariance in units of normalized y",
    .returns = "mean (rows x targets), covariance (rows x rows)",
    .needs = MN_NEEDS_X,
    .run = posterior },
  { .name = "sample_y",
    .brief = "functions drawn from the posterior",
    .returns = "Matrix (rows x n)",
    .needs = MN_NEEDS_X,
    .options = sample_params,
    .options_size = sizeof(struct sample_options),
    .run = sample_y },
  { .name = "log_marginal_likelihood",
    .brief = "log marginal likelihood and its gradient at given hyperparameters",
    .returns = "value, gradient (free hyperparameters)",
    .options = likelihood_params,
    .options_size = sizeof(struct likelihood_options),
    .run = log_marginal_likelihood },
  { .name = "leave_one_out",
    .brief = "prediction of each training row from the others, by the fitted kernel",
    .returns = "mean (rows), std (rows)",
    .run = leave_one_out },
  { .name = NULL },
};

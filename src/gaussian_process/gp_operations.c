/* What Gaussian process regression computes beside means: variances, intervals, samples, likelihoods and leave-one-out
 * predictions. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../actions/interval.h"
#include "../model/kernel_param.h"
#include "gp_gradient.h"
#include "gp_kernel.h"
#include "gp_regressor.h"
#include "gp_report.h"
#include "gp_uncertainty.h"
#include "gp_update.h"
#include <string.h>

/* v = inv(L) k(X, x), rows of the model x rows of data, and r = inv(R) (h(x) - H' inv(A) k(X, x)), columns of the mean
 * x rows, with R R' = H' inv(A) H: the posterior covariance is k(x, x') - v'v + r'r. l: L, or NULL for a single row. */
static mn_status explained(mn_context *ctx, const struct mn_gp_regressor *m, const double *l, const mn_data *data,
                           double *v, double *r)
{
  const size_t n = m->x.rows, rows = data->rows, columns = m->mean_coef.rows;
  const mn_kernel_rows stored = mn_gp_stored_rows(m), x = mn_kernel_rows_of(data);
  double *h = MN_RAW(ctx, double, columns + 1, 1);
  MN_CHECK_ALLOC(h);
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &stored, &x, v, rows));
  if (l)
    MN_TRY(mn_chol_lower(ctx, n, rows, l, v));
  else
    mn_packed_lower(n, m->factor.at, 1, v);
  if (columns == 0) return MN_OK;
  for (size_t i = 0; i < rows; i++) {
    mn_gp_mean_row((mn_gp_mean)m->mean_kind, data->features, mn_row(&data->x, i), h);
    for (size_t k = 0; k < columns; k++) r[k * rows + i] = h[k];
  }
  MN_TRY(mn_gemm(ctx, true, false, columns, rows, n, -1, m->basis.at, columns, v, rows, 1, r, rows));
  return mn_chol_lower(ctx, columns, rows, m->precision.at, r);
}

/* The mean of the variances known for the rows, 0 if there are none. */
static double mean_row_noise(const struct mn_gp_regressor *m)
{
  double sum = 0;
  for (size_t i = 0; i < m->row_noise.size; i++) sum += m->row_noise.at[i] / (double)m->row_noise.size;
  return sum;
}

/* Prior variance of the function, and of a new observation beyond it: alpha, the White kernels, and what rows have on
 * average. */
static mn_status prior_variances(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data,
                                 double *function, double *noise)
{
  const mn_kernel_rows rows = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_diagonal(ctx, &m->fitted_kernel, &rows, noise));
  MN_TRY(mn_gp_function_variances(ctx, &m->fitted_kernel, &rows, function));
  const bool learned = mn_gp_has_noise_process(m);
  const double known = m->noise + (learned ? 0 : mean_row_noise(m));
  for (size_t i = 0; i < data->rows; i++) noise[i] = fmax(noise[i] - function[i], 0) + known;
  if (!learned) return MN_OK;
  double *mean = MN_RAW(ctx, double, data->rows, 2), *variance = mean ? mean + data->rows : NULL;
  MN_CHECK_ALLOC(mean);
  MN_TRY(mn_gp_log_noise(ctx, m, &rows, mean, variance));
  for (size_t i = 0; i < data->rows; i++) noise[i] += exp(mean[i] + variance[i] / 2);
  return MN_OK;
}

/* The posterior variance of the function at the rows of data, and the variance of the noise, in normalized units. */
static mn_status posterior_variances(mn_context *ctx, const void *self, const mn_data *data, double *variance,
                                     double *noise)
{
  enum { BLOCK_ROWS = 256 };
  const struct mn_gp_regressor *m = self;
  const size_t n = m->x.rows, columns = m->mean_coef.rows;
  double *l = NULL;
  if (data->rows > 1) MN_TRY(mn_gp_unpack(ctx, m, &l));
  for (size_t begin = 0; begin < data->rows; begin += BLOCK_ROWS) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_data part = *data;
    part.rows = part.x.rows = data->rows - begin < BLOCK_ROWS ? data->rows - begin : BLOCK_ROWS;
    part.x.at = mn_row(&data->x, begin);
    double *v = MN_RAW(ctx, double, n, part.rows), *r = MN_RAW(ctx, double, columns + 1, part.rows);
    if (!v || !r) return MN_NO_MEMORY;
    MN_TRY(prior_variances(ctx, m, &part, variance + begin, noise + begin));
    MN_TRY(explained(ctx, m, l, &part, v, r));
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
static mn_status posterior_covariance(mn_context *ctx, const void *self, const mn_data *data, double *out)
{
  const struct mn_gp_regressor *m = self;
  const size_t n = m->x.rows, rows = data->rows, columns = m->mean_coef.rows;
  const mn_kernel_rows x = mn_kernel_rows_of(data);
  double *v = MN_RAW(ctx, double, n, rows), *r = MN_RAW(ctx, double, columns + 1, rows), *l;
  if (!v || !r) return MN_NO_MEMORY;
  MN_TRY(mn_gp_unpack(ctx, m, &l));
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &x, &x, out, rows));
  MN_TRY(explained(ctx, m, l, data, v, r));
  MN_TRY(mn_gemm(ctx, true, false, rows, rows, n, -1, v, rows, v, rows, 1, out, rows));
  return mn_gemm(ctx, true, false, rows, rows, columns, 1, r, rows, r, rows, 1, out, rows);
}

static mn_gp_predictor predictor_of(const struct mn_gp_regressor *m)
{
  return (mn_gp_predictor){ .model = &m->base,
                            .targets = m->y.cols,
                            .scale = m->y_scale.at[0],
                            .predict = mn_gp_predict,
                            .variances = posterior_variances,
                            .covariance = posterior_covariance };
}

/* --- operations --- */

MN_GP_WITH_PREDICTOR(predict_interval, mn_gp_predict_interval, predictor_of)
MN_GP_WITH_PREDICTOR(intervals, mn_gp_intervals, predictor_of)
MN_GP_WITH_PREDICTOR(posterior, mn_gp_give_posterior, predictor_of)
MN_GP_WITH_PREDICTOR(sample_y, mn_gp_sample_y, predictor_of)

static mn_status predict_noise(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  mn_vector *out;
  double *function = MN_RAW(ctx, double, data->rows, 1);
  (void)options;
  MN_CHECK_ALLOC(function);
  MN_TRY(mn_gp_require_one_target(ctx, &m->base, m->y.cols, "predict_noise"));
  MN_TRY(mn_result_vector(ctx, results, "std", data->rows, &out));
  MN_TRY(prior_variances(ctx, m, data, function, out->at));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = m->y_scale.at[0] * sqrt(out->at[i]);
  return MN_OK;
}

/* Functions before data: of the kernel of the fit in units of y, or of the kernel as given. */
static mn_status sample_prior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const mn_gp_sample_options *o = options;
  const size_t rows = data->rows;
  const mn_kernel_rows x = mn_kernel_rows_of(data);
  mn_kernel kernel = { 0 };
  mn_matrix *samples;
  double *covariance = MN_RAW(ctx, double, rows, rows), *mean = MN_NEW(ctx, double, rows, 1);
  if (!covariance || !mean) return MN_NO_MEMORY;
  if (m->base.fitted) MN_TRY(mn_gp_require_one_target(ctx, &m->base, m->y.cols, "sample_prior"));
  MN_TRY(mn_result_matrix(ctx, results, "samples", rows, (size_t)o->n, &samples));
  if (m->base.fitted) {
    MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &x, &x, covariance, rows));
  } else {
    MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, true, data, &kernel));
    const mn_status status = mn_kernel_cross(ctx, &kernel, &x, &x, covariance, rows);
    mn_kernel_free(mn_context_memory(ctx), &kernel);
    MN_TRY(status);
  }
  for (size_t i = 0; m->base.fitted && i < rows; i++) mean[i] = m->y_mean.at[0];
  return mn_gp_draw(ctx, o, mean, m->base.fitted ? m->y_scale.at[0] : 1, covariance, samples);
}

static mn_status log_marginal_likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                         mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const mn_gp_problem problem = mn_gp_problem_of(m);
  const size_t n = m->x.rows;
  mn_kernel kernel;
  mn_gp_solution s;
  double *gradient, *inverse = MN_RAW(ctx, double, n, n);
  (void)data;
  MN_CHECK_ALLOC(inverse);
  MN_TRY(mn_gp_start_likelihood(ctx, &m->base, &m->fitted_kernel, options, results, &kernel, &gradient));
  MN_TRY(mn_gp_solution_new(ctx, &problem, &s));
  MN_TRY(mn_gp_solve(ctx, &kernel, &problem, &s));
  if (isfinite(s.log_likelihood)) MN_TRY(mn_gp_gradient(ctx, &kernel, &problem, &s, inverse, gradient));
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
  double *inverse, *z = MN_RAW(ctx, double, columns + 1, n);
  (void)data;
  (void)options;
  MN_CHECK_ALLOC(z);
  MN_TRY(mn_gp_unpack(ctx, m, &inverse));
  MN_TRY(mn_gp_require_one_target(ctx, &m->base, m->y.cols, "leave_one_out"));
  MN_TRY(mn_result_vector(ctx, results, "mean", n, &mean));
  MN_TRY(mn_result_vector(ctx, results, "std", n, &std));
  MN_TRY(mn_chol_inverse(ctx, n, inverse));
  for (size_t k = 0; k < columns; k++) /* inv(A) H, whose part of the precision the mean function takes */
    for (size_t i = 0; i < n; i++) z[k * n + i] = mn_row(&m->basis, i)[k];
  mn_packed_upper(n, m->factor.at, columns, z);
  for (size_t i = 0; i < n; i++) {
    double precision = inverse[i * n + i];
    for (size_t k = 0; k < columns; k++) { /* |inv(R) (inv(A) H)_i|^2 with R R' = H' inv(A) H */
      double part = z[k * n + i];
      for (size_t l = 0; l < k; l++) part -= mn_row(&m->precision, k)[l] * z[l * n + i];
      z[k * n + i] = part / mn_row(&m->precision, k)[k];
      precision -= z[k * n + i] * z[k * n + i];
    }
    const double y = m->y.at[i] - m->dual_coef.at[i] / precision;
    mean->at[i] = m->y_mean.at[0] + m->y_scale.at[0] * y;
    std->at[i] = m->y_scale.at[0] / sqrt(precision);
  }
  return MN_OK;
}

struct forget_options {
  int64_t row;
};

static const mn_param forget_params[] = {
  MN_COUNT(struct forget_options, row, 1, MN_CLOSED(1, INT32_MAX), "its number among the rows that the model has"),
  MN_END,
};

static mn_status forget(mn_context *ctx, void *self, const void *options)
{
  struct mn_gp_regressor *m = self;
  const struct forget_options *o = options;
  if ((size_t)o->row > m->x.rows || m->x.rows == 1)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   m->x.rows == 1 ? "%s:forget: the model has one row, which must remain"
                                  : "%s:forget: row must be at most %zu, got %lld",
                   m->base.class->name, m->x.rows, (long long)o->row);
  return mn_gp_remove_row(ctx, m, (size_t)o->row - 1);
}

const mn_operation mn_gp_operations[] = {
  MN_PREDICT_INTERVAL(", of a new observation", predict_interval),
  MN_GP_INTERVALS(intervals),
  MN_GP_POSTERIOR(posterior),
  { .name = "predict_noise",
    .brief = "standard deviation of the noise of new observations",
    .returns = "Vector (rows)",
    .needs = MN_NEEDS_X,
    .run = predict_noise },
  MN_GP_SAMPLE_Y(sample_y),
  { .name = "sample_prior",
    .brief = "functions drawn from the prior, also before fit; without the mean function",
    .returns = "Matrix (rows x n)",
    .needs = MN_NEEDS_X | MN_WORKS_UNFITTED,
    .options = mn_gp_sample_params,
    .options_size = sizeof(mn_gp_sample_options),
    .run = sample_prior },
  { .name = "predict_gradient",
    .brief = "derivatives of the mean and of the variance of the function by the columns of X",
    .returns = "mean, variance (rows x features)",
    .needs = MN_NEEDS_X,
    .run = mn_gp_predict_gradient },
  { .name = "forget",
    .brief = "remove a row from the fit, at the same hyperparameters",
    .returns = "the model",
    .options = forget_params,
    .options_size = sizeof(struct forget_options),
    .modify = forget },
  MN_GP_SUMMARY(mn_gp_summary),
  MN_GP_LIKELIHOOD(log_marginal_likelihood),
  { .name = "leave_one_out",
    .brief = "prediction of each training row from the others, by the fitted kernel",
    .returns = "mean (rows), std (rows)",
    .run = leave_one_out },
  { .name = NULL },
};

/* Gaussian process regression with hyperparameters of largest marginal likelihood: gp_regression.h. */
#include "../kernel/kernel_value.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "../core/rng.h"
#include "../kernel_methods/kernel_model.h"
#include "../model/interval.h"
#include "gp_regression.h"
#include <string.h>

static const char *const mean_names[] = { "zero", "constant", "linear", NULL };
enum { OPTIMIZER_BFGS, OPTIMIZER_NONE };
static const char *const optimizers[] = { "bfgs", "none", NULL };

struct gp_regressor {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double alpha, tol;
  int64_t mean, optimizer, n_restarts, max_iter, seed;
  bool normalize_y;
  mn_kernel fitted_kernel; /* learned */
  mn_matrix x;             /* rows x features                             */
  mn_matrix y;             /* rows x targets, normalized                  */
  mn_vector y_mean, y_scale;
  mn_matrix dual_coef; /* rows x targets: c                           */
  mn_matrix mean_coef; /* columns of the mean function x targets: b   */
  double log_likelihood, jitter;
  mn_matrix factor;           /* derived: L, n x n                           */
  mn_matrix basis, precision; /* derived: inv(L) H, and the factor of H' inv(A) H */
};

static mn_gp_problem problem_of(const struct gp_regressor *m)
{
  return (mn_gp_problem){ .rows = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at },
                          .y = m->y.at,
                          .q = m->y.cols,
                          .noise = m->alpha,
                          .mean = (mn_gp_mean)m->mean };
}

/* --- the kernel --- */

static mn_status new_leaf(mn_context *ctx, mn_kernel_op op, double value, mn_kernel *k)
{
  MN_TRY(mn_kernel_init(ctx, k, 1, 1, 0, 0));
  k->node[0] = (mn_kernel_node){ .op = op, .count = 1 };
  k->hyper[0] = (mn_hyperparameter){ .value = value, .low = 1e-5, .high = 1e5 };
  return MN_OK;
}

/* Constant * kernel + White */
static mn_status add_signal_and_noise(mn_context *ctx, mn_kernel *kernel)
{
  static const double signal = 1, noise = 0.1;
  mn_kernel constant = { 0 }, white = { 0 }, product = { 0 }, sum = { 0 };
  mn_status status = new_leaf(ctx, MN_KERNEL_CONSTANT, signal, &constant);
  if (status == MN_OK) status = new_leaf(ctx, MN_KERNEL_WHITE, noise, &white);
  if (status == MN_OK) status = mn_kernel_combine(ctx, MN_KERNEL_PRODUCT, &constant, kernel, &product);
  if (status == MN_OK) status = mn_kernel_combine(ctx, MN_KERNEL_SUM, &product, &white, &sum);
  mn_memory *memory = mn_context_memory(ctx);
  mn_kernel_free(memory, &constant);
  mn_kernel_free(memory, &white);
  mn_kernel_free(memory, &product);
  if (status != MN_OK) return status;
  mn_kernel_free(memory, kernel);
  *kernel = sum;
  return MN_OK;
}

static mn_status resolve(mn_context *ctx, struct gp_regressor *m, const mn_data *data)
{
  const mn_kernel_settings settings = { .gamma = (double)NAN, .gamma_auto = true, .degree = 3, .coef0 = 1 };
  MN_TRY(mn_kernel_resolve(ctx, &m->base, &m->kernel, &settings, data, &m->fitted_kernel));
  if (mn_kernel_has(&m->fitted_kernel, MN_KERNEL_PRECOMPUTED))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GaussianProcessRegressor: kernel must not be precomputed");
  return m->kernel.name != MN_KERNEL_NONE ? add_signal_and_noise(ctx, &m->fitted_kernel) : MN_OK;
}

/* --- fit --- */

static mn_status store_data(mn_context *ctx, struct gp_regressor *m, const mn_data *data)
{
  const size_t n = data->rows, q = data->y.cols;
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &data->x, &m->x));
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &data->y, &m->y));
  MN_TRY(mn_vector_init(ctx, &m->y_mean, q));
  MN_TRY(mn_vector_init(ctx, &m->y_scale, q));
  for (size_t t = 0; t < q; t++) {
    double mean = 0, square = 0;
    for (size_t i = 0; m->normalize_y && i < n; i++) mean += mn_row(&m->y, i)[t] / (double)n;
    for (size_t i = 0; i < n; i++) {
      double *y = &mn_row(&m->y, i)[t];
      *y -= mean;
      square += *y * *y / (double)n;
    }
    const double scale = m->normalize_y && square > 0 ? sqrt(square) : 1;
    for (size_t i = 0; i < n; i++) mn_row(&m->y, i)[t] /= scale;
    m->y_mean.at[t] = mean;
    m->y_scale.at[t] = scale;
  }
  return MN_OK;
}

static mn_status keep(mn_context *ctx, size_t rows, size_t cols, const double *from, mn_matrix *to)
{
  const mn_matrix value = { .at = (double *)from, .rows = rows, .cols = cols };
  return rows * cols > 0 ? mn_value_copy(ctx, MN_KIND_MATRIX, &value, to) : MN_OK;
}

/* What predictions of variances need, which archives leave out. */
static mn_status keep_factors(mn_context *ctx, struct gp_regressor *m, const mn_gp_solution *s)
{
  const size_t n = m->x.rows, columns = mn_gp_mean_columns((mn_gp_mean)m->mean, m->x.cols);
  MN_TRY(keep(ctx, n, n, s->l, &m->factor));
  MN_TRY(keep(ctx, n, columns, s->basis, &m->basis));
  return keep(ctx, columns, columns, s->precision, &m->precision);
}

static mn_status solve(mn_context *ctx, const struct gp_regressor *m, mn_gp_solution *s)
{
  const mn_gp_problem problem = problem_of(m);
  MN_TRY(mn_gp_solution_new(ctx, &problem, s));
  MN_TRY(mn_gp_solve(ctx, &m->fitted_kernel, &problem, s));
  if (isfinite(s->log_likelihood)) return MN_OK;
  return mn_fail(
      ctx, MN_SINGULAR,
      "GaussianProcessRegressor: the kernel matrix is not positive definite, and 1e-2 of its diagonal does not "
      "make it so; raise alpha, or choose a positive semidefinite kernel");
}

struct fit_call {
  mn_context *ctx;
  struct gp_regressor *m;
};

static bool note(void *user, double log_likelihood)
{
  const struct fit_call *call = user;
  return mn_round(call->ctx, &call->m->base.report, call->m->max_iter, -log_likelihood);
}

static mn_status optimize(mn_context *ctx, struct gp_regressor *m)
{
  const mn_gp_problem problem = problem_of(m);
  struct fit_call user = { ctx, m };
  mn_gp_search search = { .restarts = (size_t)m->n_restarts,
                          .max_iter = (size_t)m->max_iter,
                          .tol = m->tol,
                          .seed = m->seed,
                          .note = m->n_restarts == 0 ? note : NULL,
                          .user = &user };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_gp_optimize(ctx, &m->fitted_kernel, &problem, &search));
  mn_scratch_release(ctx, mark);
  m->base.report.n_iter = (int64_t)search.n_iter;
  m->base.report.converged = search.converged;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct gp_regressor *m = self;
  mn_gp_solution s;
  MN_TRY(resolve(ctx, m, data));
  MN_TRY(store_data(ctx, m, data));
  m->base.report = (mn_report){ .converged = true, .advice = "raise max_iter, or widen the bounds of the kernel" };
  if (m->optimizer == OPTIMIZER_BFGS && mn_kernel_free_count(&m->fitted_kernel) > 0 && m->max_iter > 0)
    MN_TRY(optimize(ctx, m));
  if (m->base.report.n_iter < 1) m->base.report.n_iter = 1;
  MN_TRY(solve(ctx, m, &s));
  m->log_likelihood = s.log_likelihood;
  m->jitter = s.jitter;
  m->base.report.objective = -s.log_likelihood;
  MN_TRY(keep(ctx, m->x.rows, m->y.cols, s.c, &m->dual_coef));
  MN_TRY(keep(ctx, mn_gp_mean_columns((mn_gp_mean)m->mean, m->x.cols), m->y.cols, s.b, &m->mean_coef));
  return keep_factors(ctx, m, &s);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct gp_regressor *m = self;
  mn_gp_solution s;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(solve(ctx, m, &s));
  MN_TRY(keep_factors(ctx, m, &s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- predictions --- */

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct gp_regressor *m = self;
  const size_t q = m->y.cols, columns = m->mean_coef.rows;
  const mn_kernel_rows stored = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at }, rows = mn_kernel_rows_of(data);
  double *h = MN_RAW(ctx, double, columns + 1, 1);
  MN_CHECK_ALLOC(h);
  MN_TRY(mn_kernel_product(ctx, &m->fitted_kernel, &rows, &stored, q, m->dual_coef.at, out->at));
  for (size_t i = 0; i < out->rows; i++) {
    double *y = mn_row(out, i);
    mn_gp_mean_row((mn_gp_mean)m->mean, data->features, mn_row(&data->x, i), h);
    for (size_t t = 0; t < q; t++) {
      for (size_t k = 0; k < columns; k++) y[t] += h[k] * mn_row(&m->mean_coef, k)[t];
      y[t] = m->y_mean.at[t] + m->y_scale.at[t] * y[t];
    }
  }
  return MN_OK;
}

/* Minus the part of the covariance that the data explain, plus that of the coefficients b: for n rows with columns
 * v = inv(L) k(X, x) (rows of the model x n), what has to be added to k(x, x'). */
static mn_status explained(mn_context *ctx, const struct gp_regressor *m, const mn_data *data, double *v, double *r)
{
  const size_t n = m->x.rows, rows = data->rows, columns = m->mean_coef.rows;
  const mn_kernel_rows stored = { .n = n, .d = m->x.cols, .x = m->x.at }, x = mn_kernel_rows_of(data);
  double *h = MN_RAW(ctx, double, columns + 1, 1);
  MN_CHECK_ALLOC(h);
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &stored, &x, v, rows));
  MN_TRY(mn_chol_lower(ctx, n, rows, m->factor.at, v));
  if (columns == 0) return MN_OK;
  for (size_t i = 0; i < rows; i++) {
    mn_gp_mean_row((mn_gp_mean)m->mean, data->features, mn_row(&data->x, i), h);
    for (size_t k = 0; k < columns; k++) r[k * rows + i] = h[k];
  }
  MN_TRY(mn_gemm(ctx, true, false, columns, rows, n, -1, m->basis.at, columns, v, rows, 1, r, rows));
  return mn_chol_lower(ctx, columns, rows, m->precision.at, r);
}

/* The variance of a new observation beyond that of the function: alpha, and the White kernels. k(x, x) is the value of
 * two different rows, the function, or of one row, with White. */
static mn_status prior_variances(mn_context *ctx, const struct gp_regressor *m, const mn_data *data, double *function,
                                 double *noise)
{
  const mn_kernel_rows rows = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_diagonal(ctx, &m->fitted_kernel, &rows, noise));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    const mn_kernel_rows one = { .n = 1, .d = data->features, .x = x };
    if (mn_kernel_has_values(&m->fitted_kernel))
      mn_kernel_values(&m->fitted_kernel, data->features, 1, x, x, &function[i]);
    else
      MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &one, &one, &function[i], 1));
    noise[i] = fmax(noise[i] - function[i], 0) + m->alpha;
  }
  return MN_OK;
}

/* The posterior variance of the function at the rows of data, and the variance of the noise, in normalized units. */
static mn_status posterior_variances(mn_context *ctx, const struct gp_regressor *m, const mn_data *data,
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
static mn_status posterior_covariance(mn_context *ctx, const struct gp_regressor *m, const mn_data *data, double *out)
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

static mn_status predict_means(mn_context *ctx, const struct gp_regressor *m, const mn_data *data, double *out)
{
  mn_matrix means = { .at = out, .rows = data->rows, .cols = m->y.cols };
  return predict(ctx, m, data, &means);
}

/* --- operations --- */

static mn_status require_one_target(mn_context *ctx, const struct gp_regressor *m, const char *operation)
{
  if (m->y.cols == 1) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "GaussianProcessRegressor: %s requires one target, got %zu; use posterior",
                 operation, m->y.cols);
}

static mn_status predict_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const struct gp_regressor *m = self;
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
  const struct gp_regressor *m = self;
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
  const struct gp_regressor *m = self;
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
  const struct gp_regressor *m = self;
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
  const struct gp_regressor *m = self;
  const struct likelihood_options *o = options;
  const mn_gp_problem problem = problem_of(m);
  const size_t n = m->x.rows, k = mn_kernel_free_count(&m->fitted_kernel);
  mn_kernel kernel = { 0 };
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
  MN_TRY(mn_kernel_copy(ctx, &m->fitted_kernel, &kernel));
  if (o->theta.at) mn_kernel_set_theta(&kernel, o->theta.at);
  mn_status status = mn_gp_solve(ctx, &kernel, &problem, &s);
  if (status == MN_OK && isfinite(s.log_likelihood))
    status = mn_gp_gradient(ctx, &kernel, &problem, &s, inverse, gradient->at);
  mn_kernel_free(mn_context_memory(ctx), &kernel);
  mn_result_real(results, "value", s.log_likelihood);
  return status;
}

/* In closed form, with the hyperparameters of the fit: Rasmussen & Williams, section 5.4.2. */
static mn_status leave_one_out(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results)
{
  const struct gp_regressor *m = self;
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

static const mn_operation operations[] = {
  MN_PREDICT_INTERVAL(", of a new observation", predict_interval),
  { .name = "intervals",
    .brief = "intervals of a new observation or of the function",
    .returns = "intervals (Frame of fit, low, high, std_error)",
    .needs = MN_NEEDS_X,
    .options = interval_params,
    .options_size = sizeof(struct interval_options),
    .run = intervals },
  { .name = "posterior",
    .brief = "mean and covariance of the function; with normalize_y the covariance is in normalized units",
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
    .brief = "its value and gradient at any hyperparameters",
    .returns = "value, gradient (free hyperparameters)",
    .options = likelihood_params,
    .options_size = sizeof(struct likelihood_options),
    .run = log_marginal_likelihood },
  { .name = "leave_one_out",
    .brief = "prediction of each training row from the others, with the hyperparameters of the fit",
    .returns = "mean (rows), std (rows)",
    .run = leave_one_out },
  { .name = NULL },
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct gp_regressor *m = self;
  if (action != MN_PREDICT) return MN_OK;
  if (m->mean != MN_GP_ZERO) return mn_cannot_export(ctx, &m->base, "its mean function is not zero");
  mn_program_reals(program, "y_mean", m->y_mean.size, m->y_mean.at);
  mn_program_reals(program, "y_scale", m->y_scale.size, m->y_scale.at);
  return mn_kernel_export_product(ctx, &m->base, &m->fitted_kernel, &m->x, m->dual_coef.cols, m->dual_coef.at,
                                  "for c < outputs { out[c] = y_mean[c] + y_scale[c] * out[c] }", program);
}

static const mn_param params[] = {
  MN_KERNEL_PARAM(struct gp_regressor, kernel, MN_KERNEL_RBF,
                  "a value of ml.kernel; or a name, which stands for value * kernel + noise, all three estimated"),
  MN_REAL(struct gp_regressor, alpha, 1e-10, MN_AT_LEAST(0),
          "known variance of the noise, in units of y (normalized) squared"),
  MN_CHOICE(struct gp_regressor, mean, MN_GP_ZERO, mean_names,
            "mean function; the coefficients of constant and linear are estimated by generalized least squares"),
  MN_FLAG(struct gp_regressor, normalize_y, false, "subtract the mean of y and divide by its standard deviation first"),
  MN_CHOICE(struct gp_regressor, optimizer, OPTIMIZER_BFGS, optimizers,
            "bfgs: maximize the marginal likelihood; none: use the kernel as it is"),
  MN_COUNT(struct gp_regressor, n_restarts, 0, MN_CLOSED(0, 100000),
           "further searches, from random hyperparameters within the bounds"),
  MN_REAL(struct gp_regressor, tol, 1e-5, MN_GREATER_THAN(0), "stop when no derivative of the likelihood is larger"),
  MN_COUNT(struct gp_regressor, max_iter, 200, MN_CLOSED(1, INT32_MAX), "largest number of iterations of a search"),
  MN_SEED(struct gp_regressor, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_LEARNED(MN_KIND_KERNEL, struct gp_regressor, fitted_kernel, "", "the kernel with the hyperparameters found"),
  MN_NUMBER(struct gp_regressor, log_likelihood, "log marginal likelihood of y (normalized), summed over the targets"),
  MN_NUMBER(struct gp_regressor, jitter, "variance added to the diagonal to make it positive definite; 0: none"),
  MN_MATRIX(struct gp_regressor, dual_coef, "rows x targets", "coefficients of the kernel at the training rows"),
  MN_MATRIX(struct gp_regressor, mean_coef, "columns? x targets?", "coefficients of the mean function"),
  MN_LEARNED(MN_KIND_MATRIX, struct gp_regressor, x, "rows x features", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct gp_regressor, y, "rows x targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct gp_regressor, y_mean, "targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct gp_regressor, y_scale, "targets", NULL),
  MN_DERIVED(MN_KIND_MATRIX, struct gp_regressor, factor),
  MN_DERIVED(MN_KIND_MATRIX, struct gp_regressor, basis),
  MN_DERIVED(MN_KIND_MATRIX, struct gp_regressor, precision),
  MN_END,
};

const mn_class mn_gaussian_process_regressor = {
  .name = "GaussianProcessRegressor",
  .family = "gaussian process",
  .brief = "Gaussian process regression: predictions with their uncertainty.",
  .objective = "maximize log p(y | X) = - y' inv(A) y / 2 - log |A| / 2 - n log(2 pi) / 2, A = K + alpha I",
  .source = "Rasmussen & Williams, Gaussian Processes for Machine Learning (2006)",
  .notes =
      "Noise is a White kernel, whose variance is estimated, or alpha, which is known. predict computes means only; "
      "intervals, posterior and sample_y compute variances. scikit-learn's default kernel is fixed; here it is "
      "estimated. A fit holds two n x n matrices and takes n^3 operations an iteration: up to about 10,000 rows.",
  .example =
      "local model = ml.GaussianProcessRegressor{ kernel = ml.kernel.RBF{ length = 1 } + ml.kernel.White{ noise = 0.1 } }\n"
      "model:fit({ {0}, {1}, {2}, {3}, {4} }, { 0, 0.9, 0.9, 0.1, -0.8 })\n"
      "print(model.fitted_kernel, model:intervals({ {1.5} }, { kind = 'confidence' }))",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ITERATE,
  .accepts = MN_MULTITARGET | MN_JOINT_TARGETS,
  .size = sizeof(struct gp_regressor),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .derive = derive,
};

/* Gaussian process regression with hyperparameters of largest marginal likelihood: gp_regression.h. */
#include "../kernel_methods/kernel_model.h"
#include "gp_kernel.h"
#include "gp_regressor.h"
#include <string.h>

static const char *const mean_names[] = { "zero", "constant", "linear", NULL };
enum { OPTIMIZER_BFGS, OPTIMIZER_NONE };
static const char *const optimizers[] = { "bfgs", "none", NULL };

/* --- fit --- */

static mn_status store_data(mn_context *ctx, struct mn_gp_regressor *m, const mn_data *data)
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
static mn_status keep_factors(mn_context *ctx, struct mn_gp_regressor *m, const mn_gp_solution *s)
{
  const size_t n = m->x.rows, columns = mn_gp_mean_columns((mn_gp_mean)m->mean_kind, m->x.cols);
  MN_TRY(keep(ctx, n, n, s->l, &m->factor));
  MN_TRY(keep(ctx, n, columns, s->basis, &m->basis));
  return keep(ctx, columns, columns, s->precision, &m->precision);
}

static mn_status solve(mn_context *ctx, const struct mn_gp_regressor *m, mn_gp_solution *s)
{
  const mn_gp_problem problem = mn_gp_problem_of(m);
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
  struct mn_gp_regressor *m;
};

static bool note(void *user, double log_likelihood)
{
  const struct fit_call *call = user;
  return mn_round(call->ctx, &call->m->base.report, call->m->max_iter, -log_likelihood);
}

static mn_status optimize(mn_context *ctx, struct mn_gp_regressor *m)
{
  const mn_gp_problem problem = mn_gp_problem_of(m);
  struct fit_call user = { ctx, m };
  mn_gp_search search = { .restarts = (size_t)m->n_restarts,
                          .max_iter = (size_t)m->max_iter,
                          .tol = m->tol,
                          .seed = m->seed,
                          .note = note,
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
  struct mn_gp_regressor *m = self;
  mn_gp_solution s;
  m->noise = m->alpha;
  m->mean_kind = m->mean;
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, true, data, &m->fitted_kernel));
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
  MN_TRY(keep(ctx, mn_gp_mean_columns((mn_gp_mean)m->mean_kind, m->x.cols), m->y.cols, s.b, &m->mean_coef));
  return keep_factors(ctx, m, &s);
}

/* After loading: what the shapes of the fields cannot express. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_gp_regressor *m = self;
  const mn_kernel *k = &m->fitted_kernel;
  const bool known = m->mean_kind >= MN_GP_ZERO && m->mean_kind <= MN_GP_LINEAR;
  if (k->nodes == 0 || mn_kernel_has(k, MN_KERNEL_PRECOMPUTED) || !known || !(m->noise >= 0) || !isfinite(m->noise) ||
      m->mean_coef.rows != mn_gp_mean_columns((mn_gp_mean)m->mean_kind, m->x.cols) ||
      (m->mean_coef.at && m->mean_coef.cols != m->y.cols))
    return mn_fail(ctx, MN_BAD_FILE, "GaussianProcessRegressor: the archive has parts that do not fit together");
  return mn_kernel_check(ctx, m->base.class->name, k, m->x.cols);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct mn_gp_regressor *m = self;
  mn_gp_solution s;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(solve(ctx, m, &s));
  MN_TRY(keep_factors(ctx, m, &s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- predictions --- */

mn_status mn_gp_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_gp_regressor *m = self;
  const size_t q = m->y.cols, columns = m->mean_coef.rows;
  const mn_kernel_rows stored = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at }, rows = mn_kernel_rows_of(data);
  double *h = MN_RAW(ctx, double, columns + 1, 1);
  MN_CHECK_ALLOC(h);
  MN_TRY(mn_kernel_product(ctx, &m->fitted_kernel, &rows, &stored, q, m->dual_coef.at, out->at));
  for (size_t i = 0; i < out->rows; i++) {
    double *y = mn_row(out, i);
    mn_gp_mean_row((mn_gp_mean)m->mean_kind, data->features, mn_row(&data->x, i), h);
    for (size_t t = 0; t < q; t++) {
      for (size_t k = 0; k < columns; k++) y[t] += h[k] * mn_row(&m->mean_coef, k)[t];
      y[t] = m->y_mean.at[t] + m->y_scale.at[t] * y[t];
    }
  }
  return MN_OK;
}

/* The products of the coefficients of the mean are added in the order of mn_gp_predict. */
static const char *const finish[] = {
  [MN_GP_ZERO] = "for c < outputs { out[c] = y_mean[c] + y_scale[c] * out[c] }",
  [MN_GP_CONSTANT] = "for c < outputs { out[c] += mean_coef[c] out[c] = y_mean[c] + y_scale[c] * out[c] }",
  [MN_GP_LINEAR] = "for c < outputs { out[c] += mean_coef[c]"
                   " for j < features { out[c] += x[j] * mean_coef[(j + 1) * outputs + c] }"
                   " out[c] = y_mean[c] + y_scale[c] * out[c] }",
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_gp_regressor *m = self;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_reals(program, "y_mean", m->y_mean.size, m->y_mean.at);
  mn_program_reals(program, "y_scale", m->y_scale.size, m->y_scale.at);
  if (m->mean_coef.at) mn_program_reals(program, "mean_coef", m->mean_coef.rows * m->mean_coef.cols, m->mean_coef.at);
  return mn_kernel_export_product(ctx, &m->base, &m->fitted_kernel, &m->x, m->dual_coef.cols, m->dual_coef.at,
                                  finish[m->mean_kind], program);
}

static const mn_param params[] = {
  MN_KERNEL_PARAM(
      struct mn_gp_regressor, kernel, MN_KERNEL_RBF,
      "a kernel built with ml.kernel; or a name, which means Constant * kernel + White with all hyperparameters "
      "estimated"),
  MN_REAL(struct mn_gp_regressor, alpha, 1e-10, MN_AT_LEAST(0),
          "known variance of the noise, in squared units of y (after normalization)"),
  MN_CHOICE(struct mn_gp_regressor, mean, MN_GP_ZERO, mean_names,
            "mean function; the coefficients of constant and linear are estimated by generalized least squares"),
  MN_FLAG(struct mn_gp_regressor, normalize_y, false,
          "subtract the mean of y and divide by its standard deviation first"),
  MN_CHOICE(struct mn_gp_regressor, optimizer, OPTIMIZER_BFGS, optimizers,
            "bfgs: maximize the marginal likelihood; none: use the kernel as it is"),
  MN_COUNT(struct mn_gp_regressor, n_restarts, 0, MN_CLOSED(0, 100000),
           "number of further searches, from random hyperparameters within the bounds"),
  MN_REAL(struct mn_gp_regressor, tol, 1e-5, MN_GREATER_THAN(0),
          "stop when all derivatives of the log marginal likelihood are at most this"),
  MN_COUNT(struct mn_gp_regressor, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations of a search"),
  MN_SEED(struct mn_gp_regressor, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_LEARNED(MN_KIND_KERNEL, struct mn_gp_regressor, fitted_kernel, "", "the kernel with the hyperparameters found"),
  MN_NUMBER(struct mn_gp_regressor, log_likelihood,
            "log marginal likelihood of y (normalized), summed over the targets"),
  MN_NUMBER(struct mn_gp_regressor, jitter, "variance added to the diagonal to make it positive definite; 0: none"),
  MN_MATRIX(struct mn_gp_regressor, dual_coef, "rows x targets", "coefficients of the kernel at the training rows"),
  MN_MATRIX(struct mn_gp_regressor, mean_coef, "columns? x targets?", "coefficients of the mean function"),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_gp_regressor, x, "rows x features", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_gp_regressor, y, "rows x targets", NULL),
  MN_LEARNED(MN_KIND_REAL, struct mn_gp_regressor, noise, "", NULL),
  MN_LEARNED(MN_KIND_COUNT, struct mn_gp_regressor, mean_kind, "", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_gp_regressor, y_mean, "targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_gp_regressor, y_scale, "targets", NULL),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_gp_regressor, factor),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_gp_regressor, basis),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_gp_regressor, precision),
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
      "intervals, posterior and sample_y compute variances. The hyperparameters of the default kernel are estimated; "
      "in scikit-learn they are fixed. A fit stores two n x n matrices and takes O(n^3) time an iteration, which is "
      "practical up to about 10,000 rows.",
  .example =
      "local model = ml.GaussianProcessRegressor{ kernel = ml.kernel.RBF{ length = 1 } + ml.kernel.White{ noise = 0.1 } }\n"
      "model:fit({ {0}, {1}, {2}, {3}, {4} }, { 0, 0.9, 0.9, 0.1, -0.8 })\n"
      "print(model.fitted_kernel, model:intervals({ {1.5} }, { kind = 'confidence' }))",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ITERATE,
  .accepts = MN_MULTITARGET | MN_JOINT_TARGETS,
  .size = sizeof(struct mn_gp_regressor),
  .params = params,
  .fields = fields,
  .operations = mn_gp_operations,
  .fit = fit,
  .predict = mn_gp_predict,
  .export = export,
  .check = check,
  .derive = derive,
};

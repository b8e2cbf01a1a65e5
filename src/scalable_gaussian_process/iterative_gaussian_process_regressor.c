/* Gaussian process regression of many rows by conjugate gradients: gp_conjugate.h. */
#include "../gaussian_process/gp_kernel.h"
#include "../gaussian_process/gp_report.h"
#include "../kernel/kernel_value.h"
#include "../kernel/prior.h"
#include "../kernel_methods/kernel_model.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "gp_conjugate.h"
#include "../gaussian_process/gp_params.h"
#include "../gaussian_process/gp_uncertainty.h"
#include <math.h>
#include <string.h>

struct iterative {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double alpha, tol, solver_tol;
  int64_t preconditioner_rank, n_probes, mean, optimizer, n_restarts, max_iter, solver_max_iter, seed;
  bool normalize_y;
  mn_kernel fitted_kernel; /* learned */
  mn_matrix x;             /* rows x features                          */
  mn_matrix y;             /* rows x targets, normalized               */
  mn_matrix dual_coef;     /* rows x targets: inv(A) (y - H b)         */
  mn_matrix mean_coef;     /* columns of the mean function x targets: b */
  mn_matrix precision;     /* the factor of H'inv(A) H, or empty       */
  mn_vector y_mean, y_scale;
  double log_likelihood, jitter, residual;
};

/* --- fit --- */

/* The columns [y h] of the rows. */
static mn_status problem_of(mn_context *ctx, const struct iterative *m, mn_conjugate_problem *p)
{
  const size_t n = m->x.rows, d = m->x.cols, q = m->y.cols, c = q + mn_gp_mean_columns((mn_gp_mean)m->mean, d);
  double *r = MN_RAW(ctx, double, n, c);
  MN_CHECK_ALLOC(r);
  for (size_t i = 0; i < n; i++) {
    memcpy(r + i * c, mn_row(&m->y, i), q * sizeof *r);
    mn_gp_mean_row((mn_gp_mean)m->mean, d, mn_row(&m->x, i), r + i * c + q);
  }
  *p = (mn_conjugate_problem){ .rows = { .n = n, .d = d, .x = m->x.at },
                               .q = q,
                               .columns = c,
                               .r = r,
                               .noise = m->alpha,
                               .rank = (size_t)m->preconditioner_rank,
                               .probes = (size_t)m->n_probes,
                               .tol = m->solver_tol,
                               .max_iter = (size_t)m->solver_max_iter,
                               .seed = m->seed };
  return MN_OK;
}

struct target {
  const mn_kernel *kernel;
  const mn_conjugate_problem *problem;
};

struct workspace {
  mn_kernel kernel; /* a copy whose hyperparameters change */
  const mn_conjugate_problem *problem;
  mn_conjugate_state state;
};

static mn_status prepare(mn_context *ctx, const void *problem, void **out)
{
  const struct target *t = problem;
  struct workspace *w = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(w);
  *out = w;
  w->problem = t->problem;
  MN_TRY(mn_conjugate_new(ctx, t->problem, &w->state));
  return mn_kernel_scratch_copy(ctx, t->kernel, &w->kernel);
}

static mn_status evaluate(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient)
{
  struct workspace *w = workspace;
  mn_kernel_set_theta(&w->kernel, theta);
  MN_TRY(mn_conjugate_evaluate(ctx, &w->kernel, w->problem, &w->state, gradient));
  *value = w->state.log_likelihood;
  if (isfinite(*value)) mn_kernel_add_priors(&w->kernel, value, gradient);
  return MN_OK;
}

static mn_status optimize(mn_context *ctx, struct iterative *m, const mn_conjugate_problem *p)
{
  static const size_t one_at_a_time = (size_t)1 << 40; /* products run in parallel, not searches */
  static const double enough = 1e-3;                   /* for the solves of a search */
  mn_conjugate_problem rough = *p;
  const struct target problem = { &m->fitted_kernel, &rough };
  const mn_gp_target target = { .k = mn_kernel_free_count(&m->fitted_kernel),
                                .problem = &problem,
                                .workspace_bytes = one_at_a_time,
                                .prepare = prepare,
                                .evaluate = evaluate };
  mn_gp_rounds rounds = { ctx, &m->base.report, m->max_iter };
  mn_gp_search search = { .restarts = (size_t)m->n_restarts,
                          .max_iter = (size_t)m->max_iter,
                          .tol = m->tol,
                          .seed = m->seed,
                          .note = mn_gp_note_round,
                          .user = &rounds };
  rough.tol = fmax(p->tol, enough);
  MN_TRY(mn_gp_maximize_kernel(ctx, &target, &search, &m->fitted_kernel));
  mn_gp_report_search(&search, &m->base.report);
  return MN_OK;
}

static mn_status keep(mn_context *ctx, size_t rows, size_t cols, const double *from, mn_matrix *to)
{
  if (rows * cols == 0) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, to, rows, cols));
  memcpy(to->at, from, rows * cols * sizeof *from);
  return MN_OK;
}

static mn_status finish(mn_context *ctx, struct iterative *m, const mn_conjugate_problem *p)
{
  const size_t q = p->q, h = p->columns - q;
  mn_conjugate_state s;
  MN_TRY(mn_conjugate_new(ctx, p, &s));
  MN_TRY(mn_conjugate_evaluate(ctx, &m->fitted_kernel, p, &s, NULL));
  if (!isfinite(s.log_likelihood))
    return mn_fail(ctx, MN_SINGULAR,
                   "%s: the kernel matrix is not positive definite, or the columns of the mean function are collinear; "
                   "add ml.kernel.White to the kernel, or raise alpha",
                   m->base.class->name);
  m->log_likelihood = s.log_likelihood;
  m->jitter = s.jitter;
  m->residual = s.residual;
  m->base.report.objective = -s.log_likelihood;
  if (s.residual > p->tol) {
    m->base.report.converged = false;
    m->base.report.advice = "raise solver_max_iter, preconditioner_rank or the noise";
  }
  MN_TRY(keep(ctx, p->rows.n, q, s.c, &m->dual_coef));
  MN_TRY(keep(ctx, h, q, s.b, &m->mean_coef));
  return keep(ctx, h, h, s.precision, &m->precision);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct iterative *m = self;
  mn_conjugate_problem p;
  double *y;
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, true, data, &m->fitted_kernel));
  if (!mn_kernel_has_values(&m->fitted_kernel))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel must not be a Lua function; use GaussianProcessRegressor",
                   m->base.class->name);
  MN_TRY(mn_gp_find_units(ctx, data, m->normalize_y, &m->y_mean, &m->y_scale));
  MN_TRY(mn_gp_to_units(ctx, m->base.class->name, data, &m->y_mean, &m->y_scale, &y));
  MN_TRY(keep(ctx, data->rows, data->features, data->x.at, &m->x));
  MN_TRY(keep(ctx, data->rows, data->y.cols, y, &m->y));
  MN_TRY(problem_of(ctx, m, &p));
  m->base.report = (mn_report){ .converged = true, .advice = "raise max_iter, or widen the bounds of the kernel" };
  if (m->optimizer == MN_GP_BFGS && mn_kernel_free_count(&m->fitted_kernel) > 0) MN_TRY(optimize(ctx, m, &p));
  if (m->base.report.n_iter < 1) m->base.report.n_iter = 1;
  return finish(ctx, m, &p);
}

/* After loading: what the shapes of the fields cannot express. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct iterative *m = self;
  const size_t h = mn_gp_mean_columns((mn_gp_mean)m->mean, m->x.cols);
  if (m->x.rows == 0 || m->fitted_kernel.nodes == 0 || !mn_kernel_has_values(&m->fitted_kernel) ||
      m->mean_coef.rows != h || m->precision.rows != h || m->precision.cols != h ||
      (m->mean_coef.at && m->mean_coef.cols != m->y.cols))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has parts that do not fit together", m->base.class->name);
  return mn_kernel_check(ctx, m->base.class->name, &m->fitted_kernel, m->x.cols);
}

/* --- predictions --- */

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct iterative *m = self;
  const mn_gp_mean_model mean = MN_GP_MEAN_OF(m, m->mean);
  const mn_kernel_rows stored = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at }, rows = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_product(ctx, &m->fitted_kernel, &rows, &stored, m->y.cols, m->dual_coef.at, out->at));
  return mn_gp_finish_means(ctx, &mean, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct iterative *m = self;
  const mn_gp_mean_model mean = MN_GP_MEAN_OF(m, m->mean);
  if (action != MN_PREDICT) return MN_OK;
  return mn_kernel_export_product(ctx, &m->base, &m->fitted_kernel, &m->x, m->dual_coef.cols, m->dual_coef.at,
                                  mn_gp_export_mean(&mean, program), program);
}

/* k = K(X, data) and v = inv(A) k, rows of the model x rows of data; rest = inv(R) (h - H'v), columns of the mean x
 * rows, with R R' = H'inv(A) H: the posterior covariance is k(x, x') - k'v + rest'rest. */
static mn_status explained(mn_context *ctx, const struct iterative *m, const mn_data *data, double *k, double *v,
                           double *rest)
{
  const size_t n = m->x.rows, rows = data->rows, h = m->mean_coef.rows;
  const mn_kernel_rows stored = { .n = n, .d = m->x.cols, .x = m->x.at }, x = mn_kernel_rows_of(data);
  mn_conjugate_problem p;
  double *basis = MN_RAW(ctx, double, h + 1, 1);
  MN_CHECK_ALLOC(basis);
  MN_TRY(problem_of(ctx, m, &p));
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &stored, &x, k, rows));
  MN_TRY(mn_conjugate_solve(ctx, &m->fitted_kernel, &p, rows, k, v));
  if (h == 0) return MN_OK;
  for (size_t i = 0; i < rows; i++) {
    mn_gp_mean_row((mn_gp_mean)m->mean, data->features, mn_row(&data->x, i), basis);
    for (size_t j = 0; j < h; j++) rest[j * rows + i] = basis[j];
  }
  MN_TRY(mn_gemm(ctx, true, false, h, rows, n, -1, p.r + p.q, p.columns, v, rows, 1, rest, rows));
  return mn_chol_lower(ctx, h, rows, m->precision.at, rest);
}

static mn_status variances(mn_context *ctx, const void *self, const mn_data *data, double *function, double *noise)
{
  enum { BLOCK_ROWS = 128 };
  const struct iterative *m = self;
  const size_t n = m->x.rows, h = m->mean_coef.rows;
  const mn_kernel_rows x = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_diagonal_parts(ctx, &m->fitted_kernel, &x, function, noise));
  for (size_t begin = 0; begin < data->rows; begin += BLOCK_ROWS) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_data part = *data;
    part.rows = part.x.rows = data->rows - begin < BLOCK_ROWS ? data->rows - begin : BLOCK_ROWS;
    part.x.at = mn_row(&data->x, begin);
    double *k = MN_RAW(ctx, double, n, part.rows), *v = MN_RAW(ctx, double, n, part.rows),
           *rest = MN_RAW(ctx, double, h + 1, part.rows);
    if (!k || !v || !rest) return MN_NO_MEMORY;
    MN_TRY(explained(ctx, m, &part, k, v, rest));
    for (size_t i = 0; i < part.rows; i++) {
      double *to = function + begin + i;
      for (size_t j = 0; j < n; j++) *to -= k[j * part.rows + i] * v[j * part.rows + i];
      for (size_t j = 0; j < h; j++) *to += rest[j * part.rows + i] * rest[j * part.rows + i];
      *to = fmax(*to, 0);
      noise[begin + i] += m->alpha;
    }
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

static mn_status covariance(mn_context *ctx, const void *self, const mn_data *data, double *out)
{
  const struct iterative *m = self;
  const size_t n = m->x.rows, rows = data->rows, h = m->mean_coef.rows;
  const mn_kernel_rows x = mn_kernel_rows_of(data);
  double *k = MN_RAW(ctx, double, n, rows), *v = MN_RAW(ctx, double, n, rows), *rest = MN_RAW(ctx, double, h + 1, rows);
  if (!k || !v || !rest) return MN_NO_MEMORY;
  MN_TRY(explained(ctx, m, data, k, v, rest));
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &x, &x, out, rows));
  MN_TRY(mn_gemm(ctx, true, false, rows, rows, n, -1, k, rows, v, rows, 1, out, rows));
  if (h > 0) MN_TRY(mn_gemm(ctx, true, false, rows, rows, h, 1, rest, rows, rest, rows, 1, out, rows));
  for (size_t i = 0; i < rows; i++) /* symmetric but for the tolerance of the solver */
    for (size_t j = 0; j < i; j++) out[i * rows + j] = out[j * rows + i] = (out[i * rows + j] + out[j * rows + i]) / 2;
  return MN_OK;
}

static mn_gp_predictor predictor_of(const struct iterative *m)
{
  return (mn_gp_predictor){ .model = &m->base,
                            .targets = m->y.cols,
                            .scale = m->y_scale.at[0],
                            .predict = predict,
                            .variances = variances,
                            .covariance = covariance };
}

MN_GP_WITH_PREDICTOR(predict_interval, mn_gp_predict_interval, predictor_of)
MN_GP_WITH_PREDICTOR(intervals, mn_gp_intervals, predictor_of)
MN_GP_WITH_PREDICTOR(posterior, mn_gp_give_posterior, predictor_of)
MN_GP_WITH_PREDICTOR(sample_y, mn_gp_sample_y, predictor_of)

static mn_status log_marginal_likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                         mn_results *results)
{
  const struct iterative *m = self;
  mn_kernel kernel;
  mn_conjugate_problem p;
  mn_conjugate_state s;
  double *gradient;
  (void)data;
  MN_TRY(mn_gp_start_likelihood(ctx, &m->base, &m->fitted_kernel, options, results, &kernel, &gradient));
  MN_TRY(problem_of(ctx, m, &p));
  MN_TRY(mn_conjugate_new(ctx, &p, &s));
  MN_TRY(mn_conjugate_evaluate(ctx, &kernel, &p, &s, gradient));
  mn_result_real(results, "value", s.log_likelihood);
  return MN_OK;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct iterative *m = self;
  const mn_gp_account account = MN_GP_ACCOUNT(
      m, "estimated log marginal likelihood", .rows = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at },
      .row_name = "row", .x = &m->x, .y = &m->y, .mean = (mn_gp_mean)m->mean, .jitter = m->jitter, .noise = m->alpha);
  (void)data;
  (void)options;
  return mn_gp_summarize(ctx, &account, results);
}

static const mn_operation operations[] = {
  MN_PREDICT_INTERVAL(", of a new observation", predict_interval),
  MN_GP_INTERVALS(intervals),
  MN_GP_POSTERIOR(posterior),
  MN_GP_SAMPLE_Y(sample_y),
  MN_GP_LIKELIHOOD(log_marginal_likelihood),
  MN_GP_SUMMARY(summary),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_GP_KERNEL(struct iterative),
  MN_GP_ALPHA(struct iterative, 0),
  MN_GP_MEAN(struct iterative),
  MN_GP_NORMALIZE(struct iterative),
  MN_COUNT(struct iterative, preconditioner_rank, 100, MN_CLOSED(0, 100000),
           "number of columns of the kernel matrix in the preconditioner; at most rows"),
  MN_COUNT(struct iterative, n_probes, 10, MN_CLOSED(1, 10000),
           "number of random vectors that estimate the determinant and traces"),
  MN_REAL(
      struct iterative, solver_tol, 1e-6, MN_OPEN(0, 1),
      "stop the conjugate gradients when all residuals are at most this part of the right-hand sides; a search uses 1e-3 "
      "if that is larger"),
  MN_COUNT(struct iterative, solver_max_iter, 1000, MN_CLOSED(1, INT32_MAX),
           "maximum number of iterations of the conjugate gradients"),
  MN_GP_OPTIMIZER(struct iterative, "estimated marginal likelihood"),
  MN_GP_RESTARTS(struct iterative),
  MN_GP_TOL(struct iterative, 1e-2),
  MN_GP_MAX_ITER(struct iterative),
  MN_SEED(struct iterative, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_GP_FITTED_KERNEL(struct iterative),
  MN_NUMBER(struct iterative, log_likelihood,
            "estimated log marginal likelihood of y (normalized), summed over the targets"),
  MN_NUMBER(struct iterative, residual, "largest residual of the last solve, relative to its right-hand side"),
  MN_NUMBER(struct iterative, jitter, "variance added to the noise, to make it 1e-8 of the variance of y; 0: none"),
  MN_MATRIX(struct iterative, dual_coef, "rows x targets", "coefficients of the kernel at the training rows"),
  MN_GP_MEAN_COEF(struct iterative),
  MN_LEARNED(MN_KIND_MATRIX, struct iterative, x, "rows x features", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct iterative, y, "rows x targets", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct iterative, precision, "columns? x columns?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct iterative, y_mean, "targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct iterative, y_scale, "targets", NULL),
  MN_END,
};

const mn_class mn_iterative_gaussian_process_regressor = {
  .name = "IterativeGaussianProcessRegressor",
  .family = "gaussian process",
  .brief = "Exact Gaussian process regression of many rows by conjugate gradients.",
  .objective = "maximize log p(y | X) = - y' inv(A) y / 2 - log |A| / 2 - n log(2 pi) / 2, A = K + alpha I",
  .source = "Gardner et al., NeurIPS 31 (2018); Wang et al., NeurIPS 32 (2019); Wenger et al., ICML (2022)",
  .notes =
      "The model of GaussianProcessRegressor without a Cholesky factorization: memory O(n preconditioner_rank), time O(n^2) "
      "for each iteration of a solve. The likelihood is estimated by n_probes random vectors, the same in all steps of a "
      "search; predictions are exact to solver_tol. Noise should not be small: solves take more iterations the "
      "larger the ratio of signal to noise. Each new row for which a variance is asked takes part in a solve.",
  .example = "local X = ml.random(400, 2, 1)\n"
             "local y = (X:col(1) * 9):sin() + X:col(2) + ml.normal(400, 1, 2):col(1) * 0.1\n"
             "local model = ml.IterativeGaussianProcessRegressor{}:fit(X, y)\n"
             "print(model.fitted_kernel, model:predict_interval({ {0.5, 0.5} }).mean)",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ITERATE,
  .accepts = MN_MULTITARGET | MN_JOINT_TARGETS,
  .size = sizeof(struct iterative),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
};

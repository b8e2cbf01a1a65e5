/* Gaussian process regression with hyperparameters of largest marginal likelihood: gp_regression.h. */
#include "../kernel_methods/kernel_model.h"
#include "gp_kernel.h"
#include "gp_latent.h"
#include "gp_params.h"
#include "gp_noise.h"
#include "gp_regressor.h"
#include "gp_report.h"
#include "gp_update.h"
#include <string.h>

/* --- fit --- */

mn_status mn_gp_given_noise(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data, double **noise)
{
  const mn_vector *given = &m->noise_variance;
  *noise = NULL;
  if (!given->at) return MN_OK;
  if (given->size != 1 && given->size != data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "GaussianProcessRegressor: noise_variance must be one number or one for each of %zu rows, got %zu",
                   data->rows, given->size);
  *noise = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(*noise);
  for (size_t i = 0; i < data->rows; i++) (*noise)[i] = given->at[given->size == 1 ? 0 : i];
  return MN_OK;
}

/* The last `rows` rows. */
static void keep_last(mn_data *data, double **noise, size_t rows)
{
  const size_t skipped = data->rows - rows;
  data->x.at += skipped * data->x.cols;
  data->y.at += skipped * data->y.cols;
  if (*noise) *noise += skipped;
  data->rows = data->x.rows = data->y.rows = rows;
}

static mn_status store_data(mn_context *ctx, struct mn_gp_regressor *m, const mn_data *given)
{
  mn_data data = *given;
  double *noise;
  MN_TRY(mn_gp_given_noise(ctx, m, given, &noise));
  if (m->window != MN_UNSET && data.rows > (size_t)m->window) keep_last(&data, &noise, (size_t)m->window);
  if (noise) MN_TRY(mn_value_copy(ctx, MN_KIND_VECTOR, &(mn_vector){ .at = noise, .size = data.rows }, &m->row_noise));
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &data.x, &m->x));
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &data.y, &m->y));
  MN_TRY(mn_vector_init(ctx, &m->y_mean, data.y.cols));
  MN_TRY(mn_vector_init(ctx, &m->y_scale, data.y.cols));
  mn_gp_normalize(data.rows, data.y.cols, m->normalize_y, m->y.at, m->y_mean.at, m->y_scale.at);
  return mn_gp_check_size(ctx, m->base.class->name, m->y.rows * m->y.cols, m->y.at);
}

static mn_status keep(mn_context *ctx, size_t rows, size_t cols, const double *from, mn_matrix *to)
{
  const mn_matrix value = { .at = (double *)from, .rows = rows, .cols = cols };
  mn_matrix_free(mn_context_memory(ctx), to);
  return rows * cols > 0 ? mn_value_copy(ctx, MN_KIND_MATRIX, &value, to) : MN_OK;
}

/* What predictions of variances need, which archives leave out. */
mn_status mn_gp_keep_factors(mn_context *ctx, struct mn_gp_regressor *m, const mn_gp_solution *s)
{
  const size_t n = m->x.rows, columns = mn_gp_columns(m);
  double *to;
  mn_vector_free(mn_context_memory(ctx), &m->factor);
  MN_TRY(mn_vector_init(ctx, &m->factor, mn_packed_factor_size(n)));
  to = m->factor.at;
  for (size_t i = 0; i < n; to += ++i) memcpy(to, s->l + i * n, (i + 1) * sizeof *to);
  MN_TRY(keep(ctx, n, columns, s->basis, &m->basis));
  return keep(ctx, columns, columns, s->precision, &m->precision);
}

mn_status mn_gp_unpack(mn_context *ctx, const struct mn_gp_regressor *m, double **l)
{
  const size_t n = m->x.rows;
  const double *from = m->factor.at;
  *l = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(*l);
  for (size_t i = 0; i < n; from += ++i) {
    memcpy(*l + i * n, from, (i + 1) * sizeof *from);
    memset(*l + i * n + i + 1, 0, (n - i - 1) * sizeof *from);
  }
  return MN_OK;
}

mn_status mn_gp_keep_solution(mn_context *ctx, struct mn_gp_regressor *m, const mn_gp_solution *s)
{
  m->log_likelihood = s->log_likelihood;
  m->jitter = s->jitter;
  m->base.report.objective = -s->log_likelihood;
  MN_TRY(keep(ctx, m->x.rows, m->y.cols, s->c, &m->dual_coef));
  MN_TRY(keep(ctx, mn_gp_columns(m), m->y.cols, s->b, &m->mean_coef));
  return mn_gp_keep_factors(ctx, m, s);
}

mn_status mn_gp_regressor_solve(mn_context *ctx, const struct mn_gp_regressor *m, mn_gp_solution *s)
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

static mn_gp_search search_of(const struct mn_gp_regressor *m, mn_gp_rounds *rounds)
{
  return (mn_gp_search){ .restarts = (size_t)m->n_restarts,
                         .max_iter = (size_t)m->max_iter,
                         .tol = m->tol,
                         .seed = m->seed,
                         .note = mn_gp_note_round,
                         .user = rounds };
}

/* --- learned noise --- */

static mn_status derive_noise(mn_context *ctx, struct mn_gp_regressor *m)
{
  const size_t n = m->noise_x.rows;
  const mn_kernel_rows rows = { .n = n, .d = m->noise_x.cols, .x = m->noise_x.at };
  if (!mn_gp_has_noise_process(m)) return MN_OK;
  double *k = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(k);
  MN_TRY(mn_matrix_init(ctx, &m->noise_factor, n, n));
  MN_TRY(mn_kernel_matrix(ctx, &m->fitted_noise_kernel, &rows, k, n));
  return mn_gp_latent_factor(ctx, m->base.class->name, n, k, m->noise_root.at, m->noise_factor.at);
}

mn_status mn_gp_log_noise(mn_context *ctx, const struct mn_gp_regressor *m, const mn_kernel_rows *rows, double *mean,
                          double *variance)
{
  const mn_kernel_rows stored = { .n = m->noise_x.rows, .d = m->noise_x.cols, .x = m->noise_x.at };
  MN_TRY(mn_gp_latent_moments(ctx, &m->fitted_noise_kernel, &stored, m->noise_coef.at, m->noise_root.at,
                              m->noise_factor.at, rows, mean, variance));
  for (size_t i = 0; i < rows->n; i++) mean[i] += m->noise_offset;
  return MN_OK;
}

static mn_status optimize(mn_context *ctx, struct mn_gp_regressor *m)
{
  const mn_gp_problem problem = mn_gp_problem_of(m);
  mn_gp_rounds rounds = { ctx, &m->base.report, m->max_iter };
  mn_gp_search search = search_of(m, &rounds);
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_gp_optimize(ctx, &m->fitted_kernel, &problem, &search));
  mn_scratch_release(ctx, mark);
  mn_gp_report_search(&search, &m->base.report);
  return MN_OK;
}

/* A first kernel and level of the noise by constant noise, which White takes if the kernel has none. */
static mn_status fit_constant_noise(mn_context *ctx, const struct mn_gp_regressor *m, mn_gp_search *search,
                                    double *offset)
{
  const mn_gp_problem problem = mn_gp_problem_of(m);
  mn_kernel both = { 0 };
  MN_TRY(mn_gp_kernel_add_white(ctx, &m->fitted_kernel, &both));
  mn_gp_search first = { .max_iter = search->max_iter, .tol = 1e-2, .seed = search->seed };
  mn_status status = mn_gp_optimize(ctx, &both, &problem, &first);
  for (size_t i = 0; status == MN_OK && i < m->fitted_kernel.hypers; i++)
    m->fitted_kernel.hyper[i].value = both.hyper[i].value;
  if (status == MN_OK) *offset = log(both.hyper[both.hypers - 1].value);
  search->n_iter += first.n_iter;
  mn_kernel_free(mn_context_memory(ctx), &both);
  return status;
}

/* Kernel, noise kernel and row_noise, by gp_noise.h. */
static mn_status fit_noise(mn_context *ctx, struct mn_gp_regressor *m, const mn_data *data)
{
  const size_t n = m->x.rows;
  mn_gp_rounds rounds = { ctx, &m->base.report, m->max_iter };
  mn_gp_search search = search_of(m, &rounds);
  mn_gp_noise noise;
  const bool free = m->optimizer == MN_GP_BFGS;
  if (m->row_noise.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GaussianProcessRegressor: give noise_variance or noise_kernel, not both");
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->noise_kernel, false, data, &m->fitted_noise_kernel));
  const mn_gp_problem problem = mn_gp_problem_of(m);
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &m->x, &m->noise_x));
  MN_TRY(mn_vector_init(ctx, &m->noise_coef, n));
  MN_TRY(mn_vector_init(ctx, &m->noise_root, n));
  MN_TRY(mn_vector_init(ctx, &m->row_noise, n));
  const mn_mark mark = mn_scratch_mark(ctx);
  noise = (mn_gp_noise){ .coefficient = m->noise_coef.at, .root = m->noise_root.at, .row_noise = m->row_noise.at };
  if (free) MN_TRY(fit_constant_noise(ctx, m, &search, &noise.offset));
  MN_TRY(mn_gp_noise_fit(ctx, &m->fitted_kernel, &m->fitted_noise_kernel, &problem, free, &search, &noise));
  mn_scratch_release(ctx, mark);
  m->noise_offset = noise.offset;
  mn_gp_report_search(&search, &m->base.report);
  return derive_noise(ctx, m);
}

static mn_status check_size(mn_context *ctx, const struct mn_gp_regressor *m, size_t rows)
{
  const size_t kept = m->window != MN_UNSET && rows > (size_t)m->window ? (size_t)m->window : rows;
  if (kept <= (size_t)m->max_rows) return MN_OK;
  return mn_fail(
      ctx, MN_BAD_DATA,
      "X must have at most max_rows = %lld rows, got %zu, whose kernel matrix takes %.3g GB three times; use "
      "SparseGaussianProcessRegressor, or raise max_rows",
      (long long)m->max_rows, rows, (double)kept * (double)kept * 8e-9);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_gp_regressor *m = self;
  mn_gp_solution s;
  const bool learns_noise = mn_kernel_is_set(&m->noise_kernel);
  m->noise = m->alpha;
  m->noise_offset = (double)NAN;
  m->mean_kind = m->mean;
  MN_TRY(check_size(ctx, m, data->rows));
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, !learns_noise, data, &m->fitted_kernel));
  MN_TRY(store_data(ctx, m, data));
  m->base.report = (mn_report){ .converged = true, .advice = "raise max_iter, or widen the bounds of the kernel" };
  if (learns_noise)
    MN_TRY(fit_noise(ctx, m, data));
  else if (m->optimizer == MN_GP_BFGS && mn_kernel_free_count(&m->fitted_kernel) > 0 && m->max_iter > 0)
    MN_TRY(optimize(ctx, m));
  if (m->base.report.n_iter < 1) m->base.report.n_iter = 1;
  MN_TRY(mn_gp_regressor_solve(ctx, m, &s));
  return mn_gp_keep_solution(ctx, m, &s);
}

/* At the hyperparameters of the first batch. */
static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_gp_regressor *m = self;
  return m->base.fitted ? mn_gp_add_rows(ctx, m, data) : fit(ctx, self, data);
}

static bool are_variances(const mn_vector *v)
{
  for (size_t i = 0; i < v->size; i++)
    if (!(v->at[i] >= 0 && v->at[i] <= DBL_MAX)) return false;
  return true;
}

static mn_status bad_archive(mn_context *ctx)
{
  return mn_fail(ctx, MN_BAD_FILE, "GaussianProcessRegressor: the archive has parts that do not fit together");
}

/* Of learned noise. */
static mn_status check_noise(mn_context *ctx, const struct mn_gp_regressor *m)
{
  const mn_kernel *k = &m->fitted_noise_kernel;
  if (!mn_gp_has_noise_process(m))
    return m->noise_x.at || m->noise_coef.at || m->noise_root.at ? bad_archive(ctx) : MN_OK;
  if (!m->noise_x.at || !m->noise_coef.at || !m->noise_root.at || !m->row_noise.at || !isfinite(m->noise_offset) ||
      mn_kernel_has(k, MN_KERNEL_PRECOMPUTED) || !are_variances(&m->noise_root))
    return bad_archive(ctx);
  return mn_kernel_check(ctx, m->base.class->name, k, m->x.cols);
}

/* After loading: what the shapes of the fields cannot express. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_gp_regressor *m = self;
  const mn_kernel *k = &m->fitted_kernel;
  const bool known = m->mean_kind >= MN_GP_ZERO && m->mean_kind <= MN_GP_LINEAR;
  if (k->nodes == 0 || mn_kernel_has(k, MN_KERNEL_PRECOMPUTED) || !known || !(m->noise >= 0) || !isfinite(m->noise) ||
      m->mean_coef.rows != mn_gp_columns(m) || !are_variances(&m->row_noise) ||
      (m->mean_coef.at && m->mean_coef.cols != m->y.cols))
    return bad_archive(ctx);
  MN_TRY(check_noise(ctx, m));
  return mn_kernel_check(ctx, m->base.class->name, k, m->x.cols);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct mn_gp_regressor *m = self;
  mn_gp_solution s;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_gp_regressor_solve(ctx, m, &s));
  MN_TRY(mn_gp_keep_factors(ctx, m, &s));
  MN_TRY(derive_noise(ctx, m));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- predictions --- */

mn_status mn_gp_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_gp_regressor *m = self;
  const mn_gp_mean_model mean = MN_GP_MEAN_OF(m, m->mean_kind);
  const mn_kernel_rows stored = mn_gp_stored_rows(m), rows = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_product(ctx, &m->fitted_kernel, &rows, &stored, m->y.cols, m->dual_coef.at, out->at));
  return mn_gp_finish_means(ctx, &mean, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_gp_regressor *m = self;
  const mn_gp_mean_model mean = MN_GP_MEAN_OF(m, m->mean_kind);
  if (action != MN_PREDICT) return MN_OK;
  return mn_kernel_export_product(ctx, &m->base, &m->fitted_kernel, &m->x, m->dual_coef.cols, m->dual_coef.at,
                                  mn_gp_export_mean(&mean, program), program);
}

static const mn_param params[] = {
  MN_GP_KERNEL(struct mn_gp_regressor),
  MN_GP_ALPHA(struct mn_gp_regressor, 1e-10),
  MN_NUMBER_OR_REALS(
      struct mn_gp_regressor, noise_variance, MN_AT_LEAST(0),
      "known variance of the noise beyond alpha, in the units of alpha: a number, or one for each row; nil: none"),
  MN_KERNEL_PARAM(struct mn_gp_regressor, noise_kernel, MN_KERNEL_NONE,
                  "kernel of a second process for the logarithm of the noise variance, which is learned; a name means "
                  "Constant * kernel; nil: the noise does not depend on X"),
  MN_GP_MEAN(struct mn_gp_regressor),
  MN_GP_NORMALIZE(struct mn_gp_regressor),
  MN_GP_OPTIMIZER(struct mn_gp_regressor, "marginal likelihood"),
  MN_GP_RESTARTS(struct mn_gp_regressor),
  MN_GP_TOL(struct mn_gp_regressor, 1e-5),
  MN_GP_MAX_ITER(struct mn_gp_regressor),
  MN_COUNT(struct mn_gp_regressor, window, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "number of rows to keep, the latest ones, as partial_fit adds others; nil: all"),
  MN_COUNT(struct mn_gp_regressor, max_rows, 20000, MN_CLOSED(1, INT32_MAX),
           "number of rows above which fit refuses, because of its memory"),
  MN_SEED(struct mn_gp_regressor, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_GP_FITTED_KERNEL(struct mn_gp_regressor),
  MN_NUMBER(struct mn_gp_regressor, log_likelihood,
            "log marginal likelihood of y (normalized), summed over the targets; of learned noise given that noise"),
  MN_NUMBER(struct mn_gp_regressor, jitter, "variance added to the diagonal to make it positive definite; 0: none"),
  MN_MATRIX(struct mn_gp_regressor, dual_coef, "rows x targets", "coefficients of the kernel at the training rows"),
  MN_GP_MEAN_COEF(struct mn_gp_regressor),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_gp_regressor, x, "rows x features", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_gp_regressor, y, "rows x targets", NULL),
  MN_LEARNED(MN_KIND_REAL, struct mn_gp_regressor, noise, "", NULL),
  MN_LEARNED(MN_KIND_COUNT, struct mn_gp_regressor, mean_kind, "", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_gp_regressor, row_noise, "rows?",
             "variances of the noise of the rows beyond alpha, known or learned, of normalized y"),
  MN_LEARNED(MN_KIND_KERNEL, struct mn_gp_regressor, fitted_noise_kernel, "",
             "kernel of the logarithm of the noise variance; nil without noise_kernel"),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_gp_regressor, noise_x, "fitted? x features?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_gp_regressor, noise_coef, "fitted?",
             "coefficients of the noise kernel at the rows of the fit"),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_gp_regressor, noise_root, "fitted?", NULL),
  MN_OPTIONAL_NUMBER(struct mn_gp_regressor, noise_offset,
                     "mean of the logarithm of the noise variance of normalized y; nil without noise_kernel"),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_gp_regressor, y_mean, "targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_gp_regressor, y_scale, "targets", NULL),
  MN_DERIVED(MN_KIND_VECTOR, struct mn_gp_regressor, factor),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_gp_regressor, basis),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_gp_regressor, precision),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_gp_regressor, solved),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_gp_regressor, noise_factor),
  MN_END,
};

const mn_class mn_gaussian_process_regressor = {
  .name = "GaussianProcessRegressor",
  .family = "gaussian process",
  .brief = "Gaussian process regression: predictions with their uncertainty.",
  .objective = "maximize log p(y | X) = - y' inv(A) y / 2 - log |A| / 2 - n log(2 pi) / 2, A = K + alpha I",
  .source = "Rasmussen & Williams, Gaussian Processes for Machine Learning (2006); noise_kernel: Lazaro-Gredilla & "
            "Titsias, ICML (2011)",
  .notes =
      "The variance of the noise is estimated by a White kernel, or known: alpha plus noise_variance, of which new "
      "observations have the mean. predict computes means only. The hyperparameters of the default kernel are estimated; "
      "in scikit-learn they are fixed. partial_fit and forget keep them and update the Cholesky factor. A fit holds at "
      "most three n x n matrices, and the model half of one; a fit takes O(n^3) time an iteration. Searches run in "
      "threads.",
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
  .partial_fit = partial_fit,
  .update = mn_gp_update,
  .warning = mn_gp_warning,
  .predict = mn_gp_predict,
  .export = export,
  .check = check,
  .derive = derive,
};

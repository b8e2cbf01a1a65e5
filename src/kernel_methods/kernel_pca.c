/* Principal components in the feature space of a kernel: the eigenvectors of the centered kernel matrix
 *
 *     H K H a_c = lambda_c a_c,   H = I - 1 1' / n,      z_c(x) = sum_i a_ci k~(x, x_i) / sqrt(lambda_c)
 *
 * with k~ the kernel of centered features. Since each a_c sums to 0, centering of k(x, .) reduces to a constant for
 * each component. A few components of many rows are found by block Lanczos, others by LAPACK.
 *
 * Pre-images, the inverse transformation, are learned by kernel ridge regression of X on z: Bakir, Weston & Schoelkopf,
 * NIPS 16 (2004). Schoelkopf, Smola & Mueller, Neural Computation 10 (1998). */
#include "../eigen/centered_eigen.h"
#include "../factorization/lapack.h"
#include "kernel_model.h"
#include <string.h>

enum { SOLVER_AUTO, SOLVER_DENSE, SOLVER_LANCZOS };
static const char *const solvers[] = { "auto", "dense", "lanczos", NULL };

struct kernel_pca {
  mn_kernel_model model;
  int64_t n_components, eigen_solver;
  double tol, alpha;
  bool remove_zero_eig, fit_inverse_transform;
  mn_vector eigenvalues;  /* components                                             */
  mn_matrix eigenvectors; /* rows x components                                      */
  mn_matrix projection;   /* rows x components: eigenvectors / sqrt(eigenvalues)    */
  mn_vector shift;        /* components: the constant of each                       */
  mn_matrix transformed;  /* rows x components: z of the training rows; or empty    */
  mn_matrix dual_coef;    /* rows x features: of the inverse transformation; or empty */
};

static bool use_lanczos(const struct kernel_pca *m, size_t n, size_t count)
{
  if (m->eigen_solver != SOLVER_AUTO) return m->eigen_solver == SOLVER_LANCZOS;
  return n >= 500 && 20 * count <= n;
}

/* The number of components to keep, at least one. */
static size_t keep_components(const struct kernel_pca *m, size_t count, double rounding, double *values)
{
  const size_t positive = mn_clip_eigenvalues(count, rounding, values);
  return m->remove_zero_eig || m->n_components == MN_UNSET ? (positive ? positive : 1) : count;
}

static mn_status store(mn_context *ctx, struct kernel_pca *m, size_t n, size_t kept, const double *mean,
                       const double *values, const double *vectors)
{
  MN_TRY(mn_vector_init(ctx, &m->eigenvalues, kept));
  MN_TRY(mn_matrix_init(ctx, &m->eigenvectors, n, kept));
  MN_TRY(mn_matrix_init(ctx, &m->projection, n, kept));
  MN_TRY(mn_vector_init(ctx, &m->shift, kept));
  for (size_t c = 0; c < kept; c++) {
    m->eigenvalues.at[c] = values[c];
    for (size_t i = 0; i < n; i++) {
      const double a = vectors[c * n + i], scaled = values[c] > 0 ? a / sqrt(values[c]) : 0;
      mn_row(&m->eigenvectors, i)[c] = a;
      mn_row(&m->projection, i)[c] = scaled;
      m->shift.at[c] += mean[i] * scaled;
    }
  }
  return MN_OK;
}

/* The coefficients (K_zz + alpha I) c = X of the pre-images. */
static mn_status fit_inverse(mn_context *ctx, struct kernel_pca *m, const mn_data *data)
{
  const size_t n = data->rows, k = m->eigenvalues.size;
  const char *who = m->model.base.class->name;
  if (data->sparse || mn_kernel_has(&m->model.fitted_kernel, MN_KERNEL_PRECOMPUTED))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: fit_inverse_transform requires dense X and a kernel that is not precomputed", who);
  MN_TRY(mn_kernel_check(ctx, who, &m->model.fitted_kernel, k));
  MN_TRY(mn_matrix_init(ctx, &m->transformed, n, k));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++)
      mn_row(&m->transformed, i)[c] = mn_row(&m->eigenvectors, i)[c] * sqrt(m->eigenvalues.at[c]);
  MN_TRY(mn_matrix_init(ctx, &m->dual_coef, n, data->features));
  memcpy(m->dual_coef.at, data->x.at, n * data->features * sizeof *data->x.at);
  double *a = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(a);
  const mn_kernel_rows rows = { .n = n, .d = k, .x = m->transformed.at };
  MN_TRY(mn_kernel_matrix(ctx, &m->model.fitted_kernel, &rows, a, n));
  for (size_t i = 0; i < n; i++) a[i * n + i] += m->alpha;
  return mn_chol_solve(ctx, n, data->features, a, m->dual_coef.at, NULL);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kernel_pca *m = self;
  const size_t n = data->rows, wanted = m->n_components == MN_UNSET ? n : (size_t)m->n_components;
  if (wanted > n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "KernelPCA: n_components must be at most the number of rows, %zu, got %zu", n,
                   wanted);
  MN_TRY(mn_kernel_model_resolve(ctx, &m->model, true, data));
  MN_TRY(mn_kernel_model_store(ctx, &m->model, data, NULL, n));
  double *k = MN_RAW(ctx, double, n, n), *mean = MN_NEW(ctx, double, n, 1), *values = MN_RAW(ctx, double, wanted, 1),
         *vectors = MN_RAW(ctx, double, wanted, n);
  if (!k || !mean || !values || !vectors) return MN_NO_MEMORY;
  MN_TRY(mn_kernel_model_matrix(ctx, &m->model, data, NULL, n, k));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) mean[i] += k[i * n + j] / (double)n;
  const double rounding = mn_eigenvalue_rounding(n, k), tol = use_lanczos(m, n, wanted) ? m->tol : 0;
  MN_TRY(mn_centered_eigen(ctx, n, wanted, tol, mean, k, values, vectors));
  MN_TRY(store(ctx, m, n, keep_components(m, wanted, rounding, values), mean, values, vectors));
  return m->fit_inverse_transform ? fit_inverse(ctx, m, data) : MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kernel_pca *m = self;
  MN_TRY(mn_kernel_model_product(ctx, &m->model, data, out->cols, m->projection.at, out->at));
  for (size_t i = 0; i < out->rows; i++)
    for (size_t c = 0; c < out->cols; c++) mn_row(out, i)[c] -= m->shift.at[c];
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kernel_pca *m = self;
  if (!m->dual_coef.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "KernelPCA: inverse_transform requires a fit with fit_inverse_transform = true");
  const mn_kernel_rows rows = { .n = m->transformed.rows, .d = m->transformed.cols, .x = m->transformed.at };
  const mn_kernel_rows z = { .n = data->rows, .d = m->transformed.cols, .x = data->x.at };
  return mn_kernel_product(ctx, &m->model.fitted_kernel, &z, &rows, out->cols, m->dual_coef.at, out->at);
}

static bool supports(const void *self, mn_action action)
{
  return action != MN_INVERSE_TRANSFORM || ((const struct kernel_pca *)self)->fit_inverse_transform;
}

static size_t outputs(const void *self)
{
  return ((const struct kernel_pca *)self)->eigenvalues.size;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct kernel_pca *m = self;
  if (action != MN_TRANSFORM_X) return MN_OK;
  mn_program_reals(program, "shift", m->shift.size, m->shift.at);
  return mn_kernel_model_export(ctx, &m->model, m->projection.cols, m->projection.at,
                                "for c < outputs { out[c] -= shift[c] }", program);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct kernel_pca *m = self;
  const char *who = m->model.base.class->name;
  MN_TRY(mn_kernel_model_check(ctx, m));
  if ((m->dual_coef.at != NULL) != (m->transformed.at != NULL))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has a part of the inverse transformation only", who);
  return m->dual_coef.at ? mn_kernel_check(ctx, who, &m->model.fitted_kernel, m->transformed.cols) : MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct kernel_pca, n_components, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "number of components; nil: all with an eigenvalue above 0, at least one"),
  MN_KERNEL_MODEL_PARAMS(MN_KERNEL_LINEAR, MN_GAMMA_TEXT, 1),
  MN_FLAG(struct kernel_pca, fit_inverse_transform, false, "learn pre-images, for inverse_transform"),
  MN_PENALTY(struct kernel_pca, alpha, 1, MN_GREATER_THAN(0), "penalty of the ridge regression that learns pre-images"),
  MN_CHOICE(struct kernel_pca, eigen_solver, SOLVER_AUTO, solvers,
            "algorithm; auto: lanczos for few components of at least 500 rows"),
  MN_REAL(struct kernel_pca, tol, 1e-10, MN_GREATER_THAN(0),
          "lanczos: tolerance of the residual of an eigenpair, relative to the largest eigenvalue"),
  MN_FLAG(struct kernel_pca, remove_zero_eig, false, "remove components with eigenvalue 0"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct kernel_pca, eigenvalues, "components", "eigenvalues of the centered kernel matrix, descending"),
  MN_MATRIX(struct kernel_pca, eigenvectors, "rows x components", "unit eigenvectors, one in each column"),
  MN_LEARNED(MN_KIND_MATRIX, struct kernel_pca, projection, "rows x components", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct kernel_pca, shift, "components", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct kernel_pca, transformed, "rows? x components?", NULL),
  MN_MATRIX(struct kernel_pca, dual_coef, "rows? x features?", "coefficients of the pre-images at the training rows"),
  MN_KERNEL_MODEL_FIELDS,
  MN_END,
};

const mn_class mn_kernel_pca = {
  .name = "KernelPCA",
  .family = "kernel",
  .brief = "Principal components in the feature space of a kernel.",
  .objective = "H K H a = lambda a, with H = I - 1 1' / n",
  .source = "Schoelkopf, Smola & Mueller, Neural Computation 10 (1998)",
  .notes = "The largest element of each eigenvector in magnitude is positive. Pre-images are learned by kernel ridge "
           "regression, as in scikit-learn. Eigenvalues below 1e-12 of the largest, or negative ones of an "
           "indefinite kernel, count as 0. The kernel matrix takes 8 n^2 bytes.",
  .example = "local model = ml.KernelPCA{ kernel = 'rbf', gamma = 0.5, n_components = 1 }\n"
             "print(model:fit{ {0, 0}, {1, 0}, {5, 5}, {5, 6} }:transform{ {0, 1}, {6, 5} })",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_SPARSE,
  .size = sizeof(struct kernel_pca),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .export = export,
  .check = check,
  .inverse_transform = inverse_transform,
  .supports = supports,
  .supports_when = "fit_inverse_transform = true before fit",
  .overwrites = true,
  .outputs = outputs,
};

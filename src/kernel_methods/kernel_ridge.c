/* Ridge regression in the feature space of a kernel. Minimize over functions f of the space
 *
 *     sum_i w_i (y_i - f(x_i))^2 + alpha |f|^2
 *
 * The minimum is f(x) = sum_i c_i k(x, x_i) with (K + alpha inv(W)) c = y. With s = sqrt(w) the matrix is symmetric:
 * (s K s + alpha I)(c / s) = s y. It is solved by Cholesky, or by its eigenvectors if it is singular or the kernel is
 * indefinite; directions whose eigenvalue is rounding error are left out.
 *
 * Saunders, Gammerman & Vovk, ICML 1998; Murphy, Machine Learning (2012), section 14.4.3. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "kernel_model.h"

struct kernel_ridge {
  mn_kernel_model model;
  double alpha;
  mn_matrix dual_coef; /* rows x targets */
};

/* a += alpha I, after scaling by the square roots of the weights, which go to `root`. */
static void scale_problem(const mn_data *data, double alpha, double *a, double *root)
{
  const size_t n = data->rows;
  for (size_t i = 0; i < n; i++) root[i] = sqrt(mn_weight(data, i));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; data->weights && j < n; j++) a[i * n + j] *= root[i] * root[j];
    a[i * n + i] += alpha;
  }
}

/* b := the minimum-norm solution of A x = b, by the eigenvectors of A, which is overwritten. */
static mn_status solve_by_eigenvectors(mn_context *ctx, size_t n, size_t q, double *a, double *b)
{
  double *values = MN_RAW(ctx, double, n, 1), *vectors = MN_RAW(ctx, double, n, n), *z = MN_RAW(ctx, double, n, q);
  if (!values || !vectors || !z) return MN_NO_MEMORY;
  MN_TRY(mn_eigh(ctx, n, n, MN_LARGEST, a, values, vectors));
  const double largest = fmax(fabs(values[0]), fabs(values[n - 1])), negligible = largest * (double)n * DBL_EPSILON;
  MN_TRY(mn_gemm(ctx, false, false, n, q, n, 1, vectors, n, b, q, 0, z, q));
  for (size_t i = 0; i < n; i++)
    for (size_t t = 0; t < q; t++) z[i * q + t] = fabs(values[i]) > negligible ? z[i * q + t] / values[i] : 0;
  return mn_gemm(ctx, true, false, n, q, n, 1, vectors, n, z, q, 0, b, q);
}

/* b := inv(s K s + alpha I) b */
static mn_status solve(mn_context *ctx, const struct kernel_ridge *m, const mn_data *data, double *b)
{
  const size_t n = data->rows, q = data->y.cols;
  double *a = MN_RAW(ctx, double, n, n), *root = MN_RAW(ctx, double, n, 1), rcond = 0;
  size_t minor = 0;
  if (!a || !root) return MN_NO_MEMORY;
  MN_TRY(mn_kernel_model_matrix(ctx, &m->model, data, NULL, data->rows, a));
  scale_problem(data, m->alpha, a, root);
  for (size_t i = 0; i < n; i++)
    for (size_t t = 0; t < q; t++) b[i * q + t] = root[i] * data->y.at[i * q + t];
  MN_TRY(mn_chol_try(ctx, n, a, &rcond, &minor));
  if (minor == 0 && rcond > DBL_EPSILON) {
    MN_TRY(mn_chol_apply(ctx, n, q, a, b));
  } else {
    MN_TRY(mn_kernel_model_matrix(ctx, &m->model, data, NULL, data->rows, a));
    scale_problem(data, m->alpha, a, root);
    MN_TRY(solve_by_eigenvectors(ctx, n, q, a, b));
  }
  for (size_t i = 0; i < n; i++)
    for (size_t t = 0; t < q; t++) b[i * q + t] *= root[i];
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kernel_ridge *m = self;
  MN_TRY(mn_kernel_model_resolve(ctx, &m->model, true, data));
  MN_TRY(mn_kernel_model_store(ctx, &m->model, data, NULL, data->rows));
  MN_TRY(mn_matrix_init(ctx, &m->dual_coef, data->rows, data->y.cols));
  return solve(ctx, m, data, m->dual_coef.at);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kernel_ridge *m = self;
  return mn_kernel_model_product(ctx, &m->model, data, out->cols, m->dual_coef.at, out->at);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct kernel_ridge *m = self;
  if (action != MN_PREDICT) return MN_OK;
  return mn_kernel_model_export(ctx, &m->model, m->dual_coef.cols, m->dual_coef.at, NULL, program);
}

static const mn_param params[] = {
  MN_PENALTY(struct kernel_ridge, alpha, 1, MN_AT_LEAST(0), "penalty on the squared norm of the function"),
  MN_KERNEL_MODEL_PARAMS(MN_KERNEL_RBF, MN_GAMMA_TEXT, 1),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct kernel_ridge, dual_coef, "rows x targets", "coefficients of the kernel at the training rows"),
  MN_KERNEL_MODEL_FIELDS,
  MN_END,
};

const mn_class mn_kernel_ridge = {
  .name = "KernelRidge",
  .family = "kernel",
  .brief = "Ridge regression in the feature space of a kernel.",
  .objective = "minimize sum w (y - f(x))^2 + alpha |f|^2 over functions f of the kernel",
  .source = "Saunders, Gammerman & Vovk, ICML (1998)",
  .notes =
      "The default kernel is rbf (linear in scikit-learn). There is no intercept: center y, or add a Constant kernel. "
      "The kernel matrix takes 8 n^2 bytes and n^3 / 3 operations; from about 20,000 rows on use Nystroem and Ridge. "
      "With alpha = 0 and a singular kernel matrix the solution of smallest norm is returned.",
  .example = "local model = ml.KernelRidge{ kernel = 'rbf', gamma = 0.5, alpha = 0.01 }\n"
             "model:fit({ {0}, {1}, {2}, {3} }, { 0, 0.84, 0.91, 0.14 })\n"
             "print(model:predict{ {1.5} })",
  .capabilities = MN_REGRESS,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(struct kernel_ridge),
  .params = params,
  .fields = fields,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = mn_kernel_model_check,
};

#include "gp_regression.h"
#include "../core/threads.h"
#include "../core/finite_kernel.h"
#include "../kernel/kernel_value.h"
#include "../kernel/prior.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double log_two_pi = 1.83787706640934548356;

size_t mn_gp_mean_columns(mn_gp_mean mean, size_t d)
{
  return mean == MN_GP_ZERO ? 0 : mean == MN_GP_CONSTANT ? 1 : d + 1;
}

void mn_gp_mean_row(mn_gp_mean mean, size_t d, const double *x, double *h)
{
  if (mean == MN_GP_ZERO) return;
  h[0] = 1;
  if (mean == MN_GP_LINEAR) memcpy(h + 1, x, d * sizeof *h);
}

mn_status mn_gp_solution_new(mn_context *ctx, const mn_gp_problem *p, mn_gp_solution *s)
{
  const size_t n = p->rows.n, m = mn_gp_mean_columns(p->mean, p->rows.d);
  *s = (mn_gp_solution){ .l = MN_RAW(ctx, double, n, n),
                         .c = MN_RAW(ctx, double, n, p->q),
                         .b = MN_NEW(ctx, double, m + 1, p->q),
                         .basis = MN_RAW(ctx, double, n, m + 1),
                         .precision = MN_NEW(ctx, double, m + 1, m + 1) };
  return s->l && s->c && s->b && s->basis && s->precision ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_gp_function_variances(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *rows, double *out)
{
  for (size_t i = 0; i < rows->n; i++) {
    const double *x = rows->x + i * rows->d;
    const mn_kernel_rows one = { .n = 1, .d = rows->d, .x = x };
    if (mn_kernel_has_values(kernel))
      mn_kernel_values(kernel, rows->d, 1, x, x, &out[i]);
    else
      MN_TRY(mn_kernel_cross(ctx, kernel, &one, &one, &out[i], 1));
  }
  return MN_OK;
}

/* Kernels whose matrices may have negative eigenvalues. */
static bool may_be_indefinite(const mn_kernel *k)
{
  return mn_kernel_has(k, MN_KERNEL_SIGMOID) || mn_kernel_has(k, MN_KERNEL_PERIODIC) ||
         mn_kernel_has(k, MN_KERNEL_POLYNOMIAL) || mn_kernel_has(k, MN_KERNEL_POWER) ||
         mn_kernel_has(k, MN_KERNEL_PRECOMPUTED) || mn_kernel_has(k, MN_KERNEL_FUNCTION);
}

/* A lower bound of 1 / cond(A): the smallest eigenvalue is at least the least noise, that of White included, and the
 * 1-norm of inv(A) at most sqrt(n) divided by it. A is K plus the noise of the problem. 0: none is known. */
static mn_status bound_rcond(mn_context *ctx, const mn_kernel *kernel, const mn_gp_problem *p, const double *a,
                             double *rcond)
{
  const size_t n = p->rows.n;
  const mn_mark mark = mn_scratch_mark(ctx);
  double least = INFINITY, largest = 0, *function;
  *rcond = 0;
  if (may_be_indefinite(kernel)) return MN_OK;
  MN_CHECK_ALLOC(function = MN_RAW(ctx, double, n, 1));
  MN_TRY(mn_gp_function_variances(ctx, kernel, &p->rows, function));
  for (size_t i = 0; i < n; i++) {
    least = fmin(least, a[i * n + i] - function[i]);
    largest = fmax(largest, a[i * n + i]);
  }
  *rcond = least / (largest * pow((double)n, 1.5));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* With a bound above this, the condition is not estimated, which would take several solves on one thread. */
static const double min_bound = 1e-12;

/* l = the Cholesky factor of K + (noise + jitter) I. *failed: it is not positive definite. */
static mn_status factorize(mn_context *ctx, const mn_kernel *kernel, const mn_gp_problem *p, mn_gp_solution *s,
                           bool *failed)
{
  const size_t n = p->rows.n;
  double rcond, bound = 0, trace = 0;
  s->jitter = 0;
  for (double part = 0; part <= 1e-2; part = part > 0 ? 10 * part : 1e-10) {
    size_t minor;
    MN_TRY(mn_kernel_matrix(ctx, kernel, &p->rows, s->l, n));
    for (size_t i = 0; i < n; i++) s->l[i * n + i] += p->noise + (p->row_noise ? p->row_noise[i] : 0);
    for (size_t i = 0; i < n && part <= 0; i++) trace += s->l[i * n + i];
    s->jitter = part * trace / (double)n;
    for (size_t i = 0; i < n; i++) s->l[i * n + i] += s->jitter;
    if (part <= 0) MN_TRY(bound_rcond(ctx, kernel, p, s->l, &bound));
    MN_TRY(mn_chol_try(ctx, n, s->l, bound > min_bound ? NULL : &rcond, &minor));
    *failed = minor > 0 || !(bound > min_bound || rcond > DBL_EPSILON);
    if (!*failed) return MN_OK;
  }
  return MN_OK;
}

/* A pivot below this fraction of the diagonal is rounding error. */
static const double min_pivot = 1e-12;

void mn_gp_alias_mean(size_t h, double *p)
{
  for (size_t j = 0; j < h; j++)
    for (size_t k = 0; k <= j; k++) {
      double rest = p[j * h + k];
      for (size_t i = 0; i < k; i++) rest -= p[j * h + i] * p[k * h + i];
      if (k < j)
        p[j * h + k] = rest / p[k * h + k];
      else
        p[j * h + j] = rest > min_pivot * p[j * h + j] ? sqrt(rest) : INFINITY;
    }
  for (size_t j = 0; j < h; j++) memset(p + j * h + j + 1, 0, (h - j - 1) * sizeof *p);
}

mn_status mn_gp_factor_mean(mn_context *ctx, size_t h, double *precision, bool *failed)
{
  size_t minor, sound = 0;
  *failed = !mn_all_finite(h * h, precision);
  if (h == 0 || *failed) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *given = MN_RAW(ctx, double, h, h);
  MN_CHECK_ALLOC(given);
  memcpy(given, precision, h * h * sizeof *given);
  MN_TRY(mn_chol_try(ctx, h, precision, NULL, &minor));
  for (size_t j = 0; j < h; j++) sound += precision[j * h + j] * precision[j * h + j] > min_pivot * given[j * h + j];
  if (minor > 0 || sound < h) {
    memcpy(precision, given, h * h * sizeof *given);
    mn_gp_alias_mean(h, precision);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The coefficients of the mean function; c = inv(L) (y - H b) in place of inv(L) y. */
static mn_status solve_mean(mn_context *ctx, const mn_gp_problem *p, mn_gp_solution *s, bool *failed)
{
  const size_t n = p->rows.n, d = p->rows.d, q = p->q, m = mn_gp_mean_columns(p->mean, d);
  if (m == 0) return MN_OK;
  for (size_t i = 0; i < n; i++) mn_gp_mean_row(p->mean, d, p->rows.x + i * d, s->basis + i * m);
  MN_TRY(mn_chol_lower(ctx, n, m, s->l, s->basis));
  MN_TRY(mn_syrk(ctx, n, m, s->basis, m, NULL, NULL, s->precision, m));
  MN_TRY(mn_gemm(ctx, true, false, m, q, n, 1, s->basis, m, s->c, q, 0, s->b, q));
  MN_TRY(mn_gp_factor_mean(ctx, m, s->precision, failed));
  if (*failed) return MN_OK;
  MN_TRY(mn_chol_apply(ctx, m, q, s->precision, s->b));
  return mn_gemm(ctx, false, false, n, q, m, -1, s->basis, m, s->b, q, 1, s->c, q);
}

mn_status mn_gp_solve(mn_context *ctx, const mn_kernel *kernel, const mn_gp_problem *p, mn_gp_solution *s)
{
  const size_t n = p->rows.n, q = p->q;
  bool failed = false;
  double square = 0;
  s->log_likelihood = (double)NAN;
  MN_TRY(factorize(ctx, kernel, p, s, &failed));
  if (failed) return MN_OK;
  memcpy(s->c, p->y, n * q * sizeof *s->c);
  MN_TRY(mn_chol_lower(ctx, n, q, s->l, s->c));
  MN_TRY(solve_mean(ctx, p, s, &failed));
  if (failed) return MN_OK;
  for (size_t i = 0; i < n * q; i++) square += s->c[i] * s->c[i];
  MN_TRY(mn_chol_upper(ctx, n, q, s->l, s->c));
  s->log_likelihood = -0.5 * (square + (double)q * (mn_chol_logdet(n, s->l) + (double)n * log_two_pi));
  return MN_OK;
}

enum { WEIGHT_ROWS = 32 };

/* d log p / d K: the lower triangle of c c' - q inv(A), in place of inv(A). */
struct weights {
  mn_blocks rows;
  size_t q;
  const double *c;
  double *inverse;
};

static void find_weights(void *work, size_t block, size_t worker)
{
  const struct weights *w = work;
  const size_t n = w->rows.n, q = w->q;
  (void)worker;
  for (size_t i = mn_block_begin(&w->rows, block); i < mn_block_end(&w->rows, block); i++) {
    double *row = w->inverse + i * n;
    for (size_t j = 0; j <= i; j++) row[j] *= -(double)q;
    for (size_t t = 0; t < q; t++)
      for (size_t j = 0; j <= i; j++) row[j] += w->c[i * q + t] * w->c[j * q + t];
  }
}

/* d log p / d theta_j = 1/2 sum over the targets of tr((c c' - inv(A)) dK / d theta_j). The derivative of b does not
 * enter, since the likelihood is at its maximum in b. */
mn_status mn_gp_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_gp_problem *p, const mn_gp_solution *s,
                         double *inverse, double *gradient)
{
  const size_t n = p->rows.n;
  struct weights w = { .rows = mn_make_blocks(n, WEIGHT_ROWS, n), .q = p->q, .c = s->c, .inverse = inverse };
  MN_TRY(mn_chol_inverse_lower(ctx, n, s->l, inverse));
  MN_TRY(mn_parallel(ctx, w.rows.count, find_weights, &w));
  MN_TRY(mn_kernel_gradient_dot(ctx, kernel, &p->rows, inverse, n, gradient));
  for (size_t j = 0; j < mn_kernel_free_count(kernel); j++) gradient[j] *= 0.5;
  return MN_OK;
}

/* --- search --- */

struct target {
  const mn_kernel *kernel;
  const mn_gp_problem *problem;
};

struct workspace {
  mn_kernel kernel; /* a copy whose hyperparameters change */
  const mn_gp_problem *problem;
  mn_gp_solution solution;
  double *inverse;
};

static mn_status prepare(mn_context *ctx, const void *problem, void **out)
{
  const struct target *t = problem;
  const size_t n = t->problem->rows.n;
  struct workspace *w = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(w);
  w->problem = t->problem;
  w->inverse = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(w->inverse);
  MN_TRY(mn_gp_solution_new(ctx, t->problem, &w->solution));
  *out = w;
  return mn_kernel_scratch_copy(ctx, t->kernel, &w->kernel);
}

static mn_status evaluate(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient)
{
  struct workspace *w = workspace;
  mn_kernel_set_theta(&w->kernel, theta);
  MN_TRY(mn_gp_solve(ctx, &w->kernel, w->problem, &w->solution));
  *value = w->solution.log_likelihood;
  if (!isfinite(*value)) return MN_OK;
  MN_TRY(mn_gp_gradient(ctx, &w->kernel, w->problem, &w->solution, w->inverse, gradient));
  mn_kernel_add_priors(&w->kernel, value, gradient);
  return MN_OK;
}

mn_status mn_gp_optimize(mn_context *ctx, mn_kernel *kernel, const mn_gp_problem *p, mn_gp_search *search)
{
  const size_t n = p->rows.n;
  const struct target problem = { .kernel = kernel, .problem = p };
  const mn_gp_target target = { .k = mn_kernel_free_count(kernel),
                                .problem = &problem,
                                .workspace_bytes = 2 * n * n * sizeof(double),
                                .prepare = prepare,
                                .evaluate = evaluate };
  if (mn_kernel_has(kernel, MN_KERNEL_FUNCTION))
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "GaussianProcessRegressor: a kernel that is a Lua function has no gradient; set optimizer = \"none\"");
  return mn_gp_maximize_kernel(ctx, &target, search, kernel);
}

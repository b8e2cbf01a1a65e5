/* Predictions of gp_softmax.h: Rasmussen & Williams, algorithm 3.4. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../stats/special.h"
#include "gp_regression.h"
#include "gp_softmax.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* For a block of rows with k = k(X, x), n x rows: u_c = inv(L_c) D_c^1/2 k, so that k' E_c k = u_c' u_c, and
 * w_c = inv(M) E_c k; the covariance is [a = b] (k(x, x) - u_a' u_a) + w_a' w_b. */
struct block {
  size_t n, rows, classes;
  const double *root, *l, *m;
  double *k, *w; /* n x rows; C x n x rows */
};

/* w_c; *own: u_c' u_c of each row. */
static mn_status solve_class(mn_context *ctx, const struct block *b, size_t c, double *own)
{
  const size_t n = b->n, rows = b->rows;
  const double *root = b->root + c * n, *l = b->l + c * n * n;
  double *w = b->w + c * n * rows;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < rows; j++) w[i * rows + j] = root[i] * b->k[i * rows + j];
  MN_TRY(mn_chol_lower(ctx, n, rows, l, w));
  memset(own, 0, rows * sizeof *own);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < rows; j++) own[j] += w[i * rows + j] * w[i * rows + j];
  MN_TRY(mn_chol_upper(ctx, n, rows, l, w));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < rows; j++) w[i * rows + j] *= root[i];
  return mn_chol_lower(ctx, n, rows, b->m, w);
}

static void add_products(const struct block *b, double *covariance)
{
  const size_t n = b->n, rows = b->rows, classes = b->classes;
  for (size_t a = 0; a < classes; a++)
    for (size_t c = 0; c <= a; c++)
      for (size_t i = 0; i < n; i++) {
        const double *x = b->w + (a * n + i) * rows, *y = b->w + (c * n + i) * rows;
        for (size_t j = 0; j < rows; j++) covariance[(j * classes + a) * classes + c] += x[j] * y[j];
      }
  for (size_t j = 0; j < rows; j++)
    for (size_t a = 0; a < classes; a++)
      for (size_t c = a + 1; c < classes; c++)
        covariance[(j * classes + a) * classes + c] = covariance[(j * classes + c) * classes + a];
}

mn_status mn_gp_softmax_moments(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *stored, size_t classes,
                                const double *a, const double *root, const double *l, const double *m,
                                const mn_kernel_rows *x, double *mean, double *covariance)
{
  enum { BLOCK_ROWS = 128 };
  const size_t n = stored->n;
  for (size_t begin = 0; begin < x->n; begin += BLOCK_ROWS) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t rows = x->n - begin < BLOCK_ROWS ? x->n - begin : BLOCK_ROWS;
    const mn_kernel_rows part = { .n = rows, .d = x->d, .x = x->x + begin * x->d };
    struct block b = { .n = n, .rows = rows, .classes = classes, .root = root, .l = l, .m = m };
    double *own = MN_RAW(ctx, double, rows, 2), *prior = own ? own + rows : NULL,
           *out = covariance + begin * classes * classes;
    b.k = MN_RAW(ctx, double, n, rows);
    b.w = MN_RAW(ctx, double, n *classes, rows);
    if (!own || !b.k || !b.w) return MN_NO_MEMORY;
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_kernel_cross(ctx, kernel, stored, &part, b.k, rows));
    MN_TRY(mn_gp_function_variances(ctx, kernel, &part, prior));
    MN_TRY(mn_gemm(ctx, true, true, rows, classes, n, 1, b.k, rows, a, n, 0, mean + begin * classes, classes));
    memset(out, 0, rows * classes * classes * sizeof *out);
    for (size_t c = 0; c < classes; c++) {
      MN_TRY(solve_class(ctx, &b, c, own));
      for (size_t j = 0; j < rows; j++) out[(j * classes + c) * classes + c] = fmax(prior[j] - own[j], 0);
    }
    add_products(&b, out);
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

/* --- probabilities --- */

enum { POINTS = 512 };

/* Normal points, POINTS x C: an additive recurrence with the powers of 1 / x, x^(C + 1) = x + 1 (Roberts 2018). */
static void normal_points(size_t classes, double *z)
{
  double x = 2;
  for (int i = 0; i < 60; i++) x = pow(1 + x, 1 / (double)(classes + 1));
  for (size_t s = 0; s < POINTS; s++)
    for (size_t c = 0; c < classes; c++) {
      const double u = fmod(0.5 + (double)(s + 1) * pow(x, -(double)(c + 1)), 1);
      z[s * classes + c] = mn_normal_quantile(fmin(fmax(u, 1e-9), 1 - 1e-9));
    }
}

/* The lower triangle of the factor of a positive semidefinite matrix: pivots that are rounding errors are 0. */
static void factor(size_t n, const double *a, double *l)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      if (i == j)
        l[i * n + i] = sum > 1e-14 * a[i * n + i] ? sqrt(sum) : 0;
      else
        l[i * n + j] = l[j * n + j] > 0 ? sum / l[j * n + j] : 0;
    }
}

/* sum += softmax(mean + sign L z) */
static void add_softmax(size_t n, const double *mean, const double *l, const double *z, double sign, double *f,
                        double *sum)
{
  double largest = -INFINITY, total = 0;
  for (size_t c = 0; c < n; c++) {
    f[c] = mean[c];
    for (size_t k = 0; k <= c; k++) f[c] += sign * l[c * n + k] * z[k];
    largest = fmax(largest, f[c]);
  }
  for (size_t c = 0; c < n; c++) total += exp(f[c] - largest);
  for (size_t c = 0; c < n; c++) sum[c] += exp(f[c] - largest) / total;
}

mn_status mn_gp_softmax_log_proba(mn_context *ctx, size_t rows, size_t classes, const double *mean,
                                  const double *covariance, double *out)
{
  double *z = MN_RAW(ctx, double, POINTS, classes), *l = MN_RAW(ctx, double, classes, classes + 2);
  if (!z || !l) return MN_NO_MEMORY;
  double *f = l + classes * classes, *sum = f + classes;
  normal_points(classes, z);
  for (size_t i = 0; i < rows; i++) {
    factor(classes, covariance + i * classes * classes, l);
    memset(sum, 0, classes * sizeof *sum);
    for (size_t s = 0; s < POINTS; s++) {
      add_softmax(classes, mean + i * classes, l, z + s * classes, 1, f, sum);
      add_softmax(classes, mean + i * classes, l, z + s * classes, -1, f, sum);
    }
    for (size_t c = 0; c < classes; c++) out[i * classes + c] = log(fmax(sum[c] / (2 * POINTS), DBL_MIN));
    if (i % 64 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

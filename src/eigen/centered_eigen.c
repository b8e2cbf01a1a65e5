#include "centered_eigen.h"
#include "lanczos.h"
#include "signs.h"
#include "../linalg/product.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_RESTARTS = 300 };

struct centered {
  size_t n;
  const double *k; /* n x n */
};

static void subtract_mean(size_t n, double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  for (size_t i = 0; i < n; i++) x[i] -= sum / (double)n;
}

/* y = x H K H for `count` vectors. */
static mn_status apply_centered(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const struct centered *c = user;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *copy = MN_RAW(ctx, double, count, c->n);
  MN_CHECK_ALLOC(copy);
  memcpy(copy, x, count * c->n * sizeof *copy);
  for (size_t i = 0; i < count; i++) subtract_mean(c->n, copy + i * c->n);
  MN_TRY(mn_gemm(ctx, false, false, count, c->n, c->n, 1, copy, c->n, c->k, c->n, 0, y, c->n));
  for (size_t i = 0; i < count; i++) subtract_mean(c->n, y + i * c->n);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* H K H in place, from the means of the rows. */
static void center_matrix(size_t n, const double *mean, double *k)
{
  double all = 0;
  for (size_t i = 0; i < n; i++) all += mean[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) k[i * n + j] += all - mean[i] - mean[j];
}

mn_status mn_centered_eigen(mn_context *ctx, size_t n, size_t count, double tolerance, const double *mean, double *k,
                            double *values, double *vectors)
{
  bool found = false;
  if (tolerance > 0) {
    struct centered c = { .n = n, .k = k };
    const mn_eigenproblem problem = { .n = n,
                                      .k = count,
                                      .end = MN_LARGEST,
                                      .apply = apply_centered,
                                      .user = &c,
                                      .tolerance = tolerance,
                                      .max_iter = MAX_RESTARTS };
    MN_TRY(mn_eigs(ctx, &problem, values, vectors, &found));
  }
  if (!found) {
    center_matrix(n, mean, k);
    MN_TRY(mn_eigh(ctx, n, count, MN_LARGEST, k, values, vectors));
  }
  mn_fix_signs(count, n, vectors);
  return MN_OK;
}

double mn_eigenvalue_rounding(size_t n, const double *k)
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += fabs(k[i * n + j]);
    largest = fmax(largest, sum);
  }
  return 4 * DBL_EPSILON * largest;
}

size_t mn_clip_eigenvalues(size_t count, double rounding, double *values)
{
  const double least = fmax(1e-12 * values[0], rounding);
  size_t positive = 0;
  for (size_t c = 0; c < count; c++) {
    if (values[c] > least)
      positive++;
    else
      values[c] = 0;
  }
  return positive;
}

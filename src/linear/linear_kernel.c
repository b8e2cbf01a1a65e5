#include "linear_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_linear_rows,
          (size_t n, size_t p, const double *restrict x, const double *restrict b, double start, double *restrict out,
           size_t step),
          (n, p, x, b, start, out, step))
{
  for (size_t i = 0; i < n; i++) {
    const double *row = x + i * p;
    double sum = start;
    for (size_t j = 0; j < p; j++) sum += row[j] * b[j];
    out[i * step] = sum;
  }
}

MN_CLONES(double, mn_linear_residuals,
          (size_t n, size_t p, const double *restrict x, const double *restrict y, size_t step,
           const double *restrict w, const double *restrict mean, double y_mean, const double *restrict b,
           double *restrict residual, double *restrict gradient),
          (n, p, x, y, step, w, mean, y_mean, b, residual, gradient))
{
  double total = 0;
  for (size_t i = 0; i < n; i++) {
    const double *row = x + i * p;
    double r = y[i * step] - y_mean;
    for (size_t j = 0; j < p; j++) r -= (row[j] - mean[j]) * b[j];
    const double weighted = w ? w[i] * r : r;
    if (gradient)
      for (size_t j = 0; j < p; j++) gradient[j] += weighted * (row[j] - mean[j]);
    if (residual) residual[i] = r;
    total += weighted * r;
  }
  return total;
}

MN_CLONES(void, mn_row_gradient,
          (size_t n, size_t p, const double *restrict x, const double *restrict r, double *restrict g), (n, p, x, r, g))
{
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const double *x0 = x + i * p, *x1 = x0 + p, *x2 = x1 + p, *x3 = x2 + p;
    for (size_t j = 0; j < p; j++) g[j] += r[i] * x0[j] + r[i + 1] * x1[j] + r[i + 2] * x2[j] + r[i + 3] * x3[j];
  }
  for (; i < n; i++)
    for (size_t j = 0; j < p; j++) g[j] += r[i] * x[i * p + j];
}

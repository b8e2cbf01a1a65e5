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

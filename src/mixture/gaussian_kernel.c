#include "gaussian_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(void, mn_gaussian_center,
          (size_t n, size_t p, const double *restrict x, const double *restrict mean, double *restrict out),
          (n, p, x, mean, out))
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) out[i * p + j] = x[i * p + j] - mean[j];
}

MN_CLONES(void, mn_gaussian_norms,
          (size_t n, size_t p, const double *restrict z, double start, double *restrict log_density),
          (n, p, z, start, log_density))
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < p; j++) sum += z[i * p + j] * z[i * p + j];
    const double value = start - sum / 2;
    log_density[i] = value > MN_LEAST_LOG ? value : MN_LEAST_LOG;
  }
}

MN_CLONES(void, mn_gaussian_diagonal,
          (size_t n, size_t p, const double *restrict x, const double *restrict mean, const double *restrict root,
           double start, double *restrict log_density),
          (n, p, x, mean, root, start, log_density))
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < p; j++) {
      const double z = root[j] * (x[i * p + j] - mean[j]);
      sum += z * z;
    }
    const double value = start - sum / 2;
    log_density[i] = value > MN_LEAST_LOG ? value : MN_LEAST_LOG;
  }
}

MN_CLONES(void, mn_gaussian_normalize,
          (size_t n, size_t columns, double *restrict r, double *restrict largest, double *restrict log_sum),
          (n, columns, r, largest, log_sum))
{
  for (size_t i = 0; i < n; i++) largest[i] = r[i];
  for (size_t k = 1; k < columns; k++)
    for (size_t i = 0; i < n; i++) largest[i] = r[k * n + i] > largest[i] ? r[k * n + i] : largest[i];
  for (size_t i = 0; i < n; i++) log_sum[i] = 0;
  for (size_t k = 0; k < columns; k++)
    for (size_t i = 0; i < n; i++) log_sum[i] += r[k * n + i] = exp(r[k * n + i] - largest[i]);
  for (size_t k = 0; k < columns; k++)
    for (size_t i = 0; i < n; i++) r[k * n + i] /= log_sum[i];
  for (size_t i = 0; i < n; i++) log_sum[i] = largest[i] + log(log_sum[i]);
}

MN_CLONES(void, mn_gaussian_moments,
          (size_t n, size_t p, const double *restrict z, const double *restrict w, double *restrict sum,
           double *restrict square),
          (n, p, z, w, sum, square))
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) {
      const double weighted = w[i] * z[i * p + j];
      sum[j] += weighted;
      square[j] += weighted * z[i * p + j];
    }
}

MN_CLONES(void, mn_gaussian_weigh,
          (size_t n, size_t p, const double *restrict x, const double *restrict shift, const double *restrict r,
           double *restrict w),
          (n, p, x, shift, r, w))
{
  for (size_t j = 0; j < p; j++)
    for (size_t i = 0; i < n; i++) w[j * n + i] = r[i] * (x[j * n + i] - shift[j]);
}

/* Eight rows at a time: their values of a column are stored together. */
MN_CLONES(void, mn_gaussian_transpose,
          (size_t n, size_t p, const double *restrict x, const double *restrict center, size_t stride,
           double *restrict out),
          (n, p, x, center, stride, out))
{
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t j = 0; j < p; j++)
      for (size_t l = 0; l < 8; l++) out[j * stride + i + l] = x[(i + l) * p + j] - center[j];
  for (; i < n; i++)
    for (size_t j = 0; j < p; j++) out[j * stride + i] = x[i * p + j] - center[j];
}

MN_CLONES(void, mn_gaussian_total, (size_t n, const double *restrict r, double *restrict out), (n, r, out))
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += r[i];
  *out += sum;
}

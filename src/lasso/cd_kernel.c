#include "cd_kernel.h"
#include "../core/clones.h"

MN_CLONES(double, mn_cd_sweep,
          (size_t k, const double *restrict gram, size_t ld, const double *restrict l1, double l2, bool positive,
           double *restrict b, double *restrict g),
          (k, gram, ld, l1, l2, positive, b, g))
{
  double largest = 0;
  for (size_t j = 0; j < k; j++) {
    const double *row = gram + j * ld;
    const double curvature = row[j] + l2;
    if (!(curvature > 0)) continue;
    const double z = g[j] + row[j] * b[j], low = positive ? 0 : z + l1[j];
    const double thresholded = z > l1[j] ? z - l1[j] : low < 0 ? low : 0, delta = thresholded / curvature - b[j];
    if (delta == 0) continue;
    b[j] = thresholded / curvature; /* stays exactly 0 */
    const double gain = delta * delta * curvature;
    largest = gain > largest ? gain : largest;
    for (size_t i = 0; i < k; i++) g[i] -= delta * row[i];
  }
  return largest;
}

MN_CLONES(void, mn_cd_subtract, (size_t n, double a, const double *restrict x, double *restrict y), (n, a, x, y))
{
  for (size_t i = 0; i < n; i++) y[i] -= a * x[i];
}

MN_CLONES(double, mn_cd_dot, (size_t n, const double *restrict x, const double *restrict y), (n, x, y))
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

MN_CLONES(void, mn_cd_subtract_sparse,
          (size_t n, double a, const double *restrict x, const int *restrict i, double *restrict y), (n, a, x, i, y))
{
  MN_INDEPENDENT
  for (size_t e = 0; e < n; e++) y[i[e]] -= a * x[e];
}

MN_CLONES(double, mn_cd_dot_sparse,
          (size_t n, const double *restrict x, const int *restrict i, const double *restrict y), (n, x, i, y))
{
  double sum = 0;
  for (size_t e = 0; e < n; e++) sum += x[e] * y[i[e]];
  return sum;
}

#include "distances_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(void, mn_squared_distances,
          (size_t n, size_t d, const double *restrict x, const double *restrict t, size_t step, double *restrict out),
          (n, d, x, t, step, out))
{
  for (size_t j = 0; j < n; j++) out[j] = 0;
  for (size_t f = 0; f < d; f++)
    for (size_t j = 0; j < n; j++) {
      const double off = x[f] - t[f * step + j];
      out[j] += off * off;
    }
}

MN_CLONES(void, mn_manhattan_distances,
          (size_t n, size_t d, const double *restrict x, const double *restrict t, size_t step, double *restrict out),
          (n, d, x, t, step, out))
{
  for (size_t j = 0; j < n; j++) out[j] = 0;
  for (size_t f = 0; f < d; f++)
    for (size_t j = 0; j < n; j++) out[j] += fabs(x[f] - t[f * step + j]);
}

MN_CLONES(size_t, mn_squared_distances_from_products,
          (size_t n, double own, const double *restrict norm, double min_kept, double *restrict product),
          (n, own, norm, min_kept, product))
{
  double lost = 0;
  for (size_t j = 0; j < n; j++) {
    const double both = own + norm[j], square = both - 2 * product[j];
    lost += square < min_kept * both ? 1.0 : 0.0;
    product[j] = square > 0 ? square : 0;
  }
  return (size_t)lost;
}

MN_CLONES(void, mn_square_roots, (size_t n, double *restrict x), (n, x))
{
  for (size_t j = 0; j < n; j++) x[j] = sqrt(x[j]);
}

MN_CLONES(double, mn_weighted_sum, (size_t n, const double *restrict x, const double *restrict w), (n, x, w))
{
  double sum = 0;
  if (w)
    for (size_t j = 0; j < n; j++) sum += w[j] * x[j];
  else
    for (size_t j = 0; j < n; j++) sum += x[j];
  return sum;
}

MN_CLONES(size_t, mn_count_below, (size_t n, const double *restrict x, double value), (n, x, value))
{
  double count = 0;
  for (size_t j = 0; j < n; j++) count += x[j] < value ? 1.0 : 0.0;
  return (size_t)count;
}

MN_CLONES(void, mn_stress_terms,
          (size_t n, const double *restrict x, const double *restrict y, const double *restrict w, double sums[2]),
          (n, x, y, w, sums))
{
  double difference = 0, total = 0;
  for (size_t j = 0; j < n; j++) {
    const double weight = w ? w[j] : 1, e = x[j] - y[j];
    difference += weight * e * e;
    total += weight * x[j] * x[j];
  }
  sums[0] = difference;
  sums[1] = total;
}

#include "metric_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(void, mn_chebyshev_distances,
          (size_t n, size_t d, const double *restrict x, const double *restrict q, double *restrict out),
          (n, d, x, q, out))
{
  for (size_t i = 0; i < n; i++) {
    double largest = 0;
    for (size_t j = 0; j < d; j++) {
      const double distance = fabs(x[i * d + j] - q[j]);
      largest = distance > largest ? distance : largest;
    }
    out[i] = largest;
  }
}

MN_CLONES(void, mn_minkowski_distances,
          (size_t n, size_t d, double p, const double *restrict x, const double *restrict q, double *restrict out),
          (n, d, p, x, q, out))
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < d; j++) sum += pow(fabs(x[i * d + j] - q[j]), p);
    out[i] = sum;
  }
}

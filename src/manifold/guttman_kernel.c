#include "guttman_kernel.h"
#include "../core/clones.h"
#include <math.h>

enum { CHUNK = 256 }; /* points whose distances fit into registers and the first cache */

/* distance[j] = |z - points_(begin + j)|^2 for j < count */
static inline __attribute__((always_inline)) void squared_distances(size_t n, size_t k, size_t begin, size_t count,
                                                                    const double *restrict points,
                                                                    const double *restrict z, double *restrict distance)
{
  for (size_t j = 0; j < count; j++) distance[j] = 0;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < count; j++) {
      const double apart = z[c] - points[c * n + begin + j];
      distance[j] += apart * apart;
    }
}

MN_CLONES(double, mn_guttman_sums,
          (size_t n, size_t k, const double *restrict delta, const double *restrict weights,
           const double *restrict points, const double *restrict z, double *restrict out),
          (n, k, delta, weights, points, z, out))
{
  double ratio[CHUNK], error[CHUNK], stress = 0;
  for (size_t c = 0; c < k; c++) out[c] = 0;
  for (size_t begin = 0; begin < n; begin += CHUNK) {
    const size_t count = n - begin < CHUNK ? n - begin : CHUNK;
    squared_distances(n, k, begin, count, points, z, ratio);
    for (size_t j = 0; j < count; j++) {
      const double d = sqrt(ratio[j]), rest = delta[begin + j] - d;
      error[j] = rest * rest;
      ratio[j] = d > 0 ? delta[begin + j] / d : 0;
    }
    for (size_t j = 0; weights && j < count; j++) {
      error[j] *= weights[begin + j];
      ratio[j] *= weights[begin + j];
    }
    for (size_t j = 0; j < count; j++) stress += error[j];
    for (size_t c = 0; c < k; c++) {
      double sum = 0;
      for (size_t j = 0; j < count; j++) sum += ratio[j] * (z[c] - points[c * n + begin + j]);
      out[c] += sum;
    }
  }
  return stress;
}

MN_CLONES(void, mn_distances_to_points,
          (size_t n, size_t k, const double *restrict points, const double *restrict z, double *restrict out),
          (n, k, points, z, out))
{
  for (size_t begin = 0; begin < n; begin += CHUNK) {
    const size_t count = n - begin < CHUNK ? n - begin : CHUNK;
    squared_distances(n, k, begin, count, points, z, out + begin);
    for (size_t j = 0; j < count; j++) out[begin + j] = sqrt(out[begin + j]);
  }
}

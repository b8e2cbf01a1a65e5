#include "kmeans_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(void, mn_kmeans_trial,
          (size_t n, size_t d, size_t t, const double *restrict x, const double *restrict point,
           const double *restrict closest, const double *restrict w, double *restrict distance,
           double *restrict inertia),
          (n, d, t, x, point, closest, w, distance, inertia))
{
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < t; c++) {
      const double *row = x + i * d, *to = point + c * d;
      double sum = 0;
      for (size_t j = 0; j < d; j++) sum += (row[j] - to[j]) * (row[j] - to[j]);
      const double smallest = sum < closest[i] ? sum : closest[i];
      distance[i * t + c] = smallest;
      inertia[c] += w ? w[i] * smallest : smallest;
    }
}

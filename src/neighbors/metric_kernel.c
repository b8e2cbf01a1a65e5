#include "metric_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(void, mn_euclidean_distances,
          (size_t n, size_t d, const double *restrict x, const double *restrict q, double *restrict out),
          (n, d, x, q, out))
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < d; j++) sum += (x[i * d + j] - q[j]) * (x[i * d + j] - q[j]);
    out[i] = sqrt(sum);
  }
}

MN_CLONES(void, mn_manhattan_distances,
          (size_t n, size_t d, const double *restrict x, const double *restrict q, double *restrict out),
          (n, d, x, q, out))
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < d; j++) sum += fabs(x[i * d + j] - q[j]);
    out[i] = sum;
  }
}

MN_CLONES(void, mn_chebyshev_distances,
          (size_t n, size_t d, const double *restrict x, const double *restrict q, double *restrict out),
          (n, d, x, q, out))
{
  for (size_t i = 0; i < n; i++) {
    double most = 0;
    for (size_t j = 0; j < d; j++) {
      const double distance = fabs(x[i * d + j] - q[j]);
      most = distance > most ? distance : most;
    }
    out[i] = most;
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

MN_CLONES(void, mn_cosine_distances,
          (size_t n, size_t d, const double *restrict x, const double *restrict q, double *restrict out),
          (n, d, x, q, out))
{
  double length = 0;
  for (size_t j = 0; j < d; j++) length += q[j] * q[j];
  for (size_t i = 0; i < n; i++) {
    double dot = 0, square = 0;
    for (size_t j = 0; j < d; j++) {
      dot += x[i * d + j] * q[j];
      square += x[i * d + j] * x[i * d + j];
    }
    const double both = square * length;
    out[i] = both > 0 ? 1 - dot / sqrt(both) : 1;
  }
}

#include "gaussian_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_class_moments,
          (size_t n, size_t p, const double *restrict x, const int32_t *restrict code, const double *restrict w,
           const double *restrict shift, double *restrict count, double *restrict sum, double *restrict square),
          (n, p, x, code, w, shift, count, sum, square))
{
  for (size_t i = 0; i < n; i++) {
    const size_t at = (size_t)code[i] * p;
    const double *row = x + i * p, *from = shift + at, weight = w ? w[i] : 1;
    double *to = sum + at, *to_square = square + at;
    for (size_t j = 0; j < p; j++) {
      const double deviation = row[j] - from[j], weighted = weight * deviation;
      to[j] += weighted;
      to_square[j] += weighted * deviation;
    }
    count[code[i]] += weight;
  }
}

MN_CLONES(void, mn_gaussian_scores,
          (size_t n, size_t p, size_t k, const double *restrict x, const double *restrict mean,
           const double *restrict scale, const double *restrict start, double *restrict out),
          (n, p, k, x, mean, scale, start, out))
{
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) {
      const double *row = x + i * p, *from = mean + c * p, *by = scale + c * p;
      double sum = 0;
      for (size_t j = 0; j < p; j++) sum += (row[j] - from[j]) * (row[j] - from[j]) * by[j];
      out[i * k + c] = start[c] - sum;
    }
}

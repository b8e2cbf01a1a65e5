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

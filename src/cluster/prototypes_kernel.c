#include "prototypes_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_prototype_distances,
          (size_t n, size_t numeric, size_t p, size_t ld, const double *restrict x, const double *restrict across,
           double gamma, double *restrict out),
          (n, numeric, p, ld, x, across, gamma, out))
{
  for (size_t i = 0; i < n; i++) {
    const double *row = x + i * p;
    double *sum = out + i * ld;
    for (size_t c = 0; c < ld; c++) sum[c] = 0;
    for (size_t j = 0; j < numeric; j++) {
      const double value = row[j], *center = across + j * ld;
      for (size_t c = 0; c < ld; c++) sum[c] += (value - center[c]) * (value - center[c]);
    }
    for (size_t j = numeric; j < p; j++) {
      const double value = row[j], *center = across + j * ld;
      for (size_t c = 0; c < ld; c++) sum[c] += value == center[c] ? 0 : gamma;
    }
  }
}

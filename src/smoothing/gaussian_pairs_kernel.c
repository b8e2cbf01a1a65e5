#include "gaussian_pairs_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_multiple_angles,
          (size_t n, size_t size, const double *restrict c, const double *restrict z, const double *restrict first,
           double *restrict cosine, double *restrict sine),
          (n, size, c, z, first, cosine, sine))
{
  for (size_t i = 0; i < n; i++) cosine[i] = first[i];
  for (size_t i = 0; i < n; i++) sine[i] = 0;
  for (size_t k = 1; k < size; k++) {
    const double *restrict last_cosine = cosine + (k - 1) * n, *restrict last_sine = sine + (k - 1) * n;
    double *restrict next_cosine = cosine + k * n, *restrict next_sine = sine + k * n;
    for (size_t i = 0; i < n; i++) {
      next_cosine[i] = c[i] * last_cosine[i] - z[i] * last_sine[i];
      next_sine[i] = z[i] * last_cosine[i] + c[i] * last_sine[i];
    }
  }
}

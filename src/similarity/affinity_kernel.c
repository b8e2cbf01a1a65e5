#include "affinity_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_damp_responsibilities,
          (size_t n, double damping, double best, const double *restrict s, double *restrict r),
          (n, damping, best, s, r))
{
  for (size_t k = 0; k < n; k++) r[k] = damping * r[k] + (1 - damping) * (s[k] - best);
}

MN_CLONES(void, mn_add_positive, (size_t n, const double *restrict r, double *restrict sum), (n, r, sum))
{
  for (size_t k = 0; k < n; k++) sum[k] += r[k] > 0 ? r[k] : 0;
}

MN_CLONES(void, mn_damp_availabilities,
          (size_t n, double damping, const double *restrict sum, const double *restrict r, double *restrict a),
          (n, damping, sum, r, a))
{
  for (size_t k = 0; k < n; k++) {
    const double t = sum[k] - (r[k] > 0 ? r[k] : 0);
    a[k] = damping * a[k] + (1 - damping) * (t < 0 ? t : 0);
  }
}

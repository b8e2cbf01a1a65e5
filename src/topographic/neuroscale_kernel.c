#include "neuroscale_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(double, mn_row_stress,
          (size_t n, size_t k, size_t i, int sammon, const double *y, const double *delta, double *work,
           double *gradient),
          (n, k, i, sammon, y, delta, work, gradient))
{
  double stress = 0;
  for (size_t j = 0; j < n; j++) work[j] = 0;
  for (size_t c = 0; c < k; c++) {
    const double *yc = y + c * n, at = yc[i];
    for (size_t j = 0; j < n; j++) work[j] += (at - yc[j]) * (at - yc[j]);
  }
  for (size_t j = 0; j < n; j++) {
    const double d = sqrt(work[j]), error = d - delta[j];
    const double weight = delta[j] > 0 ? (sammon ? 1 / delta[j] : 1) : 0;
    stress += weight * error * error;
    work[j] = d > 0 ? 2 * weight * error / (d > 0 ? d : 1) : 0;
  }
  for (size_t c = 0; c < k; c++) {
    const double *yc = y + c * n, at = yc[i];
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += work[j] * (at - yc[j]);
    gradient[c] = sum;
  }
  return stress;
}

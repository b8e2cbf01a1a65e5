#include "scaling_kernel.h"
#include <math.h>

MN_CLONES(void, mn_scaling_sums,
          (size_t n, const size_t *start, const int32_t *col, const double *x, const int32_t *first,
           const int32_t *label, const double *p, const double *total, const double *factor, size_t ld,
           const double *step, double *value, double *slope),
          (n, start, col, x, first, label, p, total, factor, ld, step, value, slope))
{
  for (size_t t = 0; t < n; t++)
    for (size_t e = start[t]; e < start[t + 1]; e++)
      for (int32_t f = first[col[e]]; f < first[col[e] + 1]; f++) {
        const double sum = total[t * ld + (size_t)label[f]];
        const double r = (factor ? factor[t] : 1) * p[t * ld + (size_t)label[f]] * x[e] * exp(step[f] * sum);
        value[f] += r;
        slope[f] += r * sum;
      }
}

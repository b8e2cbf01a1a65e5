#include "lbfgs_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_lbfgs_add, (size_t n, double factor, const double *restrict from, double *restrict to),
          (n, factor, from, to))
{
  for (size_t i = 0; i < n; i++) to[i] += factor * from[i];
}

MN_CLONES(double, mn_lbfgs_dot, (size_t n, const double *a, const double *b), (n, a, b))
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

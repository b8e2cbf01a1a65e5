#include "descent_kernel.h"
#include "../core/clones.h"

MN_CLONES(double, mn_descent_dot,
          (size_t n, const double *restrict x, const int32_t *restrict row, const double *restrict pair),
          (n, x, row, pair))
{
  double sum = 0;
  if (row)
    for (size_t e = 0; e < n; e++) {
      const double *at = pair + 2 * (size_t)row[e];
      sum += x[e] * at[0] * at[1];
    }
  else
    for (size_t i = 0; i < n; i++) sum += x[i] * pair[2 * i] * pair[2 * i + 1];
  return sum;
}

MN_CLONES(void, mn_descent_add,
          (size_t n, double a, const double *restrict x, const int32_t *restrict row, double *restrict pair),
          (n, a, x, row, pair))
{
  if (row)
    for (size_t e = 0; e < n; e++) pair[2 * (size_t)row[e] + 1] += a * x[e];
  else
    for (size_t i = 0; i < n; i++) pair[2 * i + 1] += a * x[i];
}

MN_CLONES(void, mn_descent_gradient_diagonal,
          (size_t n, const double *restrict x, const int32_t *restrict row, const double *restrict pair,
           double *restrict gradient, double *restrict diagonal),
          (n, x, row, pair, gradient, diagonal))
{
  double g = 0, h = 0;
  if (row)
    for (size_t e = 0; e < n; e++) {
      const double *at = pair + 2 * (size_t)row[e];
      g += x[e] * at[1];
      h += x[e] * x[e] * at[0];
    }
  else
    for (size_t i = 0; i < n; i++) {
      g += x[i] * pair[2 * i + 1];
      h += x[i] * x[i] * pair[2 * i];
    }
  *gradient = g;
  *diagonal = h;
}

#include "power_kernel.h"
#include <math.h>

/* Sums for both branches of Yeo-Johnson: the factors depend on the sign of s. */
static MN_CLONES(void, sums,
                 (size_t n, const double *restrict s, double above, double below, double center, double unit,
                  double *sum, double *square),
                 (n, s, above, below, center, unit, sum, square))
{
  double a = 0, b = 0;
  const double over_above = unit / above, over_below = unit / below, middle = unit * center;
  for (size_t i = 0; i < n; i++) {
    const double factor = s[i] < 0 ? below : above, over = s[i] < 0 ? over_below : over_above;
    const double d = (exp(factor * s[i]) - 1) * over - middle;
    a += d;
    b += d * d;
  }
  *sum = a;
  *square = b;
}

static MN_CLONES(void, weighted_sums,
                 (size_t n, const double *restrict s, const double *restrict weight, double above, double below,
                  double center, double unit, double *sum, double *square),
                 (n, s, weight, above, below, center, unit, sum, square))
{
  double a = 0, b = 0;
  const double over_above = unit / above, over_below = unit / below, middle = unit * center;
  for (size_t i = 0; i < n; i++) {
    const double factor = s[i] < 0 ? below : above, over = s[i] < 0 ? over_below : over_above;
    const double d = (exp(factor * s[i]) - 1) * over - middle;
    a += weight[i] * d;
    b += weight[i] * d * d;
  }
  *sum = a;
  *square = b;
}

void mn_power_sums(size_t n, const double *restrict s, const double *restrict weight, int yeo_johnson, double lambda,
                   double center, double unit, double *sum, double *square)
{
  /* -(exp(-(2 - l) s) - 1) / (2 - l) = (exp(b s) - 1) / b with b = l - 2: one form for both signs */
  const double below = yeo_johnson ? lambda - 2 : lambda;
  if (weight)
    weighted_sums(n, s, weight, lambda, below, center, unit, sum, square);
  else
    sums(n, s, lambda, below, center, unit, sum, square);
}

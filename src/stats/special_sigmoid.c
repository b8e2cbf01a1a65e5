/* Sigmoid functions, with full relative accuracy in both tails. */
#include "special.h"
#include <math.h>

double mn_logistic(double x)
{
  const double e = exp(-fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

double mn_logistic_slope(double x)
{
  const double e = exp(-fabs(x));
  return e / ((1 + e) * (1 + e));
}

double mn_tanh(double x)
{
  return tanh(x);
}

double mn_tanh_slope(double x)
{
  return 4 * mn_logistic_slope(2 * x);
}

double mn_arctan(double x)
{
  return atan(x);
}

double mn_arctan_slope(double x)
{
  return 1 / (1 + x * x);
}

/* log(1 + e^-x) */
static double log1p_exp_neg(double x)
{
  return fmax(-x, 0) + log1p(exp(-fabs(x)));
}

double mn_generalized_logistic(double x, double a)
{
  if (isnan(x) || !(a > 0)) return (double)NAN;
  return exp(-a * log1p_exp_neg(x));
}

double mn_generalized_logistic_slope(double x, double a)
{
  return a * mn_generalized_logistic(x, a) * mn_logistic(-x);
}

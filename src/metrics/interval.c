#include "interval.h"
#include "../stats/special.h"
#include <math.h>

mn_interval mn_normal_interval(double p, double n, double level)
{
  const double reach = mn_normal_isf((1 - level) / 2) * sqrt(p * (1 - p) / n);
  return (mn_interval){ fmax(p - reach, 0), fmin(p + reach, 1) };
}

mn_interval mn_wilson_interval(double p, double n, double level)
{
  const double z = mn_normal_isf((1 - level) / 2), z2 = z * z;
  const double center = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double reach = z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  /* at p = 0 and 1 the bound is exact */
  return (mn_interval){ p > 0 ? fmax(center - reach, 0) : 0, p < 1 ? fmin(center + reach, 1) : 1 };
}

double mn_mcnemar(double first, double second, bool exact, bool correct, double *statistic)
{
  const double n = first + second, less = first < second ? first : second;
  *statistic = exact ? less : 0;
  if (!(n > 0)) return 1;
  if (exact) return fmin(2 * mn_binomial_cdf(less, n, 0.5), 1);
  const double difference = fmax(fabs(first - second) - (correct ? 1 : 0), 0);
  *statistic = difference * difference / n;
  return mn_chi2_sf(*statistic, 1);
}

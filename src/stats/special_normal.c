/* The standard normal distribution. */
#include "special.h"
#include "special_parts.h"
#include <math.h>

double mn_normal_logpdf(double x)
{
  return -0.5 * x * x - MN_LOG_SQRT_2PI;
}

double mn_normal_pdf(double x)
{
  if (fabs(x) > 1e100) return 0;
  const double square = x * x, low = fma(x, x, -square); /* corrects the rounding of x^2, which matters far out */
  return MN_INV_SQRT_2PI * exp(-0.5 * square) * (1 - 0.5 * low);
}

double mn_normal_sf(double x)
{
  const double r = 0.70710678118654752440, r_low = -4.8336466567264565e-17; /* 1 / sqrt(2) = r + r_low */
  const double z = x * r, tail = 0.5 * erfc(z);
  if (!(z > 1 && z < 27)) return tail;
  /* the rounding error of z, corrected by the derivative of log erfc, about -2 z - 1 / z far out */
  const double z_low = fma(x, r, -z) + x * r_low;
  return tail - z_low * exp(-z * z) / 1.77245385090551602730;
}

double mn_normal_cdf(double x)
{
  return mn_normal_sf(-x);
}

double mn_normal_logsf(double x)
{
  if (x <= -1) return log1p(-mn_normal_sf(-x)) + 0.0;
  if (!(x > 20)) return log(mn_normal_sf(x));
  /* DLMF 7.12.1: sf = pdf / x [1 - 1/x^2 + 3/x^4 - 15/x^6 ..] */
  const double q = 1 / (x * x);
  double sum = 0, term = -q;
  for (int k = 3; k < 17; k += 2) {
    sum += term;
    term *= -k * q;
  }
  return mn_normal_logpdf(x) - log(x) + log1p(sum);
}

double mn_normal_logcdf(double x)
{
  return mn_normal_logsf(-x);
}

static double horner(const double *c, double x) /* 8 coefficients */
{
  double sum = c[7];
  for (int k = 6; k >= 0; k--) sum = sum * x + c[k];
  return sum;
}

/* Coefficients of the rational approximations of the normal quantile near the center, in the middle and far out:
 * M. J. Wichura, Algorithm AS 241: The Percentage Points of the Normal Distribution, Appl. Statist. 37 (1988), PPND16.
 */
static const double central_numerator[] = { 3.3871328727963666080,    1.3314166789178437745e+2,
                                            1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                            4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                            3.3430575583588128105e+4, 2.5090809287301226727e+3 };
static const double central_denominator[] = { 1.0,
                                              4.2313330701600911252e+1,
                                              6.8718700749205790830e+2,
                                              5.3941960214247511077e+3,
                                              2.1213794301586595867e+4,
                                              3.9307895800092710610e+4,
                                              2.8729085735721942674e+4,
                                              5.2264952788528545610e+3 };
static const double middle_numerator[] = { 1.42343711074968357734,    4.63033784615654529590,
                                           5.76949722146069140550,    3.64784832476320460504,
                                           1.27045825245236838258,    2.41780725177450611770e-1,
                                           2.27238449892691845833e-2, 7.74545014278341407640e-4 };
static const double middle_denominator[] = { 1.0,
                                             2.05319162663775882187,
                                             1.67638483018380384940,
                                             6.89767334985100004550e-1,
                                             1.48103976427480074590e-1,
                                             1.51986665636164571966e-2,
                                             5.47593808499534494600e-4,
                                             1.05075007164441684324e-9 };
static const double far_numerator[] = { 6.65790464350110377720,    5.46378491116411436990,    1.78482653991729133580,
                                        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                        2.71155556874348757815e-5, 2.01033439929228813265e-7 };
static const double far_denominator[] = { 1.0,
                                          5.99832206555887937690e-1,
                                          1.36929880922735805310e-1,
                                          1.48753612908506148525e-2,
                                          7.86869131145613259100e-4,
                                          1.84631831751005468180e-5,
                                          1.42151175831644588870e-7,
                                          2.04426310338993978564e-15 };

double mn_normal_quantile(double p)
{
  if (!(p >= 0 && p <= 1)) return NAN;
  if (p == 0 || p == 1) return p == 0 ? -INFINITY : INFINITY;
  const double q = p - 0.5;
  if (fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * horner(central_numerator, r) / horner(central_denominator, r);
  }
  const double r = sqrt(-log(fmin(p, 1 - p)));
  const double z = r <= 5 ? horner(middle_numerator, r - 1.6) / horner(middle_denominator, r - 1.6)
                          : horner(far_numerator, r - 5) / horner(far_denominator, r - 5);
  return q < 0 ? -z : z;
}

double mn_normal_isf(double q)
{
  return -mn_normal_quantile(q);
}

/* The gamma function, its logarithm and derivatives, and log B.
 *
 * The tables are Chebyshev coefficients of the named functions, computed with 60 digits; `special.py coefficients` in
 * spec/fixtures prints them. DLMF is the NIST Digital Library of Mathematical Functions, dlmf.nist.gov. */
#include "special.h"
#include "special_parts.h"
#include <math.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* c[0] + c[1] T_1(t) + .. + c[n-1] T_{n-1}(t), -1 <= t <= 1, by Clenshaw's recurrence. */
static double chebyshev(const double *c, int n, double t)
{
  double b0 = 0, b1 = 0;
  for (int k = n - 1; k > 0; k--) {
    const double b2 = b1;
    b1 = b0;
    b0 = c[k] + 2 * t * b1 - b2;
  }
  return c[0] + t * b0 - b1;
}

/* 12 a times the Stirling error, over q = 1 / a^2 in 0..1/4. */
static const double stirling_table[] = {
  0.9960291325653564318,    -0.003909580458823040917,  0.00005910035214546694178, -2.058559164336711152e-6,
  1.175695385103123848e-7,  -9.395619777726819036e-9,  9.603136812200995188e-10,  -1.186089415417578135e-10,
  1.703616873199393516e-11, -2.769041131021378901e-12, 4.991622224138938565e-13,  -9.827653789609617083e-14,
  2.088127918919800502e-14, -4.742664093770600906e-15, 1.142580186075021423e-15,  -2.901239868794906426e-16,
  7.723326277649275682e-17,
};

/* log Gamma(2 + z) / z over z in -1/2..1/2. */
static const double lgamma_table[] = {
  0.4141861249215667347,      0.1632217006876006495,    -0.008658972394126283981,  0.0006727515726001485169,
  -0.00006139556963628233641, 6.110065797003576123e-6,  -6.410003033826222393e-7,  6.962242692768950649e-8,
  -7.747248733788217258e-9,   8.774075140687239219e-10, -1.007026686983019872e-10, 1.167860213065237363e-11,
  -1.365687133474493206e-12,  1.607935114971155137e-13, -1.903950108848873232e-14, 2.265376876783306373e-15,
  -2.706656814831896269e-16,  3.24566073162619082e-17,
};

/* 1 / Gamma(1 + z) over z in 0..1. */
static const double reciprocal_table[] = {
  1.063773007805261976,     -0.004985587286840035948,   -0.06419254361091582288,   0.005065798640286087251,
  0.0004166091387096888647, -0.00008048141249784711429, 2.960011775188016966e-6,   2.689759964405954836e-7,
  -3.339646306868369426e-8, 1.089653864544186621e-9,    5.138501863242269788e-11,  -6.600741004112951974e-12,
  2.476916303482541326e-13, 2.20039078172259553e-15,    -6.707186064779081842e-16, 3.131734582312339627e-17,
};

/* [psi(1 + x) - psi(1 + r)] / (x - r) over x in 1..2, r the root of psi. */
static const double digamma_table[] = {
  0.4997913673590991309,     -0.06105741498811540473,   0.004886657109691871499,  -0.0004332971326961145654,
  0.00004042677461769073547, -3.881550420334524541e-6,  3.792061183634925504e-7,  -3.745538875132915104e-8,
  3.72619175422585843e-9,    -3.724694294003321139e-10, 3.735257755218198781e-11, -3.754155917051602533e-12,
  3.778925294202163753e-13,  -3.807904761679204302e-14, 3.839957750398631272e-15, -3.874298194575031679e-16,
  3.910378182464680601e-17,
};

double mn_stirling_error(double a)
{
  if (a >= 2) return chebyshev(stirling_table, COUNT(stirling_table), 8 / (a * a) - 1) / (12 * a);
  /* substitutes Gamma(a) = Gamma(a + 1) / a */
  return mn_stirling_error(a + 1) + ((a + 0.5) * log1p(1 / a) - 1);
}

/* log Gamma(2 + z), |z| <= 1/2. */
static double lgamma2p(double z)
{
  return z * chebyshev(lgamma_table, COUNT(lgamma_table), 2 * z);
}

double mn_lgamma1p(double z)
{
  if (z <= 0.5) return lgamma2p(z) - log1p(z);
  if (z <= 1.5) return lgamma2p(z - 1);
  return mn_lgamma(1 + z);
}

/* |sin(pi x)| for x < 0, by the distance to the nearest integer, which is exact. */
static double abs_sin_pi(double x)
{
  const double r = x - floor(x);
  return sin(MN_PI * fmin(r, 1 - r));
}

double mn_lgamma(double x)
{
  if (isnan(x)) return x;
  if (isinf(x)) return INFINITY;
  if (x <= 0) { /* DLMF 5.5.3 */
    if (x == floor(x)) return INFINITY;
    return log(MN_PI / abs_sin_pi(x)) - mn_lgamma(1 - x);
  }
  if (x < 0.5) return mn_lgamma1p(x) - log(x);
  if (x <= 2.5) return mn_lgamma1p(x - 1);
  return (x - 0.5) * log(x) - x + MN_LOG_SQRT_2PI + mn_stirling_error(x);
}

/* Gamma(x), x >= 12. The power is split into two halves, so that it overflows only if the result does. */
static double gamma_by_stirling(double x)
{
  const double half_power = pow(x, 0.5 * x - 0.25);
  return MN_SQRT_2PI * exp(mn_stirling_error(x)) * (half_power * exp(-x)) * half_power;
}

double mn_gamma(double x)
{
  if (isnan(x) || x == INFINITY) return x;
  if (x <= 0 && x == floor(x)) return NAN;
  if (x > 172) return INFINITY;
  if (x < -184) return 0; /* below the smallest double */
  if (x >= 12) return gamma_by_stirling(x);
  double product = 1;
  for (; x > 2; x--) product *= x - 1;
  for (; x < 0; x++) product /= x;
  if (x <= 1) return product / (x * chebyshev(reciprocal_table, COUNT(reciprocal_table), 2 * x - 1));
  return product / chebyshev(reciprocal_table, COUNT(reciprocal_table), 2 * x - 3);
}

/* sum_{k=1..n} c[k-1] / x^{2k} */
static double inverse_square_series(const double *c, int n, double x)
{
  const double q = 1 / (x * x);
  double sum = 0;
  for (int k = n - 1; k >= 0; k--) sum = (sum + c[k]) * q;
  return sum;
}

/* psi(x), 1 <= x <= 2, with the difference from the root as a factor, so that the zero has full relative accuracy. From
 * psi(x) = psi(1 + x) - 1/x (DLMF 5.5.2) at x and at the root. */
static double digamma_near_root(double x)
{
  const double root = 1.4616321449683622458, root_low = 9.549995429965697715e-17;
  return ((x - root) - root_low) * (chebyshev(digamma_table, COUNT(digamma_table), 2 * x - 3) + 1 / (x * root));
}

double mn_digamma(double x)
{
  static const double series[] = { /* B_2k / 2k */
                                   1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                   1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160
  };
  if (isnan(x) || x == INFINITY) return x;
  if (x <= 0) { /* DLMF 5.5.4 */
    if (x == floor(x)) return NAN;
    const double r = x - floor(x);
    return mn_digamma(1 - x) - MN_PI / tan(MN_PI * (r <= 0.5 ? r : r - 1));
  }
  if (x >= 10) return log(x) - 0.5 / x - inverse_square_series(series, COUNT(series), x); /* DLMF 5.11.2 */
  if (x < 1) return digamma_near_root(1 + x) - 1 / x;
  double sum = 0;
  for (; x > 2; x--) sum += 1 / (x - 1);
  return sum + digamma_near_root(x);
}

double mn_trigamma(double x)
{
  static const double series[] = { /* B_2k */
                                   1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,    5.0 / 66,
                                   -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798
  };
  if (isnan(x)) return x;
  if (x == INFINITY) return 0;
  if (x <= 0) { /* DLMF 5.15.6 */
    if (x == floor(x)) return NAN;
    const double ratio = MN_PI / abs_sin_pi(x);
    return ratio * ratio - mn_trigamma(1 - x);
  }
  double sum = 0;
  for (; x < 10; x++) sum += 1 / (x * x);
  return sum + (1 + 0.5 / x + inverse_square_series(series, COUNT(series), x)) / x; /* DLMF 5.15.8 */
}

double mn_lgamma_ratio(double b, double a)
{
  double shift = 0;
  for (; b < 2; b++) shift += log1p(a / b);
  if (a > b) return mn_lgamma(a + b) - mn_lgamma(b) - shift;
  const double sum = a + b;
  return (b - 0.5) * log1p(a / b) + a * (log(sum) - 1) + (mn_stirling_error(sum) - mn_stirling_error(b)) - shift;
}

double mn_lbeta(double a, double b)
{
  if (!(a > 0 && b > 0)) return NAN;
  if (isinf(a) || isinf(b)) return -INFINITY;
  if (a == 1 || b == 1) return 0 - log(a * b); /* passes through zero at (1, 1) */
  const double small = fmin(a, b), large = fmax(a, b);
  if (small < 10) return mn_lgamma(small) - mn_lgamma_ratio(large, small);
  const double errors = mn_stirling_error(a) + mn_stirling_error(b) - mn_stirling_error(a + b);
  return (small - 0.5) * log(small / (small + large)) - large * log1p(small / large) - 0.5 * log(large) +
         MN_LOG_SQRT_2PI + errors;
}

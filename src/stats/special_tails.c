/* The regularized incomplete gamma and beta functions, both tails at once.
 *
 * Each tail is the density at its boundary times an integral over the tail:
 *
 *     P(a, x)   = x^a e^-x / Gamma(a)   int_0^inf exp(-E(s)) ds        t = x e^-s,     x <= a
 *     Q(a, x)   = x^a e^-x / Gamma(a)   int_0^inf exp(-E(s)) ds        t = x (1 + s),  x >= a
 *     I_x(a, b) = x^a y^b / B(a, b)     int_0^inf exp(-E(s)) ds / y    t = x e^-s,     x <= a / (a + b), y = 1 - x
 *
 * with an exponent E that starts at 0 and grows. The first factor is written with Stirling errors and deviances (Loader
 * 2000), which avoids cancellation for large parameters. The integrand is positive and E is a sum of positive terms, so
 * there is no cancellation either, and the trapezoidal rule after a double exponential change of variable reaches
 * working precision with about 60 points for all parameters: H. Takahasi & M. Mori, Double
 * exponential formulas for numerical integration, Publ. RIMS 9 (1974); L. N. Trefethen & J. A. C. Weideman, SIAM
 * Review 56 (2014). For moderate parameters the classical series and continued fractions give the same integrals
 * ten times faster, and are tried first. A power series is used for small shapes, for which the lower tail is nearly 1
 * even at tiny x. */
#include "special_parts.h"
#include "special.h"
#include <math.h>

#define MAX_SERIES_PARAMETER 1000 /* above this only the integral is used */

mn_tails mn_tails_nan(void)
{
  return (mn_tails){ NAN, NAN, NAN, NAN, NAN, NAN };
}

mn_tails mn_tails_at_lower_end(void)
{
  return (mn_tails){ 0, 1, -INFINITY, 0, 0, 0 };
}

mn_tails mn_tails_at_upper_end(void)
{
  return (mn_tails){ 1, 0, 0, -INFINITY, 0, 0 };
}

mn_tails mn_tails_swap(mn_tails t)
{
  return (mn_tails){ t.upper, t.lower, t.log_upper, t.log_lower, t.fall, t.rise };
}

/* log(1 - p), never -0. */
static double log_complement(double p)
{
  return log1p(-p) + 0.0;
}

/* From the lower tail: factor * exp(log_scale), and the density divided by it. */
static mn_tails tails_from_lower(double factor, double log_scale, double rise)
{
  const double lower = factor * exp(log_scale), upper = 1 - lower;
  return (mn_tails){ .lower = lower,
                     .upper = upper,
                     .log_lower = log(factor) + log_scale,
                     .log_upper = log_complement(lower),
                     .rise = rise,
                     .fall = rise * lower / upper };
}

/* From log P and S - 1, where the lower tail is P S with P <= 1 and S near 1, so that a tiny upper tail is accurate;
 * and the density divided by P. */
static mn_tails tails_from_series(double log_p, double s1, double density)
{
  const double p = exp(log_p), lower = p * (1 + s1), upper = -expm1(log_p) - p * s1;
  return (mn_tails){ .lower = lower,
                     .upper = upper,
                     .log_lower = upper < 0.5 ? log_complement(upper) : log_p + log1p(s1),
                     .log_upper = lower < 0.5 ? log_complement(lower) : log(upper),
                     .rise = density / (1 + s1),
                     .fall = density * p / upper };
}

/* u - 1 - log u for |u - 1| small. With v = (u - 1) / (u + 1), log u = 2 artanh v = 2 (v + v^3/3 + v^5/5 ..) and
 * u - 1 - 2 v = (u - 1) v. */
static double deviance_near_1(double e)
{
  static const double c[] = { 1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17,
                              1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27, 1.0 / 29, 1.0 / 31, 1.0 / 33 };
  const double v = e / (2 + e), q = v * v;
  double sum = 0;
  for (int k = q < 0.01 ? 6 : 15; k >= 0; k--) sum = sum * q + c[k];
  return e * v - 2 * v * q * sum;
}

/* u - 1 - log u >= 0, given u and e = u - 1, each with full relative accuracy. Densities written with these deviance
 * terms do not suffer cancellation: C. Loader, Fast and Accurate Computation of Binomial Probabilities (2000). */
static double deviance(double u, double e)
{
  if (e >= -0.5 && e <= 1) return deviance_near_1(e);
  return e < 1e300 ? e - log(u) : e;
}

/* s - (1 - e^-s), s >= 0; w = 1 - e^-s. */
static double decay_deviance(double s, double w)
{
  static const double c[] = {
    1.0 / 2,     -1.0 / 6,      1.0 / 24,      -1.0 / 120,      1.0 / 720,       -1.0 / 5040,
    1.0 / 40320, -1.0 / 362880, 1.0 / 3628800, -1.0 / 39916800, 1.0 / 479001600,
  };
  if (s > 0.5) return s - w;
  double sum = 0;
  for (int k = s < 0.02 ? 6 : 10; k >= 0; k--) sum = sum * s + c[k];
  return sum * s * s;
}

/* ---------- the integral ---------- */

typedef double (*exponent_function)(const void *parameters, double s);

/* Integral over s > 0 of exp(-exponent(s)), where exponent(0) = 0 and the exponent eventually grows at least linearly.
 * `scale` is roughly where it reaches 1 (a factor of 100 either way is harmless). */
static double decay_integral(exponent_function exponent, const void *parameters, double scale)
{
  const double h = 1.0 / 8, far = 45; /* e^-45 is negligible */
  double sum = 0;
  for (int k = 0; k < 1000; k++) { /* s = exp(u - e^-u), in units of scale */
    const double inner = exp(-h * k), s = exp(h * k - inner), e = exponent(parameters, scale * s);
    if (!(e < far)) break;
    sum += s * (1 + inner) * exp(-e);
  }
  for (int k = -1; k > -1000; k--) {
    const double inner = exp(-h * k), s = exp(h * k - inner), weight = s * (1 + inner);
    if (!(weight > 1e-18 * sum)) break;
    sum += weight * exp(-exponent(parameters, scale * s));
  }
  return sum * h * scale;
}

/* ---------- gamma ---------- */

mn_gamma_point mn_gamma_point_at(double a, double x, double x_low)
{
  return (mn_gamma_point){ a, x, (x - a) + x_low };
}

double mn_gamma_log_power(mn_gamma_point p)
{
  const double d = p.a * deviance(p.x / p.a, p.excess / p.a);
  return 0.5 * log(p.a) - MN_LOG_SQRT_2PI - mn_stirling_error(p.a) - d;
}

static double gamma_lower_exponent(const void *parameters, double s)
{
  const mn_gamma_point *p = parameters;
  return -p->excess * s + p->x * decay_deviance(s, -expm1(-s));
}

static double gamma_upper_exponent(const void *parameters, double s)
{
  const mn_gamma_point *p = parameters;
  if (p->a < 1) return p->x * s + (1 - p->a) * log1p(s);
  return (p->excess + 1) * s + (p->a - 1) * deviance(1 + s, s);
}

/* DLMF 8.7.1: P(a, x) = x^a / Gamma(a + 1) [1 + a sum_{n>0} (-x)^n / (n! (a + n))] */
static mn_tails gamma_series(mn_gamma_point p)
{
  double sum = 0, power = -p.x;
  for (int n = 1; fabs(power) > 1e-18 * n * fabs(sum); n++) {
    sum += power / (p.a + n);
    power *= -p.x / (n + 1);
  }
  return tails_from_series(p.a * log(p.x) - mn_lgamma1p(p.a), p.a * sum, p.a * exp(-p.x));
}

/* The integrals by series or continued fraction, which are faster; 0 if these do not converge soon: DLMF 8.11.4, and
 * 8.9.2 by the method of Lentz. */
static double gamma_lower_series(mn_gamma_point p)
{
  double sum = 1, term = 1;
  for (int n = 1; n < 80; n++) {
    term *= p.x / (p.a + n);
    sum += term;
    if (term < 1e-17 * sum) return sum / p.a;
  }
  return 0;
}

static double gamma_upper_fraction(mn_gamma_point p)
{
  double start = p.excess + 1, c = INFINITY, d = 1 / start, h = d; /* start + 2n = x + 2n + 1 - a */
  for (int n = 1; n < 60; n++) {
    const double numerator = -n * (n - p.a);
    start += 2;
    d = 1 / (start + numerator * d);
    c = start + numerator / c;
    h *= c * d;
    if (fabs(c * d - 1) < 4e-16) return h > 0 ? h : 0;
  }
  return 0;
}

static double gamma_integral(mn_gamma_point p, bool upper)
{
  double sum = 0;
  if (p.a <= MAX_SERIES_PARAMETER) sum = upper ? gamma_upper_fraction(p) : gamma_lower_series(p);
  if (sum > 0) return sum;
  const double steepness = upper ? fmax(p.excess + 1, sqrt(p.a)) : fmax(-p.excess, sqrt(p.x));
  return decay_integral(upper ? gamma_upper_exponent : gamma_lower_exponent, &p, 1 / steepness);
}

mn_tails mn_gamma_tails(mn_gamma_point p)
{
  if (p.a < 1 && p.x < 0.5) return gamma_series(p);
  const double d = p.a * deviance(p.x / p.a, p.excess / p.a), factor_power = sqrt(p.a) * MN_INV_SQRT_2PI;
  const double log_scale = -d - mn_stirling_error(p.a);
  const bool upper = p.excess > 0;
  const double sum = gamma_integral(p, upper);
  const mn_tails t = tails_from_lower(factor_power * sum, log_scale, 1 / sum);
  return upper ? mn_tails_swap(t) : t;
}

double mn_gamma_p(double a, double x)
{
  if (!(mn_is_shape(a) && x >= 0)) return NAN;
  if (x == 0) return 0;
  return x == INFINITY ? 1 : mn_gamma_tails(mn_gamma_point_at(a, x, 0)).lower;
}

double mn_gamma_q(double a, double x)
{
  if (!(mn_is_shape(a) && x >= 0)) return NAN;
  if (x == 0) return 1;
  return x == INFINITY ? 0 : mn_gamma_tails(mn_gamma_point_at(a, x, 0)).upper;
}

/* ---------- beta ---------- */

mn_beta_point mn_beta_point_at(double a, double b, double x)
{
  /* (a + b) x - a, with the rounding errors of sum and product */
  const double sum = a + b, part = sum - a, sum_low = (a - (sum - part)) + (b - part);
  const double product = sum * x, product_low = fma(sum, x, -product);
  return (mn_beta_point){ a, b, x, 1 - x, (product - a) + (product_low + sum_low * x) };
}

mn_beta_point mn_beta_point_at_odds(double a, double b, double odds)
{
  const double product = b * odds, product_low = fma(b, odds, -product), y = 1 / (1 + odds);
  return (mn_beta_point){ a, b, odds < 1 ? odds * y : 1 / (1 + 1 / odds), y, y * ((product - a) + product_low) };
}

static mn_beta_point swap_point(mn_beta_point p)
{
  return (mn_beta_point){ p.b, p.a, p.y, p.x, -p.excess };
}

/* x^a y^b / B(a, b) = front exp(log_scale) */
static double beta_power(mn_beta_point p, double *log_scale)
{
  const double sum = p.a + p.b;
  const double da = p.a * deviance(p.x / p.a * sum, p.excess / p.a);
  const double db = p.b * deviance(p.y / p.b * sum, -p.excess / p.b);
  *log_scale = (mn_stirling_error(sum) - mn_stirling_error(p.a) - mn_stirling_error(p.b)) - (da + db);
  return sqrt(fmin(p.a, p.b) * (fmax(p.a, p.b) / sum)) * MN_INV_SQRT_2PI;
}

double mn_beta_log_power(mn_beta_point p)
{
  double log_scale;
  const double factor_power = beta_power(p, &log_scale);
  return log(factor_power) + log_scale;
}

static double beta_exponent(const void *parameters, double s)
{
  const mn_beta_point *p = parameters;
  const double w = -expm1(-s), odds = p->x / p->y;
  if (p->b < 1) return p->a * s + (1 - p->b) * log1p(odds * w);
  const double start = (p->x - p->excess) / p->y; /* a - (b - 1) odds, the slope at s = 0 */
  return start * s + (p->b - 1) * (odds * decay_deviance(s, w) + deviance(1 + odds * w, odds * w));
}

/* The integral divided by y, by a continued fraction; 0 if it does not converge soon: DLMF 8.17.22 by the method of
 * Lentz. */
static double beta_fraction(mn_beta_point p)
{
  const double a = p.a, b = p.b, x = p.x;
  if (fmax(a, b) > MAX_SERIES_PARAMETER) return 0;
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
  for (int m = 1; m < 40; m++) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    h *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    h *= c * d;
    if (fabs(c * d - 1) < 4e-16) return h > 0 ? h / a : 0;
  }
  return 0;
}

static double beta_integral(mn_beta_point p)
{
  const double quick = beta_fraction(p), odds = p.x / p.y;
  if (quick > 0) return quick;
  const double steepness =
      p.b < 1 ? p.a + (1 - p.b) * odds : fmax((p.x - p.excess) / p.y, sqrt((p.b - 1) * odds * (1 + odds)));
  return decay_integral(beta_exponent, &p, 1 / steepness) / p.y;
}

/* The lower tail at or below the mean. */
static mn_tails beta_lower_tail(mn_beta_point p)
{
  double log_scale;
  const double factor_power = beta_power(p, &log_scale), sum = beta_integral(p);
  return tails_from_lower(factor_power * sum, log_scale, 1 / sum);
}

mn_tails mn_beta_far_tails(double a, double b, double log_x)
{
  return tails_from_series(a * log_x + mn_lgamma_ratio(b, a) - mn_lgamma1p(a), 0, a);
}

/* DLMF 8.17.7: I_x(a, b) = x^a Gamma(a + b) / (Gamma(a + 1) Gamma(b)) [1 + a sum_{n>0} (1 - b)_n x^n / (n! (a + n))] */
static mn_tails beta_series(mn_beta_point p)
{
  double sum = 0, term = (1 - p.b) * p.x;
  for (int n = 1; fabs(term) > 1e-18 * n * fabs(sum); n++) {
    sum += term / (p.a + n);
    term *= (n + 1 - p.b) * p.x / (n + 1);
  }
  return tails_from_series(p.a * log(p.x) + mn_lgamma_ratio(p.b, p.a) - mn_lgamma1p(p.a), p.a * sum,
                           p.a * exp(p.b * log1p(-p.x)));
}

mn_tails mn_beta_tails(mn_beta_point p)
{
  const mn_beta_point q = swap_point(p);
  if (p.a < 1 && p.x <= 0.5 && p.b * p.x < 0.5) return beta_series(p);
  if (q.a < 1 && q.x <= 0.5 && q.b * q.x < 0.5) return mn_tails_swap(beta_series(q));
  return p.excess <= 0 ? beta_lower_tail(p) : mn_tails_swap(beta_lower_tail(q));
}

double mn_beta_i(double a, double b, double x)
{
  if (!(mn_is_shape(a) && mn_is_shape(b) && x >= 0 && x <= 1)) return NAN;
  if (x == 0 || x == 1) return x;
  return mn_beta_tails(mn_beta_point_at(a, b, x)).lower;
}

double mn_beta_ic(double a, double b, double x)
{
  if (!(mn_is_shape(a) && mn_is_shape(b) && x >= 0 && x <= 1)) return NAN;
  if (x == 0 || x == 1) return 1 - x;
  return mn_beta_tails(mn_beta_point_at(a, b, x)).upper;
}

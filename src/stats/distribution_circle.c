/* The von Mises distribution of angles in radians: mean, concentration.
 *
 *     f(x) = exp(k cos(x - m)) / (2 pi I_0(k)),        x from m - pi to m + pi
 *
 * Mardia & Jupp, Directional Statistics (2000), section 3.5. The density is periodic and defined for every x; tails and
 * quantiles refer to the interval from m - pi to m + pi. */
#include "distribution.h"
#include "special_parts.h"
#include <float.h>
#include <math.h>

/* exp(-k) I_n(k), n = 0 or 1: the power series, whose terms are all positive, or the asymptotic series for large k. */
static double scaled_bessel(int n, double k)
{
  double term = 1, sum = 1;
  if (k < 30) {
    for (int j = 1; term > DBL_EPSILON / 4 * sum; j++) sum += term *= k * k / (4.0 * j * (j + n));
    return sum * exp(-k) * (n == 0 ? 1 : k / 2);
  }
  for (int j = 1; fabs(term) > DBL_EPSILON / 4; j++)
    sum += term *= ((2 * j - 1) * (2 * j - 1) - 4.0 * n) / (8.0 * j * k);
  return sum / sqrt(2 * MN_PI * k);
}

/* I_1 / I_0: the mean of cos(x - m). */
static double mean_cosine(double k)
{
  return scaled_bessel(1, k) / scaled_bessel(0, k);
}

/* 1 - mean_cosine(k) without cancellation: for large k by the series of I_0 - I_1. */
static double mean_versine(double k)
{
  if (k < 30) return 1 - mean_cosine(k);
  double zero = 1, one = 1, difference = 0;
  for (int j = 1; fabs(zero) > DBL_EPSILON * 1e-3 && j < 60; j++) {
    zero *= (2.0 * j - 1) * (2.0 * j - 1) / (8.0 * j * k);
    one *= ((2.0 * j - 1) * (2.0 * j - 1) - 4) / (8.0 * j * k);
    difference += zero - one;
  }
  return difference / (scaled_bessel(0, k) * sqrt(2 * MN_PI * k));
}

/* The integral of weight(t) exp(k (cos t - cos to)) for t from -pi to `to` <= 0, by the 16-point Gauss-Legendre rule on
 * eight intervals over the range where the integrand is not negligible. */
static double integral_up_to(double to, double k, double (*weight)(double t))
{
  static const double gauss_node[8] = { 0.09501250983763744, 0.2816035507792589, 0.45801677765722737,
                                        0.6178762444026438,  0.755404408355003,  0.8656312023878318,
                                        0.9445750230732326,  0.9894009349916499 };
  static const double gauss_weight[8] = { 0.1894506104550685,  0.18260341504492358, 0.16915651939500254,
                                          0.14959598881657676, 0.12462897125553388, 0.09515851168249279,
                                          0.0622535239386479,  0.027152459411754058 };
  enum { PARTS = 8 };
  const double at = sin(to / 2), cutoff = at * at + 45 / (2 * k); /* cos t = 1 - 2 sin^2(t / 2) */
  const double from = cutoff < 1 ? -2 * asin(sqrt(cutoff)) : -MN_PI, half = (to - from) / (2 * PARTS);
  double sum = 0;
  for (int part = 0; part < PARTS; part++)
    for (int i = 0; i < 16; i++) {
      const double x = i < 8 ? gauss_node[i] : -gauss_node[i - 8], t = from + half * (2 * part + 1 + x);
      const double product = 2 * k * sin((to + t) / 2) * sin((to - t) / 2); /* k (cos t - cos to) */
      sum += gauss_weight[i % 8] * weight(t) * exp(product);
    }
  return half * sum;
}

static double one(double t)
{
  (void)t;
  return 1;
}

static double squared(double t)
{
  return t * t;
}

/* The probability of an angle below z from the mean, -pi <= z <= 0. */
static double tail(double z, double k)
{
  const double s = sin(z / 2);
  return exp(-2 * k * s * s) * integral_up_to(z, k, one) / (2 * MN_PI * scaled_bessel(0, k));
}

/* The z <= 0 with tail(z) = q <= 1/2, by bracketed Newton iteration on the logarithm. */
static double tail_quantile(double q, double k)
{
  double low = -MN_PI, high = 0, z = fmax(-MN_PI / 2, -1 / sqrt(k));
  if (q == 0) return -MN_PI;
  if (q >= 0.5) return 0;
  for (int round = 0; round < 200 && high - low > DBL_EPSILON * fabs(z); round++) {
    const double mass = tail(z, k), s = sin(z / 2);
    if (mass < q)
      low = z;
    else
      high = z;
    const double density = exp(-2 * k * s * s) / (2 * MN_PI * scaled_bessel(0, k));
    double next = z - log(mass / q) * mass / density;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (fabs(next - z) <= DBL_EPSILON * fabs(z)) return next;
    z = next;
  }
  return z;
}

static double von_mises_log_density(const double *p, double x)
{
  const double s = sin((x - p[0]) / 2);
  return -2 * p[1] * s * s - log(2 * MN_PI * scaled_bessel(0, p[1]));
}
static double von_mises_cdf(const double *p, double x)
{
  const double z = x - p[0];
  if (isnan(z)) return (double)NAN;
  return z <= -MN_PI ? 0 : z >= MN_PI ? 1 : z <= 0 ? tail(z, p[1]) : 1 - tail(-z, p[1]);
}
static double von_mises_sf(const double *p, double x)
{
  const double z = x - p[0];
  if (isnan(z)) return (double)NAN;
  return z <= -MN_PI ? 1 : z >= MN_PI ? 0 : z >= 0 ? tail(-z, p[1]) : 1 - tail(z, p[1]);
}
static double von_mises_quantile(const double *p, double q)
{
  if (!(q >= 0 && q <= 1)) return (double)NAN;
  return p[0] + (q <= 0.5 ? tail_quantile(q, p[1]) : -tail_quantile(1 - q, p[1]));
}
static double von_mises_isf(const double *p, double q)
{
  if (!(q >= 0 && q <= 1)) return (double)NAN;
  return p[0] - (q <= 0.5 ? tail_quantile(q, p[1]) : -tail_quantile(1 - q, p[1]));
}
static double von_mises_mean(const double *p)
{
  return p[0];
}
static double von_mises_variance(const double *p)
{
  return integral_up_to(0, p[1], squared) / (MN_PI * scaled_bessel(0, p[1]));
}
static double von_mises_entropy(const double *p)
{
  return log(2 * MN_PI * scaled_bessel(0, p[1])) + p[1] * mean_versine(p[1]);
}

/* The expectation under p of k_q (1 - cos(x - m_q)) - k_p (1 - cos(x - m_p)), plus the log normalizing constants. */
static double von_mises_kl(const double *p, const double *q)
{
  const double s = sin((p[0] - q[0]) / 2), versine = mean_versine(p[1]);
  return log(scaled_bessel(0, q[1]) / scaled_bessel(0, p[1])) + (q[1] - p[1]) * versine +
         2 * q[1] * s * s * (1 - versine);
}

/* Best & Fisher, Appl. Statist. 28 (1979). */
static double von_mises_sample(const double *p, mn_rng *rng)
{
  const double k = p[1];
  if (k < 1e-8) return p[0] + MN_PI * (2 * mn_random_uniform(rng) - 1);
  if (k > 1e8) return p[0] + mn_random_normal(rng) / sqrt(k);
  const double t = 1 + sqrt(1 + 4 * k * k), r = (t - sqrt(2 * t)) / (2 * k), s = (1 + r * r) / (2 * r);
  for (;;) {
    const double z = cos(MN_PI * mn_random_uniform(rng)), f = (1 + s * z) / (s + z), c = k * (s - f);
    const double u = 1 - mn_random_uniform(rng);
    if (c * (2 - c) <= u && log(c / u) + 1 < c) continue;
    const double angle = acos(fmax(-1, fmin(1, f)));
    return p[0] + (mn_random_uniform(rng) < 0.5 ? -angle : angle);
  }
}

/* The concentration with mean cosine r = 1 - versine: Newton iteration from the approximations of Best & Fisher (1981);
 * for large k, where the versine is about 1 / (2 k), scaled proportionally. */
static double solve_concentration(double r, double versine)
{
  double k = r < 0.53 ? 2 * r + r * r * r : r < 0.85 ? -0.4 + 1.39 * r + 0.43 / (1 - r) : 1 / (2 * versine);
  for (int round = 0; round < 100 && k > 0; round++) {
    const double a = mean_cosine(k), now = mean_versine(k);
    double next = k < 30 ? k + (now - versine) / (1 - a / k - a * a) : k * now / versine;
    if (!(next > 0)) next = k / 2;
    const bool done = fabs(next - k) <= 1e-15 * k;
    k = next;
    if (done) break;
  }
  return k;
}

static mn_status von_mises_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  double total = 0, c = 0, s = 0, versine = 0;
  for (size_t i = 0; i < n; i++) {
    const double weight = w ? w[i] : 1;
    total += weight;
    c += weight * cos(x[i]);
    s += weight * sin(x[i]);
  }
  const double mean = atan2(s, c), r = hypot(c, s) / total;
  p[0] = mean;
  if (!isnan(p[1])) return MN_OK;
  for (size_t i = 0; i < n; i++) {
    const double half = sin((x[i] - mean) / 2);
    versine += (w ? w[i] : 1) / total * 2 * half * half;
  }
  if (!(versine > 5e-16))
    return mn_fail(ctx, MN_BAD_DATA, "von_mises: values must differ; otherwise the concentration is not finite");
  p[1] = solve_concentration(r, versine);
  return MN_OK;
}

const mn_distribution mn_circular_distributions[] = {
  { .name = "von_mises",
    .brief = "von Mises: angles, in radians",
    .parameters = { { "mean", "mean direction", 0, .low = -INFINITY, .high = INFINITY, .open = true },
                    { "concentration", "concentration about the mean direction; 0: uniform", 1, .low = 0, .high = 1e15,
                      .known = MN_KNOWN_OPTIONAL } },
    .log_density = von_mises_log_density,
    .cdf = von_mises_cdf,
    .sf = von_mises_sf,
    .quantile = von_mises_quantile,
    .isf = von_mises_isf,
    .mean = von_mises_mean,
    .variance = von_mises_variance,
    .entropy = von_mises_entropy,
    .kl = von_mises_kl,
    .sample = von_mises_sample,
    .fit = von_mises_fit },
  { .name = NULL },
};

#include "distribution.h"
#include "quantile.h"
#include "special.h"
#include <math.h>

static const double log_two_pi = 1.8378770664093454836;

void mn_distribution_moments(size_t n, const double *x, const double *w, double *count, double *mean, double *variance)
{
  double total = 0, m = 0, square = 0;
  for (size_t i = 0; i < n; i++) {
    const double weight = w ? w[i] : 1, delta = x[i] - m;
    if (!(weight > 0)) continue;
    total += weight;
    m += weight / total * delta;
    square += weight * delta * (x[i] - m);
  }
  *count = total;
  *mean = m;
  *variance = square / total;
}

/* Uniform on the open interval (0, 1). */
static double open_uniform(mn_rng *rng)
{
  return ((double)(mn_random_u64(rng) >> 12) + 0.5) * 0x1p-52;
}

/* --- normal: mean, sd --- */

static double dist_normal_log_density(const double *p, double x)
{
  return mn_normal_logpdf((x - p[0]) / p[1]) - log(p[1]);
}
static double dist_normal_cdf(const double *p, double x)
{
  return mn_normal_cdf((x - p[0]) / p[1]);
}
static double dist_normal_sf(const double *p, double x)
{
  return mn_normal_sf((x - p[0]) / p[1]);
}
static double dist_normal_quantile(const double *p, double q)
{
  return p[0] + p[1] * mn_normal_quantile(q);
}
static double dist_normal_isf(const double *p, double q)
{
  return p[0] + p[1] * mn_normal_isf(q);
}
static double dist_normal_mean(const double *p)
{
  return p[0];
}
static double dist_normal_variance(const double *p)
{
  return p[1] * p[1];
}
static double dist_normal_entropy(const double *p)
{
  return 0.5 * (log_two_pi + 1) + log(p[1]);
}
static double dist_normal_kl(const double *p, const double *q)
{
  const double ratio = p[1] / q[1], shift = (p[0] - q[0]) / q[1];
  return 0.5 * (shift * shift + (ratio - 1) * (ratio + 1)) - log(ratio);
}
static double dist_normal_sample(const double *p, mn_rng *rng)
{
  return p[0] + p[1] * mn_random_normal(rng);
}
static mn_status dist_normal_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  double count, mean, variance;
  (void)ctx;
  mn_distribution_moments(n, x, w, &count, &mean, &variance);
  if (isnan(p[0])) p[0] = mean;
  if (isnan(p[1])) p[1] = hypot(sqrt(variance), mean - p[0]);
  return MN_OK;
}

/* --- exponential: rate --- */

static double dist_exponential_log_density(const double *p, double x)
{
  return x < 0 ? -INFINITY : log(p[0]) - p[0] * x;
}
static double dist_exponential_cdf(const double *p, double x)
{
  return x <= 0 ? 0 : -expm1(-p[0] * x);
}
static double dist_exponential_sf(const double *p, double x)
{
  return x <= 0 ? 1 : exp(-p[0] * x);
}
static double dist_exponential_quantile(const double *p, double q)
{
  return q >= 0 && q <= 1 ? -log1p(-q) / p[0] : (double)NAN;
}
static double dist_exponential_isf(const double *p, double q)
{
  return q >= 0 && q <= 1 ? -log(q) / p[0] : (double)NAN;
}
static double dist_exponential_mean(const double *p)
{
  return 1 / p[0];
}
static double dist_exponential_variance(const double *p)
{
  return 1 / p[0] / p[0];
}
static double dist_exponential_entropy(const double *p)
{
  return 1 - log(p[0]);
}
static double dist_exponential_kl(const double *p, const double *q)
{
  return log(p[0] / q[0]) + q[0] / p[0] - 1;
}
static double dist_exponential_sample(const double *p, mn_rng *rng)
{
  return mn_random_exponential(rng) / p[0];
}
static mn_status dist_exponential_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  double count, mean, variance;
  (void)ctx;
  mn_distribution_moments(n, x, w, &count, &mean, &variance);
  p[0] = 1 / mean;
  return MN_OK;
}

/* --- laplace: location, scale --- */

static double dist_laplace_log_density(const double *p, double x)
{
  return -fabs(x - p[0]) / p[1] - log(2 * p[1]);
}
static double dist_laplace_cdf(const double *p, double x)
{
  const double z = (x - p[0]) / p[1];
  return z < 0 ? 0.5 * exp(z) : 1 - 0.5 * exp(-z);
}
static double dist_laplace_sf(const double *p, double x)
{
  const double z = (x - p[0]) / p[1];
  return z > 0 ? 0.5 * exp(-z) : 1 - 0.5 * exp(z);
}
static double dist_laplace_quantile(const double *p, double q)
{
  if (!(q >= 0 && q <= 1)) return (double)NAN;
  return p[0] + p[1] * (q < 0.5 ? log(2 * q) : -log(2 * (1 - q)));
}
static double dist_laplace_isf(const double *p, double q)
{
  if (!(q >= 0 && q <= 1)) return (double)NAN;
  return p[0] - p[1] * (q < 0.5 ? log(2 * q) : -log(2 * (1 - q)));
}
static double dist_laplace_variance(const double *p)
{
  return 2 * p[1] * p[1];
}
static double dist_laplace_entropy(const double *p)
{
  return 1 + log(2 * p[1]);
}
static double dist_laplace_kl(const double *p, const double *q)
{
  const double d = fabs(p[0] - q[0]);
  return log(q[1] / p[1]) + (p[1] * exp(-d / p[1]) + d) / q[1] - 1;
}
static double dist_laplace_sample(const double *p, mn_rng *rng)
{
  return dist_laplace_quantile(p, open_uniform(rng));
}
static mn_status dist_laplace_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  const double half = 0.5;
  double sum = 0, total = 0;
  MN_TRY(mn_quantiles(ctx, n, x, w, 1, &half, &p[0]));
  for (size_t i = 0; i < n; i++) {
    total += w ? w[i] : 1;
    sum += (w ? w[i] : 1) * fabs(x[i] - p[0]);
  }
  p[1] = sum / total;
  return MN_OK;
}

/* --- gamma: shape, scale --- */

static double dist_gamma_log_density(const double *p, double x)
{
  return mn_gamma_logpdf(x, p[0], p[1]);
}
static double dist_gamma_cdf(const double *p, double x)
{
  return mn_gamma_cdf(x, p[0], p[1]);
}
static double dist_gamma_sf(const double *p, double x)
{
  return mn_gamma_sf(x, p[0], p[1]);
}
static double dist_gamma_quantile(const double *p, double q)
{
  return mn_gamma_quantile(q, p[0], p[1]);
}
static double dist_gamma_isf(const double *p, double q)
{
  return mn_gamma_isf(q, p[0], p[1]);
}
static double dist_gamma_mean(const double *p)
{
  return p[0] * p[1];
}
static double dist_gamma_variance(const double *p)
{
  return p[0] * p[1] * p[1];
}
static double dist_gamma_entropy(const double *p)
{
  return p[0] + log(p[1]) + mn_lgamma(p[0]) + (1 - p[0]) * mn_digamma(p[0]);
}
static double dist_gamma_kl(const double *p, const double *q)
{
  return (p[0] - q[0]) * mn_digamma(p[0]) - mn_lgamma(p[0]) + mn_lgamma(q[0]) + q[0] * log(q[1] / p[1]) +
         p[0] * (p[1] / q[1] - 1);
}
static double dist_gamma_sample(const double *p, mn_rng *rng)
{
  return mn_gamma_quantile(open_uniform(rng), p[0], p[1]);
}

/* --- beta: a, b --- */

static double dist_beta_log_density(const double *p, double x)
{
  return mn_beta_logpdf(x, p[0], p[1]);
}
static double dist_beta_cdf(const double *p, double x)
{
  return mn_beta_cdf(x, p[0], p[1]);
}
static double dist_beta_sf(const double *p, double x)
{
  return mn_beta_sf(x, p[0], p[1]);
}
static double dist_beta_quantile(const double *p, double q)
{
  return mn_beta_quantile(q, p[0], p[1]);
}
static double dist_beta_isf(const double *p, double q)
{
  return mn_beta_isf(q, p[0], p[1]);
}
static double dist_beta_mean(const double *p)
{
  return p[0] / (p[0] + p[1]);
}
static double dist_beta_variance(const double *p)
{
  const double sum = p[0] + p[1];
  return p[0] / sum * (p[1] / sum) / (sum + 1);
}
static double dist_beta_entropy(const double *p)
{
  return mn_lbeta(p[0], p[1]) - (p[0] - 1) * mn_digamma(p[0]) - (p[1] - 1) * mn_digamma(p[1]) +
         (p[0] + p[1] - 2) * mn_digamma(p[0] + p[1]);
}
static double dist_beta_kl(const double *p, const double *q)
{
  return mn_lbeta(q[0], q[1]) - mn_lbeta(p[0], p[1]) + (p[0] - q[0]) * mn_digamma(p[0]) +
         (p[1] - q[1]) * mn_digamma(p[1]) + (q[0] - p[0] + q[1] - p[1]) * mn_digamma(p[0] + p[1]);
}
static double dist_beta_sample(const double *p, mn_rng *rng)
{
  return mn_beta_quantile(open_uniform(rng), p[0], p[1]);
}

/* --- student_t: df, location, scale --- */

static double dist_t_log_density(const double *p, double x)
{
  return mn_t_logpdf((x - p[1]) / p[2], p[0]) - log(p[2]);
}
static double dist_t_cdf(const double *p, double x)
{
  return mn_t_cdf((x - p[1]) / p[2], p[0]);
}
static double dist_t_sf(const double *p, double x)
{
  return mn_t_sf((x - p[1]) / p[2], p[0]);
}
static double dist_t_quantile(const double *p, double q)
{
  return p[1] + p[2] * mn_t_quantile(q, p[0]);
}
static double dist_t_isf(const double *p, double q)
{
  return p[1] + p[2] * mn_t_isf(q, p[0]);
}
static double dist_t_mean(const double *p)
{
  return p[0] > 1 ? p[1] : (double)NAN;
}
static double dist_t_variance(const double *p)
{
  return p[0] > 2 ? p[2] * p[2] * p[0] / (p[0] - 2) : p[0] > 1 ? INFINITY : (double)NAN;
}
static double dist_t_entropy(const double *p)
{
  const double half = (p[0] + 1) / 2;
  return half * (mn_digamma(half) - mn_digamma(p[0] / 2)) + 0.5 * log(p[0]) + mn_lbeta(p[0] / 2, 0.5) + log(p[2]);
}
static double dist_t_sample(const double *p, mn_rng *rng)
{
  return dist_t_quantile(p, open_uniform(rng));
}

#define ANY .low = -INFINITY, .high = INFINITY, .open = true
#define POSITIVE .low = 0, .high = INFINITY, .open = true
#define SLOTS(code)                                                                                                    \
  .log_density = dist_##code##_log_density, .cdf = dist_##code##_cdf, .sf = dist_##code##_sf,                          \
  .quantile = dist_##code##_quantile, .isf = dist_##code##_isf, .variance = dist_##code##_variance,                    \
  .entropy = dist_##code##_entropy, .sample = dist_##code##_sample

const mn_distribution mn_continuous_distributions[] = {
  { .name = "normal",
    .brief = "normal (Gaussian)",
    .parameters = { { "mean", "mean", 0, ANY, .known = MN_KNOWN_OPTIONAL },
                    { "sd", "standard deviation", 1, POSITIVE, .known = MN_KNOWN_OPTIONAL } },
    SLOTS(normal),
    .mean = dist_normal_mean,
    .kl = dist_normal_kl,
    .fit = dist_normal_fit },
  { .name = "exponential",
    .brief = "exponential: memoryless waiting times",
    .parameters = { { "rate", "events per unit of time", 1, POSITIVE } },
    SLOTS(exponential),
    .mean = dist_exponential_mean,
    .kl = dist_exponential_kl,
    .fit = dist_exponential_fit },
  { .name = "laplace",
    .brief = "Laplace (double exponential)",
    .parameters = { { "location", "median", 0, ANY }, { "scale", "mean distance from the median", 1, POSITIVE } },
    SLOTS(laplace),
    .mean = dist_normal_mean,
    .kl = dist_laplace_kl,
    .fit = dist_laplace_fit },
  { .name = "gamma",
    .brief = "gamma: sums of waiting times",
    .parameters = { { "shape", "shape", (double)NAN, POSITIVE, .known = MN_KNOWN_OPTIONAL },
                    { "scale", "mean / shape", 1, POSITIVE } },
    SLOTS(gamma),
    .mean = dist_gamma_mean,
    .kl = dist_gamma_kl,
    .fit = mn_gamma_fit },
  { .name = "beta",
    .brief = "beta: proportions",
    .parameters = { { "a", "first shape", (double)NAN, POSITIVE }, { "b", "second shape", (double)NAN, POSITIVE } },
    SLOTS(beta),
    .mean = dist_beta_mean,
    .kl = dist_beta_kl,
    .fit = mn_beta_fit },
  { .name = "student_t",
    .brief = "Student's t: like the normal, with heavier tails",
    .parameters = { { "df", "degrees of freedom", (double)NAN, POSITIVE, .known = MN_KNOWN_OPTIONAL },
                    { "location", "median", 0, ANY },
                    { "scale", "scale; 1 gives the standard distribution", 1, POSITIVE } },
    SLOTS(t),
    .mean = dist_t_mean,
    .kl = mn_student_kl,
    .fit = mn_student_fit },
  { .name = NULL },
};

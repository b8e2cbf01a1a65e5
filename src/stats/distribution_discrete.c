#include "distribution.h"
#include "multivariate.h"
#include "special.h"
#include <math.h>

static const double most_count = 0x1p53;

/* The smallest whole k from 0 to `most` with cdf(k) >= q, or, upper, with sf(k) <= q: from a first guess outwards by
 * steps that double, then by halves. */
static double search(double (*tail)(const double *, double), const double *p, double q, bool upper, double guess,
                     double most)
{
  if (!(q >= 0 && q <= 1)) return (double)NAN;
  if (upper ? q == 0 : q == 1) return most;
  double high = fmin(fmax(floor(guess), 0), fmin(most, most_count)), low, step = 1;
#define REACHED(k) (upper ? tail(p, k) <= q : tail(p, k) >= q)
  while (high < fmin(most, most_count) && !REACHED(high)) {
    high = fmin(high + step, fmin(most, most_count));
    step *= 2;
  }
  step = 1;
  low = high - 1;
  while (low >= 0 && REACHED(low)) {
    high = low;
    low -= step;
    step *= 2;
  }
  low = fmax(low, -1); /* not reached there */
  while (high - low > 1) {
    const double middle = floor((low + high) / 2);
    if (REACHED(middle))
      high = middle;
    else
      low = middle;
  }
#undef REACHED
  return high;
}

/* The mean of what(user, k) over a distribution that has one mode: the sum of share times value, outwards from the mode
 * until shares vanish. Where it spreads over very many values, every so many-th stands for those about it: for smooth
 * functions such sums are exact to rounding as long as there are many of them within one standard deviation. */
static double expected(double (*log_density)(const double *, double), const double *p, double mode, double sd,
                       double most, double (*what)(const void *user, double k), const void *user)
{
  const double step = fmax(floor(sd / 256), 1);
  double sum = 0;
  for (int side = -1; side <= 1; side += 2) {
    double share, k = floor(mode) + (side > 0 ? step : 0);
    for (; k >= 0 && k <= most; k += side * step) {
      share = exp(log_density(p, k));
      if (share < 1e-25) break;
      sum += share * what(user, k);
    }
  }
  return step * sum;
}

static double fresh_uniform(mn_rng *rng)
{
  return ((double)(mn_random_u64(rng) >> 12) + 0.5) * 0x1p-52;
}

/* --- binomial: n, p --- */

static double dist_binomial_log_density(const double *p, double x)
{
  return mn_binomial_logpmf(x, p[0], p[1]);
}
static double dist_binomial_cdf(const double *p, double x)
{
  return mn_binomial_cdf(floor(x), p[0], p[1]);
}
static double dist_binomial_sf(const double *p, double x)
{
  return mn_binomial_sf(floor(x), p[0], p[1]);
}
static double dist_binomial_mean(const double *p)
{
  return p[0] * p[1];
}
static double dist_binomial_variance(const double *p)
{
  return p[0] * p[1] * (1 - p[1]);
}
static double dist_binomial_quantile(const double *p, double q)
{
  return search(dist_binomial_cdf, p, q, false,
                dist_binomial_mean(p) + sqrt(dist_binomial_variance(p)) * mn_normal_quantile(q), p[0]);
}
static double dist_binomial_isf(const double *p, double q)
{
  return search(dist_binomial_sf, p, q, true,
                dist_binomial_mean(p) + sqrt(dist_binomial_variance(p)) * mn_normal_isf(q), p[0]);
}
static double binomial_surprise(const void *q, double k)
{
  return -dist_binomial_log_density(q, k);
}
static double binomial_expects(const double *p, double (*what)(const void *user, double k), const void *user)
{
  return expected(dist_binomial_log_density, p, fmin((p[0] + 1) * p[1], p[0]), sqrt(dist_binomial_variance(p)), p[0],
                  what, user);
}
static double dist_binomial_entropy(const double *p)
{
  return binomial_expects(p, binomial_surprise, p);
}

/* a log(a / b), 0 for a = 0 */
static double relative(double a, double b)
{
  return a > 0 ? a * log(a / b) : 0;
}

static double dist_binomial_kl(const double *p, const double *q)
{
  if (p[0] == q[0]) return p[0] * (relative(p[1], q[1]) + relative(1 - p[1], 1 - q[1]));
  if (p[1] == 0) return -q[0] * log1p(-q[1]);
  if (p[0] > q[0] || q[1] == 0 || q[1] == 1) return INFINITY;
  return binomial_expects(p, binomial_surprise, q) - dist_binomial_entropy(p);
}
static mn_status dist_binomial_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  double count, mean, variance;
  (void)ctx;
  mn_distribution_moments(n, x, w, &count, &mean, &variance);
  p[1] = p[0] > 0 ? mean / p[0] : 0;
  return MN_OK;
}
static double dist_binomial_sample(const double *p, mn_rng *rng)
{
  return dist_binomial_quantile(p, fresh_uniform(rng));
}

double mn_binomial_draw(double n, double p, mn_rng *rng)
{
  const double of[] = { n, p };
  return dist_binomial_sample(of, rng);
}

struct of_count {
  double (*what)(double k);
};

static double of_count(const void *user, double k)
{
  return ((const struct of_count *)user)->what(k);
}

double mn_binomial_mean_of(double n, double p, double (*what)(double k))
{
  const double of[] = { n, p };
  const struct of_count user = { what };
  return binomial_expects(of, of_count, &user);
}

/* --- bernoulli: p --- */

static double dist_bernoulli_log_density(const double *p, double x)
{
  return isnan(x) ? (double)NAN : x == 1 ? log(p[0]) : x == 0 ? log1p(-p[0]) : -INFINITY;
}
static double dist_bernoulli_cdf(const double *p, double x)
{
  return isnan(x) ? (double)NAN : x < 0 ? 0 : x < 1 ? 1 - p[0] : 1;
}
static double dist_bernoulli_sf(const double *p, double x)
{
  return isnan(x) ? (double)NAN : x < 0 ? 1 : x < 1 ? p[0] : 0;
}
static double dist_bernoulli_quantile(const double *p, double q)
{
  return q >= 0 && q <= 1 ? q > 1 - p[0] : (double)NAN;
}
static double dist_bernoulli_isf(const double *p, double q)
{
  return q >= 0 && q <= 1 ? q < p[0] : (double)NAN;
}
static double first_mean(const double *p)
{
  return p[0];
}
static double dist_bernoulli_variance(const double *p)
{
  return p[0] * (1 - p[0]);
}
static double dist_bernoulli_entropy(const double *p)
{
  return -relative(p[0], 1) - relative(1 - p[0], 1);
}
static double dist_bernoulli_kl(const double *p, const double *q)
{
  return relative(p[0], q[0]) + relative(1 - p[0], 1 - q[0]);
}
static double dist_bernoulli_sample(const double *p, mn_rng *rng)
{
  return mn_random_uniform(rng) < p[0];
}
static mn_status mean_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  double count, variance;
  (void)ctx;
  mn_distribution_moments(n, x, w, &count, &p[0], &variance);
  return MN_OK;
}

/* --- poisson: mean --- */

static double dist_poisson_log_density(const double *p, double x)
{
  return mn_poisson_logpmf(x, p[0]);
}
static double dist_poisson_cdf(const double *p, double x)
{
  return mn_poisson_cdf(floor(x), p[0]);
}
static double dist_poisson_sf(const double *p, double x)
{
  return mn_poisson_sf(floor(x), p[0]);
}
static double dist_poisson_variance(const double *p)
{
  return p[0];
}
static double dist_poisson_quantile(const double *p, double q)
{
  return search(dist_poisson_cdf, p, q, false, p[0] + sqrt(p[0]) * mn_normal_quantile(q), INFINITY);
}
static double dist_poisson_isf(const double *p, double q)
{
  return search(dist_poisson_sf, p, q, true, p[0] + sqrt(p[0]) * mn_normal_isf(q), INFINITY);
}
static double poisson_surprise(const void *p, double k)
{
  return -dist_poisson_log_density(p, k);
}
static double dist_poisson_entropy(const double *p)
{
  return p[0] > 0 ? expected(dist_poisson_log_density, p, p[0], sqrt(p[0]), most_count, poisson_surprise, p) : 0;
}
static double dist_poisson_kl(const double *p, const double *q)
{
  return relative(p[0], q[0]) - p[0] + q[0];
}
static double dist_poisson_sample(const double *p, mn_rng *rng)
{
  return dist_poisson_quantile(p, fresh_uniform(rng));
}

#define SHARE .low = 0, .high = 1
#define SLOTS(code)                                                                                                    \
  .discrete = true, .log_density = dist_##code##_log_density, .cdf = dist_##code##_cdf, .sf = dist_##code##_sf,        \
  .quantile = dist_##code##_quantile, .isf = dist_##code##_isf, .variance = dist_##code##_variance,                    \
  .entropy = dist_##code##_entropy, .kl = dist_##code##_kl, .sample = dist_##code##_sample

const mn_distribution mn_discrete_distributions[] = {
  { .name = "bernoulli",
    .brief = "Bernoulli: one trial, 1 or 0",
    .parameters = { { "p", "probability of 1", (double)NAN, SHARE } },
    SLOTS(bernoulli),
    .mean = first_mean,
    .fit = mean_fit },
  { .name = "binomial",
    .brief = "binomial: successes among n trials",
    .parameters = { { "n", "trials", (double)NAN, .low = 0, .high = 0x1p53, .whole = true, .known = MN_MUST_BE_KNOWN },
                    { "p", "probability of a success", (double)NAN, SHARE } },
    SLOTS(binomial),
    .mean = dist_binomial_mean,
    .fit = dist_binomial_fit },
  { .name = "poisson",
    .brief = "Poisson: events in a stretch of time",
    .parameters = { { "mean", "events to be expected", (double)NAN, .low = 0, .high = 1e15 } },
    SLOTS(poisson),
    .mean = first_mean,
    .fit = mean_fit },
  { .name = NULL },
};

#include "distribution.h"
#include "multivariate.h"
#include "special.h"
#include <math.h>

static const double max_count = 0x1p53;

/* The smallest whole k from 0 to max_value with cdf(k) >= q, or, if `upper`, with sf(k) <= q: bracketed from the guess
 * by doubling steps, then bisected. */
static double search_quantile(double (*tail)(const double *, double), const double *p, double q, bool upper,
                              double guess, double max_value)
{
  if (!(q >= 0 && q <= 1)) return (double)NAN;
  if (upper ? q == 0 : q == 1) return max_value;
  double high = fmin(fmax(floor(guess), 0), fmin(max_value, max_count)), low, step = 1;
#define REACHED(k) (upper ? tail(p, k) <= q : tail(p, k) >= q)
  while (high < fmin(max_value, max_count) && !REACHED(high)) {
    high = fmin(high + step, fmin(max_value, max_count));
    step *= 2;
  }
  step = 1;
  low = high - 1;
  while (low >= 0 && REACHED(low)) {
    high = low;
    low -= step;
    step *= 2;
  }
  low = fmax(low, -1); /* not reached at low */
  while (high - low > 1) {
    const double mid = floor((low + high) / 2);
    if (REACHED(mid))
      high = mid;
    else
      low = mid;
  }
#undef REACHED
  return high;
}

/* The expectation of function(user, k) under a unimodal distribution: the sum of probability times value, outwards from
 * the mode until probabilities are negligible. If the distribution is wide, only every step-th value is used: for
 * smooth functions such sums are exact to rounding as long as there are many terms within a standard deviation. */
static double expectation(double (*log_density)(const double *, double), const double *p, double mode, double sd,
                          double max_value, double (*function)(const void *user, double k), const void *user)
{
  const double step = fmax(floor(sd / 256), 1);
  double sum = 0;
  for (int side = -1; side <= 1; side += 2) {
    double probability, k = floor(mode) + (side > 0 ? step : 0);
    for (; k >= 0 && k <= max_value; k += side * step) {
      probability = exp(log_density(p, k));
      if (probability < 1e-25) break;
      sum += probability * function(user, k);
    }
  }
  return step * sum;
}

static double open_uniform(mn_rng *rng)
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
  return search_quantile(dist_binomial_cdf, p, q, false,
                         dist_binomial_mean(p) + sqrt(dist_binomial_variance(p)) * mn_normal_quantile(q), p[0]);
}
static double dist_binomial_isf(const double *p, double q)
{
  return search_quantile(dist_binomial_sf, p, q, true,
                         dist_binomial_mean(p) + sqrt(dist_binomial_variance(p)) * mn_normal_isf(q), p[0]);
}
static double binomial_neg_log_density(const void *q, double k)
{
  return -dist_binomial_log_density(q, k);
}
static double binomial_expectation(const double *p, double (*function)(const void *user, double k), const void *user)
{
  return expectation(dist_binomial_log_density, p, fmin((p[0] + 1) * p[1], p[0]), sqrt(dist_binomial_variance(p)), p[0],
                     function, user);
}
static double dist_binomial_entropy(const double *p)
{
  return binomial_expectation(p, binomial_neg_log_density, p);
}

/* a log(a / b), 0 for a = 0 */
static double entropy_term(double a, double b)
{
  return a > 0 ? a * log(a / b) : 0;
}

static double dist_binomial_kl(const double *p, const double *q)
{
  if (p[0] == q[0]) return p[0] * (entropy_term(p[1], q[1]) + entropy_term(1 - p[1], 1 - q[1]));
  if (p[1] == 0) return -q[0] * log1p(-q[1]);
  if (p[0] > q[0] || q[1] == 0 || q[1] == 1) return INFINITY;
  return binomial_expectation(p, binomial_neg_log_density, q) - dist_binomial_entropy(p);
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
  return dist_binomial_quantile(p, open_uniform(rng));
}

double mn_binomial_draw(double n, double p, mn_rng *rng)
{
  const double parameters[] = { n, p };
  return dist_binomial_sample(parameters, rng);
}

struct count_function {
  double (*function)(double k);
};

static double count_function(const void *user, double k)
{
  return ((const struct count_function *)user)->function(k);
}

double mn_binomial_expectation(double n, double p, double (*function)(double k))
{
  const double parameters[] = { n, p };
  const struct count_function user = { function };
  return binomial_expectation(parameters, count_function, &user);
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
  return -entropy_term(p[0], 1) - entropy_term(1 - p[0], 1);
}
static double dist_bernoulli_kl(const double *p, const double *q)
{
  return entropy_term(p[0], q[0]) + entropy_term(1 - p[0], 1 - q[0]);
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
  return search_quantile(dist_poisson_cdf, p, q, false, p[0] + sqrt(p[0]) * mn_normal_quantile(q), INFINITY);
}
static double dist_poisson_isf(const double *p, double q)
{
  return search_quantile(dist_poisson_sf, p, q, true, p[0] + sqrt(p[0]) * mn_normal_isf(q), INFINITY);
}
static double poisson_neg_log_density(const void *p, double k)
{
  return -dist_poisson_log_density(p, k);
}
static double dist_poisson_entropy(const double *p)
{
  return p[0] > 0 ? expectation(dist_poisson_log_density, p, p[0], sqrt(p[0]), max_count, poisson_neg_log_density, p)
                  : 0;
}
static double dist_poisson_kl(const double *p, const double *q)
{
  return entropy_term(p[0], q[0]) - p[0] + q[0];
}
static double dist_poisson_sample(const double *p, mn_rng *rng)
{
  return dist_poisson_quantile(p, open_uniform(rng));
}

#define PROBABILITY .low = 0, .high = 1
#define SLOTS(code)                                                                                                    \
  .discrete = true, .log_density = dist_##code##_log_density, .cdf = dist_##code##_cdf, .sf = dist_##code##_sf,        \
  .quantile = dist_##code##_quantile, .isf = dist_##code##_isf, .variance = dist_##code##_variance,                    \
  .entropy = dist_##code##_entropy, .kl = dist_##code##_kl, .sample = dist_##code##_sample

const mn_distribution mn_discrete_distributions[] = {
  { .name = "bernoulli",
    .brief = "Bernoulli: one trial, 1 or 0",
    .parameters = { { "p", "probability of 1", (double)NAN, PROBABILITY } },
    SLOTS(bernoulli),
    .mean = first_mean,
    .fit = mean_fit },
  { .name = "binomial",
    .brief = "binomial: successes among n trials",
    .parameters = { { "n", "number of trials", (double)NAN, .low = 0, .high = 0x1p53, .whole = true,
                      .known = MN_KNOWN_REQUIRED },
                    { "p", "probability of a success", (double)NAN, PROBABILITY } },
    SLOTS(binomial),
    .mean = dist_binomial_mean,
    .fit = dist_binomial_fit },
  { .name = "poisson",
    .brief = "Poisson: number of events in a fixed interval",
    .parameters = { { "mean", "expected number of events", (double)NAN, .low = 0, .high = 1e15 } },
    SLOTS(poisson),
    .mean = first_mean,
    .fit = mean_fit },
  { .name = NULL },
};

#include "correlation.h"
#include "special.h"
#include "tests.h"
#include <math.h>

mn_test mn_test_none(void)
{
  const double none = (double)NAN;
  return (mn_test){ .statistic = none, .p = none, .df = none, .estimate = none, .low = none, .high = none };
}

double mn_test_from_tails(double lower, double upper, mn_alternative alternative)
{
  if (alternative == MN_LESS) return fmin(lower, 1);
  if (alternative == MN_GREATER) return fmin(upper, 1);
  return fmin(2 * fmin(lower, upper), 1);
}

/* The p-value and the interval estimate +- quantile * error of a statistic with Student's t distribution (df = inf:
 * normal). */
static void test_by_t(mn_test *test, double error, const mn_test_options *options)
{
  const double t = test->statistic, df = test->df;
  const bool two_sided = options->alternative == MN_TWO_SIDED;
  test->p = two_sided ? 2 * mn_t_sf(fabs(t), df) : options->alternative == MN_LESS ? mn_t_cdf(t, df) : mn_t_sf(t, df);
  const double half = error * mn_t_isf((1 - options->level) / (two_sided ? 2 : 1), df);
  test->low = options->alternative == MN_LESS ? -INFINITY : test->estimate - half;
  test->high = options->alternative == MN_GREATER ? INFINITY : test->estimate + half;
}

static double mean_of(size_t n, const double *x, double *variance)
{
  double mean = 0, sum = 0;
  for (size_t i = 0; i < n; i++) mean += (x[i] - mean) / (double)(i + 1);
  for (size_t i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
  *variance = sum / ((double)n - 1);
  return mean;
}

mn_test mn_t_test(size_t n, const double *x, const mn_test_options *options)
{
  mn_test test = mn_test_none();
  double variance;
  test.estimate = mean_of(n, x, &variance);
  const double error = sqrt(variance / (double)n);
  test.df = (double)n - 1;
  test.statistic = (test.estimate - options->mu) / error;
  test_by_t(&test, error, options);
  return test;
}

mn_test mn_t_test_two(size_t n, const double *x, size_t m, const double *y, const mn_test_options *options)
{
  mn_test test = mn_test_none();
  double vx, vy;
  const double a = (double)n, b = (double)m, mx = mean_of(n, x, &vx), my = mean_of(m, y, &vy);
  test.estimate = mx - my;
  double squared = vx / a + vy / b;
  test.df = squared * squared / (vx * vx / (a * a * (a - 1)) + vy * vy / (b * b * (b - 1)));
  if (options->pooled) {
    test.df = a + b - 2;
    squared = ((a - 1) * vx + (b - 1) * vy) / test.df * (1 / a + 1 / b);
  }
  test.statistic = (test.estimate - options->mu) / sqrt(squared);
  test_by_t(&test, sqrt(squared), options);
  return test;
}

/* The t statistic of a correlation and its p-value. */
static void test_correlation(mn_test *test, size_t n, double r, const mn_test_options *options)
{
  test->estimate = r;
  test->df = (double)n - 2;
  test->statistic = r * sqrt(test->df / ((1 - r) * (1 + r)));
  test_by_t(test, (double)NAN, options);
  test->low = test->high = (double)NAN;
}

mn_status mn_pearson_test(mn_context *ctx, size_t n, const double *x, const double *y, const mn_test_options *options,
                          mn_test *out)
{
  (void)ctx;
  *out = mn_test_none();
  const double r = mn_pearson(n, x, y);
  test_correlation(out, n, r, options);
  if (n < 4) return MN_OK;
  const bool two_sided = options->alternative == MN_TWO_SIDED;
  const double half = mn_normal_isf((1 - options->level) / (two_sided ? 2 : 1)) / sqrt((double)n - 3);
  out->low = options->alternative == MN_LESS ? -1 : tanh(atanh(r) - half);
  out->high = options->alternative == MN_GREATER ? 1 : tanh(atanh(r) + half);
  return MN_OK;
}

mn_status mn_spearman_test(mn_context *ctx, size_t n, const double *x, const double *y, const mn_test_options *options,
                           mn_test *out)
{
  double rho;
  *out = mn_test_none();
  MN_TRY(mn_correlate(ctx, MN_SPEARMAN, n, x, y, &rho));
  test_correlation(out, n, rho, options);
  return MN_OK;
}

mn_status mn_kendall_test(mn_context *ctx, size_t n, const double *x, const double *y, const mn_test_options *options,
                          mn_test *out)
{
  enum { MAX_EXACT = 50 };
  mn_kendall kendall;
  *out = mn_test_none();
  MN_TRY(mn_kendall_tau(ctx, n, x, y, &kendall));
  out->estimate = kendall.tau;
  out->exact = options->exact < 0 ? !kendall.tied && n <= MAX_EXACT : options->exact && !kendall.tied;
  out->statistic = out->exact ? (kendall.s + (double)n * ((double)n - 1) / 2) / 2 : kendall.s / sqrt(kendall.variance);
  if (isnan(kendall.tau)) return MN_OK;
  const double z = out->statistic;
  out->p = out->exact ? mn_test_from_tails(mn_kendall_upper_tail(ctx, n, -kendall.s),
                                           mn_kendall_upper_tail(ctx, n, kendall.s), options->alternative)
                      : mn_test_from_tails(mn_normal_cdf(z), mn_normal_sf(z), options->alternative);
  return isnan(out->p) ? MN_NO_MEMORY : MN_OK;
}

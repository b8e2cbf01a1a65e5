#include "../core/context.h"
#include "argsort.h"
#include "correlation.h"
#include "special.h"
#include "tests.h"
#include <math.h>
#include <string.h>

enum { MAX_EXACT = 50, MAX_PAIRS = 1 << 22 }; /* sample size of exact tests; pairs from which the interval is found */

/* The distribution of a statistic with the values 0..max: probability[k]. */
typedef struct distribution {
  double *probability;
  size_t max;
} distribution;

/* The signed rank statistic of n values without ties. */
static mn_status signed_rank_distribution(mn_context *ctx, size_t n, distribution *d)
{
  d->max = n * (n + 1) / 2;
  d->probability = MN_NEW(ctx, double, d->max + 1, 1);
  if (!d->probability) return MN_NO_MEMORY;
  d->probability[0] = 1;
  for (size_t i = 1, max = 0; i <= n; i++) {
    max += i;
    for (size_t k = max + 1; k-- > 0;)
      d->probability[k] = (d->probability[k] + (k >= i ? d->probability[k - i] : 0)) / 2;
  }
  return MN_OK;
}

/* The rank sum statistic U of n and m values without ties:
 *
 *     p(n, m; u) = n / (n + m) p(n - 1, m; u - m) + m / (n + m) p(n, m - 1; u) */
static mn_status rank_sum_distribution(mn_context *ctx, size_t n, size_t m, distribution *d)
{
  const size_t size = n * m + 1;
  double *p = MN_NEW(ctx, double, n + 1, size);
  if (!p) return MN_NO_MEMORY;
  for (size_t i = 0; i <= n; i++) p[i * size] = 1;
  for (size_t k = 1; k <= m; k++) {
    MN_TRY(mn_poll(ctx));
    for (size_t i = 1; i <= n; i++) {
      const double a = (double)i / (double)(i + k), b = (double)k / (double)(i + k);
      for (size_t u = i * k + 1; u-- > 0;)
        p[i * size + u] = b * p[i * size + u] + (u >= k ? a * p[(i - 1) * size + u - k] : 0);
    }
  }
  *d = (distribution){ .probability = p + n * size, .max = n * m };
  return MN_OK;
}

static double sum_range(const distribution *d, double from, double to)
{
  double sum = 0;
  for (size_t k = 0; k <= d->max; k++)
    if ((double)k >= from && (double)k <= to) sum += d->probability[k];
  return sum;
}

/* The smallest k with P(T <= k) >= q. */
static double quantile(const distribution *d, double q)
{
  double sum = 0;
  for (size_t k = 0; k < d->max; k++) {
    sum += d->probability[k];
    if (sum >= q * (1 - 64 * 2.220446049250313e-16)) return (double)k;
  }
  return (double)d->max;
}

/* p by the normal approximation, with a correction of 1/2 toward the mean. */
static double normal_p(double statistic, double mean, double sd, const mn_test_options *options)
{
  double off = statistic - mean;
  if (options->corrected)
    off -= options->alternative == MN_TWO_SIDED ? 0.5 * ((off > 0) - (off < 0))
           : options->alternative == MN_GREATER ? 0.5
                                                : -0.5;
  return mn_test_from_tails(mn_normal_cdf(off / sd), mn_normal_sf(off / sd), options->alternative);
}

static double p_value(const mn_test *test, const distribution *d, double mean, double sd,
                      const mn_test_options *options)
{
  if (!test->exact) return normal_p(test->statistic, mean, sd, options);
  const double t = test->statistic;
  return mn_test_from_tails(sum_range(d, 0, t), sum_range(d, t, INFINITY), options->alternative);
}

/* The estimate, the median of `count` pairwise values, and its interval between order statistics. */
static mn_status find_interval(mn_context *ctx, size_t count, const double *values, const distribution *d, double mean,
                               double sd, const mn_test_options *options, mn_test *test)
{
  const bool two_sided = options->alternative == MN_TWO_SIDED;
  const double tail = (1 - options->level) / (two_sided ? 2 : 1);
  size_t *order = MN_RAW(ctx, size_t, count, 1);
  if (!order) return MN_NO_MEMORY;
  MN_TRY(mn_argsort(ctx, count, values, 1, order));
  test->estimate = (values[order[(count - 1) / 2]] + values[order[count / 2]]) / 2;
  double skip = test->exact ? quantile(d, tail) : floor(mean - mn_normal_isf(tail) * sd + 0.5);
  skip = fmin(fmax(skip, 1), (double)count);
  test->low = options->alternative == MN_LESS ? -INFINITY : values[order[(size_t)skip - 1]];
  test->high = options->alternative == MN_GREATER ? INFINITY : values[order[count - (size_t)skip]];
  return MN_OK;
}

/* The values other than mu, less mu. */
static size_t keep_nonzero(size_t n, const double *x, double mu, double *kept, double *size)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    kept[count] = x[i] - mu;
    size[count] = fabs(kept[count]);
    count += size[count] > 0;
  }
  return count;
}

/* The means of all pairs i <= j. */
static size_t pair_means(size_t n, const double *x, double mu, double *out)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < n; j++) out[count++] = (x[i] + x[j]) / 2 + mu;
  return count;
}

mn_status mn_signed_rank_test(mn_context *ctx, size_t n, const double *x, const mn_test_options *options, mn_test *out)
{
  double *kept = MN_RAW(ctx, double, n, 1), *size = MN_RAW(ctx, double, n, 1), *rank = MN_RAW(ctx, double, n, 1), ties;
  distribution d = { 0 };
  *out = mn_test_none();
  if (!kept || !size || !rank) return MN_NO_MEMORY;
  const size_t count = keep_nonzero(n, x, options->mu, kept, size);
  MN_TRY(mn_rank_average(ctx, count, size, 1, rank, &ties));
  out->statistic = 0;
  for (size_t i = 0; i < count; i++) out->statistic += kept[i] > 0 ? rank[i] : 0;
  const bool simple = count == n && !(ties > 0);
  out->exact = options->exact < 0 ? simple && n < MAX_EXACT : options->exact && simple;
  const double k = (double)count, mean = k * (k + 1) / 4, sd = sqrt(k * (k + 1) * (2 * k + 1) / 24 - ties / 48);
  if (out->exact) MN_TRY(signed_rank_distribution(ctx, n, &d));
  out->p = p_value(out, &d, mean, sd, options);
  const size_t pairs = count * (count + 1) / 2;
  if (count == 0 || pairs > MAX_PAIRS) return MN_OK;
  double *means = MN_RAW(ctx, double, pairs, 1);
  if (!means) return MN_NO_MEMORY;
  return find_interval(ctx, pair_means(count, kept, options->mu, means), means, &d, mean, sd, options, out);
}

static size_t pair_differences(size_t n, const double *x, size_t m, const double *y, double *out)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) out[i * m + j] = x[i] - y[j];
  return n * m;
}

mn_status mn_rank_sum_test(mn_context *ctx, size_t n, const double *x, size_t m, const double *y,
                           const mn_test_options *options, mn_test *out)
{
  const double a = (double)n, b = (double)m, total = a + b;
  double *both = MN_RAW(ctx, double, n + m, 1), *rank = MN_RAW(ctx, double, n + m, 1), ties;
  distribution d = { 0 };
  *out = mn_test_none();
  if (!both || !rank) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) both[i] = x[i] - options->mu;
  memcpy(both + n, y, m * sizeof *y);
  MN_TRY(mn_rank_average(ctx, n + m, both, 1, rank, &ties));
  out->statistic = -a * (a + 1) / 2;
  for (size_t i = 0; i < n; i++) out->statistic += rank[i];
  const double mean = a * b / 2, sd = sqrt(a * b / 12 * (total + 1 - ties / (total * (total - 1))));
  out->exact = !(ties > 0) && (options->exact < 0 ? n < MAX_EXACT && m < MAX_EXACT : options->exact);
  if (out->exact) MN_TRY(rank_sum_distribution(ctx, n, m, &d));
  out->p = p_value(out, &d, mean, sd, options);
  if (n > MAX_PAIRS / m) return MN_OK;
  double *differences = MN_RAW(ctx, double, n, m);
  if (!differences) return MN_NO_MEMORY;
  return find_interval(ctx, pair_differences(n, x, m, y, differences), differences, &d, mean, sd, options, out);
}

mn_status mn_kruskal_test(mn_context *ctx, size_t n, const double *x, size_t groups, const int32_t *group, mn_test *out)
{
  double *rank = MN_RAW(ctx, double, n, 1), *sum = MN_NEW(ctx, double, groups, 2), ties, h = 0;
  const double total = (double)n;
  *out = mn_test_none();
  if (!rank || !sum) return MN_NO_MEMORY;
  double *count = sum + groups;
  MN_TRY(mn_rank_average(ctx, n, x, 1, rank, &ties));
  for (size_t i = 0; i < n; i++) {
    sum[group[i]] += rank[i] - (total + 1) / 2;
    count[group[i]] += 1;
  }
  for (size_t g = 0; g < groups; g++) h += sum[g] * sum[g] / count[g];
  out->statistic = 12 * h / (total * (total + 1)) / (1 - ties / (total * total * total - total));
  out->df = (double)groups - 1;
  out->p = mn_chi2_sf(out->statistic, out->df);
  return MN_OK;
}

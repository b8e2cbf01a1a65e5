#include "special.h"
#include "tests.h"
#include <math.h>

mn_test mn_chi2_table_test(size_t rows, size_t cols, const double *counts, bool corrected, double *expected)
{
  mn_test test = mn_test_none();
  double total = 0, correction = 0.5;
  for (size_t k = 0; k < rows * cols; k++) total += counts[k];
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++) {
      double row = 0, col = 0;
      for (size_t k = 0; k < cols; k++) row += counts[i * cols + k];
      for (size_t k = 0; k < rows; k++) col += counts[k * cols + j];
      expected[i * cols + j] = row / total * col;
      correction = fmin(correction, fabs(counts[i * cols + j] - expected[i * cols + j]));
    }
  if (!corrected || rows != 2 || cols != 2) correction = 0;
  test.statistic = 0;
  for (size_t k = 0; k < rows * cols; k++) {
    const double off = fabs(counts[k] - expected[k]) - correction;
    test.statistic += off * off / expected[k];
  }
  test.df = (double)(rows - 1) * (double)(cols - 1);
  test.p = mn_chi2_sf(test.statistic, test.df);
  return test;
}

mn_test mn_chi2_fit_test(size_t n, const double *counts, const double *probability)
{
  mn_test test = mn_test_none();
  double total = 0;
  for (size_t k = 0; k < n; k++) total += counts[k];
  test.statistic = 0;
  for (size_t k = 0; k < n; k++) {
    const double expected = total * probability[k];
    test.statistic += (counts[k] - expected) * (counts[k] - expected) / expected;
  }
  test.df = (double)n - 1;
  test.p = mn_chi2_sf(test.statistic, test.df);
  return test;
}

/* --- Fisher: the noncentral hypergeometric distribution of the first cell, given the margins --- */

typedef struct hypergeometric {
  double low, x;   /* smallest value, observed value   */
  size_t size;     /* number of values                 */
  double *central; /* log densities for odds ratio 1   */
  double *density; /* for the odds ratio computed last */
} hypergeometric;

static double log_choose(double n, double k)
{
  return mn_lgamma(n + 1) - mn_lgamma(k + 1) - mn_lgamma(n - k + 1);
}

static mn_status make_hypergeometric(mn_context *ctx, const double c[4], hypergeometric *h)
{
  const double column = c[0] + c[2], other = c[1] + c[3], row = c[0] + c[1];
  h->low = fmax(0, row - other);
  h->x = c[0];
  h->size = (size_t)(fmin(row, column) - h->low) + 1;
  h->central = MN_RAW(ctx, double, h->size, 1);
  h->density = MN_RAW(ctx, double, h->size, 1);
  if (!h->central || !h->density) return MN_NO_MEMORY;
  for (size_t k = 0; k < h->size; k++) {
    const double value = h->low + (double)k;
    h->central[k] = log_choose(column, value) + log_choose(other, row - value);
  }
  return MN_OK;
}

/* Compute the densities for an odds ratio, given its logarithm. */
static void set_odds(hypergeometric *h, double log_odds)
{
  double max = -INFINITY, sum = 0;
  for (size_t k = 0; k < h->size; k++) {
    h->density[k] = h->central[k] + log_odds * (double)k;
    max = fmax(max, h->density[k]);
  }
  for (size_t k = 0; k < h->size; k++) sum += h->density[k] = exp(h->density[k] - max);
  for (size_t k = 0; k < h->size; k++) h->density[k] /= sum;
}

static double mean_value(const hypergeometric *h)
{
  double sum = 0;
  for (size_t k = 0; k < h->size; k++) sum += h->density[k] * (h->low + (double)k);
  return sum;
}

static double lower_tail(const hypergeometric *h)
{
  double sum = 0;
  for (size_t k = 0; k < h->size && h->low + (double)k <= h->x; k++) sum += h->density[k];
  return sum;
}

static double upper_tail(const hypergeometric *h)
{
  double sum = 0;
  for (size_t k = h->size; k-- > 0 && h->low + (double)k >= h->x;) sum += h->density[k];
  return sum;
}

/* The odds ratio at which an increasing function of it has the value `target`, by bisection. */
static double solve_odds(hypergeometric *h, double (*function)(const hypergeometric *), double sign, double target)
{
  double a = -700, b = 700;
  for (int i = 0; i < 70; i++) {
    const double middle = (a + b) / 2;
    set_odds(h, middle);
    if (sign * function(h) < sign * target)
      a = middle;
    else
      b = middle;
  }
  return exp((a + b) / 2);
}

static double two_sided_p(const hypergeometric *h)
{
  const double observed = h->density[(size_t)(h->x - h->low)] * (1 + 1e-7);
  double sum = 0;
  for (size_t k = 0; k < h->size; k++) sum += h->density[k] <= observed ? h->density[k] : 0;
  return fmin(sum, 1);
}

mn_status mn_fisher_test(mn_context *ctx, const double counts[4], const mn_test_options *options, mn_test *out)
{
  hypergeometric h;
  *out = mn_test_none();
  MN_TRY(make_hypergeometric(ctx, counts, &h));
  set_odds(&h, 0);
  const double lower = lower_tail(&h), upper = upper_tail(&h);
  const bool two_sided = options->alternative == MN_TWO_SIDED;
  out->p = two_sided ? two_sided_p(&h) : mn_test_from_tails(lower, upper, options->alternative);
  out->exact = true;
  const bool first = h.x <= h.low, last = h.x >= h.low + (double)h.size - 1;
  const double tail = (1 - options->level) / (two_sided ? 2 : 1);
  if (first && last) return MN_OK;
  out->estimate = first ? 0 : last ? INFINITY : solve_odds(&h, mean_value, 1, h.x);
  out->low = first || options->alternative == MN_LESS ? 0 : solve_odds(&h, upper_tail, 1, tail);
  out->high = last || options->alternative == MN_GREATER ? INFINITY : solve_odds(&h, lower_tail, -1, tail);
  return MN_OK;
}

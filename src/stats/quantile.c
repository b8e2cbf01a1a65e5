#include "quantile.h"
#include "argsort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_of_three(double a, double b, double c)
{
  const double low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

static void exchange(double *a, double *b)
{
  const double kept = *a;
  *a = *b;
  *b = kept;
}

/* Hoare's selection; a run of bad pivots ends in a sort of what is left. */
void mn_select(const mn_cancel_token *token, size_t n, double *x, size_t k)
{
  size_t low = 0, high = n - 1; /* the value of rank k lies in low..high */
  int rounds = 64;
  while (low < high) {
    if (rounds-- == 0) {
      qsort(x + low, high - low + 1, sizeof *x, compare);
      return;
    }
    const double pivot = median_of_three(x[low], x[low + (high - low) / 2], x[high]);
    size_t i = low, j = high;
    for (size_t exchanges = 1;; exchanges++) {
      if (exchanges % MN_CHUNK == 0 && !mn_task_should_continue(token)) return;
      while (x[i] < pivot) i++;
      while (x[j] > pivot) j--;
      if (i >= j) break;
      exchange(&x[i++], &x[j--]);
      if (i > j) break;
    }
    if (i == j && x[i] < pivot) i++;
    /* low..i-1 are <= pivot, i..high are >= pivot, and 0 < i - low unless the pivot is alone */
    if (i == low) i = low + 1;
    if (k < i)
      high = i - 1;
    else
      low = i;
  }
}

static double between(double a, double b, double share)
{
  return share > 0 ? a + share * (b - a) : a;
}

static mn_status plain(mn_context *ctx, size_t n, const double *x, size_t levels, const double *level, double *out)
{
  double *copy = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(copy);
  memcpy(copy, x, n * sizeof *copy);
  size_t done = 0; /* ranks below it are in front */
  for (size_t l = 0; l < levels; l++) {
    const double h = (double)(n - 1) * level[l];
    const size_t k = (size_t)h;
    mn_select(&(mn_cancel_token){ .ctx = ctx }, n - done, copy + done, k - done);
    MN_TRY(mn_error_status(ctx));
    double next = copy[k];
    for (size_t i = k + 1; i < n; i++)
      if (i == k + 1 || copy[i] < next) next = copy[i];
    out[l] = between(copy[k], next, h - (double)k);
    done = k;
  }
  return MN_OK;
}

double mn_value_weight(size_t n, const double *weight)
{
  double least = 1, largest = 0;
  for (size_t i = 0; i < n; i++) {
    least = fmin(least, weight[i]);
    largest = fmax(largest, weight[i]);
  }
  return least < 1 ? fmax(least, largest * 0x1p-900) : 1; /* no sum of quotients is beyond all numbers */
}

static mn_status by_weight(mn_context *ctx, size_t n, const double *x, const double *weights, size_t levels,
                           const double *level, double *out)
{
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort(ctx, n, x, 1, order));
  const double unit = mn_value_weight(n, weights);
  double total = 0;
  for (size_t i = 0; i < n; i++) total += weights[i] / unit;
  size_t i = 0;
  double before = 0; /* weight of the values before i */
  for (size_t l = 0; l < levels; l++) {
    const double h = fmax(total - 1, 0) * level[l];
    while (i + 1 < n && before + weights[order[i]] / unit <= h) before += weights[order[i++]] / unit;
    const double within = h - (before + weights[order[i]] / unit - 1); /* how far beyond the last copy of x_i */
    out[l] = i + 1 < n ? between(x[order[i]], x[order[i + 1]], within < 1 ? within : 1) : x[order[i]];
  }
  return MN_OK;
}

mn_status mn_quantiles(mn_context *ctx, size_t n, const double *x, const double *weights, size_t levels,
                       const double *level, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status =
      weights ? by_weight(ctx, n, x, weights, levels, level, out) : plain(ctx, n, x, levels, level, out);
  mn_scratch_release(ctx, mark);
  return status;
}

#include "quantile.h"
#include "argsort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_of_three(double a, double b, double c)
{
  const double low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

static void swap(double *a, double *b)
{
  const double saved = *a;
  *a = *b;
  *b = saved;
}

/* Quickselect (Hoare); after too many poor pivots the remaining range is sorted. */
void mn_select(const mn_cancel_token *token, size_t n, double *x, size_t k)
{
  size_t low = 0, high = n - 1; /* the value of rank k lies in low..high */
  int max_rounds = 64;
  while (low < high) {
    if (max_rounds-- == 0) {
      qsort(x + low, high - low + 1, sizeof *x, compare_doubles);
      return;
    }
    const double pivot = median_of_three(x[low], x[low + (high - low) / 2], x[high]);
    size_t i = low, j = high;
    for (size_t exchanges = 1;; exchanges++) {
      if (exchanges % MN_CHUNK == 0 && !mn_task_should_continue(token)) return;
      while (x[i] < pivot) i++;
      while (x[j] > pivot) j--;
      if (i >= j) break;
      swap(&x[i++], &x[j--]);
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

static double interpolate(double a, double b, double fraction)
{
  return fraction > 0 ? a + fraction * (b - a) : a;
}

static mn_status unweighted_quantiles(mn_context *ctx, size_t n, const double *x, size_t levels, const double *level,
                                      double *out)
{
  double *copy = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(copy);
  memcpy(copy, x, n * sizeof *copy);
  size_t done = 0; /* ranks below it are in place */
  for (size_t l = 0; l < levels; l++) {
    const double h = (double)(n - 1) * level[l];
    const size_t k = (size_t)h;
    mn_select(&(mn_cancel_token){ .ctx = ctx }, n - done, copy + done, k - done);
    MN_TRY(mn_error_status(ctx));
    double next = copy[k];
    for (size_t i = k + 1; i < n; i++)
      if (i == k + 1 || copy[i] < next) next = copy[i];
    out[l] = interpolate(copy[k], next, h - (double)k);
    done = k;
  }
  return MN_OK;
}

double mn_weight_unit(size_t n, const double *weight)
{
  double smallest = 1, largest = 0;
  for (size_t i = 0; i < n; i++) {
    smallest = fmin(smallest, weight[i]);
    largest = fmax(largest, weight[i]);
  }
  return smallest < 1 ? fmax(smallest, largest * 0x1p-900) : 1; /* the sum of weights / unit must not overflow */
}

static mn_status weighted_quantiles(mn_context *ctx, size_t n, const double *x, const double *weights, size_t levels,
                                    const double *level, double *out)
{
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort(ctx, n, x, 1, order));
  const double unit = mn_weight_unit(n, weights);
  double total = 0;
  for (size_t i = 0; i < n; i++) total += weights[i] / unit;
  size_t i = 0;
  double before = 0; /* weight of the values before i */
  for (size_t l = 0; l < levels; l++) {
    const double h = fmax(total - 1, 0) * level[l];
    while (i + 1 < n && before + weights[order[i]] / unit <= h) before += weights[order[i++]] / unit;
    const double within = h - (before + weights[order[i]] / unit - 1); /* distance beyond the last copy of x_i */
    out[l] = i + 1 < n ? interpolate(x[order[i]], x[order[i + 1]], within < 1 ? within : 1) : x[order[i]];
  }
  return MN_OK;
}

mn_status mn_quantiles(mn_context *ctx, size_t n, const double *x, const double *weights, size_t levels,
                       const double *level, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = weights ? weighted_quantiles(ctx, n, x, weights, levels, level, out)
                                   : unweighted_quantiles(ctx, n, x, levels, level, out);
  mn_scratch_release(ctx, mark);
  return status;
}

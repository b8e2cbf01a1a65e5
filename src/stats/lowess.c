/* LOWESS: at each x the value of a line that is fitted to the nearest points alone, with the tricube weights
 * w = (1 - (d / h)^3)^3, d the distance, h that of the furthest of these points; then again with weights
 * (1 - (r / 6s)^2)^2 for residuals r, s the median of their sizes, so that outliers count little. Source: Cleveland,
 * JASA 74 (1979). The edges (ties with h, neighbourhoods of one x, when to stop) are those of his program, which R has
 * as lowess(). */
#include "lowess.h"
#include "quantile.h"
#include <math.h>
#include <string.h>

/* Shares of h and of 6s: nearer than the first weighs all, further than the second nothing. */
static const double ALL = 0.001, NOTHING = 0.999;

struct points {
  size_t n;
  const double *x, *y;
  double *weight; /* n: of the line at hand                        */
  double *robust; /* n: of the residuals; NULL in the first round  */
};

static double cube(double x)
{
  return x * x * x;
}

static double tricube(double distance, double h)
{
  return distance > ALL * h ? cube(1 - cube(distance / h)) : 1;
}

/* The weights of the points from `first` on, as far as they reach; returns where they end, sums them up in *total. */
static size_t set_weights(const struct points *p, double at, size_t first, double h, double *total)
{
  size_t i = first;
  *total = 0;
  for (; i < p->n; i++) {
    const double distance = fabs(p->x[i] - at);
    p->weight[i] = 0;
    if (distance <= NOTHING * h) {
      p->weight[i] = tricube(distance, h) * (p->robust ? p->robust[i] : 1);
      *total += p->weight[i];
    } else if (p->x[i] > at) {
      break;
    }
  }
  return i;
}

/* The value at `at` of the line through the points that have weight; false when none has. Where these lie all at about
 * one x, it is their mean. */
static bool line_at(const struct points *p, double at, size_t first, size_t last, double *value)
{
  const double range = p->x[p->n - 1] - p->x[0], h = fmax(at - p->x[first], p->x[last] - at);
  double total, mean = 0, spread = 0, sum = 0;
  const size_t end = set_weights(p, at, first, h, &total);
  if (!(total > 0)) return false;
  for (size_t i = first; i < end; i++) mean += p->weight[i] / total * p->x[i];
  for (size_t i = first; i < end; i++) spread += p->weight[i] / total * (p->x[i] - mean) * (p->x[i] - mean);
  const double slope = h > 0 && sqrt(spread) > 0.001 * range ? (at - mean) / spread : 0;
  for (size_t i = first; i < end; i++) sum += p->weight[i] / total * (1 + slope * (p->x[i] - mean)) * p->y[i];
  *value = sum;
  return true;
}

/* Values between two that were fitted lie on the line through these. */
static void join(const double *x, double *fitted, size_t from, size_t to)
{
  const double width = x[to] - x[from];
  for (size_t i = from + 1; i < to; i++) {
    const double share = (x[i] - x[from]) / width;
    fitted[i] = share * fitted[to] + (1 - share) * fitted[from];
  }
}

/* The next place to fit a line at: the last within delta of x[at], but at least one on. Equal x have equal values. */
static size_t next_place(const struct points *p, double delta, size_t *at, double *fitted)
{
  const double limit = p->x[*at] + delta;
  size_t i = *at + 1;
  for (; i < p->n && p->x[i] <= limit; i++)
    if (p->x[i] == p->x[*at]) {
      fitted[i] = fitted[*at];
      *at = i;
    }
  return i - 1 > *at + 1 ? i - 1 : *at + 1;
}

static mn_status smooth(mn_context *ctx, const struct points *p, size_t near, double delta, double *fitted)
{
  size_t first = 0, last = near - 1, done = 0;
  for (size_t at = 0; at < p->n;) {
    while (last < p->n - 1 && p->x[at] - p->x[first] > p->x[last + 1] - p->x[at]) {
      first++;
      last++;
    }
    if (!line_at(p, p->x[at], first, last, &fitted[at])) fitted[at] = p->y[at];
    join(p->x, fitted, done, at);
    done = at;
    at = next_place(p, delta, &done, fitted);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Weights against outliers; false when the fit is so near that there are none. `size` is workspace. */
static bool weigh_residuals(mn_context *ctx, const struct points *p, const double *fitted, double *robust, double *size)
{
  double sum = 0;
  for (size_t i = 0; i < p->n; i++) sum += size[i] = fabs(p->y[i] - fitted[i]);
  memcpy(robust, size, p->n * sizeof *size);
  const size_t half = p->n / 2;
  mn_select(&(mn_cancel_token){ .ctx = ctx }, p->n, size, half);
  double median = size[half];
  if (p->n % 2 == 0) {
    double below = size[0];
    for (size_t i = 1; i < half; i++) below = fmax(below, size[i]);
    median = (median + below) / 2;
  }
  const double six = 6 * median;
  if (six < 1e-7 * sum / (double)p->n) return false;
  for (size_t i = 0; i < p->n; i++) {
    const double r = robust[i], share = r / six;
    robust[i] = r <= ALL * six ? 1 : r <= NOTHING * six ? (1 - share * share) * (1 - share * share) : 0;
  }
  return true;
}

mn_status mn_lowess_fit(mn_context *ctx, const mn_lowess *how, size_t n, const double *x, const double *y,
                        double *fitted)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *work = MN_RAW(ctx, double, n, 3);
  MN_CHECK_ALLOC(work);
  struct points p = { .n = n, .x = x, .y = y, .weight = work };
  const double wanted = floor(how->fraction * (double)n + 1e-7);
  const size_t near = wanted < 2 ? (n < 2 ? n : 2) : wanted > (double)n ? n : (size_t)wanted;
  MN_TRY(smooth(ctx, &p, near, how->delta, fitted));
  for (size_t round = 0; round < how->rounds; round++) {
    if (!weigh_residuals(ctx, &p, fitted, work + n, work + 2 * n)) break;
    p.robust = work + n;
    MN_TRY(smooth(ctx, &p, near, how->delta, fitted));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

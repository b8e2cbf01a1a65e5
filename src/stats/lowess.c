/* LOWESS: the value at each x of a line fitted to the nearest points with tricube weights w = (1 - (d / h)^3)^3, where
 * d is the distance and h that of the farthest of these points. Further iterations multiply the weights by (1 - (r /
 * 6s)^2)^2, where r is the residual and s the median absolute residual, so that outliers have little influence.
 * Cleveland, JASA 74 (1979). Details (ties with h, neighborhoods with a single x, stopping) follow his program, which
 * is lowess() in R. */
#include "lowess.h"
#include "quantile.h"
#include <math.h>
#include <string.h>

/* Fractions of h and of 6s: below the first the weight is 1, above the second it is 0. */
static const double NEAR_FRACTION = 0.001, FAR_FRACTION = 0.999;

struct points {
  size_t n;
  const double *x, *y;
  double *weight; /* n: weights of the current line */
  double *robust; /* n: robustness weights; NULL in the first iteration */
};

static double cube(double x)
{
  return x * x * x;
}

static double tricube(double distance, double h)
{
  return distance > NEAR_FRACTION * h ? cube(1 - cube(distance / h)) : 1;
}

/* Set the weights of the points from `first` on; returns the end of the neighborhood, *total is the sum of weights. */
static size_t set_weights(const struct points *p, double at, size_t first, double h, double *total)
{
  size_t i = first;
  *total = 0;
  for (; i < p->n; i++) {
    const double distance = fabs(p->x[i] - at);
    p->weight[i] = 0;
    if (distance <= FAR_FRACTION * h) {
      p->weight[i] = tricube(distance, h) * (p->robust ? p->robust[i] : 1);
      *total += p->weight[i];
    } else if (p->x[i] > at) {
      break;
    }
  }
  return i;
}

/* The value at `at` of the line through the weighted points, or their mean if they are at nearly the same x. Returns
 * false if all weights are 0. */
static bool fit_line(const struct points *p, double at, size_t first, size_t last, double *value)
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

/* Linear interpolation between two fitted values. */
static void interpolate(const double *x, double *fitted, size_t from, size_t to)
{
  const double width = x[to] - x[from];
  for (size_t i = from + 1; i < to; i++) {
    const double ratio = (x[i] - x[from]) / width;
    fitted[i] = ratio * fitted[to] + (1 - ratio) * fitted[from];
  }
}

/* The next position to fit: the last within delta of x[at], but at least the next one. Equal x get equal values. */
static size_t next_position(const struct points *p, double delta, size_t *at, double *fitted)
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

static mn_status smooth(mn_context *ctx, const struct points *p, size_t neighbors, double delta, double *fitted)
{
  size_t first = 0, last = neighbors - 1, last_fitted = 0;
  for (size_t at = 0; at < p->n;) {
    while (last < p->n - 1 && p->x[at] - p->x[first] > p->x[last + 1] - p->x[at]) {
      first++;
      last++;
    }
    if (!fit_line(p, p->x[at], first, last, &fitted[at])) fitted[at] = p->y[at];
    interpolate(p->x, fitted, last_fitted, at);
    last_fitted = at;
    at = next_position(p, delta, &last_fitted, fitted);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

double mn_residual_cutoff(mn_context *ctx, size_t n, const double *residual, double *workspace)
{
  const size_t half = n / 2;
  for (size_t i = 0; i < n; i++) workspace[i] = fabs(residual[i]);
  mn_select(&(mn_cancel_token){ .ctx = ctx }, n, workspace, half);
  double median = workspace[half];
  if (n % 2 == 0) {
    double below = workspace[0];
    for (size_t i = 1; i < half; i++) below = fmax(below, workspace[i]);
    median = (median + below) / 2;
  }
  return 6 * median;
}

void mn_bisquare_weights(size_t n, const double *residual, double cutoff, double *weight)
{
  for (size_t i = 0; i < n; i++) {
    const double r = fabs(residual[i]), ratio = r / cutoff;
    weight[i] = r <= NEAR_FRACTION * cutoff  ? 1
                : r <= FAR_FRACTION * cutoff ? (1 - ratio * ratio) * (1 - ratio * ratio)
                                             : 0;
  }
}

/* Compute robustness weights; returns false if the fit is too close for outliers. workspace: 2n values. */
static bool robustness_weights(mn_context *ctx, const struct points *p, const double *fitted, double *robust,
                               double *workspace)
{
  double sum = 0;
  for (size_t i = 0; i < p->n; i++) sum += workspace[i] = fabs(p->y[i] - fitted[i]);
  const double cutoff = mn_residual_cutoff(ctx, p->n, workspace, workspace + p->n);
  if (cutoff < 1e-7 * sum / (double)p->n) return false;
  mn_bisquare_weights(p->n, workspace, cutoff, robust);
  return true;
}

mn_status mn_lowess_fit(mn_context *ctx, const mn_lowess *options, size_t n, const double *x, const double *y,
                        double *fitted)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *work = MN_RAW(ctx, double, n, 4);
  MN_CHECK_ALLOC(work);
  struct points p = { .n = n, .x = x, .y = y, .weight = work };
  const double requested = floor(options->fraction * (double)n + 1e-7);
  const size_t neighbors = requested < 2 ? (n < 2 ? n : 2) : requested > (double)n ? n : (size_t)requested;
  MN_TRY(smooth(ctx, &p, neighbors, options->delta, fitted));
  for (size_t round = 0; round < options->rounds; round++) {
    if (!robustness_weights(ctx, &p, fitted, work + n, work + 2 * n)) break;
    p.robust = work + n;
    MN_TRY(smooth(ctx, &p, neighbors, options->delta, fitted));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

#include "boost_loss_kernel.h"
#include "../core/clones.h"
#include <math.h>

static MN_CLONES(void, squared,
                 (size_t n, const double *restrict y, const double *restrict f, double *restrict g, double *restrict h,
                  double *restrict l),
                 (n, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double rest = f[i] - y[i];
    g[i] = rest;
    h[i] = 1;
    l[i] = 0.5 * rest * rest;
  }
}

/* delta bounds the gradient; the Hessian is at most 1, which is what is taken. Leaves are given their values by a line
 * search: a step by that Hessian is at most delta long, however far off the rows are. */
static MN_CLONES(void, huber,
                 (size_t n, double delta, const double *restrict y, const double *restrict f, double *restrict g,
                  double *restrict h, double *restrict l),
                 (n, delta, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double rest = f[i] - y[i], bounded = fmin(fmax(rest, -delta), delta);
    g[i] = bounded;
    h[i] = 1;
    l[i] = bounded * (rest - 0.5 * bounded);
  }
}

/* The pinball loss; leaves are given their values by a line search. */
static MN_CLONES(void, pinball,
                 (size_t n, double quantile, double unit, const double *restrict y, const double *restrict f,
                  double *restrict g, double *restrict h, double *restrict l),
                 (n, quantile, unit, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double rest = f[i] - y[i], slope = rest > 0 ? 1 - quantile : rest < 0 ? -quantile : 0;
    g[i] = unit * slope;
    h[i] = 1;
    l[i] = unit * slope * rest;
  }
}

static MN_CLONES(void, poisson,
                 (size_t n, const double *restrict y, const double *restrict f, double *restrict g, double *restrict h,
                  double *restrict l),
                 (n, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double mean = exp(f[i]);
    g[i] = mean - y[i];
    h[i] = mean;
    l[i] = mean - y[i] * f[i];
  }
}

static MN_CLONES(void, gamma_loss,
                 (size_t n, const double *restrict y, const double *restrict f, double *restrict g, double *restrict h,
                  double *restrict l),
                 (n, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double ratio = y[i] * exp(-f[i]);
    g[i] = 1 - ratio;
    h[i] = ratio;
    l[i] = f[i] + ratio;
  }
}

/* Of rows whose y is 0 the raw prediction falls for ever: 0 exp(..) must stay 0. */
static const double largest_exponent = 700;

static MN_CLONES(void, tweedie,
                 (size_t n, double power, const double *restrict y, const double *restrict f, double *restrict g,
                  double *restrict h, double *restrict l),
                 (n, power, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double first = y[i] * exp(fmin((1 - power) * f[i], largest_exponent)), second = exp((2 - power) * f[i]);
    g[i] = second - first;
    h[i] = (2 - power) * second - (1 - power) * first;
    l[i] = second / (2 - power) - first / (1 - power);
  }
}

/* y is 0 or 1. l: exp(-|f|), of which the loss is made where it is wanted. */
static MN_CLONES(void, logistic,
                 (size_t n, const double *restrict y, const double *restrict f, double *restrict g, double *restrict h,
                  double *restrict l),
                 (n, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double small = exp(-fabs(f[i])), lower = small / (1 + small), p = f[i] > 0 ? 1 - lower : lower;
    g[i] = p - y[i];
    h[i] = lower * (1 - lower);
    l[i] = small;
  }
}

static MN_CLONES(void, logistic_loss,
                 (size_t n, const double *restrict y, const double *restrict f, double *restrict l), (n, y, f, l))
{
  for (size_t i = 0; i < n; i++) l[i] = fmax(f[i], 0) - y[i] * f[i] + log(1 + l[i]);
}

void mn_loss_rows(mn_boost_loss_kind kind, double shape, size_t n, const double *restrict y, const double *restrict f,
                  double *restrict g, double *restrict h, double *restrict l, int losses)
{
  switch (kind) {
  case MN_BOOST_SQUARED: squared(n, y, f, g, h, l); break;
  case MN_BOOST_ABSOLUTE: pinball(n, 0.5, 2, y, f, g, h, l); break;
  case MN_BOOST_HUBER: huber(n, shape, y, f, g, h, l); break;
  case MN_BOOST_QUANTILE: pinball(n, shape, 1, y, f, g, h, l); break;
  case MN_BOOST_POISSON: poisson(n, y, f, g, h, l); break;
  case MN_BOOST_GAMMA: gamma_loss(n, y, f, g, h, l); break;
  case MN_BOOST_TWEEDIE: tweedie(n, shape, y, f, g, h, l); break;
  case MN_BOOST_LOGISTIC:
    logistic(n, y, f, g, h, l);
    if (losses) logistic_loss(n, y, f, l);
    break;
  case MN_BOOST_SOFTMAX:
  case MN_BOOST_RANK: break;
  }
}

/* Each class in turn over the rows, so that rows stand side by side in a vector. */
MN_CLONES(void, mn_loss_softmax,
          (size_t n, size_t k, size_t stride, const int32_t *restrict code, const double *restrict f,
           double *restrict level, double *restrict l),
          (n, k, stride, code, f, level, l))
{
  for (size_t i = 0; i < n; i++) level[i] = f[i];
  for (size_t c = 1; c < k; c++)
    for (size_t i = 0; i < n; i++) level[i] = fmax(level[i], f[c * stride + i]);
  for (size_t i = 0; i < n; i++) l[i] = 0; /* the sum, for a while */
  for (size_t c = 0; c < k; c++)
    for (size_t i = 0; i < n; i++) l[i] += exp(f[c * stride + i] - level[i]);
  for (size_t i = 0; i < n; i++) {
    level[i] += log(l[i]);
    l[i] = level[i] - f[(size_t)code[i] * stride + i];
  }
}

/* All classes step at once, so h must bound the whole Hessian diag(p) - p p': twice its diagonal does, for in each row
 * the rest adds up to as much. */
MN_CLONES(void, mn_loss_softmax_class,
          (size_t n, int32_t c, const int32_t *restrict code, const double *restrict f, const double *restrict level,
           double *restrict g, double *restrict h),
          (n, c, code, f, level, g, h))
{
  for (size_t i = 0; i < n; i++) {
    const double p = exp(fmin(f[i] - level[i], 0));
    g[i] = p - (code[i] == c);
    h[i] = 2 * p * (1 - p);
  }
}

MN_CLONES(void, mn_loss_size,
          (size_t n, const double *restrict g, const double *restrict h, const double *restrict weight, int weighted,
           mn_loss_sizes *sizes),
          (n, g, h, weight, weighted, sizes))
{
  double most = 0, sum = 0, steepest = 0, all = 0;
  for (size_t i = 0; i < n; i++) {
    const double w = weight ? weight[i] : 1;
    most = fmax(most, fabs(g[i]) * (weighted ? w : 1));
    sum += fabs(g[i]);
    steepest = fmax(steepest, h[i]);
    all += h[i] * w;
  }
  *sizes = (mn_loss_sizes){ .g_most = most, .g_sum = sum, .h_most = steepest, .h_sum = all };
}

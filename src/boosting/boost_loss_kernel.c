#include "boost_loss_kernel.h"
#include "../core/clones.h"
#include <math.h>

static MN_CLONES(void, squared,
                 (size_t n, const double *restrict y, const double *restrict f, double *restrict g, double *restrict h,
                  double *restrict l),
                 (n, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double residual = f[i] - y[i];
    g[i] = residual;
    h[i] = 1;
    l[i] = 0.5 * residual * residual;
  }
}

/* The gradient is bounded by delta; the Hessian is at most 1, and 1 is used as an upper bound. Leaf values come from a
 * line search, because a Newton step with this Hessian would be at most delta long, however far away the rows are. */
static MN_CLONES(void, huber,
                 (size_t n, double delta, const double *restrict y, const double *restrict f, double *restrict g,
                  double *restrict h, double *restrict l),
                 (n, delta, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double residual = f[i] - y[i], bounded = fmin(fmax(residual, -delta), delta);
    g[i] = bounded;
    h[i] = 1;
    l[i] = bounded * (residual - 0.5 * bounded);
  }
}

/* The pinball loss; leaf values come from a line search. */
static MN_CLONES(void, pinball,
                 (size_t n, double quantile, double unit, const double *restrict y, const double *restrict f,
                  double *restrict g, double *restrict h, double *restrict l),
                 (n, quantile, unit, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double residual = f[i] - y[i], slope = residual > 0 ? 1 - quantile : residual < 0 ? -quantile : 0;
    g[i] = unit * slope;
    h[i] = 1;
    l[i] = unit * slope * residual;
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

/* The raw prediction of rows with y = 0 tends to -infinity; 0 exp(..) must stay 0. */
static const double max_exponent = 700;

static MN_CLONES(void, tweedie,
                 (size_t n, double power, const double *restrict y, const double *restrict f, double *restrict g,
                  double *restrict h, double *restrict l),
                 (n, power, y, f, g, h, l))
{
  for (size_t i = 0; i < n; i++) {
    const double inverse = y[i] * exp(fmin((1 - power) * f[i], max_exponent)), power_term = exp((2 - power) * f[i]);
    g[i] = power_term - inverse;
    h[i] = (2 - power) * power_term - (1 - power) * inverse;
    l[i] = power_term / (2 - power) - inverse / (1 - power);
  }
}

/* y is 0 or 1. l: exp(-|f|), from which logistic_loss computes the loss if it is needed. */
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

/* The inner loops run over rows, so that they vectorize. */
MN_CLONES(void, mn_loss_softmax,
          (size_t n, size_t k, size_t stride, const int32_t *restrict code, const double *restrict f,
           double *restrict log_sum_exp, double *restrict l),
          (n, k, stride, code, f, log_sum_exp, l))
{
  for (size_t i = 0; i < n; i++) log_sum_exp[i] = f[i];
  for (size_t c = 1; c < k; c++)
    for (size_t i = 0; i < n; i++) log_sum_exp[i] = fmax(log_sum_exp[i], f[c * stride + i]);
  for (size_t i = 0; i < n; i++) l[i] = 0; /* holds the sum of exponentials here */
  for (size_t c = 0; c < k; c++)
    for (size_t i = 0; i < n; i++) l[i] += exp(f[c * stride + i] - log_sum_exp[i]);
  for (size_t i = 0; i < n; i++) {
    log_sum_exp[i] += log(l[i]);
    l[i] = log_sum_exp[i] - f[(size_t)code[i] * stride + i];
  }
}

/* All classes are updated at once, so h must bound the full Hessian diag(p) - p p'. Twice its diagonal does: in each
 * row the absolute off-diagonal elements add up to the diagonal one. */
MN_CLONES(void, mn_loss_softmax_class,
          (size_t n, int32_t c, const int32_t *restrict code, const double *restrict f,
           const double *restrict log_sum_exp, double *restrict g, double *restrict h),
          (n, c, code, f, log_sum_exp, g, h))
{
  for (size_t i = 0; i < n; i++) {
    const double p = exp(fmin(f[i] - log_sum_exp[i], 0));
    g[i] = p - (code[i] == c);
    h[i] = 2 * p * (1 - p);
  }
}

MN_CLONES(void, mn_compute_loss_stats,
          (size_t n, const double *restrict g, const double *restrict h, const double *restrict weight, int weighted,
           mn_loss_stats *stats),
          (n, g, h, weight, weighted, stats))
{
  double g_max = 0, g_sum = 0, h_max = 0, h_sum = 0;
  for (size_t i = 0; i < n; i++) {
    const double w = weight ? weight[i] : 1;
    g_max = fmax(g_max, fabs(g[i]) * (weighted ? w : 1));
    g_sum += fabs(g[i]);
    h_max = fmax(h_max, h[i]);
    h_sum += h[i] * w;
  }
  *stats = (mn_loss_stats){ .g_max = g_max, .g_sum = g_sum, .h_max = h_max, .h_sum = h_sum };
}

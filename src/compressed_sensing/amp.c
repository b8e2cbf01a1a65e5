#include "amp.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

/* --- denoisers --- */

/* p(x is not 0 | u) for u = x + tau z, x ~ share N(0, scale^2), else 0. */
static double nonzero_probability(double share, double scale, double u, double tau)
{
  const double narrow = tau * tau, wide = narrow + scale * scale;
  const double log_ratio = 0.5 * log(narrow / wide) + 0.5 * u * u * (1 / narrow - 1 / wide);
  return 1 / (1 + (1 - share) / share * exp(-log_ratio));
}

double mn_denoise(const mn_denoiser *d, double u, double tau, double *slope)
{
  if (d->kind == MN_DENOISE_SOFT) {
    const double size = fabs(u) - d->alpha * tau;
    *slope = size > 0;
    return size > 0 ? copysign(size, u) : 0;
  }
  const double narrow = tau * tau, shrink = d->scale * d->scale / (d->scale * d->scale + narrow);
  const double p = nonzero_probability(d->share, d->scale, u, tau), mean = p * shrink * u;
  /* eta' = Var(x | u) / tau^2 */
  *slope = (p * shrink * narrow + p * (1 - p) * shrink * shrink * u * u) / narrow;
  return mean;
}

/* --- the algorithm --- */

static double norm(size_t n, const double *v)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

/* x := (1 - damping) eta(u) + damping x with u = x + A' z. Returns |change|; *slope: the mean derivative. */
static double denoise_all(const mn_amp_options *o, size_t n, double tau, const double *u, double *x, double *slope)
{
  double change = 0, sum = 0, one;
  for (size_t j = 0; j < n; j++) {
    const double next = (1 - o->damping) * mn_denoise(&o->denoiser, u[j], tau, &one) + o->damping * x[j];
    change += (next - x[j]) * (next - x[j]);
    sum += one;
    x[j] = next;
  }
  *slope = sum / (double)n;
  return sqrt(change);
}

mn_status mn_amp(mn_context *ctx, size_t m, size_t n, const double *a, const double *y, const mn_amp_options *o,
                 double *x, double *tau, mn_amp_result *result)
{
  double *z = MN_RAW(ctx, double, m, 1), *ax = MN_NEW(ctx, double, m, 1), *u = MN_RAW(ctx, double, n, 1), slope = 0;
  if (!z || !ax || !u) return MN_NO_MEMORY;
  *result = (mn_amp_result){ 0 };
  memset(x, 0, n * sizeof *x);
  memset(z, 0, m * sizeof *z);
  const double start = norm(m, y) / sqrt((double)m);
  for (size_t t = 0; t < o->max_iter && !result->converged && !result->diverged; t++) {
    for (size_t i = 0; i < m; i++) z[i] = y[i] - ax[i] + (double)n / (double)m * slope * z[i];
    tau[t] = norm(m, z) / sqrt((double)m);
    result->n_iter = t + 1;
    if (!(tau[t] > 0)) {
      result->converged = true;
      break;
    }
    result->diverged = !(tau[t] < 100 * start);
    memcpy(u, x, n * sizeof *u);
    MN_TRY(mn_gemv(ctx, true, m, n, 1, a, n, z, 1, u));
    const double change = denoise_all(o, n, tau[t], u, x, &slope);
    result->converged = change <= o->tol * norm(n, x);
    MN_TRY(mn_gemv(ctx, false, m, n, 1, a, n, x, 0, ax));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* --- theory --- */

/* E (eta(u) - x)^2 over one component: u ~ N(0, spread^2), by Simpson's rule. */
static double component_error(const mn_denoiser *d, double share, double scale, double tau, double spread)
{
  enum { HALF = 1000 };
  const double limit = 10 * spread, h = limit / HALF, shrink = scale * scale / (scale * scale + tau * tau);
  double sum = 0, slope;
  for (int i = -HALF; i <= HALF; i++) {
    const double u = h * i, eta = mn_denoise(d, u, tau, &slope);
    const double p = nonzero_probability(share, scale, u, tau), mean = p * shrink * u;
    const double variance = p * shrink * tau * tau + p * (1 - p) * shrink * shrink * u * u;
    const double weight = i == -HALF || i == HALF ? 1 : i % 2 != 0 ? 4 : 2;
    sum += weight * exp(-0.5 * u * u / (spread * spread)) * ((eta - mean) * (eta - mean) + variance);
  }
  return sum * h / 3 / (spread * 2.5066282746310002);
}

void mn_amp_state_evolution(const mn_denoiser *d, double delta, double noise, double share, double scale, size_t steps,
                            double *tau, double *mse)
{
  double error = share * scale * scale;
  for (size_t t = 0; t < steps; t++) {
    mse[t] = error;
    tau[t] = sqrt(noise * noise + error / delta);
    if (!(tau[t] > 0)) continue;
    error = share * component_error(d, share, scale, tau[t], sqrt(scale * scale + tau[t] * tau[t])) +
            (1 - share) * component_error(d, share, scale, tau[t], tau[t]);
  }
}

/* Largest risk of the soft threshold: share (1 + a^2) + (1 - share) 2 [(1 + a^2) Phi(-a) - a phi(a)], minimized by
 * golden section. */
static double worst_risk(double share, double a)
{
  const double tail = 0.5 * erfc(a / sqrt(2.0)), density = 0.3989422804014327 * exp(-0.5 * a * a);
  return share * (1 + a * a) + (1 - share) * 2 * ((1 + a * a) * tail - a * density);
}

double mn_amp_minimax_alpha(double share)
{
  static const double golden = 0.6180339887498949;
  double low = 0, high = 10;
  for (int i = 0; i < 100; i++) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (worst_risk(share, a) < worst_risk(share, b))
      high = b;
    else
      low = a;
  }
  return 0.5 * (low + high);
}

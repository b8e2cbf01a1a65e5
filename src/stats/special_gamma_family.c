/* Distributions based on the incomplete gamma function: gamma, chi-square, Poisson. */
#include "special.h"
#include "special_parts.h"
#include <math.h>

static bool is_scale(double v)
{
  return v > 0 && v < INFINITY;
}

/* ---------- gamma ---------- */

/* x / scale with the remainder of the division, which matters for large shapes. */
static mn_gamma_point standardize(double x, double shape, double scale)
{
  const double z = x / scale;
  return mn_gamma_point_at(shape, z, -fma(z, scale, -x) / scale);
}

static mn_tails gamma_tails(double x, double shape, double scale)
{
  if (isnan(x) || !mn_is_shape(shape) || !is_scale(scale)) return mn_tails_nan();
  const mn_gamma_point p = standardize(x, shape, scale);
  if (p.x <= 0) return mn_tails_at_lower_end();
  return isinf(p.x) ? mn_tails_at_upper_end() : mn_gamma_tails(p);
}

double mn_gamma_logpdf(double x, double shape, double scale)
{
  if (isnan(x) || !mn_is_shape(shape) || !is_scale(scale)) return NAN;
  if (x == 0 && shape <= 1) return shape < 1 ? INFINITY : -log(scale);
  if (x <= 0) return -INFINITY;
  const mn_gamma_point p = standardize(x, shape, scale);
  return isinf(p.x) ? -INFINITY : mn_gamma_log_power(p) - log(x);
}

double mn_gamma_pdf(double x, double shape, double scale)
{
  return exp(mn_gamma_logpdf(x, shape, scale));
}

double mn_gamma_cdf(double x, double shape, double scale)
{
  return gamma_tails(x, shape, scale).lower;
}

double mn_gamma_sf(double x, double shape, double scale)
{
  return gamma_tails(x, shape, scale).upper;
}

double mn_gamma_logcdf(double x, double shape, double scale)
{
  return gamma_tails(x, shape, scale).log_lower;
}

double mn_gamma_logsf(double x, double shape, double scale)
{
  return gamma_tails(x, shape, scale).log_upper;
}

double mn_gamma_quantile(double p, double shape, double scale)
{
  return is_scale(scale) ? scale * mn_gamma_p_inverse(shape, p) : NAN;
}

double mn_gamma_isf(double q, double shape, double scale)
{
  return is_scale(scale) ? scale * mn_gamma_q_inverse(shape, q) : NAN;
}

/* ---------- chi-square: gamma with shape df / 2 and scale 2 ---------- */

double mn_chi2_pdf(double x, double df)
{
  return mn_gamma_pdf(x, 0.5 * df, 2);
}

double mn_chi2_logpdf(double x, double df)
{
  return mn_gamma_logpdf(x, 0.5 * df, 2);
}

double mn_chi2_cdf(double x, double df)
{
  return mn_gamma_cdf(x, 0.5 * df, 2);
}

double mn_chi2_sf(double x, double df)
{
  return mn_gamma_sf(x, 0.5 * df, 2);
}

double mn_chi2_logcdf(double x, double df)
{
  return mn_gamma_logcdf(x, 0.5 * df, 2);
}

double mn_chi2_logsf(double x, double df)
{
  return mn_gamma_logsf(x, 0.5 * df, 2);
}

double mn_chi2_quantile(double p, double df)
{
  return mn_gamma_quantile(p, 0.5 * df, 2);
}

double mn_chi2_isf(double q, double df)
{
  return mn_gamma_isf(q, 0.5 * df, 2);
}

/* ---------- Poisson: P(K <= k) = Q(k + 1, mean), DLMF 8.4.10 ---------- */

static mn_tails poisson_tails(double k, double mean)
{
  if (isnan(k) || !(mean >= 0 && mean < INFINITY)) return mn_tails_nan();
  if (k < 0) return mn_tails_at_lower_end();
  if (mean == 0 || k > 1e100) return mn_tails_at_upper_end();
  return mn_tails_swap(mn_gamma_tails(mn_gamma_point_at(floor(k) + 1, mean, 0)));
}

double mn_poisson_logpmf(double k, double mean)
{
  if (isnan(k) || !(mean >= 0 && mean < INFINITY)) return NAN;
  if (k < 0 || k != floor(k) || isinf(k)) return -INFINITY;
  if (k == 0) return -mean;
  return mean == 0 ? -INFINITY : mn_gamma_log_power(mn_gamma_point_at(k, mean, 0)) - log(k);
}

double mn_poisson_pmf(double k, double mean)
{
  return exp(mn_poisson_logpmf(k, mean));
}

double mn_poisson_cdf(double k, double mean)
{
  return poisson_tails(k, mean).lower;
}

double mn_poisson_sf(double k, double mean)
{
  return poisson_tails(k, mean).upper;
}

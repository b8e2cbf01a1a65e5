#include "ordinal_likelihood.h"
#include "../stats/special.h"
#include <math.h>

double mn_ordinal_quantile(int link, double p)
{
  switch (link) {
  case MN_ORDINAL_PROBIT: return mn_normal_quantile(p);
  case MN_ORDINAL_CLOGLOG: return log(-log1p(-p));
  default: return log(p) - log1p(-p);
  }
}

/* log F(z), log(1 - F(z)), log F'(z) and F''(z) / F'(z) */
static double log_cdf(int link, double z)
{
  switch (link) {
  case MN_ORDINAL_PROBIT: return mn_normal_logcdf(z);
  case MN_ORDINAL_CLOGLOG: return log(-expm1(-exp(z)));
  default: return (z < 0 ? z : 0) - log1p(exp(-fabs(z)));
  }
}

static double log_sf(int link, double z)
{
  switch (link) {
  case MN_ORDINAL_PROBIT: return mn_normal_logsf(z);
  case MN_ORDINAL_CLOGLOG: return -exp(z);
  default: return (z > 0 ? -z : 0) - log1p(exp(-fabs(z)));
  }
}

static double log_pdf(int link, double z)
{
  switch (link) {
  case MN_ORDINAL_PROBIT: return mn_normal_logpdf(z);
  case MN_ORDINAL_CLOGLOG: return z - exp(z);
  default: return -fabs(z) - 2 * log1p(exp(-fabs(z)));
  }
}

static double slope(int link, double z)
{
  switch (link) {
  case MN_ORDINAL_PROBIT: return -z;
  case MN_ORDINAL_CLOGLOG: return 1 - exp(z);
  default: return -tanh(z / 2);
  }
}

/* log(1 - exp(d)), d <= 0 */
static double log_one_minus_exp(double d)
{
  return d > -0.6931471805599453 ? log(-expm1(d)) : log1p(-exp(d));
}

/* log(F(u) - F(l)), from the smaller tail; u may be infinite, and l minus infinity. */
static double log_difference(int link, double u, double l)
{
  const double cdf = isinf(u) ? 0 : log_cdf(link, u), sf = isinf(l) ? 0 : log_sf(link, l);
  if (!(u > l)) return -INFINITY;
  if (cdf <= sf) return cdf + (isinf(l) ? 0 : log_one_minus_exp(log_cdf(link, l) - cdf));
  return sf + (isinf(u) ? 0 : log_one_minus_exp(log_sf(link, u) - sf));
}

double mn_ordinal_log_proba(int link, size_t classes, const double *theta, size_t k, double eta)
{
  return log_difference(link, k + 1 < classes ? theta[k] - eta : INFINITY, k > 0 ? theta[k - 1] - eta : -INFINITY);
}

mn_ordinal_row mn_ordinal_derivatives(int link, size_t classes, const double *theta, size_t k, double eta)
{
  const bool has_above = k + 1 < classes, has_below = k > 0;
  const double u = has_above ? theta[k] - eta : 0, l = has_below ? theta[k - 1] - eta : 0;
  mn_ordinal_row r = { .log_proba = mn_ordinal_log_proba(link, classes, theta, k, eta) };
  const double a = has_above ? exp(log_pdf(link, u) - r.log_proba) : 0; /* f(u) / P */
  const double c = has_below ? exp(log_pdf(link, l) - r.log_proba) : 0;
  const double a_slope = has_above ? a * slope(link, u) : 0, c_slope = has_below ? c * slope(link, l) : 0;
  r.above = a;
  r.below = -c;
  r.eta = c - a;
  r.eta_eta = a_slope - c_slope - (a - c) * (a - c);
  r.above_above = a_slope - a * a;
  r.below_below = -c_slope - c * c;
  r.above_below = a * c;
  r.eta_above = -a_slope + a * (a - c);
  r.eta_below = c_slope - c * (a - c);
  return r;
}

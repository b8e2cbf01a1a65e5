#include "gp_likelihood.h"
#include "../stats/special.h"
#include <math.h>

static mn_gp_terms logit_terms(double y, double f)
{
  const double z = y * f, e = exp(-fabs(z)), smaller = e / (1 + e);
  return (mn_gp_terms){ .value = z >= 0 ? -log1p(e) : z - log1p(e),
                        .slope = y * (z >= 0 ? smaller : 1 - smaller),
                        .precision = smaller * (1 - smaller),
                        .relative_slope = 1 - 2 / (1 + exp(-f)) };
}

static mn_gp_terms probit_terms(double y, double f)
{
  const double z = y * f, value = mn_normal_logcdf(z), r = exp(mn_normal_logpdf(z) - value);
  const double precision = fmax(r * (r + z), 0);
  return (mn_gp_terms){
    .value = value, .slope = y * r, .precision = precision, .relative_slope = y * (1 / (r + z) - 2 * r - z)
  };
}

static mn_gp_terms poisson_terms(double y, double f)
{
  const double mean = exp(f);
  return (mn_gp_terms){
    .value = y * f - mean - mn_lgamma(y + 1), .slope = y - mean, .precision = mean, .relative_slope = 1
  };
}

static mn_gp_terms student_terms(const mn_gp_likelihood *l, double y, double f)
{
  const double r = y - f, df = l->df, square = l->scale * l->scale, part = (df + 1) / (df * square + r * r);
  return (mn_gp_terms){ .value = mn_lgamma((df + 1) / 2) - mn_lgamma(df / 2) - log(df * M_PI * square) / 2 -
                                 (df + 1) / 2 * log1p(r * r / (df * square)),
                        .slope = part * r,
                        .precision = (df + 1) / ((df + 3) * square),
                        .by_scale = part * r * r - 1 };
}

mn_gp_terms mn_gp_likelihood_terms(const mn_gp_likelihood *l, double y, double f)
{
  switch (l->family) {
  case MN_GP_LOGIT: return logit_terms(y, f);
  case MN_GP_PROBIT: return probit_terms(y, f);
  case MN_GP_POISSON: return poisson_terms(y, f);
  case MN_GP_STUDENT: break;
  }
  return student_terms(l, y, f);
}

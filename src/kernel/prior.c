#include "prior.h"
#include "../stats/special.h"
#include <math.h>
#include <string.h>

const mn_prior_type mn_prior_types[MN_PRIORS] = {
  [MN_PRIOR_NONE] = { .name = "" },
  [MN_PRIOR_LOGNORMAL] = { .name = "lognormal", .first = "mean of the logarithm", .second = "its sd" },
  [MN_PRIOR_GAMMA] = { .name = "gamma", .first = "shape", .second = "rate" },
  [MN_PRIOR_INVERSE_GAMMA] = { .name = "inverse_gamma", .first = "shape", .second = "scale" },
  [MN_PRIOR_HALF_NORMAL] = { .name = "half_normal", .first = "scale" },
};

mn_prior_family mn_prior_named(const char *name)
{
  for (int f = MN_PRIOR_NONE + 1; f < MN_PRIORS; f++)
    if (strcmp(mn_prior_types[f].name, name) == 0) return (mn_prior_family)f;
  return MN_PRIOR_NONE;
}

static bool is_positive(double v)
{
  return v > 0 && v <= 1e300;
}

bool mn_prior_is_valid(const mn_prior *p)
{
  switch (p->family) {
  case MN_PRIOR_NONE: return true;
  case MN_PRIOR_LOGNORMAL: return fabs(p->a) <= 700 && is_positive(p->b);
  case MN_PRIOR_GAMMA:
  case MN_PRIOR_INVERSE_GAMMA: return is_positive(p->a) && is_positive(p->b);
  case MN_PRIOR_HALF_NORMAL: return is_positive(p->a);
  case MN_PRIORS: break;
  }
  return false;
}

double mn_prior_log_density(const mn_prior *p, double v, double *slope)
{
  const double a = p->a, b = p->b, z = (log(v) - a) / b;
  *slope = 0;
  switch (p->family) {
  case MN_PRIOR_LOGNORMAL: *slope = -1 - z / b; return -log(v) - log(b) - log(2 * M_PI) / 2 - z * z / 2;
  case MN_PRIOR_GAMMA: *slope = a - 1 - b * v; return a * log(b) - mn_lgamma(a) + (a - 1) * log(v) - b * v;
  case MN_PRIOR_INVERSE_GAMMA: *slope = b / v - a - 1; return a * log(b) - mn_lgamma(a) - (a + 1) * log(v) - b / v;
  case MN_PRIOR_HALF_NORMAL: *slope = -v * v / (a * a); return log(2 / M_PI) / 2 - log(a) - v * v / (2 * a * a);
  case MN_PRIOR_NONE:
  case MN_PRIORS: break;
  }
  return 0;
}

void mn_kernel_add_priors(const mn_kernel *kernel, double *value, double *gradient)
{
  for (size_t i = 0; i < kernel->hypers; i++) {
    double slope;
    if (kernel->hyper[i].fixed) continue;
    *value += mn_prior_log_density(&kernel->hyper[i].prior, kernel->hyper[i].value, &slope);
    *gradient++ += slope;
  }
}

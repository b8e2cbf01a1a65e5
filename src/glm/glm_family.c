#include "glm_family.h"
#include "../stats/special.h"
#include <math.h>

const char *const mn_glm_family_names[] = { "gaussian",         "binomial", "poisson",           "gamma",
                                            "inverse_gaussian", "tweedie",  "negative_binomial", NULL };
const char *const mn_glm_link_names[] = { "auto",    "identity",        "log",  "logit", "probit", "cloglog",
                                          "inverse", "inverse_squared", "sqrt", "power", NULL };

/* --- links --- */

static size_t probit_inverse(double power, size_t n, const double *restrict eta, double *restrict mu,
                             double *restrict rest, double *restrict dmu)
{
  (void)power;
  for (size_t i = 0; i < n; i++) {
    const double e = fmin(fmax(eta[i], -MN_GLM_PROBIT_END), MN_GLM_PROBIT_END);
    mu[i] = mn_normal_cdf(e);
    rest[i] = mn_normal_sf(e);
    dmu[i] = mn_normal_pdf(e);
  }
  return 0;
}

static size_t cloglog_inverse(double power, size_t n, const double *restrict eta, double *restrict mu,
                              double *restrict rest, double *restrict dmu)
{
  (void)power;
  for (size_t i = 0; i < n; i++) {
    const double t = exp(fmin(fmax(eta[i], MN_GLM_CLOGLOG_LOW), MN_GLM_CLOGLOG_HIGH));
    mu[i] = -expm1(-t);
    rest[i] = exp(-t);
    dmu[i] = t * rest[i];
  }
  return 0;
}

static double identity(double power, double mu)
{
  (void)power;
  return mu;
}
static double log_of(double power, double mu)
{
  (void)power;
  return log(mu);
}
static double logit(double power, double mu)
{
  (void)power;
  return log(mu / (1 - mu));
}
static double probit(double power, double mu)
{
  (void)power;
  return mn_normal_quantile(mu);
}
static double cloglog(double power, double mu)
{
  (void)power;
  return log(-log1p(-mu));
}
static double inverse_of(double power, double mu)
{
  (void)power;
  return 1 / mu;
}
static double root(double power, double mu)
{
  (void)power;
  return sqrt(mu);
}
static double power_of(double power, double mu)
{
  return pow(mu, power);
}

const mn_glm_link mn_glm_links[MN_GLM_LINKS] = {
  [MN_LINK_IDENTITY] = { mn_glm_identity, identity, 0 },
  [MN_LINK_LOG] = { mn_glm_log, log_of, 0 },
  [MN_LINK_LOGIT] = { mn_glm_logit, logit, 0 },
  [MN_LINK_PROBIT] = { probit_inverse, probit, 0 },
  [MN_LINK_CLOGLOG] = { cloglog_inverse, cloglog, 0 },
  [MN_LINK_INVERSE] = { mn_glm_inverse_of, inverse_of, 0 },
  [MN_LINK_INVERSE_SQUARED] = { mn_glm_power, power_of, -2 },
  [MN_LINK_SQRT] = { mn_glm_sqrt, root, 0 },
  [MN_LINK_POWER] = { mn_glm_power, power_of, 0 },
};

/* --- families --- */

/* a log(a / m), which is 0 for a = 0. */
static double log_ratio(double a, double m)
{
  return a > 0 ? a * log(a / m) : 0;
}

/* The deviance is half of it twice over; rounding may not take it below 0. */
static double twice(double half)
{
  return half > 0 ? 2 * half : 0;
}

/* The functions of one family; `t` is its parameter, `r` is 1 - m. Their names are not made by the preprocessor, and
 * are found nowhere else: all sources together are one file, too. */
#define VARIANCE(name, value)                                                                                          \
  static double name(double t, double m, double r)                                                                     \
  {                                                                                                                    \
    (void)t, (void)m, (void)r;                                                                                         \
    return value;                                                                                                      \
  }
#define UNIT(name, value)                                                                                              \
  static double name(double t, double y, double m, double r)                                                           \
  {                                                                                                                    \
    (void)t, (void)r;                                                                                                  \
    return value;                                                                                                      \
  }
#define START(name, value)                                                                                             \
  static double name(double y, double mean, double trials)                                                             \
  {                                                                                                                    \
    (void)mean, (void)trials;                                                                                          \
    return value;                                                                                                      \
  }
#define DENSITY(name, value)                                                                                           \
  static double name(double t, double phi, double trials, double y, double m, double r)                                \
  {                                                                                                                    \
    (void)t, (void)phi, (void)trials, (void)r;                                                                         \
    return value;                                                                                                      \
  }

static const double log_two_pi = 1.8378770664093454836;

VARIANCE(glm_gaussian_variance, 1)
UNIT(glm_gaussian_unit, (y - m) * (y - m))
START(glm_gaussian_start, y)
DENSITY(glm_gaussian_density, -0.5 * (log_two_pi + log(phi) + (y - m) * (y - m) / phi))

VARIANCE(glm_binomial_variance, m *r)
UNIT(glm_binomial_unit, twice(log_ratio(y, m) + log_ratio(1 - y, r)))
START(glm_binomial_start, (trials * y + 0.5) / (trials + 1))
DENSITY(glm_binomial_density, mn_lgamma(trials + 1) - mn_lgamma(trials * y + 1) - mn_lgamma(trials * (1 - y) + 1) +
                                  (y > 0 ? trials * y * log(m) : 0) + (y < 1 ? trials * (1 - y) * log(r) : 0))

VARIANCE(glm_poisson_variance, m)
UNIT(glm_poisson_unit, twice(log_ratio(y, m) - (y - m)))
START(glm_poisson_start, y + 0.1 * (mean > 0 ? mean : 1))
DENSITY(glm_poisson_density, (y > 0 ? y * log(m) : 0) - m - mn_lgamma(y + 1))

VARIANCE(glm_gamma_variance, m *m)
UNIT(glm_gamma_unit, twice((y - m) / m - log(y / m)))
START(glm_gamma_start, y)
DENSITY(glm_gamma_density, mn_gamma_logpdf(y, 1 / phi, m *phi))

VARIANCE(glm_inverse_gaussian_variance, m *m *m)
UNIT(glm_inverse_gaussian_unit, (y - m) * (y - m) / (y * m * m))
DENSITY(glm_inverse_gaussian_density,
        -0.5 * (log_two_pi + log(phi) + 3 * log(y) + (y - m) * (y - m) / (phi * y * m * m)))

VARIANCE(glm_tweedie_variance, pow(m, t))
UNIT(glm_tweedie_unit,
     twice((y > 0 ? pow(y, 2 - t) : 0) / ((1 - t) * (2 - t)) - y * pow(m, 1 - t) / (1 - t) + pow(m, 2 - t) / (2 - t)))

VARIANCE(glm_negative_binomial_variance, m + m * m / t)
UNIT(glm_negative_binomial_unit, twice(log_ratio(y, m) - (y + t) * log1p((y - m) / (m + t))))
DENSITY(glm_negative_binomial_density,
        mn_lgamma(y + t) - mn_lgamma(t) - mn_lgamma(y + 1) - t * log1p(m / t) - (y > 0 ? y * log1p(t / m) : 0))

const mn_glm_family mn_glm_families[MN_GLM_FAMILIES] = {
  [MN_GAUSSIAN] = { .deviance = mn_glm_gaussian,
                    .variance = glm_gaussian_variance,
                    .unit = glm_gaussian_unit,
                    .link = MN_LINK_IDENTITY,
                    .low = -INFINITY,
                    .high = INFINITY,
                    .least = -INFINITY,
                    .most = INFINITY,
                    .free_dispersion = true,
                    .counts_dispersion = true,
                    .start = glm_gaussian_start,
                    .log_density = glm_gaussian_density },
  [MN_BINOMIAL] = { .deviance = mn_glm_binomial,
                    .variance = glm_binomial_variance,
                    .unit = glm_binomial_unit,
                    .link = MN_LINK_LOGIT,
                    .low = 0,
                    .high = 1,
                    .least = 0,
                    .most = 1,
                    .start = glm_binomial_start,
                    .log_density = glm_binomial_density },
  [MN_POISSON] = { .deviance = mn_glm_poisson,
                   .variance = glm_poisson_variance,
                   .unit = glm_poisson_unit,
                   .link = MN_LINK_LOG,
                   .low = 0,
                   .high = INFINITY,
                   .least = 0,
                   .most = INFINITY,
                   .start = glm_poisson_start,
                   .log_density = glm_poisson_density },
  [MN_GAMMA] = { .deviance = mn_glm_gamma,
                 .variance = glm_gamma_variance,
                 .unit = glm_gamma_unit,
                 .link = MN_LINK_INVERSE,
                 .low = 0,
                 .high = INFINITY,
                 .least = 0,
                 .most = INFINITY,
                 .open = true,
                 .free_dispersion = true,
                 .counts_dispersion = true,
                 .start = glm_gamma_start,
                 .log_density = glm_gamma_density },
  [MN_INVERSE_GAUSSIAN] = { .deviance = mn_glm_inverse_gaussian,
                            .variance = glm_inverse_gaussian_variance,
                            .unit = glm_inverse_gaussian_unit,
                            .link = MN_LINK_INVERSE_SQUARED,
                            .low = 0,
                            .high = INFINITY,
                            .least = 0,
                            .most = INFINITY,
                            .open = true,
                            .free_dispersion = true,
                            .counts_dispersion = true,
                            .start = glm_gamma_start,
                            .log_density = glm_inverse_gaussian_density },
  [MN_TWEEDIE] = { .deviance = mn_glm_tweedie,
                   .variance = glm_tweedie_variance,
                   .unit = glm_tweedie_unit,
                   .link = MN_LINK_LOG,
                   .low = 0,
                   .high = INFINITY,
                   .least = 0,
                   .most = INFINITY,
                   .free_dispersion = true,
                   .start = glm_poisson_start },
  [MN_NEGATIVE_BINOMIAL] = { .deviance = mn_glm_negative_binomial,
                             .variance = glm_negative_binomial_variance,
                             .unit = glm_negative_binomial_unit,
                             .link = MN_LINK_LOG,
                             .low = 0,
                             .high = INFINITY,
                             .least = 0,
                             .most = INFINITY,
                             .start = glm_poisson_start,
                             .log_density = glm_negative_binomial_density },
};

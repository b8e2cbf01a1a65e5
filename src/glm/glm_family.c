#include "glm_family.h"
#include "../stats/special.h"
#include <math.h>

const char *const mn_glm_family_names[] = { "gaussian",         "binomial", "poisson",           "gamma",
                                            "inverse_gaussian", "tweedie",  "negative_binomial", NULL };
const char *const mn_glm_link_names[] = { "auto",    "identity",        "log",  "logit", "probit", "cloglog",
                                          "inverse", "inverse_squared", "sqrt", "power", NULL };

static size_t probit_inverse(double power, size_t n, const double *restrict eta, double *restrict mu,
                             double *restrict complement, double *restrict dmu)
{
  (void)power;
  for (size_t i = 0; i < n; i++) {
    const double e = fmin(fmax(eta[i], -MN_GLM_MAX_PROBIT_ETA), MN_GLM_MAX_PROBIT_ETA);
    mu[i] = mn_normal_cdf(e);
    complement[i] = mn_normal_sf(e);
    dmu[i] = mn_normal_pdf(e);
  }
  return 0;
}

static size_t cloglog_inverse(double power, size_t n, const double *restrict eta, double *restrict mu,
                              double *restrict complement, double *restrict dmu)
{
  (void)power;
  for (size_t i = 0; i < n; i++) {
    const double t = exp(fmin(fmax(eta[i], MN_GLM_MIN_CLOGLOG_ETA), MN_GLM_MAX_CLOGLOG_ETA));
    mu[i] = -expm1(-t);
    complement[i] = exp(-t);
    dmu[i] = t * complement[i];
  }
  return 0;
}

static double identity_link(double power, double mu)
{
  (void)power;
  return mu;
}
static double log_link(double power, double mu)
{
  (void)power;
  return log(mu);
}
static double logit_link(double power, double mu)
{
  (void)power;
  return log(mu / (1 - mu));
}
static double probit_link(double power, double mu)
{
  (void)power;
  return mn_normal_quantile(mu);
}
static double cloglog_link(double power, double mu)
{
  (void)power;
  return log(-log1p(-mu));
}
static double reciprocal_link(double power, double mu)
{
  (void)power;
  return 1 / mu;
}
static double sqrt_link(double power, double mu)
{
  (void)power;
  return sqrt(mu);
}
static double power_link(double power, double mu)
{
  return pow(mu, power);
}

const mn_glm_link mn_glm_links[MN_GLM_LINKS] = {
  [MN_LINK_IDENTITY] = { mn_glm_identity, identity_link, 0 },
  [MN_LINK_LOG] = { mn_glm_log, log_link, 0 },
  [MN_LINK_LOGIT] = { mn_glm_logit, logit_link, 0 },
  [MN_LINK_PROBIT] = { probit_inverse, probit_link, 0 },
  [MN_LINK_CLOGLOG] = { cloglog_inverse, cloglog_link, 0 },
  [MN_LINK_INVERSE] = { mn_glm_reciprocal, reciprocal_link, 0 },
  [MN_LINK_INVERSE_SQUARED] = { mn_glm_power, power_link, -2 },
  [MN_LINK_SQRT] = { mn_glm_sqrt, sqrt_link, 0 },
  [MN_LINK_POWER] = { mn_glm_power, power_link, 0 },
};

/* a log(a / m), with limit 0 at a = 0 */
static double log_ratio(double a, double m)
{
  return a > 0 ? a * log(a / m) : 0;
}

/* 2 * half, kept from falling below 0 by rounding */
static double deviance_of_half(double half)
{
  return half > 0 ? 2 * half : 0;
}

/* Functions of one family: t is its parameter, r is 1 - m. Full names are spelled out because the amalgamation needs
 * unique static names that it can see. */
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
UNIT(glm_binomial_unit, deviance_of_half(log_ratio(y, m) + log_ratio(1 - y, r)))
START(glm_binomial_start, (trials * y + 0.5) / (trials + 1))
DENSITY(glm_binomial_density, mn_lgamma(trials + 1) - mn_lgamma(trials * y + 1) - mn_lgamma(trials * (1 - y) + 1) +
                                  (y > 0 ? trials * y * log(m) : 0) + (y < 1 ? trials * (1 - y) * log(r) : 0))

VARIANCE(glm_poisson_variance, m)
UNIT(glm_poisson_unit, deviance_of_half(log_ratio(y, m) - (y - m)))
START(glm_poisson_start, y + 0.1 * (mean > 0 ? mean : 1))
DENSITY(glm_poisson_density, (y > 0 ? y * log(m) : 0) - m - mn_lgamma(y + 1))

VARIANCE(glm_gamma_variance, m *m)
UNIT(glm_gamma_unit, deviance_of_half((y - m) / m - log(y / m)))
START(glm_gamma_start, y)
DENSITY(glm_gamma_density, mn_gamma_logpdf(y, 1 / phi, m *phi))

VARIANCE(glm_inverse_gaussian_variance, m *m *m)
UNIT(glm_inverse_gaussian_unit, (y - m) * (y - m) / (y * m * m))
DENSITY(glm_inverse_gaussian_density,
        -0.5 * (log_two_pi + log(phi) + 3 * log(y) + (y - m) * (y - m) / (phi * y * m * m)))

VARIANCE(glm_tweedie_variance, pow(m, t))
UNIT(glm_tweedie_unit, deviance_of_half((y > 0 ? pow(y, 2 - t) : 0) / ((1 - t) * (2 - t)) -
                                        y * pow(m, 1 - t) / (1 - t) + pow(m, 2 - t) / (2 - t)))

VARIANCE(glm_negative_binomial_variance, m + m * m / t)
UNIT(glm_negative_binomial_unit, deviance_of_half(log_ratio(y, m) - (y + t) * log1p((y - m) / (m + t))))
DENSITY(glm_negative_binomial_density,
        mn_lgamma(y + t) - mn_lgamma(t) - mn_lgamma(y + 1) - t * log1p(m / t) - (y > 0 ? y * log1p(t / m) : 0))

const mn_glm_family mn_glm_families[MN_GLM_FAMILIES] = {
  [MN_GAUSSIAN] = { .deviance = mn_glm_gaussian,
                    .variance = glm_gaussian_variance,
                    .unit_deviance = glm_gaussian_unit,
                    .link = MN_LINK_IDENTITY,
                    .mu_min = -INFINITY,
                    .mu_max = INFINITY,
                    .y_min = -INFINITY,
                    .y_max = INFINITY,
                    .free_dispersion = true,
                    .counts_dispersion = true,
                    .start_mean = glm_gaussian_start,
                    .log_density = glm_gaussian_density },
  [MN_BINOMIAL] = { .deviance = mn_glm_binomial,
                    .variance = glm_binomial_variance,
                    .unit_deviance = glm_binomial_unit,
                    .link = MN_LINK_LOGIT,
                    .mu_min = 0,
                    .mu_max = 1,
                    .y_min = 0,
                    .y_max = 1,
                    .start_mean = glm_binomial_start,
                    .log_density = glm_binomial_density },
  [MN_POISSON] = { .deviance = mn_glm_poisson,
                   .variance = glm_poisson_variance,
                   .unit_deviance = glm_poisson_unit,
                   .link = MN_LINK_LOG,
                   .mu_min = 0,
                   .mu_max = INFINITY,
                   .y_min = 0,
                   .y_max = INFINITY,
                   .start_mean = glm_poisson_start,
                   .log_density = glm_poisson_density },
  [MN_GAMMA] = { .deviance = mn_glm_gamma,
                 .variance = glm_gamma_variance,
                 .unit_deviance = glm_gamma_unit,
                 .link = MN_LINK_INVERSE,
                 .mu_min = 0,
                 .mu_max = INFINITY,
                 .y_min = 0,
                 .y_max = INFINITY,
                 .y_min_excluded = true,
                 .free_dispersion = true,
                 .counts_dispersion = true,
                 .start_mean = glm_gamma_start,
                 .log_density = glm_gamma_density },
  [MN_INVERSE_GAUSSIAN] = { .deviance = mn_glm_inverse_gaussian,
                            .variance = glm_inverse_gaussian_variance,
                            .unit_deviance = glm_inverse_gaussian_unit,
                            .link = MN_LINK_INVERSE_SQUARED,
                            .mu_min = 0,
                            .mu_max = INFINITY,
                            .y_min = 0,
                            .y_max = INFINITY,
                            .y_min_excluded = true,
                            .free_dispersion = true,
                            .counts_dispersion = true,
                            .start_mean = glm_gamma_start,
                            .log_density = glm_inverse_gaussian_density },
  [MN_TWEEDIE] = { .deviance = mn_glm_tweedie,
                   .variance = glm_tweedie_variance,
                   .unit_deviance = glm_tweedie_unit,
                   .link = MN_LINK_LOG,
                   .mu_min = 0,
                   .mu_max = INFINITY,
                   .y_min = 0,
                   .y_max = INFINITY,
                   .free_dispersion = true,
                   .start_mean = glm_poisson_start },
  [MN_NEGATIVE_BINOMIAL] = { .deviance = mn_glm_negative_binomial,
                             .variance = glm_negative_binomial_variance,
                             .unit_deviance = glm_negative_binomial_unit,
                             .link = MN_LINK_LOG,
                             .mu_min = 0,
                             .mu_max = INFINITY,
                             .y_min = 0,
                             .y_max = INFINITY,
                             .start_mean = glm_poisson_start,
                             .log_density = glm_negative_binomial_density },
};

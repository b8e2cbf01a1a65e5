/* Loops of generalized linear models: means from linear predictors, and the deviance with its derivatives from means.
 * Arguments are not checked; arrays have n values and must not overlap. */
#ifndef MN_GLM_GLM_KERNEL_H
#define MN_GLM_GLM_KERNEL_H
#include <stddef.h>

/* Linear predictors are clamped to these limits (in glm_mean.c too); beyond them the mean equals its limit to rounding.
 * exp(MAX_EXP) and its inverse are finite; beyond MAX_PROBIT ratios of the normal cdf are meaningless; powers have an
 * inverse from MIN_ETA on. */
#define MN_GLM_MAX_EXP_ETA 700.0
#define MN_GLM_MAX_PROBIT_ETA 37.0
#define MN_GLM_MIN_CLOGLOG_ETA -690.0
#define MN_GLM_MAX_CLOGLOG_ETA 6.5
#define MN_GLM_MIN_ETA 1e-150

/* Inverse links.
 *
 *   power       of link power, eta = mu^power; ignored by the others
 *   eta         linear predictors
 *   mu          out: means
 *   complement  out: 1 - mu, without cancellation for links whose means lie between 0 and 1
 *   dmu         out: derivative of mu by eta
 *
 * Return the number of eta outside the domain of the link; their results are finite but meaningless. */
typedef size_t mn_glm_inverse_link(double power, size_t n, const double *restrict eta, double *restrict mu,
                                   double *restrict complement, double *restrict dmu);
mn_glm_inverse_link mn_glm_identity, mn_glm_log, mn_glm_logit, mn_glm_reciprocal, mn_glm_sqrt, mn_glm_power;

/* Families.
 *
 *   parameter  power of tweedie, theta of negative binomial; ignored by the others
 *   w          weights, or NULL: all 1
 *   score      out: w_i (mu_i - y_i) dmu_i / V(mu_i), derivative of half the deviance by eta
 *   curvature  out: w_i dmu_i^2 / V(mu_i), its expected second derivative
 *
 * Return the deviance, sum_i w_i d(y_i, mu_i). */
typedef double mn_glm_deviance(double parameter, size_t n, const double *restrict y, const double *restrict mu,
                               const double *restrict complement, const double *restrict dmu, const double *restrict w,
                               double *restrict score, double *restrict curvature);
mn_glm_deviance mn_glm_gaussian, mn_glm_binomial, mn_glm_poisson, mn_glm_gamma, mn_glm_inverse_gaussian, mn_glm_tweedie,
    mn_glm_negative_binomial;

/* How many x are not strictly between low and high. */
size_t mn_glm_count_outside(size_t n, const double *restrict x, double low, double high);

#endif

/* Loops of generalised linear models: means from linear predictors, and from means the deviance with its derivatives.
 * No argument is checked; arrays have n values and must not overlap. */
#ifndef MN_GLM_GLM_KERNEL_H
#define MN_GLM_GLM_KERNEL_H
#include <stddef.h>

/* Ends of linear predictors, for glm_mean.c too: beyond them a mean is as good as at its own end. exp of the first and
 * its inverse are finite; beyond the second the normal cdf is too small for its ratios to mean anything; a power has
 * its inverse from MN_GLM_LEAST_ETA on. */
#define MN_GLM_EXP_END 700.0
#define MN_GLM_PROBIT_END 37.0
#define MN_GLM_CLOGLOG_LOW -690.0
#define MN_GLM_CLOGLOG_HIGH 6.5
#define MN_GLM_LEAST_ETA 1e-150

/* Inverse links.
 *
 *   power  of link power: eta = mu^power; the others do not look at it
 *   eta    linear predictors
 *   mu     out: means
 *   rest   out: 1 - mu, without cancellation for links whose means lie between 0 and 1
 *   dmu    out: the derivative of mu by eta
 *
 * Return the number of eta outside the domain of the link; what they give is finite and of no meaning. */
typedef size_t mn_glm_inverse(double power, size_t n, const double *restrict eta, double *restrict mu,
                              double *restrict rest, double *restrict dmu);
mn_glm_inverse mn_glm_identity, mn_glm_log, mn_glm_logit, mn_glm_inverse_of, mn_glm_sqrt, mn_glm_power;

/* Families.
 *
 *   parameter  power of tweedie, theta of negative binomial; the others do not look at it
 *   w          weights, or NULL: all 1
 *   score      out: w_i (mu_i - y_i) dmu_i / V(mu_i), the derivative of half the deviance by eta
 *   curvature  out: w_i dmu_i^2 / V(mu_i), its second derivative as expected
 *
 * Return the deviance, sum_i w_i d(y_i, mu_i). */
typedef double mn_glm_deviance(double parameter, size_t n, const double *restrict y, const double *restrict mu,
                               const double *restrict rest, const double *restrict dmu, const double *restrict w,
                               double *restrict score, double *restrict curvature);
mn_glm_deviance mn_glm_gaussian, mn_glm_binomial, mn_glm_poisson, mn_glm_gamma, mn_glm_inverse_gaussian, mn_glm_tweedie,
    mn_glm_negative_binomial;

/* How many of x are not between low and high, ends excluded. */
size_t mn_glm_outside(size_t n, const double *restrict x, double low, double high);

#endif

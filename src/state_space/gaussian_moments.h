/* Steps of filters and smoothers of nonlinear models, whose states are approximated by normal distributions: moments of
 * a function of the state, and what an observation or a later state says.
 *
 * Julier & Uhlmann, Proc. IEEE 92 (2004); Saerkkae, Bayesian Filtering and Smoothing (2013), chapters 5 and 9. */
#ifndef MN_STATE_SPACE_GAUSSIAN_MOMENTS_H
#define MN_STATE_SPACE_GAUSSIAN_MOMENTS_H
#include "../core/context.h"

/* The scaled unscented transform of d values. */
typedef struct mn_unscented {
  double alpha, beta, kappa;
} mn_unscented;

/* points, (2 d + 1) x d: the mean, and the mean plus and minus the columns of sqrt(alpha^2 (d + kappa) P). */
mn_status mn_sigma_points(mn_context *ctx, const mn_unscented *u, size_t d, const double *mean, const double *cov,
                          double *points);

/* Moments of f(x) + noise from points and values = f(points), (2 d + 1) x p: mean (p), cov (p x p, to which noise is
 * added) and cross (d x p), the covariance of x and f(x). */
void mn_sigma_moments(const mn_unscented *u, size_t d, size_t p, const double *points, const double *values,
                      const double *noise, double *mean, double *cov, double *cross);

/* The same for the linear function with the derivatives F, p x d: F P F' + noise, P F'. work: p x d. */
void mn_linear_moments(size_t d, size_t p, const double *f, const double *p_cov, const double *noise, double *work,
                       double *cov, double *cross);

/* Condition mean (d) and cov (d x d) on the observation y (p, NaN where missing), whose prediction has this mean,
 * covariance and cross-covariance. *loglike: log density of y; NaN is 0 values. */
mn_status mn_gaussian_update(mn_context *ctx, size_t d, size_t p, const double *predicted, const double *predicted_cov,
                             const double *cross, const double *y, double *mean, double *cov, double *loglike);

/* Condition mean and cov of the state on the smoothed next state, given the prediction of the next state from this one
 * and their cross-covariance, d x d. */
mn_status mn_gaussian_smooth(mn_context *ctx, size_t d, const double *predicted, const double *predicted_cov,
                             const double *cross, const double *next_mean, const double *next_cov, double *mean,
                             double *cov);

#endif

/* Nonlinear least squares: minimize sum_i w_i (y_i - f_i(theta))^2 by the Levenberg-Marquardt method. */
#ifndef MN_STATS_NONLINEAR_H
#define MN_STATS_NONLINEAR_H
#include "../core/context.h"

/* The problem.
 *
 *   n, p          rows, parameters; n >= 1, p >= 1
 *   y, weights    n; weights > 0, or NULL: all 1
 *   lower, upper  p bounds, -INFINITY and INFINITY where there are none
 *   evaluate      computes the n values of f, and its n x p derivatives unless jacobian is NULL
 *   analytic      evaluate can compute derivatives; false: central differences of f
 *   tol           relative offset at which iteration stops
 *   max_iter      maximum number of accepted and rejected steps */
typedef struct mn_nonlinear {
  size_t n, p;
  const double *y, *weights, *lower, *upper;
  mn_status (*evaluate)(mn_context *ctx, void *user, const double *theta, double *f, double *jacobian);
  void *user;
  bool analytic;
  double tol;
  size_t max_iter;
} mn_nonlinear;

typedef struct mn_nonlinear_result {
  double rss;    /* weighted sum of squared residuals                                         */
  double offset; /* relative offset of Bates and Watts: 0 at a stationary point               */
  size_t n_iter; /* steps tried                                                               */
  size_t rank;   /* numerical rank of the derivatives with respect to the free parameters     */
  size_t free;   /* parameters that are not at a bound                                        */
  double rcond;  /* 1 / condition number of these derivatives, columns scaled to norm 1       */
  bool converged;
  bool stalled; /* no step decreases the sum of squares, though the offset is not small      */
} mn_nonlinear_result;

/* Minimize from theta (p, in and out, within the bounds). covariance: p x p, out: inv(J' W J) over the free
 * parameters; NaN for parameters at a bound, and for those that the derivatives, if they are collinear, do not
 * determine.
 *
 * Each step solves min |r - J d|^2 + |D d|^2 / radius with D^2 = diag(J' J), by QR; the radius grows or shrinks with
 * the ratio of the actual and the predicted reduction (Nielsen, Damping parameter in Marquardt's method, 1999;
 * Marquardt, J. SIAM 11 (1963)). Iteration stops when the relative offset is at most tol (Bates & Watts, Nonlinear
 * Regression Analysis (1988), section 2.2), or when steps are of the order of rounding errors.
 *
 * MN_BAD_DATA if f or its derivatives are not finite at the start. */
mn_status mn_nonlinear_fit(mn_context *ctx, const mn_nonlinear *problem, double *theta, double *covariance,
                           mn_nonlinear_result *result);

/* Derivatives of f at theta, n x p, by central differences, one-sided where f is not finite. */
mn_status mn_nonlinear_differences(mn_context *ctx, const mn_nonlinear *problem, const double *theta, double *jacobian);

#endif

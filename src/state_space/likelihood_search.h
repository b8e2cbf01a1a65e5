/* Maximum likelihood of models of one series whose state space form depends on a few numbers. */
#ifndef MN_STATE_SPACE_LIKELIHOOD_SEARCH_H
#define MN_STATE_SPACE_LIKELIHOOD_SEARCH_H
#include "linear_filter.h"
#include "state_space.h"

/* A system of d states and one observation; the matrices are those of linear_filter.h. */
typedef struct mn_series_system {
  size_t d;
  double *f, *q, *h, *b, *mean, *cov; /* d x d, d x d, d, d, d, d x d */
  double c, r;
  bool *diffuse; /* d */
} mn_series_system;

mn_status mn_series_system_new(mn_context *ctx, size_t d, mn_series_system *s); /* zeroed, scratch */

/* A family of systems. build sets `s`, which holds the system of another x, from the `size` numbers x; *valid: whether
 * there is one. */
typedef struct mn_series_form {
  const void *model;
  size_t size, d;
  mn_status (*build)(mn_context *ctx, const void *model, const double *x, mn_series_system *s, bool *valid);
  double low, high; /* of every x; both 0: no bounds */
  /* Q and R are in units of a variance that is chosen by its maximum likelihood estimate. */
  bool unit_variance;
} mn_series_form;

typedef struct mn_series_fit {
  double loglike;  /* values that end an infinite variance count -log(F_inf) / 2 */
  double variance; /* the unit of Q and R; 1 without unit_variance               */
  size_t values;   /* that were predicted with a finite variance                 */
} mn_series_fit;

/* The log likelihood at x; -infinity where there is no system. */
mn_status mn_series_likelihood(mn_context *ctx, const mn_series_form *form, const mn_data *data, const double *x,
                               mn_series_fit *fit);

/* Minimize -log likelihood over x, from x, by BFGS with central differences; record the rounds in the report of m. */
mn_status mn_series_maximize(mn_context *ctx, const mn_series_form *form, const mn_data *data, mn_estimator *m,
                             int64_t max_iter, double tol, double *x, mn_series_fit *fit);

/* Standard errors of x at the maximum: the square roots of the diagonal of the inverse Hessian of -log likelihood, by
 * central differences; NaN where the Hessian is not positive definite. */
mn_status mn_series_std_errors(mn_context *ctx, const mn_series_form *form, const mn_data *data, const double *x,
                               double *std_errors);

/* Store the system, with Q, R and the covariance of the first state times `scale`, in the learned fields of m. */
mn_status mn_series_store(mn_context *ctx, const mn_series_system *s, double scale, mn_state_space *m);

/* AIC, BIC: -2 log likelihood + penalty times the number of parameters. */
static inline double mn_series_aic(double loglike, size_t parameters)
{
  return 2 * (double)parameters - 2 * loglike;
}
static inline double mn_series_bic(double loglike, size_t parameters, size_t values)
{
  return log((double)values) * (double)parameters - 2 * loglike;
}

#endif

/* The state space form of seasonal ARIMA models.
 *
 *     phi(B) Phi(B^s) (w_t - m) = theta(B) Theta(B^s) e_t,    w_t = (1 - B)^d (1 - B^s)^D y_t
 *     phi(B) = 1 - phi_1 B - ...,   theta(B) = 1 + theta_1 B + ...
 *
 * States: those of the ARMA process in Harvey's form, and the last d + D s values of y, whose start is diffuse.
 * Harvey, Forecasting, Structural Time Series Models and the Kalman Filter (1989), sections 3.3 and 4.1. */
#ifndef MN_STATE_SPACE_ARIMA_FORM_H
#define MN_STATE_SPACE_ARIMA_FORM_H
#include "likelihood_search.h"

typedef struct mn_arima_form {
  size_t p, d, q;                               /* order                     */
  size_t seasonal_p, seasonal_d, seasonal_q, s; /* seasonal_order; s >= 1    */
  bool has_mean;
  double center, scale; /* the mean is center + scale times its variable */
  bool differenced;     /* the series is w already: no states for values of y */
} mn_arima_form;

/* Lags lost by differencing; states; coefficients: of phi, theta, Phi, Theta, and the mean. */
size_t mn_arima_lags(const mn_arima_form *a);
size_t mn_arima_states(const mn_arima_form *a);
size_t mn_arima_coefficients(const mn_arima_form *a);

/* delta_1 .. delta_lags with y_t = w_t + sum_j delta_j y_{t-j}. */
mn_status mn_arima_differences(mn_context *ctx, const mn_arima_form *a, double *delta);

/* build of mn_series_form: from coefficients; from unconstrained variables. */
mn_status mn_arima_build(mn_context *ctx, const void *form, const double *coef, mn_series_system *s, bool *valid);
mn_status mn_arima_build_free(mn_context *ctx, const void *form, const double *x, mn_series_system *s, bool *valid);

/* Coefficients from unconstrained variables: tanh of x are partial autocorrelations, so phi and Phi are stationary,
 * theta and Theta invertible (Monahan, Biometrika 71 (1984)). */
mn_status mn_arima_constrain(mn_context *ctx, const mn_arima_form *a, const double *x, double *coef);

#endif

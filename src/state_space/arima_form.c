#include "arima_form.h"
#include <math.h>
#include <string.h>

size_t mn_arima_lags(const mn_arima_form *a)
{
  return a->d + a->seasonal_d * a->s;
}

static size_t arma_states(const mn_arima_form *a)
{
  const size_t p = a->p + a->seasonal_p * a->s, q = a->q + a->seasonal_q * a->s;
  return p > q + 1 ? p : q + 1;
}

size_t mn_arima_states(const mn_arima_form *a)
{
  return arma_states(a) + (a->differenced ? 0 : mn_arima_lags(a));
}

size_t mn_arima_coefficients(const mn_arima_form *a)
{
  return a->p + a->q + a->seasonal_p + a->seasonal_q + a->has_mean;
}

/* out := out (1 + sum_k sign coef_k B^(k lag)), polynomials with the constant term first; degree is that of out. */
static mn_status multiply(mn_context *ctx, double *out, size_t *degree, const double *coef, size_t n, size_t lag,
                          double sign)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t total = *degree + n * lag;
  double *old = MN_RAW(ctx, double, *degree + 1, 1);
  MN_CHECK_ALLOC(old);
  memcpy(old, out, (*degree + 1) * sizeof *old);
  memset(out + *degree + 1, 0, (total - *degree) * sizeof *out);
  for (size_t k = 1; k <= n; k++)
    for (size_t i = 0; i <= *degree; i++) out[i + k * lag] += sign * coef[k - 1] * old[i];
  *degree = total;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_arima_differences(mn_context *ctx, const mn_arima_form *a, double *delta)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t lags = mn_arima_lags(a);
  const double one = 1;
  size_t degree = 0;
  double *product = MN_NEW(ctx, double, lags + 1, 1);
  MN_CHECK_ALLOC(product);
  product[0] = 1;
  for (size_t i = 0; i < a->d; i++) MN_TRY(multiply(ctx, product, &degree, &one, 1, 1, -1));
  for (size_t i = 0; i < a->seasonal_d; i++) MN_TRY(multiply(ctx, product, &degree, &one, 1, a->s, -1));
  for (size_t j = 0; j < lags; j++) delta[j] = -product[j + 1];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* F and Q of the ARMA states: F = companion of phi Phi, Q = (1, theta Theta)(1, theta Theta)'. */
static mn_status build_arma(mn_context *ctx, const mn_arima_form *a, const double *coef, mn_series_system *s)
{
  const size_t r = arma_states(a), d = s->d;
  const double *theta = coef + a->p, *seasonal_phi = theta + a->q, *seasonal_theta = seasonal_phi + a->seasonal_p;
  size_t phi_degree = 0, theta_degree = 0;
  double *phi = MN_NEW(ctx, double, r + 1, 1), *ma = MN_NEW(ctx, double, r + 1, 1);
  if (!phi || !ma) return MN_NO_MEMORY;
  phi[0] = ma[0] = 1;
  MN_TRY(multiply(ctx, phi, &phi_degree, coef, a->p, 1, -1));
  MN_TRY(multiply(ctx, phi, &phi_degree, seasonal_phi, a->seasonal_p, a->s, -1));
  MN_TRY(multiply(ctx, ma, &theta_degree, theta, a->q, 1, 1));
  MN_TRY(multiply(ctx, ma, &theta_degree, seasonal_theta, a->seasonal_q, a->s, 1));
  for (size_t i = 0; i < r; i++) {
    s->f[i * d] = i < phi_degree ? -phi[i + 1] : 0;
    if (i + 1 < r) s->f[i * d + i + 1] = 1;
    for (size_t j = 0; j < r; j++) s->q[i * d + j] = ma[i] * ma[j];
  }
  return MN_OK;
}

/* The covariance of the ARMA states, the upper left block of cov, in the long run. */
static mn_status start_arma(mn_context *ctx, const mn_arima_form *a, mn_series_system *s, bool *stationary)
{
  const size_t r = arma_states(a), d = s->d;
  double *f = MN_RAW(ctx, double, r, r), *q = MN_RAW(ctx, double, r, r), *p = MN_RAW(ctx, double, r, r);
  if (!f || !q || !p) return MN_NO_MEMORY;
  for (size_t i = 0; i < r; i++) {
    memcpy(f + i * r, s->f + i * d, r * sizeof *f);
    memcpy(q + i * r, s->q + i * d, r * sizeof *q);
  }
  MN_TRY(mn_stationary_covariance(ctx, r, f, q, p, stationary));
  for (size_t i = 0; i < r; i++) memcpy(s->cov + i * d, p + i * r, r * sizeof *p);
  return MN_OK;
}

mn_status mn_arima_build(mn_context *ctx, const void *form, const double *coef, mn_series_system *s, bool *valid)
{
  const mn_arima_form *a = form;
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t r = arma_states(a), d = s->d, lags = d - r;
  MN_TRY(build_arma(ctx, a, coef, s));
  MN_TRY(start_arma(ctx, a, s, valid));
  s->h[0] = 1;
  s->c = a->has_mean ? coef[mn_arima_coefficients(a) - 1] : 0;
  if (lags > 0) {
    MN_TRY(mn_arima_differences(ctx, a, s->h + r));
    /* the next state holds y_t = h x_t + c */
    memcpy(s->f + r * d, s->h, d * sizeof *s->f);
    s->b[r] = s->c;
    for (size_t j = 1; j < lags; j++) s->f[(r + j) * d + r + j - 1] = 1;
    for (size_t j = 0; j < lags; j++) s->diffuse[r + j] = true;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Coefficients of a stationary autoregression from its partial autocorrelations tanh(x), by Levinson's recursion. */
static void stationary_coefficients(size_t n, const double *x, double sign, double *work, double *coef)
{
  for (size_t k = 0; k < n; k++) {
    const double partial = tanh(x[k]);
    memcpy(work, coef, k * sizeof *work);
    for (size_t j = 0; j < k; j++) coef[j] = work[j] - partial * work[k - 1 - j];
    coef[k] = partial;
  }
  for (size_t k = 0; k < n; k++) coef[k] *= sign;
}

mn_status mn_arima_constrain(mn_context *ctx, const mn_arima_form *a, const double *x, double *coef)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t count[4] = { a->p, a->q, a->seasonal_p, a->seasonal_q };
  const size_t total = mn_arima_coefficients(a);
  double *work = MN_RAW(ctx, double, total + 1, 1);
  MN_CHECK_ALLOC(work);
  if (a->has_mean) coef[total - 1] = a->center + a->scale * x[total - 1];
  for (size_t i = 0, at = 0; i < 4; at += count[i], i++)
    stationary_coefficients(count[i], x + at, i % 2 == 0 ? 1 : -1, work, coef + at);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_arima_build_free(mn_context *ctx, const void *form, const double *x, mn_series_system *s, bool *valid)
{
  const mn_arima_form *a = form;
  double *coef = MN_RAW(ctx, double, mn_arima_coefficients(a) + 1, 1);
  MN_CHECK_ALLOC(coef);
  MN_TRY(mn_arima_constrain(ctx, a, x, coef));
  return mn_arima_build(ctx, a, coef, s, valid);
}

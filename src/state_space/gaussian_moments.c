#include "gaussian_moments.h"
#include "../factorization/lapack.h"
#include "../factorization/semidefinite.h"
#include "../stats/special.h"
#include "linear_filter.h"
#include <math.h>
#include <string.h>

/* --- moments --- */

static double spread(const mn_unscented *u, size_t d)
{
  return u->alpha * u->alpha * ((double)d + u->kappa);
}

mn_status mn_sigma_points(mn_context *ctx, const mn_unscented *u, size_t d, const double *mean, const double *cov,
                          double *points)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *factor = MN_RAW(ctx, double, d, d);
  MN_CHECK_ALLOC(factor);
  MN_TRY(mn_semidefinite_factor(ctx, d, cov, "the covariance of the state", factor));
  const double scale = sqrt(spread(u, d));
  for (size_t j = 0; j < d; j++) points[j] = mean[j];
  for (size_t c = 0; c < d; c++)
    for (size_t j = 0; j < d; j++) {
      const double step = scale * factor[j * d + c];
      points[(1 + c) * d + j] = mean[j] + step;
      points[(1 + d + c) * d + j] = mean[j] - step;
    }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

void mn_sigma_moments(const mn_unscented *u, size_t d, size_t p, const double *points, const double *values,
                      const double *noise, double *mean, double *cov, double *cross)
{
  const double scale = spread(u, d), weight = 0.5 / scale, first = 1 - (double)d / scale;
  memcpy(cov, noise, p * p * sizeof *cov);
  memset(cross, 0, d * p * sizeof *cross);
  for (size_t j = 0; j < p; j++) {
    mean[j] = values[j];
    for (size_t i = 1; i <= 2 * d; i++) mean[j] += weight * (values[i * p + j] - values[j]);
  }
  for (size_t i = 0; i <= 2 * d; i++) {
    const double w = i == 0 ? first + 1 - u->alpha * u->alpha + u->beta : weight;
    const double *v = values + i * p, *x = points + i * d;
    for (size_t a = 0; a < p; a++) {
      for (size_t b = 0; b < p; b++) cov[a * p + b] += w * (v[a] - mean[a]) * (v[b] - mean[b]);
      for (size_t c = 0; c < d; c++) cross[c * p + a] += (i == 0 ? 0 : w) * (x[c] - points[c]) * (v[a] - mean[a]);
    }
  }
}

void mn_linear_moments(size_t d, size_t p, const double *f, const double *p_cov, const double *noise, double *work,
                       double *cov, double *cross)
{
  mn_small_product(p, d, d, f, p_cov, work);
  mn_small_product_bt(p, d, p, work, f, cov);
  mn_small_product_bt(d, d, p, p_cov, f, cross);
  for (size_t i = 0; i < p * p; i++) cov[i] += noise[i];
  mn_make_symmetric(p, cov);
}

/* --- conditioning --- */

/* s := L with L L' = S (p x p), rows := inv(L) rows (p x d). */
static mn_status factor_and_solve(mn_context *ctx, size_t d, size_t p, double *s, double *rows)
{
  size_t minor;
  MN_TRY(mn_chol_try(ctx, p, s, NULL, &minor));
  if (minor > 0)
    return mn_fail(ctx, MN_SINGULAR, "the covariance of the prediction is singular; give larger noise covariances");
  return mn_chol_lower(ctx, p, d, s, rows);
}

mn_status mn_gaussian_update(mn_context *ctx, size_t d, size_t p, const double *predicted, const double *predicted_cov,
                             const double *cross, const double *y, double *mean, double *cov, double *loglike)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *seen = MN_RAW(ctx, size_t, p, 1), m = 0;
  for (size_t i = 0; seen && i < p; i++)
    if (!isnan(y[i])) seen[m++] = i;
  double *s = MN_RAW(ctx, double, p, p), *rows = MN_RAW(ctx, double, p, d + 1);
  if (!seen || !s || !rows) return MN_NO_MEMORY;
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < m; j++) s[i * m + j] = predicted_cov[seen[i] * p + seen[j]];
    for (size_t c = 0; c < d; c++) rows[i * (d + 1) + c] = cross[c * p + seen[i]];
    rows[i * (d + 1) + d] = y[seen[i]] - predicted[seen[i]];
  }
  *loglike = 0;
  if (m > 0) {
    /* with S = L L': rows become inv(L) cross' and inv(L) error */
    MN_TRY(factor_and_solve(ctx, d + 1, m, s, rows));
    *loglike = -0.5 * mn_chol_logdet(m, s) - 0.5 * (double)m * MN_LOG_2PI;
  }
  for (size_t i = 0; i < m; i++) {
    const double *row = rows + i * (d + 1), error = row[d];
    *loglike -= 0.5 * error * error;
    for (size_t a = 0; a < d; a++) {
      mean[a] += row[a] * error;
      for (size_t b = 0; b < d; b++) cov[a * d + b] -= row[a] * row[b];
    }
  }
  mn_make_symmetric(d, cov);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_gaussian_smooth(mn_context *ctx, size_t d, const double *predicted, const double *predicted_cov,
                             const double *cross, const double *next_mean, const double *next_cov, double *mean,
                             double *cov)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *s = MN_RAW(ctx, double, d, d), *gain = MN_RAW(ctx, double, d, d), *change = MN_RAW(ctx, double, d, d);
  double *work = MN_RAW(ctx, double, d, d), *both = MN_RAW(ctx, double, d, d);
  if (!s || !gain || !change || !work || !both) return MN_NO_MEMORY;
  memcpy(s, predicted_cov, d * d * sizeof *s);
  for (size_t i = 0; i < d; i++)
    for (size_t c = 0; c < d; c++) gain[i * d + c] = cross[c * d + i];
  MN_TRY(factor_and_solve(ctx, d, d, s, gain));
  MN_TRY(mn_chol_upper(ctx, d, d, s, gain)); /* gain: G' with G = cross inv(S) */
  for (size_t i = 0; i < d * d; i++) change[i] = next_cov[i] - predicted_cov[i];
  mn_small_product_at(d, d, d, gain, change, work);
  mn_small_product(d, d, d, work, gain, both);
  for (size_t a = 0; a < d; a++) {
    for (size_t i = 0; i < d; i++) mean[a] += gain[i * d + a] * (next_mean[i] - predicted[i]);
    for (size_t b = 0; b < d; b++) cov[a * d + b] += both[a * d + b];
  }
  mn_make_symmetric(d, cov);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

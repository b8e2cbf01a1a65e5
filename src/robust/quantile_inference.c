#include "quantile_inference.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../linear/scaled_columns.h"
#include "../stats/quantile.h"
#include "../stats/special.h"
#include <float.h>
#include <math.h>
#include <string.h>

static double hall_sheather(double quantile, double n)
{
  const double z = mn_normal_quantile(quantile), phi = mn_normal_pdf(z);
  const double curvature = 1.5 * phi * phi / (2 * z * z + 1);
  double d = cbrt(curvature / n) * pow(mn_normal_quantile(0.975), 2.0 / 3);
  while (quantile - d < 0 || quantile + d > 1) d /= 2;
  return d;
}

/* Weighted standard deviation. */
static double deviation(const mn_data *data, const double *residual, double total)
{
  double mean = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < data->rows; i++) {
    sum += mn_weight(data, i);
    mean += mn_weight(data, i) / sum * (residual[i] - mean);
  }
  for (size_t i = 0; i < data->rows; i++) squares += mn_weight(data, i) * (residual[i] - mean) * (residual[i] - mean);
  return total > 1 ? sqrt(squares / (total - 1)) : 0;
}

static mn_status compute_figures(mn_context *ctx, const mn_data *data, double quantile, size_t coefs,
                                 const double *residual, double *figure)
{
  static const double levels[] = { 0, 0.25, 0.5, 0.75, 1 };
  const double total = mn_total_weight(data), d = hall_sheather(quantile, total);
  double *quartile = figure + MN_QUANTILE_QUARTILES, y_size = 0;
  MN_TRY(mn_quantiles(ctx, data->rows, residual, data->weights, 5, levels, quartile));
  for (size_t i = 0; i < data->rows; i++) y_size = fmax(y_size, fabs(data->y.at[i]));
  const double spread = fmin(deviation(data, residual, total), (quartile[3] - quartile[1]) / 1.34);
  figure[MN_QUANTILE_TOTAL] = total;
  figure[MN_QUANTILE_DF] = total - (double)coefs;
  figure[MN_QUANTILE_BANDWIDTH] = 0;
  if (spread > 1e-12 * y_size) /* else residuals are rounding errors */
    figure[MN_QUANTILE_BANDWIDTH] = spread * (mn_normal_quantile(quantile + d) - mn_normal_quantile(quantile - d));
  return MN_OK;
}

/* v = inv(H) J inv(H), k x k; h and j are overwritten. *found is false if H is singular. */
static mn_status sandwich(mn_context *ctx, size_t k, double *h, double *j, bool *found)
{
  double rcond = 0;
  size_t minor;
  MN_TRY(mn_chol_try(ctx, k, h, &rcond, &minor));
  *found = minor == 0 && rcond > 100 * DBL_EPSILON;
  if (!*found) return MN_OK;
  MN_TRY(mn_chol_apply(ctx, k, k, h, j));
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < a; b++) {
      const double swap = j[a * k + b];
      j[a * k + b] = j[b * k + a];
      j[b * k + a] = swap;
    }
  return mn_chol_apply(ctx, k, k, h, j);
}

/* Weights w and w f. */
static mn_status densities(mn_context *ctx, const mn_data *data, const double *residual, double *figure, double **w,
                           double **wf)
{
  const double h = figure[MN_QUANTILE_BANDWIDTH];
  double sum = 0;
  *w = MN_RAW(ctx, double, data->rows, 1);
  *wf = MN_RAW(ctx, double, data->rows, 1);
  if (!*w || !*wf) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    (*w)[i] = mn_weight(data, i);
    (*wf)[i] = (*w)[i] * mn_normal_pdf(residual[i] / h) / h;
    sum += (*wf)[i];
  }
  figure[MN_QUANTILE_MEAN_DENSITY] = sum / figure[MN_QUANTILE_TOTAL];
  return MN_OK;
}

mn_status mn_quantile_inference(mn_context *ctx, const mn_data *data, double quantile, bool intercept,
                                const double *residual, double *std_error, double *figure)
{
  const size_t n = data->rows, k = data->features + intercept;
  double *w, *wf, *z = MN_RAW(ctx, double, n, k);
  double *h = MN_RAW(ctx, double, k, k), *v = MN_RAW(ctx, double, k, k);
  bool found = false;
  mn_scaled_columns columns;
  if (!z || !h || !v) return MN_NO_MEMORY;
  figure[MN_QUANTILE_MEAN_DENSITY] = (double)NAN;
  for (size_t t = 0; t < k; t++) std_error[t] = (double)NAN;
  MN_TRY(compute_figures(ctx, data, quantile, k, residual, figure));
  if (k == 0 || !(figure[MN_QUANTILE_BANDWIDTH] > 0) || !(figure[MN_QUANTILE_DF] > 0)) return MN_OK;
  MN_TRY(densities(ctx, data, residual, figure, &w, &wf));
  MN_TRY(mn_scaled_columns_init(ctx, data, intercept, &columns));
  MN_TRY(mn_scaled_matrix(ctx, &columns, data, z));
  MN_TRY(mn_syrk(ctx, n, k, z, k, wf, NULL, h, k));
  MN_TRY(mn_syrk(ctx, n, k, z, k, w, NULL, v, k));
  MN_TRY(sandwich(ctx, k, h, v, &found));
  if (!found) return MN_OK;
  mn_unscale_covariance(&columns, 1, v);
  for (size_t t = 0; t < k; t++) std_error[t] = sqrt(quantile * (1 - quantile) * v[t * k + t]);
  return MN_OK;
}

#include "gp_mean.h"
#include "../factorization/lapack.h"
#include <math.h>
#include <string.h>

const char *const mn_gp_mean_names[] = { "zero", "constant", "linear", NULL };

mn_status mn_gp_finish_means(mn_context *ctx, const mn_gp_mean_model *m, const mn_data *data, mn_matrix *out)
{
  const size_t columns = m->coef->rows;
  double *h = MN_RAW(ctx, double, columns + 1, 1);
  MN_CHECK_ALLOC(h);
  for (size_t i = 0; i < out->rows; i++) {
    double *y = mn_row(out, i);
    mn_gp_mean_row(m->kind, data->features, mn_row(&data->x, i), h);
    for (size_t t = 0; t < out->cols; t++) {
      for (size_t k = 0; k < columns; k++) y[t] += h[k] * mn_row(m->coef, k)[t];
      y[t] = m->y_mean->at[t] + m->y_scale->at[t] * y[t];
    }
  }
  return MN_OK;
}

double mn_gp_mean_variance(const mn_matrix *l, double *r)
{
  double variance = 0;
  for (size_t j = 0; j < l->rows; j++) {
    for (size_t k = 0; k < j; k++) r[j] -= mn_row(l, j)[k] * r[k];
    r[j] /= mn_row(l, j)[j];
    variance += r[j] * r[j];
  }
  return variance;
}

/* The products of the coefficients are added in the order of mn_gp_finish_means. */
static const char *const statements[] = {
  [MN_GP_ZERO] = "for c < outputs { out[c] = y_mean[c] + y_scale[c] * out[c] }",
  [MN_GP_CONSTANT] = "for c < outputs { out[c] += mean_coef[c] out[c] = y_mean[c] + y_scale[c] * out[c] }",
  [MN_GP_LINEAR] = "for c < outputs { out[c] += mean_coef[c]"
                   " for j < features { out[c] += x[j] * mean_coef[(j + 1) * outputs + c] }"
                   " out[c] = y_mean[c] + y_scale[c] * out[c] }",
};

const char *mn_gp_export_mean(const mn_gp_mean_model *m, mn_program *program)
{
  mn_program_reals(program, "y_mean", m->y_mean->size, m->y_mean->at);
  mn_program_reals(program, "y_scale", m->y_scale->size, m->y_scale->at);
  if (m->coef->at) mn_program_reals(program, "mean_coef", m->coef->rows * m->coef->cols, m->coef->at);
  return statements[m->kind];
}

mn_status mn_gp_check_size(mn_context *ctx, const char *who, size_t n, const double *y)
{
  static const double largest = 1e150;
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < n; i++)
    if (!(fabs(y[i]) <= largest))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be at most 1e150 in size, got %s; set normalize_y or divide y", who,
                     mn_format_number(number, y[i]));
  return MN_OK;
}

void mn_gp_moments(size_t n, size_t q, const double *y, const double *w, size_t t, double *mean, double *sd)
{
  static const double rounding = 1e-14;
  double total = 0, center = 0, largest = 0, square = 0;
  for (size_t i = 0; i < n; i++) total += w ? w[i] : 1;
  for (size_t i = 0; i < n; i++) center += (w ? w[i] : 1) / total * y[i * q + t];
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(y[i * q + t] - center));
  *mean = center;
  *sd = 1;
  if (!(largest > rounding * fabs(center))) return;
  for (size_t i = 0; i < n; i++) { /* squares of y itself may overflow */
    const double apart = (y[i * q + t] - center) / largest;
    square += (w ? w[i] : 1) / total * apart * apart;
  }
  *sd = largest * sqrt(square);
}

mn_status mn_gp_find_units(mn_context *ctx, const mn_data *data, bool normalize, mn_vector *mean, mn_vector *scale)
{
  const size_t q = data->y.cols;
  MN_TRY(mn_vector_init(ctx, mean, q));
  MN_TRY(mn_vector_init(ctx, scale, q));
  for (size_t t = 0; t < q; t++) {
    scale->at[t] = 1;
    if (normalize) mn_gp_moments(data->rows, q, data->y.at, data->weights, t, &mean->at[t], &scale->at[t]);
  }
  return MN_OK;
}

mn_status mn_gp_to_units(mn_context *ctx, const char *who, const mn_data *data, const mn_vector *mean,
                         const mn_vector *scale, double **y)
{
  const size_t q = data->y.cols;
  *y = MN_RAW(ctx, double, data->rows, q);
  MN_CHECK_ALLOC(*y);
  for (size_t i = 0; i < data->rows; i++)
    for (size_t t = 0; t < q; t++) (*y)[i * q + t] = (mn_row(&data->y, i)[t] - mean->at[t]) / scale->at[t];
  return mn_gp_check_size(ctx, who, data->rows * q, *y);
}

mn_status mn_gp_eliminate_mean(mn_context *ctx, size_t q, size_t c, const double *r, double *precision, double *b,
                               double *square, bool *failed)
{
  const size_t h = c - q;
  for (size_t i = 0; i < h; i++) {
    for (size_t j = 0; j < h; j++) precision[i * h + j] = r[(q + i) * c + q + j];
    for (size_t t = 0; t < q; t++) b[i * q + t] = r[(q + i) * c + t];
  }
  MN_TRY(mn_gp_factor_mean(ctx, h, precision, failed));
  if (*failed) return MN_OK;
  if (h > 0) MN_TRY(mn_chol_apply(ctx, h, q, precision, b));
  *square = 0;
  for (size_t t = 0; t < q; t++) {
    *square += r[t * c + t];
    for (size_t i = 0; i < h; i++) *square -= b[i * q + t] * r[(q + i) * c + t];
  }
  return MN_OK;
}

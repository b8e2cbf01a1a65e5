#include "magnitudes.h"
#include "../core/finite.h"

mn_status mn_check_magnitudes(mn_context *ctx, const mn_estimator *model, const mn_data *data)
{
  const size_t n = data->sparse ? data->sparse->start[data->rows] : data->rows * data->features;
  const double *x = data->sparse ? data->sparse->at : data->x.at;
  char number[MN_NUMBER_SIZE];
  size_t i = n;
  if (data->sparse || data->moderate != x) MN_TRY(mn_find_beyond(ctx, n, x, MN_MODERATE, &i));
  while (i < n && !(fabs(x[i]) >= MN_MODERATE)) i++; /* skip NaN: the model may accept missing values */
  if (i < n)
    return mn_fail(
        ctx, MN_BAD_DATA,
        "%s: X must hold numbers below 1e100 so that their squares are finite, got %s in column %zu; scale the columns (StandardScaler)",
        model->class->name, mn_format_number(number, x[i]),
        (data->sparse ? (size_t)data->sparse->col[i] : i % data->features) + 1);
  return mn_check_y_magnitudes(ctx, model, data);
}

mn_status mn_check_y_magnitudes(mn_context *ctx, const mn_estimator *model, const mn_data *data)
{
  const size_t cells = data->y.at ? data->rows * data->y.cols : 0;
  char number[MN_NUMBER_SIZE];
  size_t k;
  MN_TRY(mn_find_beyond(ctx, cells, data->y.at, MN_MODERATE, &k));
  if (k == cells) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: y must hold numbers below 1e100 so that their squares are finite, got %s",
                 model->class->name, mn_format_number(number, data->y.at[k]));
}

mn_status mn_check_metric_magnitudes(mn_context *ctx, const mn_estimator *model, int64_t metric, const mn_data *data)
{
  switch (metric) {
  case MN_METRIC_EUCLIDEAN:
  case MN_METRIC_MINKOWSKI:
  case MN_METRIC_COSINE:
  case MN_METRIC_CORRELATION:
  case MN_METRIC_MAHALANOBIS: return mn_check_magnitudes(ctx, model, data);
  default: return MN_OK;
  }
}

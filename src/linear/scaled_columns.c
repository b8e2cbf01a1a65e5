#include "scaled_columns.h"
#include <math.h>

enum { ROWS_PER_POLL = 1024 };

static void add_squares(const mn_scaled_columns *s, const double *row, double w)
{
  for (size_t j = 0; j < s->p; j++) s->norm[j] += w * (row[j] - s->mean[j]) * (row[j] - s->mean[j]);
}

mn_status mn_scaled_columns_init(mn_context *ctx, const mn_data *data, bool intercept, mn_scaled_columns *s)
{
  *s = (mn_scaled_columns){ .p = data->features, .intercept = intercept };
  s->mean = MN_NEW(ctx, double, s->p, 1);
  s->norm = MN_NEW(ctx, double, s->p, 1);
  double *buffer = MN_RAW(ctx, double, s->p, 1), total = 0;
  if (!s->mean || !s->norm || !buffer) return MN_NO_MEMORY;
  for (size_t i = 0; intercept && i < data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    const double w = mn_weight(data, i), *row = mn_dense_row(data, i, buffer);
    total += w;
    for (size_t j = 0; j < s->p; j++) s->mean[j] += w / total * (row[j] - s->mean[j]);
  }
  total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    total += mn_weight(data, i);
    add_squares(s, mn_dense_row(data, i, buffer), mn_weight(data, i));
  }
  for (size_t j = 0; j < s->p; j++) {
    s->norm[j] = sqrt(s->norm[j] / total);
    if (!(s->norm[j] > 1e-13 * fabs(s->mean[j]))) s->norm[j] = INFINITY; /* constant up to rounding */
  }
  return MN_OK;
}

/* Number of columns of [1 Z]. */
static size_t column_count(const mn_scaled_columns *s)
{
  return s->p + s->intercept;
}

void mn_scaled_rows(const mn_scaled_columns *s, const mn_data *data, size_t first, size_t count, double *buffer,
                    double *out)
{
  for (size_t i = 0; i < count; i++) {
    const double *row = mn_dense_row(data, first + i, buffer);
    if (s->intercept) *out++ = 1;
    for (size_t j = 0; j < s->p; j++) *out++ = (row[j] - s->mean[j]) / s->norm[j];
  }
}

mn_status mn_scaled_matrix(mn_context *ctx, const mn_scaled_columns *s, const mn_data *data, double *out)
{
  const size_t k = s->p + s->intercept;
  double *buffer = MN_RAW(ctx, double, s->p, 1);
  MN_CHECK_ALLOC(buffer);
  for (size_t i = 0; i < data->rows; i += ROWS_PER_POLL) {
    MN_TRY(mn_poll(ctx));
    mn_scaled_rows(s, data, i, data->rows - i < ROWS_PER_POLL ? data->rows - i : ROWS_PER_POLL, buffer, out + i * k);
  }
  return MN_OK;
}

/* One block of a vector: slopes divided by the norms, the intercept moved to the origin of X. */
static void unscale(const mn_scaled_columns *s, double *b, size_t stride)
{
  for (size_t j = 0; j < s->p; j++) {
    double *slope = b + (j + s->intercept) * stride;
    *slope /= s->norm[j];
    if (s->intercept) *b -= s->mean[j] * *slope;
  }
}

void mn_unscale_covariance(const mn_scaled_columns *s, size_t blocks, double *v)
{
  const size_t k = column_count(s), q = k * blocks;
  for (size_t i = 0; i < q; i++)
    for (size_t b = 0; b < blocks; b++) unscale(s, v + i * q + b * k, 1);
  for (size_t i = 0; i < q; i++)
    for (size_t b = 0; b < blocks; b++) unscale(s, v + b * k * q + i, q);
}

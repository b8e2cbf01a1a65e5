#include "stream.h"
#include "../linalg/csr.h"
#include "../linalg/lapack.h"
#include <string.h>

/* [X y] in one piece, and its weighted means; *total is the sum of the weights. */
static mn_status gather(mn_context *ctx, const mn_data *data, double **rows, double *mean, double *total)
{
  const size_t p = data->features, q = data->y.cols, both = p + q;
  mn_matrix dense = data->x;
  *rows = MN_RAW(ctx, double, data->rows, both);
  MN_CHECK_ALLOC(*rows);
  if (data->sparse) {
    dense = (mn_matrix){ .at = MN_NEW(ctx, double, data->rows, p), .rows = data->rows, .cols = p };
    MN_CHECK_ALLOC(dense.at);
    mn_csr_to_dense(data->sparse, &dense);
  }
  *total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    double *row = *rows + i * both;
    memcpy(row, dense.at + i * p, p * sizeof *row);
    memcpy(row + p, data->y.at + i * q, q * sizeof *row);
    const double w = mn_weight(data, i);
    *total += w;
    for (size_t j = 0; j < both; j++) mean[j] += w / *total * (row[j] - mean[j]);
  }
  return MN_OK;
}

/* R of the rows of two triangles and of one row more. */
static mn_status join(mn_context *ctx, size_t order, const double *one, const double *other, const double *row,
                      double *out)
{
  const size_t n = 2 * order + 1, size = order * order;
  double *rows = MN_RAW(ctx, double, n, order);
  MN_CHECK_ALLOC(rows);
  memcpy(rows, one, size * sizeof *rows);
  if (other)
    memcpy(rows + size, other, size * sizeof *rows);
  else
    memset(rows + size, 0, size * sizeof *rows);
  memcpy(rows + 2 * size, row, order * sizeof *rows);
  const mn_rows problem = { .n = n, .p = order, .x = rows };
  return mn_tall_qr(ctx, &problem, out, NULL, NULL);
}

mn_status mn_linear_stream_add(mn_context *ctx, mn_linear_stream *s, const mn_data *data)
{
  const size_t both = data->features + data->y.cols;
  double *rows, *mean = MN_NEW(ctx, double, both, 1), *triangle = MN_RAW(ctx, double, both, both), n;
  if (!mean || !triangle) return MN_NO_MEMORY;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(gather(ctx, data, &rows, mean, &n));
  const mn_rows batch = { .n = data->rows, .p = both, .x = rows, .weights = data->weights, .x_center = mean };
  MN_TRY(mn_tall_qr(ctx, &batch, triangle, NULL, NULL));
  mn_scratch_release(ctx, mark);
  if (!s->stream_triangle.at) {
    MN_TRY(mn_matrix_init(ctx, &s->stream_triangle, both, both));
    MN_TRY(mn_vector_init(ctx, &s->stream_mean, both));
    MN_TRY(mn_vector_init(ctx, &s->stream_n, 1));
    memcpy(s->stream_triangle.at, triangle, both * both * sizeof *triangle);
    memcpy(s->stream_mean.at, mean, both * sizeof *mean);
    s->stream_n.at[0] = n;
    return MN_OK;
  }
  const double old = s->stream_n.at[0], total = old + n, share = n / total, root = sqrt(old * share);
  for (size_t j = 0; j < both; j++) {
    const double difference = mean[j] - s->stream_mean.at[j];
    s->stream_mean.at[j] += share * difference;
    mean[j] = root * difference;
  }
  s->stream_n.at[0] = total;
  return join(ctx, both, s->stream_triangle.at, triangle, mean, s->stream_triangle.at);
}

mn_status mn_linear_stream_problem(mn_context *ctx, const mn_linear_stream *s, size_t p, size_t q, bool centered,
                                   double *r, double *qty, double *rest, double *total)
{
  const size_t both = p + q;
  const double *triangle = s->stream_triangle.at;
  if (!centered) { /* the means, as often as there are rows */
    double *whole = MN_RAW(ctx, double, both, both), *row = MN_RAW(ctx, double, both, 1);
    if (!whole || !row) return MN_NO_MEMORY;
    for (size_t j = 0; j < both; j++) row[j] = sqrt(s->stream_n.at[0]) * s->stream_mean.at[j];
    MN_TRY(join(ctx, both, triangle, NULL, row, whole));
    triangle = whole;
  }
  for (size_t i = 0; i < p; i++) {
    memcpy(r + i * p, triangle + i * both, p * sizeof *r);
    memcpy(qty + i * q, triangle + i * both + p, q * sizeof *qty);
  }
  for (size_t t = 0; t < q; t++) {
    rest[t] = total[t] = 0;
    for (size_t i = 0; i <= p + t; i++) {
      const double square = triangle[i * both + p + t] * triangle[i * both + p + t];
      total[t] += square;
      rest[t] += i < p ? 0 : square;
    }
  }
  return MN_OK;
}

bool mn_linear_stream_fits(const mn_linear_stream *s, size_t p, size_t q)
{
  if (!s->stream_triangle.at && !s->stream_mean.at && !s->stream_n.at) return true;
  return s->stream_triangle.at && s->stream_triangle.rows == p + q && s->stream_triangle.cols == p + q &&
         s->stream_mean.size == p + q && s->stream_n.size == 1 && s->stream_n.at[0] > 0 && s->stream_n.at[0] < INFINITY;
}

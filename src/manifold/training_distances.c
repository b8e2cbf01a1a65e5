#include "training_distances.h"
#include <string.h>

mn_status mn_check_pairs(mn_context *ctx, const char *who, size_t n, const char *advice)
{
  enum { MAX_ROWS = 100000 }; /* 80 GB */
  if (n <= MAX_ROWS) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: distances of all pairs of %zu rows take %.0f GB; %s", who, n,
                 8e-9 * (double)n * (double)n, advice);
}

mn_status mn_training_distances(mn_context *ctx, const char *who, mn_metric metric, const mn_data *data, double *out)
{
  const size_t n = data->rows;
  const mn_points points = { .n = n, .d = data->features, .x = data->x.at };
  if (metric.kind != MN_METRIC_PRECOMPUTED) {
    MN_TRY(mn_distances_within(ctx, who, metric, &points, out));
    for (size_t i = 0; i < n * n; i++)
      if (!(out[i] <= DBL_MAX))
        return mn_fail(ctx, MN_BAD_DATA, "%s: the distance of rows %zu and %zu overflows; scale the columns of X", who,
                       i / n + 1, i % n + 1);
    return MN_OK;
  }
  if (data->features != n)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the metric precomputed requires a square X of distances, got %zu x %zu", who,
                   n, data->features);
  memcpy(out, data->x.at, n * n * sizeof *out);
  return mn_check_distances(ctx, who, n, out);
}

mn_status mn_keep_training_rows(mn_context *ctx, mn_metric metric, const mn_data *data, mn_matrix *training)
{
  if (metric.kind == MN_METRIC_PRECOMPUTED) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, training, data->rows, data->features));
  memcpy(training->at, data->x.at, data->rows * data->features * sizeof *training->at);
  return MN_OK;
}

mn_status mn_check_training_rows(mn_context *ctx, const mn_estimator *model, mn_metric metric, size_t n,
                                 const mn_matrix *training)
{
  const bool precomputed = metric.kind == MN_METRIC_PRECOMPUTED;
  const bool valid = precomputed ? !training->at && model->n_features == n : training->rows == n;
  if (valid) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the training rows do not fit the metric", model->class->name);
}

mn_status mn_place_rows(mn_context *ctx, const char *who, mn_metric metric, const mn_matrix *training,
                        const mn_data *data, mn_place place, const void *self, mn_matrix *out)
{
  enum { CHUNK = 1024 };
  const mn_points points = { .n = training->rows, .d = data->features, .x = training->at };
  mn_space space;
  if (metric.kind == MN_METRIC_PRECOMPUTED) return place(ctx, self, data->rows, data->x.at, out->at);
  MN_TRY(mn_space_init(ctx, who, &space, metric, &points, true));
  mn_mark mark = mn_scratch_mark(ctx);
  for (size_t begin = 0; begin < data->rows; begin += CHUNK) {
    const size_t rows = data->rows - begin < CHUNK ? data->rows - begin : CHUNK;
    double *distance = MN_RAW(ctx, double, rows, points.n);
    MN_CHECK_ALLOC(distance);
    MN_TRY(mn_distances_between(ctx, &space, rows, mn_row(&data->x, begin), points.n, training->at, distance));
    MN_TRY(place(ctx, self, rows, distance, mn_row(out, begin)));
    MN_TRY(mn_scratch_recycle(ctx, &mark));
  }
  return MN_OK;
}

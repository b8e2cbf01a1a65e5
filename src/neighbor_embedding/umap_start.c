/* The start of UMAP. */
#include "../core/rng.h"
#include "../eigen/principal_axes.h"
#include "../search/distance_matrix.h"
#include "spectral_start.h"
#include "umap.h"
#include <string.h>

static const char who[] = "UMAP";
static const double width = 10;   /* of the range of each column */
static const double noise = 1e-4; /* added, since equal positions never part */

static mn_status principal(mn_context *ctx, const mn_data *data, size_t columns, double *y)
{
  const size_t p = data->features;
  double *mean = MN_RAW(ctx, double, p, 1), *values = MN_RAW(ctx, double, columns, 1), trace;
  double *axes = MN_RAW(ctx, double, columns, p);
  if (!mean || !values || !axes) return MN_NO_MEMORY;
  MN_TRY(mn_principal_axes(ctx, data->rows, p, data->x.at, NULL, columns, mean, values, axes, &trace));
  for (size_t i = 0; i < data->rows; i++)
    for (size_t c = 0; c < columns; c++) {
      y[i * columns + c] = 0;
      for (size_t j = 0; j < p; j++) y[i * columns + c] += axes[c * p + j] * (mn_row(&data->x, i)[j] - mean[j]);
    }
  return MN_OK;
}

struct nodes {
  const struct mn_umap *model;
  const mn_data *data;
};

/* Distances of rows, of which there are few. */
static mn_status node_distances(mn_context *ctx, const void *user, size_t n, const size_t *node, double *out)
{
  const struct nodes *w = user;
  const mn_data *data = w->data;
  if (w->model->metric == MN_METRIC_PRECOMPUTED) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) out[i * n + j] = mn_row(&data->x, node[i])[node[j]];
    return MN_OK;
  }
  double *rows = MN_RAW(ctx, double, n, data->features);
  MN_CHECK_ALLOC(rows);
  for (size_t i = 0; i < n; i++) {
    double *row = rows + i * data->features;
    const double *from = mn_dense_row(data, node[i], row);
    if (from != row) memcpy(row, from, data->features * sizeof *row);
  }
  mn_metric metric = mn_umap_index_options(w->model).metric;
  if (metric.kind == MN_METRIC_MAHALANOBIS) metric.kind = MN_METRIC_EUCLIDEAN; /* few rows have no covariance */
  const mn_points points = { .n = n, .d = data->features, .x = rows };
  return mn_distances_within(ctx, who, metric, &points, out);
}

/* Scale each column to 0 .. width. */
static void scale_columns(size_t n, size_t columns, double *y)
{
  for (size_t c = 0; c < columns; c++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
      low = fmin(low, y[i * columns + c]);
      high = fmax(high, y[i * columns + c]);
    }
    for (size_t i = 0; i < n; i++)
      y[i * columns + c] = high > low ? width * (y[i * columns + c] - low) / (high - low) : width / 2;
  }
}

mn_status mn_umap_start(mn_context *ctx, const struct mn_umap *m, const mn_data *data, const int32_t *label, double *y)
{
  const size_t n = data->rows, columns = (size_t)m->n_components;
  const struct nodes nodes = { m, data };
  const bool distances = m->metric != MN_METRIC_PRECOMPUTED || !data->sparse;
  mn_rng rng = mn_stream(m->seed, 1);
  if (m->start.at) {
    memcpy(y, m->start.at, n * columns * sizeof *y);
  } else if (m->init == MN_UMAP_RANDOM) {
    for (size_t i = 0; i < n * columns; i++) y[i] = mn_random_uniform(&rng);
  } else if (m->init == MN_UMAP_PCA) {
    MN_TRY(principal(ctx, data, columns, y));
  } else {
    MN_TRY(mn_spectral_start(ctx, &m->graph, label, (size_t)m->n_connected_components,
                             distances ? node_distances : NULL, &nodes, m->seed, columns, y));
  }
  scale_columns(n, columns, y);
  for (size_t i = 0; i < n * columns; i++) y[i] += noise * mn_random_normal(&rng);
  return MN_OK;
}

#include "neighbors.h"
#include <string.h>

size_t mn_neighbors_rows(const mn_neighbors *m)
{
  return m->x.at ? m->x.rows : m->sparse_x.rows;
}

mn_points mn_neighbors_points(const mn_neighbors *m)
{
  if (m->x.at) return (mn_points){ .n = m->x.rows, .d = m->x.cols, .x = m->x.at };
  return (mn_points){ .n = m->sparse_x.rows, .d = m->sparse_x.cols, .sparse = &m->sparse_x };
}

mn_points mn_data_points(const mn_data *data)
{
  return (mn_points){ .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse };
}

static mn_index_options index_options(const mn_neighbors *m)
{
  return (mn_index_options){ .metric = { m->metric, m->p, &m->covariance },
                             .algorithm = m->algorithm,
                             .leaf_size = m->leaf_size,
                             .k = m->n_neighbors,
                             .recall = m->recall };
}

mn_status mn_neighbors_keep_rows(mn_context *ctx, mn_neighbors *m, const mn_data *data)
{
  if (data->sparse) return mn_value_copy(ctx, MN_KIND_CSR, data->sparse, &m->sparse_x);
  return mn_value_copy(ctx, MN_KIND_MATRIX, &data->x, &m->x);
}

mn_status mn_neighbors_store(mn_context *ctx, mn_neighbors *m, const mn_data *data)
{
  MN_TRY(mn_neighbors_keep_rows(ctx, m, data));
  return mn_neighbors_build(ctx, m);
}

mn_status mn_neighbors_check(mn_context *ctx, const mn_neighbors *m)
{
  const mn_csr *s = &m->sparse_x;
  if (!m->x.at == !s->start)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive must have either x or sparse_x", m->base.class->name);
  return MN_OK;
}

mn_status mn_neighbors_check_distances(mn_context *ctx, const mn_neighbors *m, const mn_points *x)
{
  char number[MN_NUMBER_SIZE];
  if (m->metric != MN_METRIC_PRECOMPUTED || !x->x) return MN_OK;
  for (size_t i = 0; i < x->n * x->d; i++)
    if (x->x[i] < 0)
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: X must have distances >= 0 for the metric precomputed, got %s in row %zu, column %zu",
                     m->base.class->name, mn_format_number(number, x->x[i]), i / x->d + 1, i % x->d + 1);
  return MN_OK;
}

mn_status mn_neighbors_build(mn_context *ctx, mn_neighbors *m)
{
  const mn_points rows = mn_neighbors_points(m);
  MN_TRY(mn_neighbor_index_init(ctx, m->base.class->name, &m->index, &rows, index_options(m)));
  return mn_neighbors_check_distances(ctx, m, &rows);
}

mn_status mn_neighbors_derive(mn_context *ctx, void *self)
{
  mn_neighbors *m = self;
  const mn_points rows = mn_neighbors_points(m);
  mn_index_options options = index_options(m);
  options.graph = m->index.hnsw; /* of an archive */
  return mn_neighbor_index_init(ctx, m->base.class->name, &m->index, &rows, options);
}

mn_status mn_neighbors_check_count(mn_context *ctx, const mn_neighbors *m, size_t rows, int64_t k)
{
  if ((uint64_t)k <= rows) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_neighbors must be at most the number of rows, %zu, got %lld",
                 m->base.class->name, rows, (long long)k);
}

mn_status mn_neighbors_search(mn_context *ctx, const mn_neighbors *m, const mn_data *data, size_t k, int32_t *found,
                              double *distance)
{
  const mn_points rows = mn_neighbors_points(m), queries = mn_data_points(data);
  MN_TRY(mn_neighbors_check_count(ctx, m, rows.n, (int64_t)k));
  MN_TRY(mn_neighbors_check_distances(ctx, m, &queries));
  return mn_neighbor_nearest(ctx, &m->index, &rows, &queries, k, found, distance);
}

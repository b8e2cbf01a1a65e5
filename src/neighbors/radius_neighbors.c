#include "radius_neighbors.h"
#include "../core/threads.h"
#include <string.h>

const char *const mn_empty_names[] = { "nearest", "average", NULL };

/* The rows of X without neighbors, as points in scratch. All rows of a sparse X, which is not copied. */
static mn_status gather_empty(mn_context *ctx, const mn_data *data, const mn_neighbor_lists *lists, size_t count,
                              mn_points *points)
{
  *points = mn_data_points(data);
  if (data->sparse) return MN_OK;
  double *x = MN_RAW(ctx, double, count, data->features);
  MN_CHECK_ALLOC(x);
  *points = (mn_points){ .n = count, .d = data->features, .x = x };
  for (size_t i = 0; i < data->rows; i++) {
    if (lists->start[i + 1] > lists->start[i]) continue;
    memcpy(x, mn_row(&data->x, i), data->features * sizeof *x);
    x += data->features;
  }
  return MN_OK;
}

/* Give the nearest row, with weight 1, to every row without neighbors. */
static mn_status add_nearest(mn_context *ctx, const mn_neighbors *m, const mn_neighbor_index *index,
                             const mn_data *data, size_t count, mn_neighbor_lists *lists)
{
  const mn_points rows = mn_neighbors_points(m);
  const size_t n = lists->n, total = lists->start[n];
  mn_neighbor_lists all = { n, MN_RAW(ctx, size_t, n + 1, 1), MN_RAW(ctx, mn_candidate, total + count, 1) };
  mn_points queries;
  MN_TRY(gather_empty(ctx, data, lists, count, &queries));
  int32_t *nearest = MN_RAW(ctx, int32_t, queries.n, 1);
  double *distance = MN_RAW(ctx, double, queries.n, 1);
  if (!all.start || !all.at || !nearest || !distance) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_nearest(ctx, index, &rows, &queries, 1, nearest, distance));
  size_t at = 0, seen = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t size = lists->start[i + 1] - lists->start[i];
    all.start[i] = at;
    if (size > 0) memcpy(all.at + at, lists->at + lists->start[i], size * sizeof *all.at);
    at += size;
    if (size == 0) all.at[at++] = (mn_candidate){ 1, nearest[data->sparse ? i : seen++] };
  }
  all.start[n] = at;
  *lists = all;
  return MN_OK;
}

static mn_status weigh(mn_context *ctx, const mn_neighbors *m, const mn_neighbor_lists *lists)
{
  double *distance = MN_RAW(ctx, double, mn_neighbors_rows(m), 1);
  MN_CHECK_ALLOC(distance);
  for (size_t i = 0; i < lists->n; i++) {
    mn_candidate *at = lists->at + lists->start[i];
    const size_t n = lists->start[i + 1] - lists->start[i];
    MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < n; j++) distance[j] = at[j].value;
    mn_neighbors_vote_weights(m, n, m->radius, distance);
    for (size_t j = 0; j < n; j++) at[j].value = distance[j];
  }
  return MN_OK;
}

/* Rows begin .. end - 1 of X; `csr` holds them if X is sparse. */
static mn_data rows_between(const mn_data *data, size_t begin, size_t end, mn_csr *csr)
{
  mn_data part = *data;
  part.rows = end - begin;
  part.x.rows = part.rows;
  if (data->x.at) part.x.at = mn_row(&data->x, begin);
  if (!data->sparse) return part;
  *csr = *data->sparse;
  csr->rows = part.rows;
  csr->start += begin;
  part.sparse = csr;
  return part;
}

static mn_status find_votes(mn_context *ctx, const mn_radius_neighbors *m, const mn_neighbor_index *index,
                            const mn_data *data, mn_neighbor_lists *lists)
{
  const mn_neighbors *base = &m->neighbors;
  const mn_points rows = mn_neighbors_points(base), queries = mn_data_points(data);
  size_t count = 0;
  MN_TRY(mn_neighbor_within(ctx, index, &rows, &queries, base->radius, false, lists));
  for (size_t i = 0; i < lists->n; i++) count += lists->start[i + 1] == lists->start[i];
  MN_TRY(weigh(ctx, base, lists));
  return count > 0 && m->empty == MN_EMPTY_NEAREST ? add_nearest(ctx, base, index, data, count, lists) : MN_OK;
}

mn_status mn_radius_vote(mn_context *ctx, const mn_radius_neighbors *m, const mn_data *data, mn_radius_count count,
                         mn_matrix *out)
{
  enum { MIN_ROWS = 256, MAX_NEIGHBORS = 1 << 20 };
  const mn_points queries = mn_data_points(data);
  const size_t fitting = MAX_NEIGHBORS / mn_neighbors_rows(&m->neighbors);
  const mn_blocks blocks = mn_make_blocks(data->rows, fitting > MIN_ROWS ? fitting : MIN_ROWS, SIZE_MAX);
  MN_TRY(mn_neighbors_check_distances(ctx, &m->neighbors, &queries));
  for (size_t b = 0; b < blocks.count; b++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t begin = mn_block_begin(&blocks, b);
    mn_csr csr;
    const mn_data part = rows_between(data, begin, mn_block_end(&blocks, b), &csr);
    mn_neighbor_lists lists;
    MN_TRY(find_votes(ctx, m, &m->neighbors.index, &part, &lists));
    for (size_t i = 0; i < part.rows; i++)
      count(m, lists.start[i + 1] - lists.start[i], lists.at + lists.start[i], out->cols, mn_row(out, begin + i));
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

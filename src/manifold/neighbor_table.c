#include "neighbor_table.h"
#include "../search/row_distances.h"
#include <string.h>

mn_status mn_neighbor_table_new(mn_context *ctx, size_t n, size_t k, mn_neighbor_table *t)
{
  *t = (mn_neighbor_table){ n, k, MN_RAW(ctx, int32_t, n, k), MN_RAW(ctx, double, n, k) };
  return t->found && t->distance ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_check_neighbor_distances(mn_context *ctx, const char *who, size_t n, size_t k, const double *distance)
{
  static const double largest = 1e100;
  for (size_t i = 0; i < n * k; i++)
    if (!(distance[i] <= largest))
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: the distances of row %zu from its neighbors overflow; scale the columns of X", who,
                     i / k + 1);
  return MN_OK;
}

mn_status mn_neighbor_table_own(mn_context *ctx, const char *who, const mn_neighbor_index *index, const mn_points *rows,
                                mn_neighbor_table *t)
{
  const size_t others = t->k - 1;
  MN_TRY(mn_neighbor_nearest(ctx, index, rows, NULL, others, t->found, t->distance));
  MN_TRY(mn_check_neighbor_distances(ctx, who, t->n, others, t->distance));
  for (size_t i = t->n; i-- > 0;) {
    memmove(t->found + i * t->k + 1, t->found + i * others, others * sizeof *t->found);
    memmove(t->distance + i * t->k + 1, t->distance + i * others, others * sizeof *t->distance);
    t->found[i * t->k] = (int32_t)i;
    t->distance[i * t->k] = 0;
  }
  return MN_OK;
}

mn_status mn_neighbor_table_exact(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows,
                                  mn_neighbor_table *t)
{
  const mn_index_options options = { .metric = metric, .leaf_size = 30, .scratch = true };
  mn_neighbor_index index = { 0 };
  MN_TRY(mn_neighbor_index_init(ctx, who, &index, rows, options));
  return mn_neighbor_table_own(ctx, who, &index, rows, t);
}

/* The entries of row i in a heap of k; returns how many there are. */
static mn_status collect(mn_context *ctx, const char *who, const mn_data *data, size_t i, bool own, size_t k,
                         mn_candidate *heap, size_t *count)
{
  const mn_csr *s = data->sparse;
  const size_t first = s ? s->start[i] : 0, end = s ? s->start[i + 1] : data->features;
  char number[MN_NUMBER_SIZE];
  mn_heap_clear(heap, k);
  *count = 0;
  for (size_t e = first; e < end; e++) {
    const size_t j = s ? (size_t)s->col[e] : e;
    const double value = s ? s->at[e] : mn_row(&data->x, i)[e];
    if (!(value >= 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: distances must be >= 0, got %s in row %zu, column %zu", who,
                     mn_format_number(number, value), i + 1, j + 1);
    if (own && j == i) continue;
    mn_heap_offer(heap, k, (mn_candidate){ value, (int32_t)j });
    ++*count;
  }
  return MN_OK;
}

mn_status mn_neighbor_table_given(mn_context *ctx, const char *who, const char *count_of, const mn_data *data, bool own,
                                  mn_neighbor_table *t)
{
  const size_t skip = own ? 1 : 0, others = t->k - skip;
  mn_candidate *heap = MN_RAW(ctx, mn_candidate, t->k, 1);
  MN_CHECK_ALLOC(heap);
  if (own && data->rows != data->features)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the metric precomputed requires a square X of distances, got %zu x %zu", who,
                   data->rows, data->features);
  if (own && !data->sparse) MN_TRY(mn_check_distances(ctx, who, data->rows, data->x.at));
  for (size_t i = 0; i < t->n; i++) {
    size_t count;
    MN_TRY(collect(ctx, who, data, i, own, others, heap, &count));
    if (count < others)
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: X must have distances to at least %zu %srows in each row, got %zu in row %zu; decrease %s",
                     who, others, own ? "other " : "training ", count, i + 1, count_of);
    mn_heap_sort(heap, others);
    t->found[i * t->k] = (int32_t)i;
    t->distance[i * t->k] = 0;
    for (size_t j = 0; j < others; j++) {
      t->found[i * t->k + skip + j] = heap[j].index;
      t->distance[i * t->k + skip + j] = heap[j].value;
    }
  }
  return mn_check_neighbor_distances(ctx, who, t->n, t->k, t->distance);
}

#include "smoother_neighbors.h"
#include "../stats/argsort.h"

enum {
  MIN_ROWS = 512,
  MIN_POINTS = 32,           /* for fewer, sorting or building the index takes longer */
  STRIP_NEIGHBORS = 1 << 20, /* of one search                                         */
  POINTS_PER_POLL = 1 << 8
};

bool mn_smoother_neighbors_suit(const mn_smoother_plan *p, size_t points)
{
  return p->neighbors > 0 && p->n >= MIN_ROWS && points >= MIN_POINTS && p->neighbors <= p->n / 4;
}

static mn_status sort_column(mn_context *ctx, mn_smoother_neighbors *s)
{
  const mn_smoother_plan *p = s->plan;
  s->order = MN_RAW(ctx, size_t, p->n, 1);
  s->sorted = MN_RAW(ctx, double, p->n, 1);
  if (!s->order || !s->sorted) return MN_NO_MEMORY;
  MN_TRY(mn_argsort(ctx, p->n, p->z, 1, s->order));
  for (size_t i = 0; i < p->n; i++) s->sorted[i] = p->z[s->order[i]];
  return MN_OK;
}

static mn_status build_index(mn_context *ctx, mn_smoother_neighbors *s)
{
  const mn_smoother_plan *p = s->plan;
  double *rows = MN_RAW(ctx, double, p->n, p->d);
  MN_CHECK_ALLOC(rows);
  for (size_t i = 0; i < p->n; i++)
    for (size_t j = 0; j < p->d; j++) rows[i * p->d + j] = p->z[j * p->n + i];
  s->rows = (mn_points){ .n = p->n, .d = p->d, .x = rows };
  const mn_index_options options = { .metric = { .kind = MN_METRIC_EUCLIDEAN }, .leaf_size = 32, .scratch = true };
  return mn_neighbor_index_init(ctx, "Loess", &s->index, &s->rows, options);
}

mn_status mn_smoother_neighbors_init(mn_context *ctx, const mn_smoother_plan *p, mn_smoother_neighbors *s)
{
  *s = (mn_smoother_neighbors){ .plan = p, .strip = STRIP_NEIGHBORS / p->neighbors + 1 };
  s->queries = MN_RAW(ctx, double, s->strip, p->d);
  s->found = MN_RAW(ctx, int32_t, s->strip, p->neighbors);
  if (!s->queries || !s->found) return MN_NO_MEMORY;
  return p->d == 1 ? sort_column(ctx, s) : build_index(ctx, s);
}

size_t mn_smoother_neighbors_strip(const mn_smoother_neighbors *s, size_t remaining)
{
  return remaining < s->strip ? remaining : s->strip;
}

/* The place in sorted order where the neighbors of q begin: the first one such that the row after them is not nearer
 * than the first of them. */
static size_t window(const mn_smoother_neighbors *s, double q)
{
  const size_t k = s->plan->neighbors;
  size_t low = 0, high = s->plan->n - k;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->sorted[middle + k] - q < q - s->sorted[middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

mn_status mn_smoother_neighbors_find(mn_context *ctx, mn_smoother_neighbors *s, const mn_matrix *points, size_t begin,
                                     size_t count)
{
  const mn_smoother_plan *p = s->plan;
  for (size_t i = 0; i < count; i++) mn_smoother_scale_point(p, mn_row(points, begin + i), s->queries + i * p->d);
  if (p->d > 1) {
    const mn_points queries = { .n = count, .d = p->d, .x = s->queries };
    return mn_neighbor_nearest(ctx, &s->index, &s->rows, &queries, p->neighbors, s->found, NULL);
  }
  for (size_t i = 0; i < count; i++) {
    const size_t first = window(s, s->queries[i]);
    if (i % POINTS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    for (size_t k = 0; k < p->neighbors; k++) s->found[i * p->neighbors + k] = (int32_t)s->order[first + k];
  }
  return MN_OK;
}

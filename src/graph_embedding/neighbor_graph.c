#include "neighbor_graph.h"
#include "../linalg/csr.h"
#include "../search/row_distances.h"
#include "../spanning_tree/components.h"
#include <string.h>

mn_status mn_training_neighbors(mn_context *ctx, const mn_neighbors *m, mn_neighbor_lists *lists)
{
  const mn_points rows = mn_neighbors_points(m);
  if (m->metric == MN_METRIC_PRECOMPUTED) MN_TRY(mn_check_distances(ctx, m->base.class->name, rows.n, rows.x));
  if (!isnan(m->radius)) return mn_neighbor_within(ctx, &m->index, &rows, NULL, m->radius, false, lists);
  if ((uint64_t)m->n_neighbors >= rows.n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_neighbors must be less than the number of rows, %zu, got %lld",
                   m->base.class->name, rows.n, (long long)m->n_neighbors);
  return mn_neighbor_nearest_lists(ctx, &m->index, &rows, NULL, (size_t)m->n_neighbors, lists);
}

/* Give the queries without neighbors the nearest row. */
static mn_status fill_empty(mn_context *ctx, const mn_neighbors *m, const mn_points *queries, mn_neighbor_lists *lists)
{
  const mn_points rows = mn_neighbors_points(m);
  size_t empty = 0, at = 0;
  for (size_t i = 0; i < lists->n; i++) empty += lists->start[i] == lists->start[i + 1];
  if (empty == 0) return MN_OK;
  int32_t *found = MN_RAW(ctx, int32_t, lists->n, 1);
  double *distance = MN_RAW(ctx, double, lists->n, 1);
  mn_neighbor_lists filled = { .n = lists->n,
                               .start = MN_RAW(ctx, size_t, lists->n + 1, 1),
                               .at = MN_RAW(ctx, mn_candidate, lists->start[lists->n] + empty, 1) };
  if (!found || !distance || !filled.start || !filled.at) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_nearest(ctx, &m->index, &rows, queries, 1, found, distance));
  for (size_t i = 0; i < lists->n; i++) {
    filled.start[i] = at;
    for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++) filled.at[at++] = lists->at[e];
    if (filled.start[i] == at) filled.at[at++] = (mn_candidate){ distance[i], found[i] };
  }
  filled.start[lists->n] = at;
  *lists = filled;
  return MN_OK;
}

mn_status mn_new_neighbors(mn_context *ctx, const mn_neighbors *m, const mn_data *data, mn_neighbor_lists *lists)
{
  const mn_points rows = mn_neighbors_points(m), queries = mn_data_points(data);
  MN_TRY(mn_neighbors_check_distances(ctx, m, &queries));
  if (isnan(m->radius))
    return mn_neighbor_nearest_lists(ctx, &m->index, &rows, &queries, (size_t)m->n_neighbors, lists);
  MN_TRY(mn_neighbor_within(ctx, &m->index, &rows, &queries, m->radius, false, lists));
  return fill_empty(ctx, m, &queries, lists);
}

mn_status mn_given_neighbors(mn_context *ctx, const char *who, const mn_csr *x, bool own, mn_neighbor_lists *lists)
{
  char number[MN_NUMBER_SIZE];
  size_t at = 0;
  *lists = (mn_neighbor_lists){ .n = x->rows,
                                .start = MN_NEW(ctx, size_t, x->rows + 1, 1),
                                .at = MN_RAW(ctx, mn_candidate, x->start[x->rows] + 1, 1) };
  if (!lists->start || !lists->at) return MN_NO_MEMORY;
  if (own && x->rows != x->cols)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the metric precomputed requires a square X of distances, got %zu x %zu", who,
                   x->rows, x->cols);
  for (size_t i = 0; i < x->rows; i++) {
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
      if (x->at[e] < 0)
        return mn_fail(ctx, MN_BAD_DATA, "%s: distances must be >= 0, got %s in row %zu, column %d", who,
                       mn_format_number(number, x->at[e]), i + 1, x->col[e] + 1);
      if (!own || (size_t)x->col[e] != i) lists->at[at++] = (mn_candidate){ x->at[e], x->col[e] };
    }
    if (!own && lists->start[i] == at)
      return mn_fail(ctx, MN_BAD_DATA, "%s: X must have a distance to a training row in each row, got none in row %zu",
                     who, i + 1);
    lists->start[i + 1] = at;
  }
  return MN_OK;
}

static mn_status scratch_graph(mn_context *ctx, size_t n, size_t values, mn_csr *graph)
{
  *graph = (mn_csr){ .rows = n,
                     .cols = n,
                     .start = MN_NEW(ctx, size_t, n + 1, 1),
                     .col = MN_RAW(ctx, int32_t, values, 1),
                     .at = MN_RAW(ctx, double, values, 1) };
  return graph->start && graph->col && graph->at ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_symmetric_graph(mn_context *ctx, const mn_neighbor_lists *lists, mn_csr *graph)
{
  const size_t n = lists->n, values = lists->start[n];
  mn_csr from, to;
  MN_TRY(scratch_graph(ctx, n, values, &from));
  MN_TRY(scratch_graph(ctx, n, 2 * values, graph));
  memcpy(from.start, lists->start, (n + 1) * sizeof *from.start);
  for (size_t e = 0; e < values; e++) {
    from.col[e] = lists->at[e].index;
    from.at[e] = lists->at[e].value;
  }
  MN_TRY(mn_csr_transpose_scratch(ctx, &from, &to));
  for (size_t i = 0, at = 0; i < n; i++) { /* merge the rows of both */
    size_t a = from.start[i], b = to.start[i];
    while (a < from.start[i + 1] || b < to.start[i + 1]) {
      const bool first = b == to.start[i + 1] || (a < from.start[i + 1] && from.col[a] <= to.col[b]);
      const bool both = first && b < to.start[i + 1] && from.col[a] == to.col[b];
      graph->col[at] = first ? from.col[a] : to.col[b];
      graph->at[at++] = first ? from.at[a] : to.at[b];
      a += first;
      b += !first || both;
    }
    graph->start[i + 1] = at;
  }
  return MN_OK;
}

size_t mn_connected_components(const mn_csr *graph, int32_t *component)
{
  size_t parts = 0;
  mn_components_init(component, graph->rows);
  for (size_t i = 0; i < graph->rows; i++)
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
      mn_components_join(component, (int32_t)i, graph->col[e]);
  for (size_t i = 0; i < graph->rows; i++) component[i] = mn_component(component, (int32_t)i);
  /* A root is the first row of its part, so its number is known when the others are reached. */
  for (size_t i = 0; i < graph->rows; i++)
    component[i] = component[i] == (int32_t)i ? (int32_t)parts++ : component[component[i]];
  return parts;
}

/* The shortest edge between two parts. */
struct edge {
  double distance;
  size_t from, to;
};

/* shortest[a * parts + b], a < b, = the shortest edge between two parts; ties are broken by the lowest rows. */
static mn_status find_edges(mn_context *ctx, const mn_neighbors *m, const int32_t *component, size_t parts,
                            struct edge *shortest)
{
  const mn_points rows = mn_neighbors_points(m);
  mn_row_distances distances;
  double *out = MN_RAW(ctx, double, rows.n, 1);
  MN_CHECK_ALLOC(out);
  MN_TRY(mn_row_distances_init(ctx, m->base.class->name, &distances, (mn_metric){ m->metric, m->p, &m->covariance },
                               &rows));
  for (size_t e = 0; e < parts * parts; e++) shortest[e] = (struct edge){ .distance = INFINITY };
  for (size_t i = 0; i < rows.n; i++) {
    MN_TRY(mn_poll(ctx));
    mn_measure_row(&distances, i, 0, rows.n, out);
    for (size_t j = 0; j < rows.n; j++) {
      if (component[i] >= component[j]) continue;
      struct edge *best = shortest + (size_t)component[i] * parts + (size_t)component[j];
      if (out[j] < best->distance) *best = (struct edge){ out[j], i, j };
    }
  }
  return MN_OK;
}

mn_status mn_connect_graph(mn_context *ctx, const mn_neighbors *m, mn_csr *graph, size_t *parts)
{
  const size_t n = graph->rows;
  int32_t *component = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(component);
  *parts = mn_connected_components(graph, component);
  if (*parts == 1) return MN_OK;
  const size_t p = *parts, old = graph->start[n], pairs = p * (p - 1) / 2;
  struct edge *shortest = MN_RAW(ctx, struct edge, p, p);
  mn_entry *entry = MN_RAW(ctx, mn_entry, old + 2 * pairs, 1);
  mn_csr joined;
  size_t at = 0;
  if (!shortest || !entry) return MN_NO_MEMORY;
  MN_TRY(find_edges(ctx, m, component, p, shortest));
  for (size_t i = 0; i < n; i++)
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
      entry[at++] = (mn_entry){ i, graph->col[e], graph->at[e] };
  for (size_t a = 0; a < p; a++)
    for (size_t b = a + 1; b < p; b++) {
      const struct edge *e = shortest + a * p + b;
      entry[at++] = (mn_entry){ e->from, (int32_t)e->to, e->distance };
      entry[at++] = (mn_entry){ e->to, (int32_t)e->from, e->distance };
    }
  MN_TRY(scratch_graph(ctx, n, at, &joined));
  MN_TRY(mn_csr_from_entries(ctx, entry, at, &joined));
  *graph = joined;
  return MN_OK;
}

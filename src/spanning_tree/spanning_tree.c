#include "spanning_tree.h"
#include "../core/threads.h"
#include "../search/row_distances.h"
#include "../stats/argsort.h"
#include <stdlib.h>
#include <string.h>

static int compare_edges(const void *x, const void *y)
{
  const mn_edge a = *(const mn_edge *)x, b = *(const mn_edge *)y;
  return mn_edge_is_less(b, a) - mn_edge_is_less(a, b);
}

/* Sort by weight in linear time, then equal weights by the rest. */
mn_status mn_sort_edges(mn_context *ctx, size_t n, mn_edge *edges)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *weight = MN_RAW(ctx, double, n, 1);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  mn_edge *sorted = MN_RAW(ctx, mn_edge, n, 1);
  if (!weight || !order || !sorted) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) weight[i] = edges[i].weight;
  MN_TRY(mn_argsort(ctx, n, weight, 1, order));
  for (size_t i = 0; i < n; i++) sorted[i] = edges[order[i]];
  for (size_t begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && !(sorted[end].weight > sorted[begin].weight);) end++;
    if (end - begin > 1) qsort(sorted + begin, end - begin, sizeof *sorted, compare_edges);
  }
  if (n > 0) memcpy(edges, sorted, n * sizeof *edges);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Prim's algorithm: rows outside of the tree, each with its least edge to the tree. */
struct outside {
  size_t size;
  int32_t *row;  /* n */
  mn_edge *best; /* n: by row */
};

/* Compare the edges from `added` to the rows outside, and take out the row with the least edge to the tree. */
static int32_t extend(struct outside *o, int32_t added, const double *distance, const double *core)
{
  size_t least = 0;
  for (size_t i = 0; i < o->size; i++) {
    const int32_t row = o->row[i];
    const double d = distance[row], weight = core ? fmax(d, fmax(core[added], core[row])) : d;
    if (!(weight > o->best[row].weight)) {
      const mn_edge edge = mn_edge_between(weight, d, added, row);
      if (mn_edge_is_less(edge, o->best[row])) o->best[row] = edge;
    }
    if (mn_edge_is_less(o->best[row], o->best[o->row[least]])) least = i;
  }
  const int32_t row = o->row[least];
  o->row[least] = o->row[--o->size];
  return row;
}

static mn_status prim(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows, const double *core,
                      mn_edge *edges)
{
  const size_t n = rows->n;
  mn_row_distances w;
  struct outside o = { n - 1, MN_RAW(ctx, int32_t, n, 1), MN_RAW(ctx, mn_edge, n, 1) };
  double *distance = MN_RAW(ctx, double, n, 1);
  if (!o.row || !o.best || !distance) return MN_NO_MEMORY;
  MN_TRY(mn_row_distances_init(ctx, who, &w, metric, rows));
  for (size_t i = 0; i + 1 < n; i++) o.row[i] = (int32_t)i + 1;
  for (size_t i = 0; i < n; i++) o.best[i] = (mn_edge){ INFINITY, INFINITY, INT32_MAX, INT32_MAX };
  int32_t added = 0;
  for (size_t e = 0; e + 1 < n; e++) {
    MN_TRY(mn_poll(ctx));
    mn_measure_row(&w, (size_t)added, 0, n, distance);
    added = extend(&o, added, distance, core);
    edges[e] = o.best[added];
  }
  return MN_OK;
}

/* Some nearest neighbors of all rows, which serve the first rounds. */
static mn_status find_neighbors(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                                mn_known_neighbors *known)
{
  enum { NEIGHBORS = 8 };
  int32_t *row = MN_RAW(ctx, int32_t, rows->n, NEIGHBORS);
  double *distance = MN_RAW(ctx, double, rows->n, NEIGHBORS);
  if (!row || !distance) return MN_NO_MEMORY;
  *known = (mn_known_neighbors){ NEIGHBORS, row, distance };
  return mn_neighbor_nearest(ctx, index, rows, NULL, NEIGHBORS, row, distance);
}

mn_status mn_spanning_tree(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows,
                           const mn_neighbor_index *index, const double *core, mn_known_neighbors known, mn_edge *edges)
{
  enum { MIN_ROWS = 256, LEAF = 32 };
  const mn_mark mark = mn_scratch_mark(ctx);
  const bool tree =
      !rows->sparse && metric.kind != MN_METRIC_PRECOMPUTED && rows->n >= MIN_ROWS && rows->d <= MN_SPANNING_TREE_WIDTH;
  if (tree) {
    const mn_index_options options = {
      .metric = metric, .algorithm = MN_INDEX_KD_TREE, .leaf_size = LEAF, .scratch = true
    };
    mn_neighbor_index own = { 0 };
    if (!index || index->algorithm != MN_INDEX_KD_TREE) {
      MN_TRY(mn_neighbor_index_init(ctx, who, &own, rows, options));
      index = &own;
    }
    if (known.k == 0) MN_TRY(find_neighbors(ctx, index, rows, &known));
    MN_TRY(mn_boruvka(ctx, index, rows, core, known, edges));
  } else {
    MN_TRY(prim(ctx, who, metric, rows, core, edges));
  }
  MN_TRY(mn_sort_edges(ctx, rows->n - 1, edges));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

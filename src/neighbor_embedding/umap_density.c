#include "umap_density.h"
#include <math.h>

/* The distance of two rows, one of which is a neighbor of the other; else 0. */
static double edge_distance(const mn_neighbor_table *t, size_t i, size_t j)
{
  for (size_t e = 0; e < t->k; e++)
    if ((size_t)t->found[i * t->k + e] == j) return t->distance[i * t->k + e];
  for (size_t e = 0; e < t->k; e++)
    if ((size_t)t->found[j * t->k + e] == i) return t->distance[j * t->k + e];
  return 0;
}

mn_status mn_umap_data_radii(mn_context *ctx, const mn_neighbor_table *t, const mn_csr *graph, int64_t epochs,
                             double *radii)
{
  double heaviest = 0;
  for (size_t e = 0; e < graph->start[graph->rows]; e++) heaviest = fmax(heaviest, graph->at[e]);
  for (size_t i = 0; i < graph->rows; i++) {
    double total = 0, squares = 0;
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
      if (graph->at[e] < heaviest / (double)epochs) continue;
      const double d = edge_distance(t, i, (size_t)graph->col[e]);
      total += graph->at[e];
      squares += graph->at[e] * d * d;
    }
    radii[i] = log(1e-8 + (total > 0 ? squares / total : 0));
  }
  return mn_poll(ctx);
}

mn_status mn_umap_layout_radii(mn_context *ctx, const char *who, const mn_matrix *y, size_t k, double *radii)
{
  const size_t n = y->rows;
  const mn_points rows = { .n = n, .d = y->cols, .x = y->at };
  mn_neighbor_table t;
  double *rho = MN_RAW(ctx, double, n, 1), *sigma = MN_RAW(ctx, double, n, 1);
  mn_csr v, w;
  if (!rho || !sigma) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_table_new(ctx, n, k, &t));
  MN_TRY(mn_neighbor_table_exact(ctx, who, (mn_metric){ .kind = MN_METRIC_EUCLIDEAN }, &rows, &t));
  MN_TRY(mn_fuzzy_bandwidths(ctx, &t, 1, true, rho, sigma));
  MN_TRY(mn_fuzzy_directed(ctx, &t, n, rho, sigma, true, &v));
  MN_TRY(mn_fuzzy_union(ctx, &v, 1, &w));
  return mn_umap_data_radii(ctx, &t, &w, 500, radii);
}

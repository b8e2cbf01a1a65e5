#include "core_distances.h"
#include <math.h>

/* The distance at which the weights suffice, or INFINITY. */
static double core_distance(size_t k, const int32_t *row, const double *distance, const double *weights, double own,
                            double samples)
{
  double sum = own;
  if (sum >= samples) return 0;
  for (size_t j = 0; j < k; j++) {
    sum += weights ? weights[row[j]] : 1;
    if (sum >= samples) return distance[j];
  }
  return INFINITY;
}

/* Search for k neighbors of each row; *complete: that was enough for all. */
static mn_status search(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, const double *weights,
                        double samples, size_t k, double *core, mn_known_neighbors *known, bool *complete)
{
  int32_t *row = MN_RAW(ctx, int32_t, rows->n, k);
  double *distance = MN_RAW(ctx, double, rows->n, k);
  if (!row || !distance) return MN_NO_MEMORY;
  if (k > 0) MN_TRY(mn_neighbor_nearest(ctx, index, rows, NULL, k, row, distance));
  *complete = true;
  for (size_t i = 0; i < rows->n; i++) {
    core[i] = core_distance(k, row + i * k, distance + i * k, weights, weights ? weights[i] : 1, samples);
    if (!(core[i] < INFINITY)) *complete = false;
  }
  *known = (mn_known_neighbors){ k, row, distance };
  return MN_OK;
}

mn_status mn_core_distances(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                            const double *weights, double samples, double *core, mn_known_neighbors *known)
{
  const size_t most = rows->n - 1;
  size_t k = samples > 1 ? (size_t)fmin(ceil(samples) - 1, (double)most) : 0;
  for (;;) {
    const mn_mark mark = mn_scratch_mark(ctx);
    bool complete;
    MN_TRY(search(ctx, index, rows, weights, samples, k, core, known, &complete));
    if (complete || k == most) return MN_OK;
    mn_scratch_release(ctx, mark); /* weights below 1: more neighbors are needed */
    k = 2 * k + 1 < most ? 2 * k + 1 : most;
  }
}

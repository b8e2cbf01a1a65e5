#include "geodesic_kernel.h"
#include "../core/clones.h"

MN_CLONES(size_t, mn_relax_paths,
          (const mn_csr *graph, const int32_t *restrict order, unsigned char *restrict stale,
           double *restrict distance),
          (graph, order, stale, distance))
{
  enum { LANES = MN_PATH_LANES };
  const size_t *start = graph->start;
  const int32_t *col = graph->col;
  const double *at = graph->at;
  size_t visited = 0;
  for (size_t i = 0; i < graph->rows; i++) {
    const size_t node = (size_t)order[i];
    if (!stale[node]) continue;
    double *own = distance + node * LANES, least[LANES], lower = 0;
    stale[node] = 0;
    visited++;
    for (size_t l = 0; l < LANES; l++) least[l] = own[l];
    for (size_t e = start[node]; e < start[node + 1]; e++) {
      const double *other = distance + (size_t)col[e] * LANES, edge = at[e];
      for (size_t l = 0; l < LANES; l++) {
        const double by = other[l] + edge;
        least[l] = by < least[l] ? by : least[l];
      }
    }
    for (size_t l = 0; l < LANES; l++) {
      lower = own[l] - least[l] > lower ? own[l] - least[l] : lower;
      own[l] = least[l];
    }
    if (!(lower > 0)) continue;
    for (size_t e = start[node]; e < start[node + 1]; e++) stale[col[e]] = 1;
  }
  return visited;
}

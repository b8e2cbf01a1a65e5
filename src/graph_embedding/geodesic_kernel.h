/* The hot loop of geodesic.c. No argument is checked. */
#ifndef MN_GRAPH_EMBEDDING_GEODESIC_KERNEL_H
#define MN_GRAPH_EMBEDDING_GEODESIC_KERNEL_H
#include "../core/matrix.h"

enum { MN_PATH_LANES = 16 };

/* One pass over the stale nodes in the given order: distance of each := the least of itself and of neighbor + edge, for
 * each of MN_PATH_LANES sources; then it is not stale, and if it has changed, its neighbors are. Returns the number of
 * nodes visited.
 *
 *   order     graph->rows: all nodes
 *   stale     graph->rows: 1 or 0, in and out
 *   distance  graph->rows x MN_PATH_LANES, in and out; finite */
size_t mn_relax_paths(const mn_csr *graph, const int32_t *order, unsigned char *stale, double *distance);

#endif

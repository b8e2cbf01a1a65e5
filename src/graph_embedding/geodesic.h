/* Geodesic distances: lengths of shortest paths in a graph, by Dijkstra's algorithm with a heap. Dijkstra, Numerische
 * Mathematik 1 (1959). */
#ifndef MN_GRAPH_EMBEDDING_GEODESIC_H
#define MN_GRAPH_EMBEDDING_GEODESIC_H
#include "../search/neighbor_index.h"

/* out (n x n) = the lengths of the shortest paths between all nodes of a symmetric graph; infinite without a path. */
mn_status mn_geodesic_distances(mn_context *ctx, const mn_csr *graph, double *out);

/* out (lists->n x n) = the lengths from new nodes, each joined to the nodes in its list. */
mn_status mn_geodesic_from_lists(mn_context *ctx, const mn_csr *graph, const mn_neighbor_lists *lists, double *out);

#endif

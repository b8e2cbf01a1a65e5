/* Graphs of neighbors from which embeddings are computed. */
#ifndef MN_GRAPH_EMBEDDING_NEIGHBOR_GRAPH_H
#define MN_GRAPH_EMBEDDING_NEIGHBOR_GRAPH_H
#include "../neighbors/neighbors.h"

/* The parameters of estimators whose neighbors are the n_neighbors nearest, or all within a radius. */
#define MN_GRAPH_RADIUS_PARAM                                                                                          \
  MN_REAL(mn_neighbors, radius, MN_UNSET_REAL, MN_GREATER_THAN(0),                                                     \
          "rows within this distance are neighbors; nil: the n_neighbors nearest")

/* Lists of the neighbors of the stored rows, without themselves, and of the rows of X, in order of index: the
 * n_neighbors nearest, or all within the radius if it is set. A row of X without a row in the radius gets the nearest.
 * Fails if n_neighbors is not below the number of rows. */
mn_status mn_training_neighbors(mn_context *ctx, const mn_neighbors *m, mn_neighbor_lists *lists);
mn_status mn_new_neighbors(mn_context *ctx, const mn_neighbors *m, const mn_data *data, mn_neighbor_lists *lists);

/* The stored distances of a sparse X as lists; `own`: X is square, and its diagonal is left out. */
mn_status mn_given_neighbors(mn_context *ctx, const char *who, const mn_csr *x, bool own, mn_neighbor_lists *lists);

/* *graph (n x n, scratch) = the distances of rows of which one is a neighbor of the other: symmetric. */
mn_status mn_symmetric_graph(mn_context *ctx, const mn_neighbor_lists *lists, mn_csr *graph);

/* component[i] = the part of row i, from 0 in the order of their first rows; returns the number of parts. */
size_t mn_connected_components(const mn_csr *graph, int32_t *component);

/* Join the parts of a graph: between any two the shortest edge is added. *parts is how many there were. */
mn_status mn_connect_graph(mn_context *ctx, const mn_neighbors *m, mn_csr *graph, size_t *parts);

#endif

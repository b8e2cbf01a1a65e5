/* Positions of the nodes of a graph to start a layout from: eigenvectors of its normalized Laplacian.
 *
 * A graph of several connected components has no such coordinates across them. So each component is embedded alone, and
 * placed around its own point: the ends of the coordinate axes for up to two components a column, else coordinates from
 * classical scaling (classical.h) of the distances between their nodes of largest degree. McInnes, Healy & Melville,
 * arXiv 1802.03426 (2018), algorithm 4. */
#ifndef MN_NEIGHBOR_EMBEDDING_SPECTRAL_START_H
#define MN_NEIGHBOR_EMBEDDING_SPECTRAL_START_H
#include "../core/matrix.h"

/* label[i] (n, out) = the component of node i of a symmetric graph, numbered by their first nodes; returns their count.
 */
mn_status mn_graph_components(mn_context *ctx, const mn_csr *graph, int32_t *label, size_t *count);

/* out (n x n) = distances between the nodes node[0..n-1]. */
typedef mn_status (*mn_node_distances)(mn_context *ctx, const void *user, size_t n, const size_t *node, double *out);

/* out (nodes x columns) = coordinates.
 *
 *   label, count  of mn_graph_components
 *   distances     of nodes; NULL: components are placed at random
 *   seed          of what is drawn for components with few nodes */
mn_status mn_spectral_start(mn_context *ctx, const mn_csr *graph, const int32_t *label, size_t count,
                            mn_node_distances distances, const void *user, int64_t seed, size_t columns, double *out);

#endif

/* The fuzzy graph of UMAP: its edges have weights from 0 to 1.
 *
 *     v_ij = exp(-max(d_ij - rho_i, 0) / sigma_i),      sum over the neighbors j of i of v_ij = log2(k)
 *     w_ij = mix (v_ij + v_ji - v_ij v_ji) + (1 - mix) v_ij v_ji
 *
 * rho_i is the distance to the nearest neighbor, so that each row has an edge of weight 1. McInnes, Healy & Melville,
 * arXiv 1802.03426 (2018), algorithms 2 and 3. */
#ifndef MN_NEIGHBOR_EMBEDDING_FUZZY_GRAPH_H
#define MN_NEIGHBOR_EMBEDDING_FUZZY_GRAPH_H
#include "../manifold/neighbor_table.h"

/* rho and sigma (n, out) of each row. The first of its k neighbors is not part of the sum. rho_i is the distance to the
 * neighbor number `local_connectivity` among those that differ from row i, interpolated; sigma_i is at least 0.001 of
 * the mean distance of the row, or of all rows if rho_i is 0.
 *
 *   own  the first neighbor of each row is the row itself; otherwise rows are new, and do not influence each other */
mn_status mn_fuzzy_bandwidths(mn_context *ctx, const mn_neighbor_table *t, double local_connectivity, bool own,
                              double *rho, double *sigma);

/* v of one neighbor. */
double mn_fuzzy_strength(double distance, double rho, double sigma);

/* v as a matrix (n x cols, in scratch) without zeros. `own`: row i has no edge to itself. */
mn_status mn_fuzzy_directed(mn_context *ctx, const mn_neighbor_table *t, size_t cols, const double *rho,
                            const double *sigma, bool own, mn_csr *v);

/* w from v, both square and in scratch, without zeros. */
mn_status mn_fuzzy_union(mn_context *ctx, const mn_csr *v, double mix, mn_csr *w);

/* Intersect the graph with labels (n: codes, -1 for unknown), where rows of different labels are at the distance
 * 2.5 / (1 - weight) and unknown labels at 1. */
mn_status mn_fuzzy_by_labels(mn_context *ctx, const int32_t *code, double weight, mn_csr *graph);

/* Intersect the graph with the directed graph of real targets: w^(1 - weight) v^weight, scaled so that the larger
 * exponent is 1. An edge that one of them lacks has half of the smallest weight there. */
mn_status mn_fuzzy_by_targets(mn_context *ctx, const mn_csr *target, double weight, mn_csr *graph);

#endif

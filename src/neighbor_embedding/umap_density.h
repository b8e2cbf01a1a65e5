/* Local radii of densMAP: log sum_j w_ij d_ij^2 / sum_j w_ij. Narayan, Berger & Cho, Nature Biotechnology 39 (2021). */
#ifndef MN_NEIGHBOR_EMBEDDING_UMAP_DENSITY_H
#define MN_NEIGHBOR_EMBEDDING_UMAP_DENSITY_H
#include "fuzzy_graph.h"

/* Of the training rows: by the edges of a graph that a layout of so many epochs uses, and the distances of the table.
 */
mn_status mn_umap_data_radii(mn_context *ctx, const mn_neighbor_table *t, const mn_csr *graph, int64_t epochs,
                             double *radii);

/* Of positions in a layout, by their own fuzzy graph of k neighbors. */
mn_status mn_umap_layout_radii(mn_context *ctx, const char *who, const mn_matrix *y, size_t k, double *radii);

#endif

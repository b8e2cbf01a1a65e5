/* The layout of UMAP: positions y of the rows of a fuzzy graph with weights w that decrease the cross-entropy
 *
 *     -sum_ij w_ij log q_ij - repulsion sum_ij (1 - w_ij) log(1 - q_ij),      q_ij = 1 / (1 + a |y_i - y_j|^(2b)).
 *
 * In every epoch the forces on all rows are computed at the same positions: attraction by all edges, and repulsion by
 * rows drawn at random, negative_sample_rate for each unit of weight. Then all rows move by a step of Adam. So the
 * result depends on the order of the rows but not on threads. McInnes, Healy & Melville, arXiv 1802.03426 (2018),
 * section 3.2; the batch mode of Melville's R package uwot. */
#ifndef MN_NEIGHBOR_EMBEDDING_UMAP_LAYOUT_H
#define MN_NEIGHBOR_EMBEDDING_UMAP_LAYOUT_H
#include "../core/matrix.h"

typedef struct mn_umap_settings {
  size_t columns;
  int64_t epochs, seed;
  double a, b; /* of the curve: umap_curve.h */
  double learning_rate, repulsion_strength, negative_sample_rate;
  const double
      *radii; /* densMAP: logarithm of the radius of each row, to be followed by those of the layout; or NULL */
  double dens_lambda, dens_frac, dens_var_shift;
} mn_umap_settings;

/* Move the rows of y (n x columns, in and out) from where they are; `graph` is symmetric, n x n. */
mn_status mn_umap_optimize(mn_context *ctx, const mn_umap_settings *s, const mn_csr *graph, double *y);

/* Move the rows of y by the edges of `graph` (rows x tails) to fixed positions (tails x columns). The result for a row
 * depends on its edges and start only. */
mn_status mn_umap_place(mn_context *ctx, const mn_umap_settings *s, const mn_csr *graph, const double *fixed,
                        double *y);

#endif

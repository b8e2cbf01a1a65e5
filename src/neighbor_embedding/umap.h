/* The struct of UMAP, shared by fitting (umap.c) and by transform and its inverse (umap_apply.c). */
#ifndef MN_NEIGHBOR_EMBEDDING_UMAP_H
#define MN_NEIGHBOR_EMBEDDING_UMAP_H
#include "../model/class.h"
#include "../search/neighbor_index.h"
#include "fuzzy_graph.h"
#include "umap_layout.h"

struct mn_umap {
  mn_estimator base;
  int64_t n_neighbors, n_components, metric, algorithm, init, n_epochs, negative_sample_rate, target_metric,
      seed; /* parameters */
  double p, recall, min_dist, spread, set_op_mix_ratio, local_connectivity, learning_rate, repulsion_strength,
      target_weight, dens_lambda, dens_frac, dens_var_shift;
  bool densmap;
  mn_matrix covariance, start;
  mn_matrix embedding; /* learned fields */
  mn_csr graph;
  double a, b, radius_correlation;
  int64_t n_connected_components, n_isolated;
  mn_vector sigmas, radii, embedding_radii;
  mn_matrix training_rows; /* empty with precomputed distances or sparse rows */
  mn_csr sparse_rows;
  mn_neighbor_index index; /* unused with precomputed distances */
};

/* The layout of the parameters for `epochs` epochs. */
mn_umap_settings mn_umap_layout_settings(const struct mn_umap *m, int64_t epochs);

/* The rows that the index is of. */
mn_points mn_umap_training_points(const struct mn_umap *m);
mn_index_options mn_umap_index_options(const struct mn_umap *m);

/* How to start: `init`. */
enum { MN_UMAP_SPECTRAL, MN_UMAP_PCA, MN_UMAP_RANDOM };

/* y (rows x n_components, out) = where the layout of m->graph starts; `label`: the connected component of each row. */
mn_status mn_umap_start(mn_context *ctx, const struct mn_umap *m, const mn_data *data, const int32_t *label, double *y);

/* transform for new rows; its inverse. */
mn_status mn_umap_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_umap_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

#endif

/* The struct of TSNE, shared by fitting (tsne.c, tsne_descent.c) and the embedding of new rows (tsne_place.c). */
#ifndef MN_MANIFOLD_TSNE_H
#define MN_MANIFOLD_TSNE_H
#include "tsne_forces.h"

struct mn_tsne {
  mn_estimator base;
  int64_t n_components, metric, init, method, algorithm; /* parameters */
  int64_t max_iter, early_exaggeration_iter, n_iter_without_progress, transform_iter, snapshot_interval, seed;
  double p, early_exaggeration, exaggeration, learning_rate, initial_momentum, final_momentum, max_step_norm;
  double min_grad_norm, dof, angle, grid_spacing, transform_perplexity;
  mn_vector perplexity;
  mn_matrix covariance, start;
  mn_matrix embedding, snapshots, training_rows; /* learned fields; training_rows or sparse_rows, or neither */
  mn_csr sparse_rows;
  double kl_divergence, effective_learning_rate, effective_dof;
};

extern const char mn_tsne_name[];

/* Gradient descent from f->y. */
mn_status mn_tsne_descend(mn_context *ctx, struct mn_tsne *m, mn_tsne_forces *f);

/* transform. */
mn_status mn_tsne_place(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* The index over the training rows, in scratch. */
mn_status mn_tsne_index(mn_context *ctx, const struct mn_tsne *m, int64_t algorithm, size_t k, const mn_points *rows,
                        mn_neighbor_index *index);

/* Above this many rows new rows in at most two dimensions are repelled by a grid instead of all pairs. */
enum { MN_TSNE_FEW_ROWS = 500 };

#endif

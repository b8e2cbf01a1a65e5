/* The struct of PCA, shared by fitting (pca.c) and by transform, density and export (pca_apply.c). */
#ifndef MN_DECOMPOSITION_PCA_H
#define MN_DECOMPOSITION_PCA_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"

struct mn_pca {
  mn_estimator base;
  double n_components; /* parameters; NaN: all; below 1: fraction of the variance */
  bool whiten;
  int64_t solver, iterated_power, seed;
  mn_matrix components; /* learned fields: components x features */
  mn_vector mean, explained_variance, explained_variance_ratio, singular_values;
  double noise_variance, n;
  mn_matrix scatter; /* features x features, by partial_fit: sum w (x - mean)(x - mean)' */
};

extern const mn_operation mn_pca_operations[];

mn_status mn_pca_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_pca_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_pca_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_pca_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#endif

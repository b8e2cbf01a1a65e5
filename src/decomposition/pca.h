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
  int64_t choose, solver, iterated_power, seed;
  mn_matrix components; /* learned fields: components x features */
  mn_vector mean, explained_variance, explained_variance_ratio, singular_values;
  double noise_variance, n;
  mn_matrix scatter;          /* features x features, by partial_fit: sum w (x - mean)(x - mean)' */
  mn_vector residual_moments; /* 3: sums of the variances of the omitted components, of their squares and cubes; empty:
                                 unknown */
};

/* What a solver found. */
struct mn_pca_solution {
  size_t count;      /* number of components                     */
  double *variance;  /* count, descending                        */
  double *vectors;   /* count x features                         */
  double total;      /* sum of all variances                     */
  size_t rank;       /* min(rows, columns)                       */
  double moments[3]; /* residual_moments of those beyond `count`; NaN: unknown */
};

/* The sums of v, v^2 and v^3 are added to moments. */
void mn_pca_add_moments(size_t count, const double *variance, double moments[3]);

/* Keep the components that n_components or `choose` say. */
mn_status mn_pca_store(mn_context *ctx, struct mn_pca *m, struct mn_pca_solution *f, const double *mean);

/* The first `k` components of sparse rows, which are not made dense: pca_sparse.c. */
mn_status mn_pca_solve_sparse(mn_context *ctx, struct mn_pca *m, const mn_data *data, size_t k);

/* Minka's log evidence of 1, 2, ..., p - 1 components, up to a constant: out has p - 1 values. variance: p values,
 * descending; n: number of rows. */
mn_status mn_pca_log_evidence(mn_context *ctx, size_t p, double n, const double *variance, double *out);

/* The number of components with the largest evidence; 1 if there is one column. */
mn_status mn_pca_most_evident(mn_context *ctx, size_t p, double n, const double *variance, size_t *count);

/* The squared projection of a row on each component, and the squared distance from the mean as the result. z: workspace
 * (features), also for a sparse row. */
double mn_pca_decompose_row(const struct mn_pca *m, const mn_data *data, size_t i, double *z, double *squares);

/* Operations: T squared and Q with their limits, and the evidence. */
mn_status mn_pca_monitor(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results);
mn_status mn_pca_evidence(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results);

typedef struct mn_pca_monitor_options {
  double confidence;
} mn_pca_monitor_options;
extern const mn_param mn_pca_monitor_params[];

extern const mn_operation mn_pca_operations[];

mn_status mn_pca_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_pca_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_pca_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_pca_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#endif

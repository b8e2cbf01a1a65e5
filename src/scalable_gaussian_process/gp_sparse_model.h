/* Sparse Gaussian process regression as its fit and its operations share it. */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_SPARSE_MODEL_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_SPARSE_MODEL_H
#include "../model/operation.h"
#include "gp_sparse.h"

enum { MN_SPARSE_VARIATIONAL, MN_SPARSE_FITC, MN_SPARSE_SVI };
enum { MN_INDUCING_KMEANS, MN_INDUCING_RANDOM, MN_INDUCING_LEARNED };
enum { MN_SPARSE_TOTALS = 6 };

struct mn_sparse_model {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  mn_matrix inducing_start;
  double max_gap, alpha, tol, learning_rate, natural_rate;
  int64_t method, n_inducing, inducing, mean, optimizer, n_restarts, max_iter, batch_size, total_rows, seed;
  bool normalize_y;
  mn_kernel fitted_kernel;   /* learned */
  mn_matrix inducing_inputs; /* inducing x features */
  mn_matrix dual_coef;       /* inducing x targets  */
  mn_matrix mean_coef;       /* columns of the mean function x targets */
  mn_vector y_mean, y_scale;
  double log_likelihood, jitter;
  double noise; /* parameters of the fit, since they may change */
  int64_t mean_kind, method_kind;
  mn_matrix gram, cross, square; /* mn_sparse_sums, and its numbers in their order */
  mn_vector totals;
  mn_vector moment;                      /* of mn_sparse_steps, after steps of partial_fit */
  int64_t steps;                         /* of partial_fit                                 */
  double seen;                           /* sum of the weights of their rows               */
  mn_matrix l, factor, basis, precision; /* derived: of mn_sparse_state; the columns of basis of the mean function */
};

mn_status mn_sparse_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_sparse_partial_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_sparse_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* These rows with the settings of the fit; y is a copy in units of the fit. */
mn_status mn_sparse_problem_of(mn_context *ctx, const struct mn_sparse_model *m, const mn_data *data,
                               mn_sparse_problem *p);

/* The state of the fit, in scratch: its sums are copies. */
mn_status mn_sparse_state_of(mn_context *ctx, const struct mn_sparse_model *m, mn_sparse_state *s);

/* An error if the log likelihood is NaN. */
mn_status mn_sparse_check_state(mn_context *ctx, const struct mn_sparse_model *m, const mn_sparse_state *s);

/* What predictions of variances need, which archives leave out. */
mn_status mn_sparse_keep_factors(mn_context *ctx, struct mn_sparse_model *m, const mn_sparse_state *s);

extern const mn_operation mn_sparse_operations[];

#endif

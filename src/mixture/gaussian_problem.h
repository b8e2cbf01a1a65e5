/* What the fits of Gaussian mixtures, by maximum likelihood and variational, have in common. */
#ifndef MN_MIXTURE_GAUSSIAN_PROBLEM_H
#define MN_MIXTURE_GAUSSIAN_PROBLEM_H
#include "gaussian.h"

typedef struct mn_gmm_problem {
  const mn_gmm *m;
  const mn_data *data;
  mn_data filled; /* missing values replaced by means, for the starts */
  mn_split_rows rows;
  mn_covariance_type model;
  size_t k, p, columns; /* columns: of responsibilities */
  bool diagonal;
  double *noise_box;              /* 2 x p: least and largest values; NULL: no noise, or noise_volume is given */
  double total, log_noise_volume; /* total: sum of the sample weights */
  double *mean;                   /* p: of all rows */
} mn_gmm_problem;

/* Check the parameters that both have, and separate rows with missing values. */
mn_status mn_gmm_prepare(mn_context *ctx, const mn_gmm *m, const mn_data *data, mn_gmm_problem *problem);

/* The loop for the problem: without the steps. */
mn_em mn_gmm_loop(const mn_gmm_problem *problem);

mn_gaussians mn_gmm_state(const mn_gmm_problem *problem, const double *state);

/* Allocates sums: the workspace of EM. */
mn_status mn_gmm_workspace(mn_context *ctx, void *problem, void **sums);

/* Sums for the first M step of a start, from labels or given responsibilities: first about the mean of all rows, and
 * again about the means that this gives, in g->mean. A component without rows has the mean of all. */
mn_status mn_gmm_start_sums(mn_context *ctx, const mn_gmm_problem *problem, size_t index, const mn_gaussians *g,
                            mn_gaussian_sums *sums);

/* The E step; the log likelihood is in the sums. */
mn_status mn_gmm_expect(mn_context *ctx, const mn_gmm_problem *problem, const mn_gaussians *g, mn_gaussian_sums *sums);

/* Set the means, and turn scatter into that about the new means, with reg_covar. */
void mn_gmm_center_scatter(const mn_gmm_problem *problem, const mn_gaussians *g, mn_gaussian_sums *sums);

/* Store the learned fields of both. */
mn_status mn_gmm_store(mn_context *ctx, mn_gmm *m, const mn_gmm_problem *problem, const mn_gaussians *g);

/* "given must be rows x cols" */
mn_status mn_gmm_check_shape(mn_context *ctx, const mn_gmm *m, const char *name, const mn_matrix *given, size_t rows,
                             size_t cols);
#endif

/* The struct of ProbabilisticPCA, shared by the estimator and its operations. */
#ifndef MN_LATENT_PROBABILISTIC_PCA_H
#define MN_LATENT_PROBABILISTIC_PCA_H
#include "../model/operation.h"
#include "ppca_em.h"

struct probabilistic_pca {
  mn_estimator base;
  int64_t n_components, solver, max_iter; /* parameters */
  double tol;
  mn_matrix components; /* learned fields */
  mn_vector mean, explained_variance;
  double noise_variance, loglike, aic, bic, n;
  int64_t n_parameters;
};

/* The parameters of a fitted model, and room for the posterior of a row; scratch. */
mn_status mn_ppca_of(mn_context *ctx, const struct probabilistic_pca *m, mn_ppca *f, mn_ppca_posterior *posterior);

/* covariance, conditional, sample */
extern const mn_operation mn_ppca_operations[];

#endif

/* Mixtures of Gaussians with covariances of low rank plus noise:
 *
 *     x | k ~ N(mean_k, W_k' W_k + Psi_k),   W_k: n_factors x features. */
#ifndef MN_LATENT_LOW_RANK_MIXTURE_H
#define MN_LATENT_LOW_RANK_MIXTURE_H
#include "../mixture/gaussian.h"

/* Begins with the mixture, whose actions and operations apply. */
struct mn_low_rank_mixture {
  mn_gmm gmm;
  int64_t n_factors;        /* parameter */
  mn_matrix factors;        /* learned fields: components n_factors x features */
  mn_vector noise_variance; /* components: of MixturePPCA                       */
  mn_matrix noise_matrix;   /* components x features: of MixtureFactorAnalyzers */
};

extern const mn_class mn_mixture_ppca, mn_mixture_factor_analyzers;

/* The noise variance of column j in component c. */
double mn_low_rank_noise(const struct mn_low_rank_mixture *m, size_t c, size_t j);

mn_status mn_low_rank_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_low_rank_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_low_rank_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
mn_status mn_low_rank_reconstruct(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results);

#endif

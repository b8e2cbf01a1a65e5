/* The struct of FactorAnalysis, shared by fitting, scores and summary. */
#ifndef MN_LATENT_FACTOR_ANALYSIS_H
#define MN_LATENT_FACTOR_ANALYSIS_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"
#include "factor_rotation.h"

enum { MN_NORMALIZE_NONE, MN_NORMALIZE_STANDARD, MN_NORMALIZE_KAISER };
enum { MN_SCORES_REGRESSION, MN_SCORES_BARTLETT };

struct mn_factor_analysis {
  mn_estimator base;
  int64_t n_components, rotation, normalize, scores, max_iter;
  double tol, lower, power;
  mn_matrix components, factor_correlation; /* learned fields */
  mn_vector mean, noise_variance, scale;
  double loglike, chi_squared, p_value, n;
  int64_t degrees_of_freedom;
};

mn_status mn_factor_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_factor_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_factor_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

mn_status mn_factor_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results);
extern const mn_operation mn_factor_operations[];

#endif

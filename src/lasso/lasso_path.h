/* The operation `path` of Lasso and ElasticNet. */
#ifndef MN_LASSO_LASSO_PATH_H
#define MN_LASSO_LASSO_PATH_H
#include "../model/operation.h"
#include "cd_data.h"

extern const mn_class mn_lasso, mn_elastic_net;

typedef struct mn_lasso_path_options {
  mn_vector alphas;
  int64_t n_alphas, target;
  double eps;
} mn_lasso_path_options;

extern const mn_param mn_lasso_path_params[];

/* Compute the path and store it in results. settings->alpha is not read. */
mn_status mn_lasso_path(mn_context *ctx, const mn_data *data, bool fit_intercept, const mn_cd_settings *settings,
                        const mn_lasso_path_options *options, mn_results *results);

/* The given penalties in decreasing order, or if there are none n_alphas of them from the smallest that makes all
 * coefficients 0 (for l1_ratio 0: the one of l1_ratio 0.001). Scratch. */
mn_status mn_lasso_grid(mn_context *ctx, const mn_vector *given, double largest, double l1_ratio, double eps,
                        int64_t n_alphas, mn_vector *out);

#endif

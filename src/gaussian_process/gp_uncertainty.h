/* Intervals, posterior covariances and samples of any Gaussian process of one target that computes variances. */
#ifndef MN_GAUSSIAN_PROCESS_GP_UNCERTAINTY_H
#define MN_GAUSSIAN_PROCESS_GP_UNCERTAINTY_H
#include "../kernel/kernel.h"
#include "../actions/interval.h"

/* A fitted model. Variances are in units of the normalized target: the standard deviation of y is `scale` times that.
 */
typedef struct mn_gp_predictor {
  const mn_estimator *model;
  size_t targets;
  double scale;
  mn_apply_function predict; /* means, in units of y */

  /* The posterior variance of the function at the rows, >= 0, and the variance of the noise there. */
  mn_status (*variances)(mn_context *ctx, const void *self, const mn_data *data, double *function, double *noise);
  /* The posterior covariance of the function, rows x rows; or NULL. */
  mn_status (*covariance)(mn_context *ctx, const void *self, const mn_data *data, double *out);
} mn_gp_predictor;

mn_status mn_gp_require_one_target(mn_context *ctx, const mn_estimator *model, size_t targets, const char *operation);

mn_status mn_gp_predict_interval(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, const void *options,
                                 mn_results *results);
mn_status mn_gp_intervals(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, const void *options,
                          mn_results *results);
mn_status mn_gp_give_posterior(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, const void *options,
                               mn_results *results);
mn_status mn_gp_sample_y(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, const void *options,
                         mn_results *results);

/* Define an operation `name` that calls one of these functions with predictor(self). */
#define MN_GP_WITH_PREDICTOR(name, function, predictor)                                                                \
  static mn_status name(mn_context *ctx, const void *self, const mn_data *data, const void *options,                   \
                        mn_results *results)                                                                           \
  {                                                                                                                    \
    const mn_gp_predictor p = predictor(self);                                                                         \
    return function(ctx, &p, data, options, results);                                                                  \
  }

enum mn_gp_interval_kind { MN_GP_OF_OBSERVATION, MN_GP_OF_FUNCTION };
typedef struct mn_gp_interval_options {
  double level;
  int64_t kind;
} mn_gp_interval_options;
extern const mn_param mn_gp_interval_params[];

typedef struct mn_gp_sample_options {
  int64_t n, seed;
} mn_gp_sample_options;
extern const mn_param mn_gp_sample_params[];

/* Functions (rows x n) from a normal distribution with these means and scale^2 times this covariance, rows x rows,
 * which is overwritten. */
mn_status mn_gp_draw(mn_context *ctx, const mn_gp_sample_options *o, const double *mean, double scale,
                     double *covariance, mn_matrix *samples);

/* Options of log_marginal_likelihood: the logarithms of the k free hyperparameters. */
typedef struct mn_gp_likelihood_options {
  mn_vector theta;
} mn_gp_likelihood_options;
extern const mn_param mn_gp_likelihood_params[];
mn_status mn_gp_check_theta(mn_context *ctx, const mn_estimator *model, size_t k,
                            const mn_gp_likelihood_options *options);

/* The kernel at these hyperparameters, a copy in scratch, and memory for the gradient among the results. */
mn_status mn_gp_start_likelihood(mn_context *ctx, const mn_estimator *model, const mn_kernel *fitted,
                                 const void *options, mn_results *results, mn_kernel *kernel, double **gradient);

/* Rows of a table of operations. */
#define MN_GP_LIKELIHOOD(function)                                                                                     \
  {                                                                                                                    \
    .name = "log_marginal_likelihood", .brief = "log marginal likelihood and its gradient at given hyperparameters",   \
    .returns = "value, gradient (free hyperparameters)", .options = mn_gp_likelihood_params,                           \
    .options_size = sizeof(mn_gp_likelihood_options), .run = function                                                  \
  }
#define MN_GP_INTERVALS(function)                                                                                      \
  {                                                                                                                    \
    .name = "intervals", .brief = "intervals of a new observation or of the function",                                 \
    .returns = "intervals (Frame of fit, low, high, std_error)", .needs = MN_NEEDS_X,                                  \
    .options = mn_gp_interval_params, .options_size = sizeof(mn_gp_interval_options), .run = function                  \
  }
#define MN_GP_POSTERIOR(function)                                                                                      \
  {                                                                                                                    \
    .name = "posterior", .brief = "mean and covariance of the function, the covariance in units of normalized y",      \
    .returns = "mean (rows x targets), covariance (rows x rows)", .needs = MN_NEEDS_X, .run = function                 \
  }
#define MN_GP_SAMPLE_Y(function)                                                                                       \
  {                                                                                                                    \
    .name = "sample_y", .brief = "functions drawn from the posterior", .returns = "Matrix (rows x n)",                 \
    .needs = MN_NEEDS_X, .options = mn_gp_sample_params, .options_size = sizeof(mn_gp_sample_options), .run = function \
  }

#endif

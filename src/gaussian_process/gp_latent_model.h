/* Code shared by estimators with latent Gaussian processes: one function f, or several that are fitted one after the
 * other, each with the approximate posterior of gp_posterior.h and hyperparameters of its own. */
#ifndef MN_GAUSSIAN_PROCESS_GP_LATENT_MODEL_H
#define MN_GAUSSIAN_PROCESS_GP_LATENT_MODEL_H
#include "../model/kernel_param.h"
#include "../model/operation.h"
#include "gp_latent.h"
#include "gp_params.h"

/* The struct of an estimator begins with this. */
typedef struct mn_gp_latent_model {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double tol;
  int64_t optimizer, n_restarts, max_iter, seed;
  mn_kernel fitted_kernel;  /* learned: of the first function                     */
  mn_matrix theta;          /* functions x logarithms of the free hyperparameters */
  mn_matrix x;              /* rows x features                                    */
  mn_matrix dual_coef;      /* functions x rows: a                                */
  mn_matrix root_precision; /* functions x rows: the square roots of W            */
  mn_vector log_likelihood; /* functions                                          */
  mn_matrix factor;         /* derived: L of each function, stacked               */
} mn_gp_latent_model;

#define MN_GP_LATENT_PARAMS                                                                                            \
  MN_KERNEL_PARAM(mn_gp_latent_model, kernel, MN_KERNEL_RBF,                                                           \
                  "a kernel built with ml.kernel; or a name, which means Constant * kernel with all hyperparameters "  \
                  "estimated"),                                                                                        \
      MN_GP_OPTIMIZER(mn_gp_latent_model, "approximate marginal likelihood"), MN_GP_RESTARTS(mn_gp_latent_model),      \
      MN_GP_TOL(mn_gp_latent_model, 1e-5), MN_GP_MAX_ITER(mn_gp_latent_model), MN_SEED(mn_gp_latent_model, seed)

/* `functions`: the word for their number in shapes. */
#define MN_GP_LATENT_FIELDS(functions)                                                                                 \
  MN_LEARNED(MN_KIND_KERNEL, mn_gp_latent_model, fitted_kernel, "",                                                    \
             "the kernel with the hyperparameters of the first function"),                                             \
      MN_MATRIX(mn_gp_latent_model, theta, functions " x hyperparameters?",                                            \
                "logarithms of the free hyperparameters of each function"),                                            \
      MN_VECTOR(mn_gp_latent_model, log_likelihood, functions,                                                         \
                "approximate log marginal likelihood of each function"),                                               \
      MN_MATRIX(mn_gp_latent_model, dual_coef, functions " x rows",                                                    \
                "coefficients of the kernel at the training rows"),                                                    \
      MN_LEARNED(MN_KIND_MATRIX, mn_gp_latent_model, root_precision, functions " x rows", NULL),                       \
      MN_LEARNED(MN_KIND_MATRIX, mn_gp_latent_model, x, "rows x features", NULL),                                      \
      MN_DERIVED(MN_KIND_MATRIX, mn_gp_latent_model, factor)

/* The problem of function f: rows, y, likelihood; what it allocates is scratch. */
typedef mn_status (*mn_gp_problem_of_function)(mn_context *ctx, const void *model, size_t f, mn_gp_latent *problem);

/* Fit all functions; `kept`, called after each, may store what the search has found beside the kernel; or NULL. */
typedef void (*mn_gp_keep_function)(void *model, const mn_gp_latent *problem);
mn_status mn_gp_latent_fit(mn_context *ctx, mn_gp_latent_model *m, const mn_data *data, size_t functions,
                           mn_gp_problem_of_function problem_of, mn_gp_keep_function kept);

/* The kernel, the rows and arrays for this number of functions. */
mn_status mn_gp_latent_init(mn_context *ctx, mn_gp_latent_model *m, const mn_data *data, size_t functions);

/* After loading. */
mn_status mn_gp_latent_check(mn_context *ctx, const mn_gp_latent_model *m);
mn_status mn_gp_latent_derive(mn_context *ctx, void *self);

/* Means and variances of function f, without its offset, at the rows of data. */
mn_status mn_gp_latent_model_moments(mn_context *ctx, const mn_gp_latent_model *m, const mn_data *data, size_t f,
                                     double *mean, double *variance);

/* The operations `latent`, and `log_marginal_likelihood` at `theta`, empty: that of the fit. */
mn_status mn_gp_latent_results(mn_context *ctx, const mn_gp_latent_model *m, const mn_data *data, double offset,
                               mn_results *results);
struct mn_gp_theta_option {
  mn_vector theta;
};
extern const mn_param mn_gp_theta_params[];
mn_status mn_gp_likelihood_results(mn_context *ctx, const mn_gp_latent_model *m, const mn_vector *theta,
                                   mn_gp_problem_of_function problem_of, mn_results *results);

#endif

/* Rows of the tables of parameters and fields that Gaussian processes have in common. */
#ifndef MN_GAUSSIAN_PROCESS_GP_PARAMS_H
#define MN_GAUSSIAN_PROCESS_GP_PARAMS_H
#include "gp_mean.h"
#include "gp_search.h"

#define MN_GP_KERNEL(type)                                                                                             \
  MN_KERNEL_PARAM(                                                                                                     \
      type, kernel, MN_KERNEL_RBF,                                                                                     \
      "a kernel built with ml.kernel; or a name, which means Constant * kernel + White with all hyperparameters "      \
      "estimated")
#define MN_GP_ALPHA(type, start)                                                                                       \
  MN_REAL(type, alpha, start, MN_AT_LEAST(0),                                                                          \
          "known variance of the noise, in squared units of y (after normalization)")
#define MN_GP_MEAN(type)                                                                                               \
  MN_CHOICE(type, mean, MN_GP_ZERO, mn_gp_mean_names,                                                                  \
            "mean function; the coefficients of constant and linear are estimated by generalized least squares")
#define MN_GP_NORMALIZE(type)                                                                                          \
  MN_FLAG(type, normalize_y, false, "subtract the mean of y and divide by its standard deviation first")

/* likelihood: what is maximized, a literal. */
#define MN_GP_OPTIMIZER(type, likelihood)                                                                              \
  MN_CHOICE(type, optimizer, MN_GP_BFGS, mn_gp_optimizers,                                                             \
            "bfgs: maximize the " likelihood "; none: use the kernel as it is")
#define MN_GP_RESTARTS(type)                                                                                           \
  MN_COUNT(type, n_restarts, 0, MN_CLOSED(0, 100000),                                                                  \
           "number of further searches, from random hyperparameters within the bounds")
#define MN_GP_TOL(type, start)                                                                                         \
  MN_REAL(type, tol, start, MN_GREATER_THAN(0),                                                                        \
          "stop when all derivatives of the log likelihood are at most this, or its relative increase 1e-4 of this")
#define MN_GP_MAX_ITER(type)                                                                                           \
  MN_COUNT(type, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations of a search")

#define MN_GP_FITTED_KERNEL(type)                                                                                      \
  MN_LEARNED(MN_KIND_KERNEL, type, fitted_kernel, "", "the kernel with the hyperparameters found")
#define MN_GP_MEAN_COEF(type) MN_MATRIX(type, mean_coef, "columns? x targets?", "coefficients of the mean function")

#endif

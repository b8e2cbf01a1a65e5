/* Exact Gaussian process regression: the posterior of f given y = H b + f(x) + noise, with f of a kernel and H the
 * columns of the mean function, whose coefficients b are estimated by generalized least squares.
 *
 *     A = K + noise I,   b = inv(H' inv(A) H) H' inv(A) y,   r = y - H b,   c = inv(A) r
 *     log p(y) = - r'c / 2 - log |A| / 2 - n / 2 log(2 pi)          for each target
 *
 * Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), chapters 2 and 5. */
#ifndef MN_GAUSSIAN_PROCESS_GP_REGRESSION_H
#define MN_GAUSSIAN_PROCESS_GP_REGRESSION_H
#include "../kernel/kernel.h"
#include "gp_search.h"

typedef enum mn_gp_mean { MN_GP_ZERO, MN_GP_CONSTANT, MN_GP_LINEAR } mn_gp_mean;

/* The data, and what a solution at given hyperparameters consists of. Arrays belong to the caller. */
typedef struct mn_gp_problem {
  mn_kernel_rows rows; /* n rows of d columns */
  const double *y;     /* n x q               */
  size_t q;
  double noise;            /* added to the diagonal, >= 0            */
  const double *row_noise; /* n: added to the diagonal, too; or NULL */
  mn_gp_mean mean;
} mn_gp_problem;

typedef struct mn_gp_solution {
  double *l;             /* n x n: the Cholesky factor of A, zeros above its diagonal */
  double *c;             /* n x q                                                     */
  double *b;             /* m x q                                                     */
  double *basis;         /* n x m: inv(L) H                                           */
  double *precision;     /* m x m: the Cholesky factor of H' inv(A) H                 */
  double jitter;         /* that had to be added to the diagonal, 0: none             */
  double log_likelihood; /* sum over the targets                                      */
} mn_gp_solution;

/* The number m of columns of the mean function; one row h of them. */
size_t mn_gp_mean_columns(mn_gp_mean mean, size_t d);
void mn_gp_mean_row(mn_gp_mean mean, size_t d, const double *x, double *h);

/* The factor of H' inv(A) H in place, h x h. A column of H that depends on those before it, as a constant column of X
 * with a linear mean, has the coefficient 0: its pivot is infinite. */
void mn_gp_alias_mean(size_t h, double *precision);

/* The same by LAPACK if no column depends on others. *failed: the matrix is not finite. */
mn_status mn_gp_factor_mean(mn_context *ctx, size_t h, double *precision, bool *failed);

/* Allocate the arrays of a solution in scratch. */
mn_status mn_gp_solution_new(mn_context *ctx, const mn_gp_problem *problem, mn_gp_solution *s);

/* Solve at the hyperparameters of the kernel. If A is not positive definite to rounding, its diagonal is raised by
 * 1e-10 of its mean, then ten times more, and so on up to 1e-2; after that *s is not valid and the log likelihood is
 * NaN. */
mn_status mn_gp_solve(mn_context *ctx, const mn_kernel *kernel, const mn_gp_problem *problem, mn_gp_solution *s);

/* The gradient of the log likelihood with respect to the free log-hyperparameters. `inverse` is n x n, workspace. */
mn_status mn_gp_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_gp_problem *problem,
                         const mn_gp_solution *s, double *inverse, double *gradient);

/* Maximize the likelihood over the free hyperparameters of the kernel; `search` as in gp_search.h, without bounds. */
mn_status mn_gp_optimize(mn_context *ctx, mn_kernel *kernel, const mn_gp_problem *problem, mn_gp_search *search);

/* k(x, x) of each row as of two different rows, without White: the prior variance of the function. */
mn_status mn_gp_function_variances(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *rows, double *out);

#endif

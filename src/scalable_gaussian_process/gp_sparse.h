/* Gaussian process regression through the values u of the function at m inducing inputs Z. With K_uu = L L' and
 * a_i = inv(L) k(Z, x_i), whose part of the variance of f(x_i) is q_i = |a_i|^2, each observation has the variance
 *
 *     lambda_i = noise_i                            variational: Titsias, AISTATS 2009
 *     lambda_i = noise_i + k(x_i, x_i) - q_i        FITC: Snelson & Ghahramani, NIPS 18 (2006)
 *
 * given u, and is otherwise independent of the others. With sample weights w, which count rows, columns r_i = [y_i h_i]
 * of targets and mean function, and e targets, all follows from sums over the rows:
 *
 *     G = sum_i w_i / lambda_i a_i a_i',  C = sum_i w_i / lambda_i a_i r_i',  D = sum_i w_i / lambda_i r_i r_i'
 *     B = I + G,                          R = D - C' inv(B) C = r' inv(Q + Lambda) r
 *     log p = - (R_yy + e (log |B| + sum_i w_i log(2 pi lambda_i) + trace)) / 2
 *     trace = sum_i w_i (k(x_i, x_i) - q_i) / noise_i for the variational bound, else 0
 *
 * where R_yy is what is left of R after the columns of the mean function are eliminated. The posterior of inv(L) u is
 * normal with mean mu = inv(B) C_y and covariance inv(B). */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_SPARSE_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_SPARSE_H
#include "../gaussian_process/gp_regression.h"

typedef struct mn_sparse_problem {
  mn_kernel_rows rows;   /* n dense rows of d columns   */
  const double *y;       /* n x q                       */
  const double *weights; /* n, or NULL                  */
  size_t q;
  double noise; /* beside White, >= 0          */
  mn_gp_mean mean;
  bool fitc;
} mn_sparse_problem;

/* Sums over the rows. Arrays belong to the caller; columns = q + those of the mean function. */
typedef struct mn_sparse_sums {
  double *gram;   /* m x m: G                                               */
  double *cross;  /* m x columns: C                                         */
  double *square; /* columns x columns: D                                   */
  double weight, log_noise, trace;
  double slack;       /* sum_i w_i (k(x_i, x_i) - q_i)                      */
  double least_noise; /* of all lambda_i                                    */
  double most_noise;
} mn_sparse_sums;

typedef struct mn_sparse_state {
  size_t m, q, columns;
  mn_kernel_rows z;
  double *l;     /* m x m: the factor of K_uu                          */
  double jitter; /* that was added to its diagonal                     */
  mn_sparse_sums sums;
  double *factor;        /* m x m: of B                                 */
  double *basis;         /* m x columns: inv(B) C                       */
  double *mean;          /* m x q: mu                                   */
  double *coef;          /* m x q: inv(L') mu, the weights of k(Z, x)   */
  double *b;             /* columns - q x q: of the mean function       */
  double *precision;     /* (columns - q)^2: the factor of R_hh         */
  double log_likelihood; /* NaN: something is not positive definite    */
} mn_sparse_state;

/* Allocate in scratch, for the inducing inputs z. */
mn_status mn_sparse_new(mn_context *ctx, const mn_sparse_problem *problem, const mn_kernel_rows *z, mn_sparse_state *s);

/* L, with the least jitter that makes K_uu positive definite. *failed: none does. */
mn_status mn_sparse_prior(mn_context *ctx, const mn_kernel *kernel, mn_sparse_state *s, bool *failed);

/* L with this jitter. */
mn_status mn_sparse_prior_again(mn_context *ctx, const mn_kernel *kernel, double jitter, mn_sparse_state *s,
                                bool *failed);

/* Add the rows of a problem to the sums, which mn_sparse_clear sets to 0. */
void mn_sparse_clear(mn_sparse_state *s);
mn_status mn_sparse_add(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *problem, mn_sparse_state *s);

/* All that follows from the sums. */
mn_status mn_sparse_solve(mn_context *ctx, mn_sparse_state *s);

/* All three. */
mn_status mn_sparse_evaluate(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *problem,
                             mn_sparse_state *s);

/* The gradient by the free log-hyperparameters and, unless gz is NULL, by the inducing inputs (m x d), after
 * mn_sparse_evaluate. */
mn_status mn_sparse_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *problem,
                             const mn_sparse_state *s, double *g, double *gz);

/* The same for the uncollapsed bound of these rows with the posterior of u as it is, whose expected log likelihood of
 * the rows is *expected. */
mn_status mn_sparse_batch_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *problem,
                                   const mn_sparse_state *s, double *expected, double *g, double *gz);

/* An upper bound on the exact log likelihood, after mn_sparse_evaluate of the variational bound:
 *
 *     - (e log |Q + Lambda| + R(s) + ...) / 2,   s = 1 + slack / min lambda,
 *
 * with R of s Lambda in place of Lambda, since K - Q <= slack I <= (s - 1) Lambda. Titsias, Variational inference for
 * Gaussian and determinantal point processes (2014). */
mn_status mn_sparse_upper_bound(mn_context *ctx, const mn_sparse_state *s, double *bound);

/* a = inv(L) k(Z, x) for some rows: m x rows.n. */
mn_status mn_sparse_features(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_state *s,
                             const mn_kernel_rows *rows, double *a);

/* Rows of which a block of the matrix k(Z, x) fits the cache. */
size_t mn_sparse_block_rows(size_t m);

/* --- for gp_sparse_gradient.c --- */

/* Rows begin .. begin + n - 1 of a problem. */
typedef struct mn_sparse_block {
  size_t begin, n;
  mn_kernel_rows rows;
  double *a;        /* m x n                                    */
  double *function; /* n: k(x, x)                               */
  double *noise;    /* n                                        */
  double *q;        /* n: |a_i|^2                               */
  double *lambda;   /* n                                        */
  double *r;        /* n x columns                              */
  double *weight;   /* n                                        */
} mn_sparse_block;
mn_status mn_sparse_block_new(mn_context *ctx, const mn_sparse_state *s, mn_sparse_block *b);
/* Read the block that begins at this row; mn_sparse_read_rows: without a and q, and with lambda = noise. */
mn_status mn_sparse_read_rows(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *problem,
                              const mn_sparse_state *s, size_t begin, mn_sparse_block *b);
mn_status mn_sparse_read(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *problem,
                         const mn_sparse_state *s, size_t begin, mn_sparse_block *b);
void mn_sparse_scale_columns(size_t rows, size_t cols, const double *factor, double *a);

#endif

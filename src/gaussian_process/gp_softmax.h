/* Gaussian process classification of C classes by Laplace's approximation of the softmax likelihood: one function for
 * each class with a common kernel,
 *
 *     p(y_i = c | f) = exp(f_ci) / sum_b exp(f_bi),   f_c ~ GP(0, k)
 *
 * With D_c = diag(pi_c) the probabilities at the mode and W the precision of the likelihood,
 *
 *     B_c = I + D_c^1/2 K D_c^1/2 = L_c L_c',   E_c = D_c^1/2 inv(B_c) D_c^1/2,   M M' = sum_c E_c
 *     inv(K + inv(W)) has the blocks  G_cb = [c = b] E_c - E_c inv(M M') E_b
 *
 * Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), algorithms 3.3 and 3.4. The log determinant in
 * algorithm 3.3 lacks that of M. */
#ifndef MN_GAUSSIAN_PROCESS_GP_SOFTMAX_H
#define MN_GAUSSIAN_PROCESS_GP_SOFTMAX_H
#include "../kernel/kernel.h"
#include "gp_search.h"

typedef struct mn_gp_softmax {
  const char *who;     /* the estimator, for messages */
  mn_kernel_rows rows; /* n                           */
  const int32_t *code; /* n: classes                  */
  size_t classes;      /* C                           */
} mn_gp_softmax;

/* Arrays belong to the caller. */
typedef struct mn_gp_softmax_posterior {
  double *a, *f, *root;  /* C x n: f = K a; the square roots of the probabilities. a in: where to begin */
  double *k, *m, *work;  /* n x n: K, M, workspace                                                       */
  double *l, *e;         /* C x n x n: L_c, E_c                                                          */
  double *b, *c, *trial; /* C x n: workspace                                                             */
  double log_likelihood; /* approximate; NaN: it was not found                                           */
  bool converged;
} mn_gp_softmax_posterior;

/* Allocate the arrays in scratch, with a = 0. */
mn_status mn_gp_softmax_new(mn_context *ctx, const mn_gp_softmax *problem, mn_gp_softmax_posterior *p);

/* The mode at the hyperparameters of the kernel. */
mn_status mn_gp_softmax_solve(mn_context *ctx, const mn_kernel *kernel, const mn_gp_softmax *problem,
                              mn_gp_softmax_posterior *p);

/* The gradient of the log likelihood with respect to the free log-hyperparameters. */
mn_status mn_gp_softmax_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_gp_softmax *problem,
                                 mn_gp_softmax_posterior *p, double *gradient);

/* Maximize the likelihood over the free hyperparameters; `search` as in gp_search.h, without bounds. */
mn_status mn_gp_softmax_optimize(mn_context *ctx, mn_kernel *kernel, const mn_gp_softmax *problem,
                                 mn_gp_search *search);

/* L_c (C x n x n, stacked) and M from K and the square roots of the probabilities. */
mn_status mn_gp_softmax_factor(mn_context *ctx, const char *who, size_t n, size_t classes, const double *k,
                               const double *root, double *l, double *e, double *m);

/* Means of the functions, rows x C, and their covariances, rows x C x C, at rows x; a, root, l, m of a posterior of the
 * stored rows. */
mn_status mn_gp_softmax_moments(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *stored, size_t classes,
                                const double *a, const double *root, const double *l, const double *m,
                                const mn_kernel_rows *x, double *mean, double *covariance);

/* log of the mean softmax over N(mean, covariance), by 2 x 512 points of a quasi-random sequence. */
mn_status mn_gp_softmax_log_proba(mn_context *ctx, size_t rows, size_t classes, const double *mean,
                                  const double *covariance, double *out);

#endif

/* Exact Gaussian process regression without a factorization: products with A = K + noise, computed by blocks of rows
 * that are forgotten, solve A X = R by conjugate gradients, preconditioned by P of gp_nystrom.h. Memory O(n (columns +
 * rank)). With probes z ~ N(0, P),
 *
 *     log |A| = log |P| + mean of w' log(M) w,   M = inv(P)^(1/2) A inv(P)^(1/2),   w = inv(P)^(1/2) z
 *
 * by the Lanczos tridiagonal matrices that the iterations give, and
 *
 *     tr(inv(A) dA) = tr(inv(P) dP) + mean of (inv(A) z)' dA inv(P) z - (inv(P) z)' dP inv(P) z,
 *
 * the difference of two terms that are nearly equal where P is near A. Gardner et al., NeurIPS 31 (2018); Wang et al.,
 * NeurIPS 32 (2019); Wenger et al., ICML (2022). */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_CONJUGATE_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_CONJUGATE_H
#include "../gaussian_process/gp_regression.h"
#include "gp_nystrom.h"

typedef struct mn_conjugate_problem {
  mn_kernel_rows rows; /* n                   */
  size_t q, columns;   /* targets; and of r   */
  const double *r;     /* n x columns: [y h]  */
  double noise;        /* beside White        */
  size_t rank, probes; /* of P; at least 1    */
  double tol;          /* of residuals, relative to the right-hand sides */
  size_t max_iter;     /* of a solve          */
  int64_t seed;
} mn_conjugate_problem;

/* What is found at given hyperparameters, in scratch. */
typedef struct mn_conjugate_state {
  double *c;               /* n x q: inv(A) (y - H b)                                   */
  double *solved;          /* n x columns: inv(A) r                                     */
  double *precision, *b;   /* of mn_gp_eliminate_mean                                   */
  double jitter, residual; /* added to the noise; the largest relative residual         */
  size_t n_iter;           /* of the solve                                              */
  double log_likelihood;   /* NaN: it cannot be computed                                */
} mn_conjugate_state;

mn_status mn_conjugate_new(mn_context *ctx, const mn_conjugate_problem *p, mn_conjugate_state *s);

/* The log likelihood and, unless NULL, an estimate of its gradient by the free log-hyperparameters. */
mn_status mn_conjugate_evaluate(mn_context *ctx, const mn_kernel *kernel, const mn_conjugate_problem *p,
                                mn_conjugate_state *s, double *gradient);

/* x = inv(A) b, n x m. */
mn_status mn_conjugate_solve(mn_context *ctx, const mn_kernel *kernel, const mn_conjugate_problem *p, size_t m,
                             const double *b, double *x);

#endif

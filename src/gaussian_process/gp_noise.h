/* Noise whose variance depends on x: y = H b + f(x) + e with e ~ N(0, exp(g(x))) and two processes, f ~ GP(0, k) and
 * g ~ GP(m, k_g). The posterior of g at the rows is approximated by N(mu, S) with the largest lower bound of log p(y):
 *
 *     F = log N(y | H b, K + diag(r)) - q tr(S) / 4 - KL(N(mu, S) | N(m, K_g)),   log r_i = mu_i - S_ii / 2
 *     mu = m + K_g (l - q / 2),   inv(S) = inv(K_g) + diag(l)
 *
 * for q targets, with one number l_i >= 0 for each row, m and the hyperparameters of both kernels chosen to maximize F.
 *
 * Lazaro-Gredilla & Titsias, Variational heteroscedastic Gaussian process regression, ICML (2011). */
#ifndef MN_GAUSSIAN_PROCESS_GP_NOISE_H
#define MN_GAUSSIAN_PROCESS_GP_NOISE_H
#include "gp_regression.h"

/* Arrays belong to the caller. */
typedef struct mn_gp_noise {
  double *coefficient; /* n: l - q / 2                       */
  double *root;        /* n: the square roots of l           */
  double *row_noise;   /* n: r                               */
  double offset;       /* m                                  */
  double bound;        /* F; NaN: it could not be computed   */
} mn_gp_noise;

/* Maximize F over m and, if `free`, the hyperparameters of the kernel and the noise kernel; `problem` has no row_noise.
 * `search` as in gp_search.h, without bounds. */
mn_status mn_gp_noise_fit(mn_context *ctx, mn_kernel *kernel, mn_kernel *noise_kernel, const mn_gp_problem *problem,
                          bool free, mn_gp_search *search, mn_gp_noise *out);

#endif

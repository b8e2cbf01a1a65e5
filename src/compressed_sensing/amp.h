/* Approximate message passing: recovers x of n values, most of them 0, from m noisy linear measurements y = A x + w.
 *
 *     x_{t+1} = eta_t(x_t + A' z_t),   z_t = y - A x_t + z_{t-1} (n / m) mean eta'_{t-1}
 *
 * The last term, Onsager's, makes the error of x_t + A' z_t normal with variance tau_t^2 = |z_t|^2 / m, if the elements
 * of A are independent with mean 0 and variance 1 / m. Donoho, Maleki & Montanari, PNAS 106 (2009); Bayati & Montanari,
 * IEEE Trans. Inf. Theory 57 (2011). */
#ifndef MN_COMPRESSED_SENSING_AMP_H
#define MN_COMPRESSED_SENSING_AMP_H
#include "../core/context.h"

typedef enum mn_denoiser_kind {
  MN_DENOISE_SOFT, /* soft threshold of alpha tau                                          */
  MN_DENOISE_MMSE  /* the mean of x given x + tau z, for x ~ share N(0, scale^2), else 0 */
} mn_denoiser_kind;

typedef struct mn_denoiser {
  mn_denoiser_kind kind;
  double alpha;        /* of SOFT */
  double share, scale; /* of MMSE */
} mn_denoiser;

/* eta(u) for noise of standard deviation tau, and its derivative. */
double mn_denoise(const mn_denoiser *d, double u, double tau, double *slope);

typedef struct mn_amp_options {
  mn_denoiser denoiser;
  size_t max_iter;
  double tol;     /* stop when |x_{t+1} - x_t| <= tol |x_{t+1}| */
  double damping; /* 0: none; x moves by 1 - damping            */
} mn_amp_options;

typedef struct mn_amp_result {
  size_t n_iter;
  bool converged, diverged;
} mn_amp_result;

/* a: m x n. Outputs: x (n), tau (max_iter, tau_t of each iteration). */
mn_status mn_amp(mn_context *ctx, size_t m, size_t n, const double *a, const double *y, const mn_amp_options *options,
                 double *x, double *tau, mn_amp_result *result);

/* State evolution: tau_t and the mean squared error of x_t that theory predicts for large n, with m / n = delta, noise
 * of standard deviation `noise` and x of the prior `share`, `scale` of MMSE. tau and mse: steps values; x_0 = 0. */
void mn_amp_state_evolution(const mn_denoiser *d, double delta, double noise, double share, double scale, size_t steps,
                            double *tau, double *mse);

/* The alpha of SOFT that has the least error in the worst case, for a share of nonzero values. */
double mn_amp_minimax_alpha(double share);

#endif

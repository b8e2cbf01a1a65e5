/* Gaussian processes with a likelihood that is not normal: f ~ GP(0, k) plus a constant; the y_i are independent given
 * the f_i. The posterior of f is approximated by a normal distribution,
 *
 *     f ~ N(K a, inv(inv(K) + W)),   W diagonal >= 0,   B = I + W^(1/2) K W^(1/2) = L L'
 *
 * Laplace: its mean is the mode, a = d log p(y | f) / df there, and W the precision of the likelihood. Expectation
 * propagation (probit only): W and a from normal factors with the moments of the true ones.
 *
 * Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), sections 3.4 to 3.6 and 5.5. */
#ifndef MN_GAUSSIAN_PROCESS_GP_POSTERIOR_H
#define MN_GAUSSIAN_PROCESS_GP_POSTERIOR_H
#include "../kernel/kernel.h"
#include "gp_likelihood.h"

typedef enum mn_gp_inference { MN_GP_LAPLACE, MN_GP_EP } mn_gp_inference;

typedef struct mn_gp_latent {
  const char *who;     /* the estimator, for messages */
  mn_kernel_rows rows; /* n              */
  const double *y;     /* n              */
  double offset;       /* constant added to f */
  mn_gp_likelihood likelihood;
  mn_gp_inference inference;
} mn_gp_latent;

/* Arrays belong to the caller. */
typedef struct mn_gp_posterior {
  double *a;             /* n; in: where to begin                    */
  double *root;          /* n: the square root of W                  */
  double *k;             /* n x n: K, with `jitter` on its diagonal  */
  double *l;             /* n x n: L                                 */
  double *work;          /* n x n                                    */
  double *f;             /* n: mean, without the offset              */
  double log_likelihood; /* approximate; NaN: it was not found       */
  bool converged;
} mn_gp_posterior;

/* Allocate the arrays in scratch, with a = 0. */
mn_status mn_gp_posterior_new(mn_context *ctx, size_t n, mn_gp_posterior *p);

/* L of B, from the square roots of W. */
mn_status mn_gp_latent_factor(mn_context *ctx, const char *who, size_t n, const double *k, const double *root,
                              double *l);

#endif

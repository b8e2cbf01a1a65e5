/* Kernels of one column as linear stochastic differential equations: sums and products of Matern kernels (nu 1/2, 3/2,
 * 5/2), Ornstein-Uhlenbeck and Laplacian kernels, constants and white noise, with at most one Matern in a product. The
 * state is f and its derivatives for each term, in units of a length over sqrt(2 nu), in which
 *
 *     x(t + D) = A x(t) + noise of covariance Q,   A = exp(F tau),  Q = P - A P A',  tau = sqrt(2 nu) D / length
 *
 * with the stationary covariance P, and the function is H x. Hartikainen & Saerkkae, MLSP 2010. */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_STATE_SPACE_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_STATE_SPACE_H
#include "../kernel/kernel.h"

enum { MN_SS_MAX_TERMS = 16, MN_SS_MAX_STATES = 3 * MN_SS_MAX_TERMS };

/* variance * Matern, or variance alone: a constant. */
typedef struct mn_ss_term {
  bool white;
  size_t order;                    /* states: 1, 2, 3; of a constant 1                              */
  const mn_hyperparameter *length; /* NULL: constant                                   */
  double variance;
  size_t power[MN_KERNEL_MAX_NODES]; /* of each leaf whose value is a factor of it     */
} mn_ss_term;

typedef struct mn_ss_model {
  const mn_kernel *kernel;
  mn_ss_term term[MN_SS_MAX_TERMS];
  size_t terms, states; /* of all terms that are not white */
  double noise;         /* of the white terms              */
} mn_ss_model;

/* MN_BAD_ARGUMENT if the kernel has no such form; `who` begins the text. Hyperparameters that change need a new call.
 */
mn_status mn_ss_read(mn_context *ctx, const char *who, const mn_kernel *kernel, mn_ss_model *m);

/* The stationary covariance; A and Q for a step; states x states each. */
void mn_ss_stationary(const mn_ss_model *m, double *p);
void mn_ss_transition(const mn_ss_model *m, double step, double *a, double *q);

/* The derivatives by the logarithm of the hyperparameter of leaf `node`, its length or value: of A and Q for a step; of
 * P and the noise. */
void mn_ss_derivative(const mn_ss_model *m, size_t node, double step, double *da, double *dq);
void mn_ss_stationary_derivative(const mn_ss_model *m, size_t node, double *dp, double *dnoise);

/* H: 1 for the first state of each term. */
void mn_ss_observation(const mn_ss_model *m, double *h);

#endif

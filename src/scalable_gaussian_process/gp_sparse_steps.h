/* Stochastic variational inference. A step reads a batch of rows, whose weights are scaled up to those of all rows.
 * The natural parameters of the posterior of inv(L) u are linear in sums over the rows (gp_sparse.h), so that a natural
 * gradient step moves the sums toward those of the batch. Then the hyperparameters, and inducing inputs on request,
 * take a step of Adam along the gradient of the bound for the batch. Hensman, Fusi & Lawrence, UAI 2013; Kingma & Ba,
 * ICLR 2015. */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_SPARSE_STEPS_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_SPARSE_STEPS_H
#include "gp_sparse.h"

typedef struct mn_sparse_steps {
  mn_kernel *kernel; /* in and out */
  mn_sparse_state *state;
  double *z; /* m x d, to which state->z points; changed if `learned` */
  bool learned;
  double rate;         /* of Adam, in logarithms of hyperparameters and standard deviations of the columns of X */
  double natural_rate; /* of the sums, 0 .. 1 */
  const double *scale; /* columns: their standard deviations */
  double *moment;      /* mn_sparse_step_variables values, and as many squares after them: of Adam */
  size_t variables;
  int64_t steps; /* taken so far               */
  bool started;  /* the sums of the state are set */
} mn_sparse_steps;

/* Hyperparameters, and coordinates of inducing inputs if they are learned. */
size_t mn_sparse_step_variables(const mn_kernel *kernel, size_t m, size_t d, bool learned);

/* Take one step. *bound: an estimate of the variational bound before the hyperparameters changed, NaN if something is
 * not positive definite; then there was no step. */
mn_status mn_sparse_step(mn_context *ctx, mn_sparse_steps *s, const mn_sparse_problem *batch, double *bound);

/* Passes over the rows of `all` in random order, until the bound has not increased by `tol` of itself in five passes.
 * note(user, bound) after each; false: stop. */
typedef struct mn_sparse_passes {
  size_t batch_size, max_passes;
  double tol;
  int64_t seed;
  bool (*note)(void *user, double bound);
  void *user;
  bool converged; /* out */
  double change;  /* out: relative increase in the last pass over the best one before */
} mn_sparse_passes;
mn_status mn_sparse_run_passes(mn_context *ctx, mn_sparse_steps *s, const mn_sparse_problem *all,
                               mn_sparse_passes *passes);

#endif

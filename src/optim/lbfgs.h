/* Minimization of a smooth function of many variables by limited-memory BFGS, with an L1 penalty by OWL-QN.
 *
 * Nocedal & Wright, Numerical Optimization, 2nd ed., algorithm 7.5; Andrew & Gao, ICML 2007. */
#ifndef MN_OPTIM_LBFGS_H
#define MN_OPTIM_LBFGS_H
#include "../core/context.h"

/* f(x), with its gradient at x into gradient[0..n-1]. Called from the calling thread; may use mn_parallel and scratch
 * that it releases. A value that is not finite shortens the step. To fail, call mn_fail. */
typedef double (*mn_objective)(void *problem, const double *x, double *gradient);

/* All zero means the default. */
typedef struct mn_lbfgs_options {
  size_t max_iter;            /* 0: 100                                                                         */
  size_t history;             /* stored pairs; 0: 10                                                            */
  double gradient_tolerance;  /* stop when no element of the gradient is larger; 0: off                         */
  double objective_tolerance; /* stop when the relative decrease, of max(|f|, 1), is smaller; 0: off            */
  const double *inverse;      /* n values > 0, about 1 / the diagonal of the Hessian: a preconditioner; NULL: 1
                               */
  size_t leading;    /* > 0: the variables after the first `leading` ones have larger curvature. Each step updates the
                      * ratio of both in the preconditioner, instead of `inverse`                                  */
  double rest_scale; /* with leading: the first ratio of their inverse curvatures, rest / leading, at most 1       */
  const double *l1;  /* n weights >= 0: sum_j l1[j] |x_j| is added to f; NULL: no L1 term              */
  double *trace;     /* max_iter + 1 values, out: the objective at the start and after each iteration  */
  bool (*note)(void *problem, double objective); /* called after each iteration; false: stop with the error set */
} mn_lbfgs_options;

typedef enum mn_lbfgs_reason {
  MN_LBFGS_GRADIENT,  /* the gradient is below its tolerance                           */
  MN_LBFGS_OBJECTIVE, /* the relative decrease is below its tolerance                  */
  MN_LBFGS_ROUNDING,  /* no further decrease is possible in double precision           */
  MN_LBFGS_STALLED,   /* no lower point along a descent direction: f or its gradient is wrong */
  MN_LBFGS_MAX_ITER,
  MN_LBFGS_STOPPED /* by the progress callback */
} mn_lbfgs_reason;

typedef struct mn_lbfgs_report {
  size_t n_iter, evaluations;
  double objective;     /* L1 included                                                           */
  double gradient_norm; /* largest element of the gradient, or of the subgradient with L1         */
  bool converged;       /* by gradient, objective or rounding                                    */
  mn_lbfgs_reason reason;
} mn_lbfgs_report;

/* Minimize over x, from x.
 *
 *   n  number of variables
 *   x  n, in: the start; out: the best point, also on failure
 *
 * Not converging is MN_OK with a report. MN_BAD_DATA when f is not finite at the start; MN_CANCELLED; whatever status
 * the objective set. Scratch: (2 history + 6) n values. About 1.1 evaluations an iteration. */
mn_status mn_lbfgs(mn_context *ctx, size_t n, double *x, mn_objective objective, void *problem,
                   const mn_lbfgs_options *options, mn_lbfgs_report *report);

#endif

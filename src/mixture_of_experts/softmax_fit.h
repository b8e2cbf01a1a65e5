/* Multinomial logistic regression on class probabilities instead of one class per row: the M step of gates and of
 * logistic experts.
 *
 *     f(v) = -sum_i sum_j t_ij log softmax_j(a_i v) + penalty / 2 sum_j |v_j|^2     (intercepts are not penalized)
 *
 * minimized by Newton's method (iteratively reweighted least squares) in the differences to the last class, each step
 * halved until f does not increase. Jordan & Jacobs, Neural Computation 6 (1994). */
#ifndef MN_MIXTURE_OF_EXPERTS_SOFTMAX_FIT_H
#define MN_MIXTURE_OF_EXPERTS_SOFTMAX_FIT_H
#include "../core/threads.h"

typedef struct mn_softmax_fit {
  size_t n, q, k;     /* rows, columns of a, classes                                                   */
  const double *a;    /* n x q                                                                         */
  size_t unpenalized; /* leading columns of a that are not penalized: 1 with an intercept, else 0 */
  double penalty;     /* half of it times the squared coefficients */
  double scale;       /* sum of all sample weights: the scale of tolerances */
  mn_blocks blocks;   /* of the rows                                                                   */
  double *v;          /* k x q, in and out: each column sums to 0 over the classes */
  double *target;     /* n x k: t                                                                      */
  double *total;      /* n: sums of `target` over the classes */
  /* Workspace: */
  double *residual, *u, *part;       /* n x k, n, blocks */
  double *old;                       /* k x q            */
  double *gradient, *step;           /* (k - 1) x q      */
  double *hessian, *factor, *square; /* (k - 1) q of each, the same, q x q */
  double value;                      /* f at v           */
} mn_softmax_fit;

/* Allocate the workspace that is not set (scratch). All fields above it, and the pointers v and target, are set before.
 */
mn_status mn_softmax_prepare(mn_context *ctx, mn_softmax_fit *f);

/* Take at most max_steps steps from v; f does not increase. */
mn_status mn_softmax_steps(mn_context *ctx, mn_softmax_fit *f, size_t max_steps);

#endif

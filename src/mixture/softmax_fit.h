/* Multinomial logistic regression whose answers are shares of the classes instead of one class for each row: the M step
 * of gates, and of experts that tell labels.
 *
 *     f(v) = -sum_i sum_j t_ij log softmax_j(a_i v) + penalty / 2 sum_j |v_j|^2     (the constants not penalised)
 *
 * by Newton's method (iteratively reweighted least squares) in the differences to the last class, each step halved
 * until f does not rise. Jordan & Jacobs, Neural Computation 6 (1994). */
#ifndef MN_MIXTURE_SOFTMAX_FIT_H
#define MN_MIXTURE_SOFTMAX_FIT_H
#include "../core/threads.h"

typedef struct mn_softmax_fit {
  size_t n, q, k;   /* rows, columns of a, classes                                                   */
  const double *a;  /* n x q                                                                         */
  size_t constants; /* first columns of a that are not penalised: 1 with a constant, else 0          */
  double penalty;   /* on each squared weight, half of it                                            */
  double scale;     /* sum of all weights of rows, to which what can be won is compared              */
  mn_blocks blocks; /* of the rows                                                                   */
  double *v;        /* k x q, in and out: of each column they add up to 0 over the classes           */
  double *target;   /* n x k: t                                                                      */
  double *total;    /* n: its sums over the classes                                                  */
  /* Workspace: */
  double *residue, *u, *part;        /* n x k, n, blocks */
  double *old;                       /* k x q            */
  double *gradient, *step;           /* (k - 1) x q      */
  double *hessian, *factor, *square; /* (k - 1) q of each, the same, q x q */
  double value;                      /* f at v           */
} mn_softmax_fit;

/* Take what is not given yet of the workspace (scratch); all above it is set before, v and target but for their values.
 */
mn_status mn_softmax_prepare(mn_context *ctx, mn_softmax_fit *f);

/* At most `most` steps from v; f is no higher after them. */
mn_status mn_softmax_steps(mn_context *ctx, mn_softmax_fit *f, size_t most);

#endif

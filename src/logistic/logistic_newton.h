/* Newton's method with backtracking for two classes. The intercept is eliminated: the weighted Gram matrix about the
 * weighted means is the Schur complement. Stops when the Newton decrement is small; it is twice the distance to the
 * optimum in the limit and independent of the units of X: Boyd & Vandenberghe, section 9.5. */
#ifndef MN_LOGISTIC_LOGISTIC_NEWTON_H
#define MN_LOGISTIC_LOGISTIC_NEWTON_H
#include "../model/class.h"
#include "logistic_objective.h"

typedef struct mn_logistic_newton {
  mn_logistic_objective *o;
  double *b, *gb, *db, *trial; /* p each: coefficients, gradient, step, trial point */
  double c, gc, dc;
  double *hessian, *mean; /* p x p: the Cholesky factor of the Hessian; p + 1 */
  double total;           /* sum of the curvatures */
  double value;
} mn_logistic_newton;

/* Iterate from w->b (NULL: 0) and w->c until at most the share `tol` of the objective is left to gain. All other fields
 * of *w but `o` are set; they are scratch of the context. */
mn_status mn_logistic_run_newton(mn_context *ctx, mn_logistic_newton *w, double tol, int64_t max_iter, mn_report *r);

#endif

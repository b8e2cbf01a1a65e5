/* Minimization of a smooth, expensive function of a few variables within bounds, by projected BFGS.
 *
 * Variables at a bound whose gradient points outwards are held; a quasi-Newton step with a dense matrix is taken in the
 * others and projected onto the bounds. Bertsekas, SIAM J. Control Optim. 20 (1982); Nocedal & Wright, Numerical
 * Optimization, 2nd ed., sections 6.1 and 18.3 (damped updates). */
#ifndef MN_OPTIM_BOUNDED_BFGS_H
#define MN_OPTIM_BOUNDED_BFGS_H
#include "lbfgs.h"

typedef struct mn_bounded_options {
  const double *low, *high; /* n; low <= high; may be infinite                                                 */
  size_t max_iter;
  double gradient_tolerance; /* stop when no element of the projected gradient is larger                       */
  /* stop when the decrease, relative to max(|f|, 1), is smaller twice in succession, or once and expected to be again
   */
  double objective_tolerance;
  bool (*note)(void *problem, double objective); /* called after each iteration; false: stop; may be NULL */
} mn_bounded_options;

/* Minimize over x, from x, which is projected onto the bounds first.
 *
 *   x       n, in: the start; out: the best point
 *   report  out; not converging is MN_OK
 *
 * A value of f that is not finite shortens the step; at the start it ends the search with an infinite objective and
 * MN_LBFGS_STALLED. An error that f has set is returned. Scratch: 2 n^2 + 8 n values. */
mn_status mn_bounded_bfgs(mn_context *ctx, size_t n, double *x, mn_objective objective, void *problem,
                          const mn_bounded_options *options, mn_lbfgs_report *report);

#endif

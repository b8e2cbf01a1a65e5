/* Expectation maximization: the loop, its stopping test, and restarts.
 *
 * An estimator supplies the steps. The state is an array of doubles, the parameters that the M step sets; sufficient
 * statistics, responsibilities and the like are in a workspace. From the statistics that `start` leaves, an iteration
 * is
 *
 *     M: the state that maximizes the expected log likelihood for the statistics;
 *     E: the objective (to be minimized) and the statistics at the state.
 *
 * The objective of an iteration is that of the state at its end, and it never increases: an iteration that raises it,
 * which rounding and regularization may cause, is undone and ends the loop.
 *
 * Dempster, Laird & Rubin, J. R. Statist. Soc. B 39 (1977). */
#ifndef MN_EM_EM_H
#define MN_EM_EM_H
#include "../model/class.h"

typedef struct mn_em {
  void *problem;     /* read by all starts at the same time */
  size_t state_size; /* doubles                             */
  size_t starts;
  bool starts_in_threads; /* for small problems, whose steps do not use all threads */
  int64_t max_iter;
  double tol;   /* stop when an iteration lowers the objective by at most tol * scale */
  double scale; /* sum of the sample weights                                          */
  const char *advice;

  /* Allocate a workspace in the scratch memory of `ctx`; one start at a time uses it. NULL: none. */
  mn_status (*make_workspace)(mn_context *ctx, void *problem, void **workspace);

  /* Begin start `index`: leave statistics in the workspace. *objective: at the state that they belong to, which is then
   * in `state`; infinity if there is none. NULL: mn_em_iterate is called with statistics in the workspace. */
  mn_status (*start)(mn_context *ctx, void *problem, void *workspace, size_t index, double *state, double *objective);

  /* The steps. *degenerate: the statistics determine no state. The start is given up; all starts: `fail`. */
  mn_status (*maximize)(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate);
  mn_status (*expect)(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective);
  mn_status (*fail)(mn_context *ctx, void *problem, size_t index); /* set the error */
} mn_em;

/* Iterate from the statistics in the workspace. `objective` as set by start. The report continues: n_iter counts from
 * where it is, up to max_iter. */
mn_status mn_em_iterate(mn_context *ctx, const mn_em *em, void *workspace, double objective, double *state,
                        mn_report *report, bool *degenerate);

/* Run all starts; the state with the smallest objective, of equal ones the first, and its report. */
mn_status mn_em_fit(mn_context *ctx, const mn_em *em, double *state, mn_report *report);

#endif

/* The most probable state by dual decomposition: a state and an upper bound of the best score.
 *
 *     D(lambda) = sum_v max_{x_v} sum_f lambda_fv(x_v) + sum_f max_{x_f} (table_f - sum_v lambda_fv(x_v))
 *
 * bounds all scores and is minimized by block coordinate descent (MPLP: Globerson & Jaakkola 2007), followed by
 * subgradient steps where that is stuck (Komodakis, Paragios & Tziritas 2007). */
#ifndef MN_GRAPHICAL_DUAL_DECOMPOSITION_H
#define MN_GRAPHICAL_DUAL_DECOMPOSITION_H
#include "messages.h"

typedef struct mn_dual_report {
  size_t n_iter;
  double score, bound;
  bool converged; /* the bound no longer decreases by tol, or the state is optimal: bound - score <= tol */
} mn_dual_report;

mn_status mn_dual_decomposition(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence, double tol,
                                size_t max_iter, int32_t *state, mn_dual_report *report);

#endif

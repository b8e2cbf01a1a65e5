/* Conditional distributions of single variables, and the search that changes one variable at a time. */
#ifndef MN_GRAPHICAL_LOCAL_SEARCH_H
#define MN_GRAPHICAL_LOCAL_SEARCH_H
#include "factor_graph.h"

/* out[s] = sum of the factors of v in state s, the other variables being as in `state`. */
void mn_conditional(const mn_factor_graph *g, const mn_incidence *at, const int32_t *state, size_t v, double *out);

/* Iterated conditional modes (Besag 1986): change single variables that are not observed while the score improves.
 * Observed variables take their states first. Returns the score through `score`. */
mn_status mn_improve_state(mn_context *ctx, const mn_factor_graph *g, const mn_incidence *at, const int32_t *evidence,
                           int32_t *state, double *score);

#endif

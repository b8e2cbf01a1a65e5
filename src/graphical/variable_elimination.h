/* The joint distribution of a few variables by variable elimination: Zhang & Poole (1994). */
#ifndef MN_GRAPHICAL_VARIABLE_ELIMINATION_H
#define MN_GRAPHICAL_VARIABLE_ELIMINATION_H
#include "elimination.h"

/* p(query | evidence): `out` has an element for each combination of states of the n query variables, the last one
 * fastest; none of them is observed. MN_NO_MEMORY, before anything large is allocated, if a table needs more than
 * `limit` bytes; MN_BAD_DATA if the evidence is impossible. */
mn_status mn_variable_elimination(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                                  size_t n, const size_t *query, mn_elimination_rule rule, double limit, double *out,
                                  double *log_partition, mn_elimination_cost *cost);

#endif

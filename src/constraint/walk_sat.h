/* Local search of a satisfying assignment: WalkSAT (Selman, Kautz & Cohen, AAAI 1994). */
#ifndef MN_CONSTRAINT_WALK_SAT_H
#define MN_CONSTRAINT_WALK_SAT_H
#include "../core/rng.h"
#include "formula.h"

/* Flip variables of violated clauses from `truth` (n values of 1 or -1) on: with probability `noise` any variable of a
 * clause, else one whose flip violates the fewest others. Variables that p fixes stay. *flips is increased by the
 * number of flips, at most max_flips; truth: the assignment that violates the fewest clauses, their number in
 * *violated. */
mn_status mn_walk_sat(mn_context *ctx, const mn_partial *p, double noise, uint64_t max_flips, mn_rng *rng,
                      int8_t *truth, uint64_t *flips, size_t *violated);

#endif

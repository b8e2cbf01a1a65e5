/* Local search of a satisfying assignment, which flips a variable of a violated clause until none is left.
 *
 * probSAT (Balint & Schoening, SAT 2012) draws a variable of the clause with probability proportional to a function of
 * the number b of clauses that its flip would violate: (0.9 + b)^-2.06 for clauses of up to 3 literals, base^-b for
 * longer ones. WalkSAT (Selman, Kautz & Cohen, AAAI 1994) takes a variable with b = 0 if there is one; else, with
 * probability `noise`, any variable, else one of smallest b. */
#ifndef MN_CONSTRAINT_CLAUSE_SEARCH_H
#define MN_CONSTRAINT_CLAUSE_SEARCH_H
#include "../core/rng.h"
#include "formula.h"

typedef struct mn_clause_search mn_clause_search;

/* noise: of WalkSAT; negative: probSAT. */
mn_status mn_clause_search_new(mn_context *ctx, const mn_partial *p, double noise, mn_clause_search **search);

/* Flip from `truth` on (n values of 1 or -1). Variables that p fixes have the value of p and are not flipped. *flips
 * is increased by the number of flips, at most max_flips. truth becomes the assignment that violates the fewest
 * clauses, their number *violated. */
mn_status mn_clause_search_run(mn_context *ctx, mn_clause_search *w, uint64_t max_flips, mn_rng *rng, int8_t *truth,
                               uint64_t *flips, size_t *violated);

#endif

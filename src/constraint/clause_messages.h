/* Messages between clauses and variables: belief propagation and survey propagation, which differ by a number.
 *
 * The warning eta of clause a to variable i is the probability that all its other variables violate a:
 *
 *     eta_ai = prod_{j in a, not i} u_ja / (u_ja + s_ja),    s_ja = prod_{b in U(j)} (1 - eta_bj),
 *     u_ja = (1 - rho s_ja) prod_{b in S(j)} (1 - eta_bj),
 *
 * where U are the clauses of j with the opposite sign and S those with the sign of a, without a. rho = 1: survey
 * propagation (Braunstein, Mezard & Zecchina, Random Struct. Algorithms 27 (2005)); rho = 0: belief propagation, exact
 * for trees; between: Maneva, Mossel & Wainwright, J. ACM 54 (2007). */
#ifndef MN_CONSTRAINT_CLAUSE_MESSAGES_H
#define MN_CONSTRAINT_CLAUSE_MESSAGES_H
#include "../core/rng.h"
#include "formula.h"

typedef struct mn_clause_messages {
  mn_partial *p;
  double rho, tol;
  size_t max_iter;
  double *eta;     /* one for each edge */
  double *product; /* n x 2: of the factors 1 - eta > 0 of positive and negative literals */
  int32_t *zeros;  /* n x 2: the number of the other factors */
  double *ratio;   /* of the longest clause, three times */
  size_t *order;   /* m: clauses that are not satisfied */
  size_t longest;
} mn_clause_messages;

mn_status mn_clause_messages_new(mn_context *ctx, mn_partial *p, mn_clause_messages *q);
void mn_clause_messages_draw(mn_clause_messages *q, mn_rng *rng);

/* Sweep over the clauses in random order until no message changes by more than tol. *sweeps is increased by their
 * number; *converged says whether that happened within max_iter sweeps. */
mn_status mn_clause_messages_run(mn_context *ctx, mn_clause_messages *q, mn_rng *rng, size_t *sweeps, bool *converged);

/* Probabilities that variable v is true, false, and (survey propagation) not forced. */
void mn_clause_bias(const mn_clause_messages *q, size_t v, double bias[3]);

#endif

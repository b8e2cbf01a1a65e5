/* Satisfying assignments by decimation: the variables whose messages are the most certain are fixed, the messages are
 * computed again, until they say nothing more; a local search then finishes.
 *
 * Mezard & Zecchina, Phys. Rev. E 66 (2002); Braunstein, Mezard & Zecchina, Random Struct. Algorithms 27 (2005). */
#ifndef MN_CONSTRAINT_SATISFIABILITY_H
#define MN_CONSTRAINT_SATISFIABILITY_H
#include "decimation.h"
#include "formula.h"

typedef struct mn_sat_settings {
  bool walk;    /* local search alone                           */
  double rho;   /* 1: survey propagation, 0: belief propagation */
  double noise; /* of WalkSAT; negative: probSAT, instead       */
  mn_decimation decimation;
} mn_sat_settings;

typedef struct mn_sat_report {
  bool proved;                     /* unit clauses alone contradict each other: no assignment exists */
  bool contradiction;              /* decimation ended with a violated clause                        */
  mn_decimation_report decimation; /* fixed includes unit clauses; moves are flips       */
} mn_sat_report;

/* truth: n values of 1 or -1, the best assignment found. bias: n x 3, probabilities of true, false and not forced
 * before anything is fixed, or NULL. */
mn_status mn_solve_sat(mn_context *ctx, const mn_formula *f, const mn_sat_settings *s, int8_t *truth, double *bias,
                       mn_sat_report *report);

#endif

/* Satisfying assignments by decimation: the variables whose messages are the most certain are fixed, the messages are
 * computed again, until they say nothing more; WalkSAT then finishes.
 *
 * Mezard & Zecchina, Phys. Rev. E 66 (2002); Braunstein, Mezard & Zecchina, Random Struct. Algorithms 27 (2005). */
#ifndef MN_CONSTRAINT_SATISFIABILITY_H
#define MN_CONSTRAINT_SATISFIABILITY_H
#include "formula.h"

typedef struct mn_sat_settings {
  bool walk;       /* WalkSAT alone */
  double rho;      /* 1: survey propagation, 0: belief propagation */
  double tol;      /* largest change of a message at convergence */
  size_t max_iter; /* sweeps for each convergence */
  double fraction; /* of the free variables, fixed at once */
  double noise;    /* of WalkSAT */
  uint64_t max_flips;
  size_t restarts; /* attempts */
  int64_t seed;
} mn_sat_settings;

typedef struct mn_sat_report {
  bool proved;        /* unit clauses alone contradict each other: no assignment exists */
  size_t violated;    /* clauses that the best assignment violates */
  size_t attempts;    /* of the last attempt: */
  size_t rounds;      /* convergences asked for */
  size_t unconverged; /* of them, not reached */
  size_t fixed;       /* variables that decimation fixed, unit clauses included */
  bool contradiction; /* decimation ended with a violated clause */
  size_t sweeps;
  uint64_t flips;
} mn_sat_report;

/* truth: n values of 1 or -1, the best assignment found. bias: n x 3, probabilities of true, false and not forced
 * before anything is fixed, or NULL. */
mn_status mn_solve_sat(mn_context *ctx, const mn_formula *f, const mn_sat_settings *s, int8_t *truth, double *bias,
                       mn_sat_report *report);

#endif

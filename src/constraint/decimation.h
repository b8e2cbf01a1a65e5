/* What satisfiability and coloring have in common: attempts that fix the most certain variables by messages, until
 * these say nothing more, and then search locally. */
#ifndef MN_CONSTRAINT_DECIMATION_H
#define MN_CONSTRAINT_DECIMATION_H
#include <stddef.h>
#include <stdint.h>

typedef struct mn_decimation {
  double tol;         /* largest change of a message at convergence            */
  size_t max_iter;    /* sweeps for each convergence                           */
  double fraction;    /* of the free variables, fixed at once; at least one is */
  uint64_t max_moves; /* of the local search in an attempt                     */
  size_t restarts;    /* attempts                                              */
  int64_t seed;
} mn_decimation;

typedef struct mn_decimation_report {
  size_t violated;    /* constraints that the best assignment violates */
  size_t attempts;    /* of the last attempt:                          */
  size_t rounds;      /* convergences asked for                        */
  size_t unconverged; /* of them, not reached                          */
  size_t fixed;       /* variables that decimation fixed               */
  size_t sweeps;
  uint64_t moves; /* of the local search */
} mn_decimation_report;

/* Begin attempt `number`, from 0. */
static inline void mn_begin_attempt(mn_decimation_report *r, size_t number)
{
  *r = (mn_decimation_report){ .violated = r->violated, .attempts = number + 1 };
}

#endif

/* Boolean formulas in conjunctive normal form, and partial assignments with unit propagation. */
#ifndef MN_CONSTRAINT_FORMULA_H
#define MN_CONSTRAINT_FORMULA_H
#include "../core/context.h"

/* A view: clause c holds the literals literal[start[c]] .. literal[start[c + 1] - 1]. */
typedef struct mn_formula {
  size_t n, m;
  const int32_t *start;   /* m + 1 */
  const int32_t *literal; /* start[m]: v or -v of variable v from 1; a clause has each variable at most once */
} mn_formula;

static inline size_t mn_literal_variable(int32_t literal)
{
  return (size_t)(literal > 0 ? literal : -literal) - 1;
}

/* A formula with some variables fixed. An edge is a place in `literal`. */
typedef struct mn_partial {
  const mn_formula *f;
  size_t *first;      /* n + 1: edges of each variable in edge[] */
  size_t *edge;       /* start[m] */
  size_t *clause;     /* start[m]: the clause of each edge */
  int8_t *value;      /* n: 1, -1, or 0 if free */
  int32_t *satisfied; /* m: fixed literals that are true */
  int32_t *left;      /* m: literals whose variable is free */
  size_t *queue;      /* m: clauses with one free literal */
  size_t free;        /* free variables */
} mn_partial;

mn_status mn_partial_new(mn_context *ctx, const mn_formula *f, mn_partial *p);
void mn_partial_reset(mn_partial *p);

/* Fix the literals of unit clauses until none is left. False: a clause is violated. */
bool mn_partial_units(mn_partial *p);

/* Make a literal of a free variable true, and all that follows by unit clauses. False: a clause is violated. */
bool mn_partial_fix(mn_partial *p, int32_t literal);

#endif

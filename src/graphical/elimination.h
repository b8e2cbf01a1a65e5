/* Elimination orders: what exact inference costs, known before any table is allocated.
 *
 * Koller & Friedman, Probabilistic Graphical Models (2009), section 9.4: greedy orders on the graph in which variables
 * of a common factor are neighbors. */
#ifndef MN_GRAPHICAL_ELIMINATION_H
#define MN_GRAPHICAL_ELIMINATION_H
#include "factor_graph.h"

typedef enum mn_elimination_rule {
  MN_ELIMINATION_AUTO, /* both, and the cheaper order; min-weight alone above 2000 variables      */
  MN_MIN_FILL,         /* the variable whose elimination adds the fewest edges, then min-weight   */
  MN_MIN_WEIGHT        /* the variable whose elimination creates the smallest table               */
} mn_elimination_rule;

typedef struct mn_elimination_cost {
  size_t width;   /* variables of the largest clique - 1: an upper bound of the treewidth   */
  double largest; /* elements of the largest clique table                                   */
  double entries; /* elements of all tables of the junction tree, messages included         */
  double bytes;   /* 8 * entries: what mn_junction_tree_run allocates                       */
  bool complete;  /* false: the search was given up, and these are lower bounds of the cost */
} mn_elimination_cost;

/* Step k eliminates order[k]; its neighbors then are neighbor[start[k] .. start[k+1]-1]. Observed variables are left
 * out. */
typedef struct mn_elimination {
  size_t steps;
  size_t *order, *start, *neighbor;
  mn_elimination_cost cost;
} mn_elimination;

/* Find an order for the variables without evidence; with `kept` (flags, or NULL) for those without a flag only. Once a
 * table exceeds `limit` bytes, large graphs are given up. Ties are broken by the lowest index. Scratch. */
mn_status mn_eliminate(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence, const bool *kept,
                       mn_elimination_rule rule, double limit, mn_elimination *out);

/* What a refusal advises: the setting of the limit, and approximate methods of the same caller. */
typedef struct mn_exact_advice {
  const char *setting, *methods;
} mn_exact_advice;

/* MN_NO_MEMORY, with the message "exact inference needs ...", if the cost exceeds `limit` bytes. advice may be NULL:
 * that of FactorGraph. */
mn_status mn_elimination_refuse(mn_context *ctx, const char *who, const mn_exact_advice *advice,
                                const mn_elimination_cost *cost, double limit);

#endif

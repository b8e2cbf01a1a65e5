/* Factor graphs: discrete variables and factors, tables of logarithms over a few of them.
 *
 *     p(x) = exp(sum_f table_f(x_scope(f))) / Z
 *
 * All graphical models are reduced to this view: it owns nothing, and factors may share a table. */
#ifndef MN_GRAPHICAL_FACTOR_GRAPH_H
#define MN_GRAPHICAL_FACTOR_GRAPH_H
#include "../core/context.h"

/* The logarithm of 0. It is finite, so that hot loops may be compiled with -ffast-math, and sums of it are recognized.
 */
#define MN_LOG_ZERO (-1e30)
static inline bool mn_is_log_zero(double value)
{
  return value < -1e29;
}

enum { MN_MAX_SCOPE = 64 }; /* most variables of a table with more than one state each */

typedef struct mn_factor_graph {
  size_t variables, factors;
  const size_t *card;        /* variables: number of states of each, at least 1                         */
  const size_t *scope_start; /* factors + 1                                                             */
  const size_t *scope;       /* factor f: scope[scope_start[f] .. scope_start[f+1]-1], without repeats  */
  const size_t *table_start; /* factors; the last variable of the scope changes fastest in a table      */
  const double *table;       /* logarithms, MN_LOG_ZERO for 0                                           */
} mn_factor_graph;

/* Evidence: for each variable the observed state, or MN_FREE. NULL: nothing is observed. */
enum { MN_FREE = -1 };
static inline bool mn_is_observed(const int32_t *evidence, size_t variable)
{
  return evidence && evidence[variable] != MN_FREE;
}

/* Scope and number of variables of a factor, and the number of elements of its table. */
static inline const size_t *mn_scope(const mn_factor_graph *g, size_t factor)
{
  return g->scope + g->scope_start[factor];
}
static inline size_t mn_scope_size(const mn_factor_graph *g, size_t factor)
{
  return g->scope_start[factor + 1] - g->scope_start[factor];
}
size_t mn_factor_size(const mn_factor_graph *g, size_t factor);

/* MN_BAD_ARGUMENT unless all indices and sizes fit, `tables` being the length of `table`, and all values are finite or
 * MN_LOG_ZERO. `who` begins the message. */
mn_status mn_factor_graph_check(mn_context *ctx, const char *who, const mn_factor_graph *g, size_t tables);

/* sum_f table_f(x), or MN_LOG_ZERO: the logarithm of the unnormalized probability of a state of all variables. */
double mn_factor_graph_score(const mn_factor_graph *g, const int32_t *state);

/* The factors of each variable v: factor[start[v] .. start[v+1]-1], and the position of v in the scope of each. */
typedef struct mn_incidence {
  size_t *start, *factor, *position;
} mn_incidence;
mn_status mn_factor_graph_incidence(mn_context *ctx, const mn_factor_graph *g, mn_incidence *out);

/* Product of the numbers of states, as a double since it may exceed any memory. */
double mn_table_entries(const mn_factor_graph *g, const size_t *scope, size_t n);

#endif

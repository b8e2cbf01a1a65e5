/* Exact inference by a junction tree: all marginals, the partition function, the most probable state, samples.
 *
 * Lauritzen & Spiegelhalter (1988); Koller & Friedman (2009), chapter 10. Each clique holds its separator from the
 * parent first and the rest of its variables last, so that messages to the parent are made from contiguous rows. The
 * pass to the root leaves p(rest | separator) in each clique, from which samples can be drawn; the pass from the root
 * multiplies it by p(separator).
 *
 *     mn_junction_tree t;
 *     mn_junction_tree_plan(ctx, "FactorGraph", NULL, g, evidence, MN_ELIMINATION_AUTO, MN_EXACT_LIMIT, &t);
 *     mn_junction_tree_collect(ctx, &t, evidence, &log_partition);
 *     mn_junction_tree_distribute(ctx, &t);
 *     mn_junction_tree_marginal(ctx, &t, v, out);
 *
 * A plan may be run for many states of the evidence. */
#ifndef MN_GRAPHICAL_JUNCTION_TREE_H
#define MN_GRAPHICAL_JUNCTION_TREE_H
#include "../core/rng.h"
#include "elimination.h"

#define MN_EXACT_LIMIT 1073741824.0 /* bytes of tables, unless the user says otherwise */

typedef struct mn_junction_tree {
  const char *who; /* begins messages */
  const mn_factor_graph *g;
  const int32_t *removed; /* variables observed in the plan, which have no place in the cliques; NULL: none */
  mn_elimination_cost cost;
  size_t cliques;                   /* a clique comes before its parent                              */
  size_t *scope_start, *scope;      /* cliques + 1; variables of each, separator first               */
  size_t *separators;               /* variables of the separator, 0 for a root                      */
  size_t *parent;                   /* SIZE_MAX for a root                                           */
  size_t *table_start;              /* cliques + 1                                                   */
  size_t *message_start;            /* cliques + 1                                                   */
  size_t *home;                     /* of each variable: the clique in whose rest it is, or SIZE_MAX */
  size_t *factor_start, *factor;    /* cliques + 2: factors of each clique; last those without free variables */
  size_t *factor_home;              /* of each factor */
  double *table, *message;          /* NULL until the first run */
  size_t *card, *stride, *position; /* workspace */
  const int32_t *evidence;          /* of the last run */
} mn_junction_tree;

/* Choose cliques; `evidence` as in a run, or NULL: its observed variables are removed from the cliques, and every run
 * must observe them; other variables may be observed, too. MN_NO_MEMORY if the tables need more than `limit` bytes:
 * the message says how many, with the advice. Nothing large is allocated. */
mn_status mn_junction_tree_plan(mn_context *ctx, const char *who, const mn_exact_advice *advice,
                                const mn_factor_graph *g, const int32_t *evidence, mn_elimination_rule rule,
                                double limit, mn_junction_tree *out);

/* Messages to the roots. *log_partition = log sum_x exp(score(x)) over the states that agree with the evidence.
 * MN_BAD_DATA if all of these are impossible. Afterwards samples may be drawn. `evidence` must live as long as results
 * are read. */
mn_status mn_junction_tree_collect(mn_context *ctx, mn_junction_tree *t, const int32_t *evidence,
                                   double *log_partition);

/* The same, but impossible evidence is no error: *log_partition is MN_LOG_ZERO. */
mn_status mn_junction_tree_try_collect(mn_context *ctx, mn_junction_tree *t, const int32_t *evidence,
                                       double *log_partition);

/* Messages from the roots; after collect, once. Afterwards marginals may be read. */
mn_status mn_junction_tree_distribute(mn_context *ctx, mn_junction_tree *t);

/* p(v | evidence), card[v] values; p(scope of a factor | evidence), laid out as the table of the factor. */
mn_status mn_junction_tree_marginal(mn_context *ctx, mn_junction_tree *t, size_t variable, double *out);
mn_status mn_junction_tree_factor_marginal(mn_context *ctx, mn_junction_tree *t, size_t factor, double *out);

/* A state of all variables from p(x | evidence); after collect, before distribute. */
void mn_junction_tree_sample(mn_junction_tree *t, mn_rng *rng, int32_t *state);

/* The most probable state given the evidence and its score, ties broken by the lowest states of the variables that are
 * decided first. MN_BAD_DATA if all states are impossible. */
mn_status mn_junction_tree_map(mn_context *ctx, mn_junction_tree *t, const int32_t *evidence, int32_t *state,
                               double *score);

#endif

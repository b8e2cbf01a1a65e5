/* Learning the tables of a factor graph from states.
 *
 *   moment matching     maximum likelihood: the gradient of the mean log-likelihood is the share of rows in which an
 *                       element of a table is used, minus its probability (exact, or by sum-product). Where a row lacks
 *                       states, its share is the probability given the others (exact only)
 *   pseudo-likelihood   sum_v log p(x_v | all others), which needs no partition function: Besag (1975)
 *   contrastive         the probability is replaced by the share after a few Gibbs sweeps from the data (Hinton 2002),
 *   divergence          or of chains that go on from step to step (Tieleman 2008)
 *
 * Factors that share a table learn it together. Elements that are MN_LOG_ZERO stay so. */
#ifndef MN_GRAPHICAL_LEARNING_H
#define MN_GRAPHICAL_LEARNING_H
#include "junction_tree.h"
#include "messages.h"

typedef enum mn_learning_method {
  MN_LEARN_PSEUDO_LIKELIHOOD,
  MN_LEARN_MOMENT_MATCHING,
  MN_LEARN_CONTRASTIVE_DIVERGENCE
} mn_learning_method;

typedef struct mn_learning {
  const char *who;
  mn_learning_method method;
  double l2;        /* l2 / 2 sum of squares is added to the negative mean log-likelihood */
  double tol;       /* L-BFGS: relative decrease of the objective                         */
  size_t max_iter;  /* iterations; of contrastive divergence passes over the rows         */
  bool by_messages; /* moment matching by sum-product instead of a junction tree          */
  double limit;     /* bytes of the junction tree                                         */
  size_t sweeps;    /* contrastive divergence: Gibbs sweeps for each step                 */
  size_t batch;     /* rows of a step                                                     */
  double rate;      /* length of steps, which falls with 1 / passes                       */
  bool persistent;
  int64_t seed;
  const bool *fixed; /* of each element of the tables, or NULL                             */
} mn_learning;

typedef struct mn_learning_report {
  size_t n_iter;
  double objective; /* mean log-likelihood or pseudo-likelihood, without the penalty; NaN for contrastive divergence */
  bool converged;
} mn_learning_report;

/* States, rows x variables; of exact moment matching MN_FREE where a row has none. While the pseudo-likelihood is
 * computed they are changed, and then restored. */
typedef struct mn_states {
  size_t rows;
  int32_t *at;
} mn_states;

/* The objective without penalty, and its gradient by the elements of the tables (g->table, `tables` values). */
mn_status mn_learning_gradient(mn_context *ctx, const mn_factor_graph *g, size_t tables, const mn_states *data,
                               const mn_learning *options, double *objective, double *gradient);

/* Learn `table`, which begins as that of g. */
mn_status mn_learn_tables(mn_context *ctx, const mn_factor_graph *g, size_t tables, const mn_states *data,
                          const mn_learning *options, double *table, mn_learning_report *report);

#endif

/* Chains of hidden Markov models as graphs of nodes.
 *
 * A node belongs to a state and emits its row; of first order they are the states. Of second order a node is a pair of
 * states, and one more for each state at the first row. With explicit durations there is a node for each of these and
 * the number of rows since its state was entered, up to `durations`, which also stands for longer stays; a pair is then
 * that of the stay before and this one. Silent nodes, which emit no row, lead from the end of a stay to the next state.
 *
 * Probabilities are one array: of the states at the first row (k); of transitions (rows x k); of ends of stays, pairs
 * (end, stay) for each state and duration. Of second order the first k rows of transitions lead from the first row, or
 * stay, to the second, row k + i k + j from states i, j to the next. Expected counts have the same layout. */
#ifndef MN_SEQUENCE_HMM_CHAIN_H
#define MN_SEQUENCE_HMM_CHAIN_H
#include "../core/context.h"
#include "../core/threads.h"

typedef struct mn_hmm_topology {
  size_t k, order, durations; /* durations 0: geometric */
  size_t rows, size;          /* rows of transitions; probabilities */
  size_t nodes, silent;
  bool dense; /* the nodes are the states */
} mn_hmm_topology;

mn_hmm_topology mn_hmm_make_topology(size_t k, size_t order, size_t durations);

static inline size_t mn_hmm_state_of(const mn_hmm_topology *t, size_t node)
{
  return (t->durations > 0 ? node / t->durations : node) % t->k;
}

/* The node of a state at the first row. */
static inline size_t mn_hmm_first_node(const mn_hmm_topology *t, size_t state)
{
  return t->durations > 0 ? state * t->durations : state;
}

static inline const double *mn_hmm_transitions(const mn_hmm_topology *t, const double *chain)
{
  return chain + t->k;
}

static inline const double *mn_hmm_exits(const mn_hmm_topology *t, const double *chain)
{
  return chain + t->k + t->rows * t->k;
}

/* Edges of positive probability, ordered by their targets, silent ones first. Silent node i is number nodes + i. */
typedef struct mn_hmm_edge {
  int32_t from, to, probability; /* the last one: index in the array of probabilities */
} mn_hmm_edge;

typedef struct mn_hmm_graph {
  const mn_hmm_topology *t;
  size_t edges, silent_edges; /* the first silent_edges lead to silent nodes */
  mn_hmm_edge *edge;
  double *log_p;     /* edges               */
  double *log_start; /* k                   */
  int32_t *state;    /* nodes               */
  size_t size;       /* nodes + silent      */
} mn_hmm_graph;

mn_status mn_hmm_graph_make(mn_context *ctx, const mn_hmm_topology *t, const double *chain, mn_hmm_graph *graph);

/* Probabilities of the nodes one row later, from those now. work: silent nodes. */
void mn_hmm_graph_step(const mn_hmm_graph *g, const double *now, double *work, double *next);

/* --- logarithmic arithmetic, for any chain and any range of densities: hmm_log_chain.c --- */

enum { MN_HMM_SEGMENT = 256 };

/* Outputs may be NULL, and refer to the n rows of one sequence. */
typedef struct mn_hmm_log_pass {
  const mn_hmm_graph *g;
  size_t n, w;
  const double *log_b; /* n x w                                                              */
  double *log_density; /* out: n, given the rows before                                      */
  double *filtered;    /* out: n x k                                                         */
  double *posterior;   /* out: n x w                                                         */
  double *counts;      /* out: added to: probabilities                                       */
  double *last;        /* out: nodes                                                         */
  double loglik;       /* out                                                                */
  size_t impossible;   /* out: the first row that is impossible; SIZE_MAX: none              */
} mn_hmm_log_pass;

/* Doubles of workspace. */
size_t mn_hmm_log_workspace(const mn_hmm_graph *g, size_t n);
void mn_hmm_run_log_pass(mn_hmm_log_pass *pass, double *work, const mn_cancel_token *token);

/* The likeliest path: states of n rows. Ties are broken by the lowest node. work: 2 (nodes + silent) doubles; from: n x
 * (nodes + silent). Returns its log probability. */
double mn_hmm_log_viterbi(const mn_hmm_graph *g, size_t n, size_t w, const double *log_b, double *work, int32_t *from,
                          double *state, const mn_cancel_token *token);

#endif

/* Message passing on factor graphs: sum-product, max-product, and both with tree weights.
 *
 * Kschischang, Frey & Loeliger (2001); Wainwright, Jaakkola & Willsky (2005) for the weights rho; Elidan, McGraw &
 * Koller (2006) for the residual schedule. With n_{u->f} = sum_g rho_g m_{g->u} - m_{f->u}, logarithms,
 *
 *     m_{f->v}(x_v) = log sum_{x_f without v} exp(table_f / rho_f + sum_{u in f, u != v} n_{u->f}(x_u))
 *
 * or the maximum in place of the sum. rho = 1 is belief propagation, which is exact on trees. */
#ifndef MN_GRAPHICAL_MESSAGES_H
#define MN_GRAPHICAL_MESSAGES_H
#include "factor_graph.h"

typedef enum mn_schedule {
  MN_SCHEDULE_RESIDUAL,   /* the message that changes most; an iteration is as many messages as there are edges */
  MN_SCHEDULE_SEQUENTIAL, /* all factors forward, then backward in the next iteration, in place */
  MN_SCHEDULE_PARALLEL    /* all messages from those of the last iteration                      */
} mn_schedule;

typedef struct mn_message_options {
  bool maximum;      /* max-product instead of sum-product                          */
  const double *rho; /* weight of each factor, NULL: 1                              */
  double damping;    /* share of the old message, in logarithms, 0 to 1             */
  double tol;        /* converged: no message changes more, as a probability        */
  size_t max_iter;
  mn_schedule schedule;
} mn_message_options;

typedef struct mn_message_report {
  size_t n_iter;
  double residual; /* the largest change in the last iteration, or still to be made */
  bool converged;
} mn_message_report;

typedef struct mn_messages {
  const mn_factor_graph *g;
  const int32_t *evidence;
  mn_message_options options;
  mn_incidence at;
  size_t edges, largest; /* elements of the largest factor or variable */
  size_t *message_start; /* edges + 1; edge scope_start[f] + i is that of factor f and the i-th variable of its scope */
  double *message;       /* from factors to variables, the largest value 0 or log sum exp 0 */
  double *table, *rows, *in, *out; /* workspace: two tables, messages to a factor, a message */
  mn_message_report report;
} mn_messages;

/* Pass messages until they converge or max_iter is reached; both are MN_OK. */
mn_status mn_messages_run(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence,
                          const mn_message_options *options, mn_messages *out);

/* The belief of a variable, card values, and of a factor, laid out as its table. MN_BAD_DATA if it is 0. */
mn_status mn_messages_marginal(mn_context *ctx, mn_messages *m, size_t variable, double *out);
mn_status mn_messages_factor_marginal(mn_context *ctx, mn_messages *m, size_t factor, double *out);

/* -F: sum_f <table_f> + rho_f H(b_f) + sum_v (1 - sum_f rho_f) H(b_v), the Bethe approximation of the log partition
 * function; with tree weights, at a fixed point, an upper bound. */
mn_status mn_messages_log_partition(mn_context *ctx, mn_messages *m, double *out);

/* A state of all variables from max-marginals: variables are decided one after another, next to decided ones first,
 * which is exact on trees even with ties; then single variables are changed while that improves the score. */
mn_status mn_messages_decode(mn_context *ctx, mn_messages *m, int32_t *state);

/* --- for the schedules --- */

/* The message of edge `i` of factor f to m->out, from the current messages; returns how much it differs from the
 * current one as a probability. `state`, if not NULL, fixes variables of f other than MN_FREE. */
double mn_message_update(mn_messages *m, size_t f, size_t i, const int32_t *state);
/* Store m->out, damped. */
void mn_message_store(mn_messages *m, size_t f, size_t i);
mn_status mn_messages_by_residual(mn_context *ctx, mn_messages *m);

#endif

/* What the tasks of a pass over sequences share: hmm_pass.c, and hmm_long.c for long sequences. */
#ifndef MN_SEQUENCE_HMM_PASS_H
#define MN_SEQUENCE_HMM_PASS_H
#include "hmm.h"

/* Sequences of one task, and of one turn of its workspace. */
enum { MN_HMM_BLOCK_ROWS = 2048, MN_HMM_LONG_ROWS = 1 << 16, MN_HMM_LONG_CHUNK = 1 << 13, MN_HMM_GROUPS = 64 };

/* Below this, forward and backward variables may have lost what matters, and logarithms are used. */
#define MN_HMM_LEAST_SUM 1e-200

/* Statistics of a task: log likelihood, expected counts of the chain, pairs of states in lanes without the transition
 * probabilities (w x w, of dense chains), emissions. */
typedef struct mn_hmm_part {
  double *loglik, *counts, *pairs, *emissions;
} mn_hmm_part;

typedef struct mn_hmm_work {
  const mn_hmm_pass *pass;
  const mn_hmm_view *view;
  mn_hmm_densities densities;
  mn_hmm_graph graph;
  double *a, *transposed; /* w x w: transitions of a dense chain                                  */
  double *parts, *given;  /* parts: tasks x part_size; given: weights of incomplete rows          */
  size_t part_size;
  bool backward;         /* the backward pass is needed: for outputs, or to see what is lost     */
  size_t groups, *group; /* groups + 1: first sequences                                          */
  size_t *first;         /* sequences + 1: first rows                                            */
  size_t *impossible;    /* of each task                                                         */
  size_t most_rows;      /* of a turn                                                            */
  double *space;         /* workers x space_size                                                 */
  size_t space_size;
  mn_context *ctx;
} mn_hmm_work;

mn_hmm_part mn_hmm_part_at(const mn_hmm_work *w, size_t task);

/* Outputs of a sequence that the forward pass determines. Returns its log likelihood. */
double mn_hmm_write_forward(const mn_hmm_work *w, size_t first, size_t n, const double *alpha, const double *total,
                            const double *shift, const double *offset);

/* A sequence in logarithms. log_b, and gamma (out, n x w): n x w. False: a row is impossible. */
bool mn_hmm_run_in_logs(const mn_hmm_work *w, size_t task, size_t first, size_t n, const double *log_b, double *gamma,
                        double *space, const mn_cancel_token *token);

void mn_hmm_write_posterior(const mn_hmm_work *w, size_t first, size_t n, const double *gamma);

/* Sequences of at least MN_HMM_LONG_ROWS rows of a dense chain, one after the other: the forward and the backward pass
 * run beside each other, and the rest in chunks of rows. Statistics go to part `task`. */
mn_status mn_hmm_run_long(mn_hmm_work *w, size_t task, size_t first, size_t n);

#endif

/* Tables of transitions and workspaces of the recursions along a sequence. */
#ifndef MN_TAGGING_CHAIN_H
#define MN_TAGGING_CHAIN_H
#include "chain_kernel.h"
#include "../core/context.h"

typedef struct mn_chain {
  size_t classes, ld;
  double *transitions;                     /* classes x ld; NULL: none                                     */
  double *exponentials, *transposed, most; /* exp(transitions - most), classes rounded up to 4 x ld; its transpose */
} mn_chain;

/* One sequence, or a part of one. */
typedef struct mn_chain_workspace {
  double *score, *alpha, *p; /* tokens x ld                            */
  double *log_sum;           /* tokens: if each of them is normalized */
} mn_chain_workspace;

/* Allocate in scratch. */
mn_status mn_chain_init(mn_context *ctx, size_t classes, bool transitions, mn_chain *out);
mn_status mn_chain_workspace_init(mn_context *ctx, const mn_chain *chain, size_t tokens, mn_chain_workspace *out);

/* Set the coefficients of transitions, classes x classes. */
void mn_chain_set(mn_chain *chain, const double *transitions);

/* The log of the sum over all tag sequences of n tokens, from ws->score, which becomes u of mn_chain_backward. Then
 * ws->alpha and ws->p are those of mn_chain_backward. */
double mn_chain_log_sum(const mn_chain *chain, size_t n, mn_chain_workspace *ws); /* ws->p is not set */
double mn_chain_marginals(const mn_chain *chain, size_t n, mn_chain_workspace *ws);

#endif

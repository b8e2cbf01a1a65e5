/* Tables of transitions and workspaces of the recursions along a sequence. */
#ifndef MN_TAGGING_CHAIN_H
#define MN_TAGGING_CHAIN_H
#include "chain_kernel.h"
#include "../core/context.h"
#include "../core/matrix.h"

/* Features of transitions: entries of tokens that have a token before them. */
typedef struct mn_transition_features {
  const mn_csr *x;              /* NULL: there are none                      */
  const int32_t *col;           /* the attributes of its entries             */
  const int32_t *first, *label; /* their pairs                              */
  const double *w;              /* coefficients of pairs, to be multiplied by */
  double factor;
} mn_transition_features;

typedef struct mn_chain {
  size_t classes, ld;
  double *transitions;                     /* classes x ld; NULL: none                                     */
  double *exponentials, *transposed, most; /* exp(transitions - most), classes rounded up to 4 x ld; its transpose */
  mn_transition_features features;
  const int32_t *place; /* of pairs with a transition, by label: where it stands in classes x ld */
} mn_chain;

/* One sequence, or a part of one. */
typedef struct mn_chain_workspace {
  double *score, *alpha, *p;                  /* tokens x ld                            */
  double *log_sum;                            /* tokens: if each of them is normalized */
  double *transitions, *exponentials, *pairs; /* classes x ld, of one token, if transitions have features */
} mn_chain_workspace;

/* Allocate in scratch. */
mn_status mn_chain_init(mn_context *ctx, size_t classes, bool transitions, mn_chain *out);
mn_status mn_chain_set_features(mn_context *ctx, mn_chain *chain, const mn_transition_features *features);
mn_status mn_chain_workspace_init(mn_context *ctx, const mn_chain *chain, size_t tokens, mn_chain_workspace *out);

/* Set the coefficients of transitions, classes x classes. */
void mn_chain_set(mn_chain *chain, const double *transitions);

/* The scores of transitions to a token, classes x ld: `base`, or in ws, with those of its features. */
const double *mn_chain_transitions_to(const mn_chain *chain, size_t token, const double *base, mn_chain_workspace *ws);

/* The log of the sum over all tag sequences of the n tokens from `at` on, from ws->score, which becomes u of
 * mn_chain_backward. Then ws->alpha and ws->p are those of mn_chain_backward. */
double mn_chain_log_sum(const mn_chain *chain, size_t at, size_t n, mn_chain_workspace *ws); /* ws->p is not set */
double mn_chain_marginals(const mn_chain *chain, size_t at, size_t n, mn_chain_workspace *ws);

/* The same; add the expected sums of transitions and their features. `sums`, rows of ld: without features, those of
 * mn_chain_add_pairs, which are to be multiplied by the exponentials. */
double mn_chain_add_expectations(const mn_chain *chain, size_t at, size_t n, mn_chain_workspace *ws, double *gradient,
                                 double *sums);

#endif

/* The negative log-likelihood of tags and its gradient, without penalties.
 *
 *   CRF               -sum_s log p(y_s | x_s),             p = exp(score) / Z(x_s)
 *   MEMM, LogLinear   -sum_t w_t log p(y_t | y_{t-1}, x_t), each normalized over y_t
 *
 * The gradient is the expected minus the observed sums of the features. Work is cut into blocks of whole sequences, or
 * of tokens if each is normalized; the gradients of blocks are added in order. */
#ifndef MN_TAGGING_LIKELIHOOD_H
#define MN_TAGGING_LIKELIHOOD_H
#include "../core/threads.h"
#include "chain.h"
#include "training.h"

typedef struct mn_likelihood {
  const mn_tag_training *t;
  bool local;            /* each token is normalized */
  size_t units, longest; /* sequences, or parts of them; tokens of the longest */
  const size_t *begin;   /* units + 1                                          */
  const bool *continues; /* units: its sequence began before it                */
  size_t blocks;
  const size_t *block;     /* blocks + 1: their first units                      */
  size_t width;            /* values of the gradient of a block: pairs, then the padded sums of transitions */
  const size_t *occurring; /* blocks: pairs below this one occur in the block; attributes are in order of occurrence */
  double *gradients, *losses;
  mn_chain chain;
  mn_chain_workspace *workspace; /* for each thread */
  const double *w;
  double *gradient;
  mn_blocks parts;
} mn_likelihood;

mn_status mn_likelihood_init(mn_context *ctx, const mn_tag_training *t, bool local, mn_likelihood *out);

/* MN_CANCELLED: the results are undefined. */
mn_status mn_likelihood_evaluate(mn_context *ctx, mn_likelihood *o, const double *w, double *value, double *gradient);

#endif

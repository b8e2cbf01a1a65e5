/* MarkovChain: the struct, and the chain that fit and operations share. */
#ifndef MN_SEQUENCE_MARKOV_CHAIN_H
#define MN_SEQUENCE_MARKOV_CHAIN_H
#include "../model/class.h"
#include "../model/operation.h"

typedef struct mn_markov {
  mn_estimator base; /* base.classes: the states, after fit */
  int64_t order, dead_ends;
  double smoothing;
  mn_matrix transition;                /* parameter: given probabilities; empty: learned */
  mn_matrix transition_matrix, counts; /* learned fields: contexts x states              */
  mn_vector start;                     /* states: shares of the first rows               */
  int64_t n_parameters;
  double loglik, aic, bic;
} mn_markov;

/* The chain of a fitted model, or the given one of an unfitted model. A context is the last `order` states, the
 * latest one being context % states. */
typedef struct mn_chain_view {
  const mn_markov *m;
  size_t states, contexts;
  const double *p; /* contexts x states */
} mn_chain_view;

mn_status mn_chain_view_make(mn_context *ctx, const mn_markov *m, mn_chain_view *view);

/* The name of a state or context for messages, such as 'rain' or 'sun, rain'. Returns `text`. */
const char *mn_chain_name(const mn_chain_view *view, size_t context, char *text, size_t size);

/* MN_BAD_ARGUMENT, which names the first context that no transition leaves. */
mn_status mn_chain_check_rows(mn_context *ctx, const mn_chain_view *view);

/* --- limits of a chain: markov_limits.c --- */
typedef struct mn_chain_target {
  mn_feature_list target;
} mn_chain_target;
extern const mn_param mn_chain_target_params[];
mn_status mn_chain_stationary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results);
mn_status mn_chain_hitting_times(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                 mn_results *results);
mn_status mn_chain_absorption(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results);

#endif

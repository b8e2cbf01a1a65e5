/* The completions of rows with missing labels and their probabilities: the expected counts of every family are the
 * counts of the completed rows. Friedman, The Bayesian structural EM algorithm, UAI 1998. */
#ifndef MN_BAYES_NET_COMPLETE_H
#define MN_BAYES_NET_COMPLETE_H
#include "network.h"

/* How many rows there are after completion. An error if they need more than `limit` bytes, or if a number is missing.
 */
mn_status mn_count_completions(mn_context *ctx, const mn_network *net, const mn_matrix *rows, double limit,
                               size_t *out);

/* The completed rows, and as weights p(missing | known) times the weight of the row (NULL: 1). */
mn_status mn_complete_rows(mn_context *ctx, const mn_network *net, const mn_matrix *rows, const double *weights,
                           mn_matrix *out, double *out_weights);

#endif

/* Samples from a network, and queries answered by samples: likelihood weighting (Fung & Chang; Shachter & Peot, UAI
 * 1989) and Gibbs sampling (Pearl, Artificial Intelligence 32, 1987). */
#ifndef MN_BAYES_NET_SAMPLE_H
#define MN_BAYES_NET_SAMPLE_H
#include "network.h"
#include "../core/rng.h"

/* A row with the nodes in `evidence` (NaN: free; NULL: none) fixed and the others drawn given their parents. Returns
 * the log probability of the evidence given its parents. */
double mn_sample_row(const mn_network *net, mn_rng *rng, const double *evidence, const double *const *likelihood,
                     double *row);

mn_status mn_sample_rows(mn_context *ctx, const mn_network *net, int64_t seed, mn_matrix *rows);

/* What samples say about each node: place[v] is the position of its first value, of a number its mean and standard
 * deviation. */
typedef struct mn_sampled {
  size_t size, *place; /* place: nodes + 1 */
  double *estimate;    /* size                                                     */
  double *error;       /* size: standard errors; NaN of the standard deviations    */
  double effective;    /* effective number of samples                              */
  double log_p;        /* log p(evidence): likelihood weighting; NaN otherwise     */
} mn_sampled;
mn_status mn_sampled_new(mn_context *ctx, const mn_network *net, mn_sampled *out);

typedef struct mn_net_sampling {
  const mn_network *net;
  const double *evidence;          /* nodes, NaN for free */
  const double *const *likelihood; /* soft evidence, as in inference.h; or NULL */
  size_t samples;
  size_t chains, burn_in; /* Gibbs: samples are those of all chains */
  int64_t seed;
} mn_net_sampling;

/* MN_BAD_DATA if no sample agrees with the evidence. */
mn_status mn_likelihood_weighting(mn_context *ctx, const mn_net_sampling *s, mn_sampled *out);
mn_status mn_gibbs_marginals(mn_context *ctx, const mn_net_sampling *s, mn_sampled *out);

#endif

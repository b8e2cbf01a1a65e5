/* Markov chains on the states of a factor graph: Gibbs, Metropolis, Swendsen-Wang; annealed importance sampling. Chain
 * c uses random stream c. */
#ifndef MN_GRAPHICAL_SAMPLING_H
#define MN_GRAPHICAL_SAMPLING_H
#include "../core/rng.h"
#include "factor_graph.h"

typedef enum mn_sampler {
  MN_SAMPLER_GIBBS,         /* each variable from its conditional distribution                          */
  MN_SAMPLER_METROPOLIS,    /* a uniform proposal for each variable                                     */
  MN_SAMPLER_SWENDSEN_WANG, /* clusters of equal neighbors; pairs whose table has one value on its diagonal
                               and a smaller one beside it: Swendsen & Wang (1987)                      */
} mn_sampler;

typedef struct mn_sampling {
  mn_sampler sampler;
  size_t chains, draws, burn_in, thin; /* `thin` sweeps for each draw */
  int64_t seed;
} mn_sampling;

typedef struct mn_sampling_result {
  size_t width;      /* of rows of marginals                                                          */
  double *marginals; /* variables x width                                                             */
  double *std_error; /* the same: from differences between chains; NULL: not wanted                   */
  double *trace;     /* chains x draws: scores                                                        */
  double *states;    /* chains * draws x variables, states from 1; NULL: not wanted                   */
  double acceptance; /* share of proposals that were accepted; 1 for Gibbs                            */
} mn_sampling_result;

mn_status mn_sample_graph(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                          const mn_sampling *options, mn_sampling_result *out);

/* One sweep of Gibbs sampling at inverse temperature `beta`; `work` has room for the largest number of states. */
void mn_gibbs_states(const mn_factor_graph *g, const mn_incidence *at, const int32_t *evidence, double beta,
                     mn_rng *rng, int32_t *state, double *work);

/* log Z by annealing `particles` states from the uniform distribution in `temperatures` steps (Neal 2001), with the
 * standard error of the estimate. */
mn_status mn_annealed_partition(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence, size_t particles,
                                size_t temperatures, int64_t seed, double *log_partition, double *std_error);

#endif

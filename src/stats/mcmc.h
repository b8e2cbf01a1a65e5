/* Do several chains of draws agree, and how many independent draws are they worth?
 *
 * Vehtari, Gelman, Simpson, Carpenter & Buerkner, Bayesian Analysis 16 (2021): each chain is cut into halves; ranks
 * over all of them are turned into normal scores. */
#ifndef MN_STATS_MCMC_H
#define MN_STATS_MCMC_H
#include "../core/context.h"

typedef struct mn_chain_report {
  double r_hat;    /* the larger one of the scores and of those of the distances from the median; 1: they agree  */
  double ess;      /* effective draws for the middle of the distribution ("bulk")                               */
  double ess_tail; /* the smaller one for its quantiles of 5 and 95 %                                           */
} mn_chain_report;

/* draws: chains x length, finite. Fewer than 4 in a chain: all NaN. Equal values throughout: r_hat is 1, and each draw
 * counts. */
mn_status mn_mcmc_diagnostics(mn_context *ctx, size_t chains, size_t length, const double *draws, mn_chain_report *out);

#endif

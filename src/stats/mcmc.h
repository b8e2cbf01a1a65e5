/* MCMC diagnostics: convergence (R-hat) and effective sample size.
 *
 * Vehtari, Gelman, Simpson, Carpenter & Buerkner, Bayesian Analysis 16 (2021): chains are split into halves, and all
 * draws are replaced by normal scores of their ranks. */
#ifndef MN_STATS_MCMC_H
#define MN_STATS_MCMC_H
#include "../core/context.h"

typedef struct mn_chain_report {
  double r_hat;    /* the larger of rank-normalized and folded R-hat; 1: the chains agree */
  double ess;      /* effective sample size for the center of the distribution ("bulk") */
  double ess_tail; /* the smaller effective sample size of the 5% and 95% quantiles */
} mn_chain_report;

/* draws: chains x length, finite. With fewer than 4 draws per chain all results are NaN. If all draws are equal, r_hat
 * is 1 and every draw counts. */
mn_status mn_mcmc_diagnostics(mn_context *ctx, size_t chains, size_t length, const double *draws, mn_chain_report *out);

#endif

/* Thresholds of ensembles of LDPC codes: the worst channel over which infinitely long random codes decode.
 *
 *     lambda(x) = sum_i lambda_i x^(i-1),  rho(x) = sum_i rho_i x^(i-1)     shares of edges at bits and checks of
 * degree i
 *
 * Richardson & Urbanke, IEEE Trans. Inf. Theory 47 (2001); Chung, Forney, Richardson & Urbanke, IEEE Commun. Lett. 5
 * (2001). */
#ifndef MN_CODING_DENSITY_EVOLUTION_H
#define MN_CODING_DENSITY_EVOLUTION_H
#include "ldpc_simulate.h"

/* Shares of edges, which add up to 1: lambda[i] of degree i + 1. */
typedef struct mn_ldpc_ensemble {
  size_t n_lambda, n_rho;
  const double *lambda, *rho;
} mn_ldpc_ensemble;

/* The largest erasure probability (exact), flip probability or standard deviation of the noise (by densities of
 * messages on a grid) at which the probability of error falls to 0. */
mn_status mn_density_evolution(mn_context *ctx, const mn_ldpc_ensemble *e, mn_channel_kind kind, double *threshold);

#endif

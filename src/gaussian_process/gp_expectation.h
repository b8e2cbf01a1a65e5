/* Expectation propagation for the probit likelihood: gp_posterior.h. */
#ifndef MN_GAUSSIAN_PROCESS_GP_EXPECTATION_H
#define MN_GAUSSIAN_PROCESS_GP_EXPECTATION_H
#include "gp_posterior.h"

/* K is in p->k. All factors are updated at once from the same posterior, with damping. */
mn_status mn_gp_expectation_propagation(mn_context *ctx, const mn_gp_latent *problem, mn_gp_posterior *p);

#endif

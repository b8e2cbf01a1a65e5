/* The posterior of gp_posterior.h: its hyperparameters and predictions. */
#ifndef MN_GAUSSIAN_PROCESS_GP_LATENT_H
#define MN_GAUSSIAN_PROCESS_GP_LATENT_H
#include "gp_posterior.h"
#include "gp_search.h"

/* Approximate at the hyperparameters of the kernel. */
mn_status mn_gp_latent_solve(mn_context *ctx, const mn_kernel *kernel, const mn_gp_latent *problem, mn_gp_posterior *p);

/* The gradient of the log likelihood with respect to the free log-hyperparameters, and for Student to log(scale), which
 * is written behind them. */
mn_status mn_gp_latent_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_gp_latent *problem,
                                const mn_gp_posterior *p, double *gradient);

/* Maximize the likelihood over the free hyperparameters of the kernel and, for Student, over problem->likelihood.scale;
 * `search` as in gp_search.h, without bounds. */
mn_status mn_gp_latent_optimize(mn_context *ctx, mn_kernel *kernel, mn_gp_latent *problem, mn_gp_search *search);

/* Mean and variance of f, without the offset, at rows x; `stored` are the rows of the fit, and a, root and l one
 * posterior. variance may be NULL. */
mn_status mn_gp_latent_moments(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *stored, const double *a,
                               const double *root, const double *l, const mn_kernel_rows *x, double *mean,
                               double *variance);

#endif

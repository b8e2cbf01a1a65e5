/* The search for hyperparameters, and for inducing inputs on request, of largest sparse likelihood. */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_SPARSE_SEARCH_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_SPARSE_SEARCH_H
#include "gp_sparse.h"

/* kernel and z (m x d), in and out; z is changed only if `learned`. `search` as in gp_search.h, without bounds. */
mn_status mn_sparse_optimize(mn_context *ctx, mn_kernel *kernel, const mn_sparse_problem *problem, size_t m, double *z,
                             bool learned, mn_gp_search *search);

#endif

/* Inducing inputs of sparse Gaussian processes. */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_INDUCING_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_INDUCING_H
#include "../kernel/kernel.h"
#include "../model/data.h"

/* At most m inputs, which differ: the rows of X that differ if these are at most m; else the centers of k-means on at
 * most 50 m rows (kmeans), or m rows. z: m x features, out; returns how many in *count. */
mn_status mn_gp_choose_inducing(mn_context *ctx, const mn_data *data, bool kmeans, int64_t seed, size_t m, double *z,
                                size_t *count);

/* The standard deviation of each column, in scratch; 1 if it is constant. */
mn_status mn_gp_column_scales(mn_context *ctx, const mn_kernel_rows *rows, const double **scale);

#endif

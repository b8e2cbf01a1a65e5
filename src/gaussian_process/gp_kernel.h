/* The kernel of Gaussian process estimators: a value, or a name, which stands for Constant * kernel with all
 * hyperparameters estimated, plus White for regression. */
#ifndef MN_GAUSSIAN_PROCESS_GP_KERNEL_H
#define MN_GAUSSIAN_PROCESS_GP_KERNEL_H
#include "../model/kernel_param.h"

mn_status mn_gp_kernel_resolve(mn_context *ctx, const mn_estimator *model, const mn_kernel *kernel, bool noise,
                               const mn_data *data, mn_kernel *resolved);

/* The sum of a kernel and White with its initial noise; the empty *both becomes a copy. */
mn_status mn_gp_kernel_add_white(mn_context *ctx, const mn_kernel *kernel, mn_kernel *both);

#endif

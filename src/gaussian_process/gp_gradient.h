/* Derivatives of predictions with respect to the columns of X. */
#ifndef MN_GAUSSIAN_PROCESS_GP_GRADIENT_H
#define MN_GAUSSIAN_PROCESS_GP_GRADIENT_H
#include "gp_regressor.h"

/* The operation `predict_gradient`. */
mn_status mn_gp_predict_gradient(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                 mn_results *results);

#endif

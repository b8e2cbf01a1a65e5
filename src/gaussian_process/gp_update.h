/* Rows added to a fitted Gaussian process and removed from it, at the hyperparameters of the fit: the Cholesky factor
 * is updated, and the result is that of a fit of the remaining rows. */
#ifndef MN_GAUSSIAN_PROCESS_GP_UPDATE_H
#define MN_GAUSSIAN_PROCESS_GP_UPDATE_H
#include "gp_regressor.h"

/* Subtract the means of the q targets and divide by their standard deviations, or only set mean = 0 and scale = 1. */
void mn_gp_normalize(size_t n, size_t q, bool normalize, double *y, double *mean, double *scale);

/* Add the rows of data; with a window, remove the oldest ones. On failure *m may be incomplete. */
mn_status mn_gp_add_rows(mn_context *ctx, struct mn_gp_regressor *m, const mn_data *data);

/* Add one row in place, `update` of the class table. */
mn_status mn_gp_update(mn_context *ctx, void *self, const mn_data *data);

/* Remove a row. On failure *m may be incomplete. */
mn_status mn_gp_remove_row(mn_context *ctx, struct mn_gp_regressor *m, size_t row);

#endif

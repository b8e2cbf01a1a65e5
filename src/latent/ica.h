/* The rotation of FastICA, as a start of other methods. */
#ifndef MN_LATENT_ICA_H
#define MN_LATENT_ICA_H
#include "../model/data.h"

/* At most max_iter parallel iterations with the contrast log cosh on whitened rows z (data->rows x k), which have the
 * weights of data, until all components turn by less than tol. w: k x k, in and out; orthogonal on return. */
mn_status mn_ica_rotate(mn_context *ctx, const mn_data *data, size_t k, const double *z, int64_t max_iter, double tol,
                        double *w);

#endif

/* Coordinates from which embeddings start: scores of principal components. */
#ifndef MN_MANIFOLD_PRINCIPAL_START_H
#define MN_MANIFOLD_PRINCIPAL_START_H
#include "../model/data.h"

/* out (rows x k) = scores of the k largest principal components of X, dense or sparse; columns beyond the
 * smaller side of X are 0. The element of largest magnitude of each component is positive. */
mn_status mn_principal_start(mn_context *ctx, const mn_data *data, size_t k, double *out);

#endif

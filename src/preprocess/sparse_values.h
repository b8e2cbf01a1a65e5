/* Transformers of sparse X that keep zeros: value by value, within the structure of X. */
#ifndef MN_PREPROCESS_SPARSE_VALUES_H
#define MN_PREPROCESS_SPARSE_VALUES_H
#include "../model/class.h"

/* A copy of the structure and the values of x, to be transformed in place. */
mn_status mn_copy_sparse(mn_context *ctx, const mn_csr *x, mn_csr *out);

/* out = x with each value divided by the scale of its column. */
mn_status mn_divide_sparse(mn_context *ctx, const mn_csr *x, const double *scale, mn_csr *out);

/* Centering would make every zero of a sparse X another value. `param` is the parameter that asks for it. */
mn_status mn_check_sparse_centering(mn_context *ctx, const char *who, const char *param, bool centers,
                                    const mn_data *data);

/* The dense output of `transform_sparse`, for callers that have no use for sparse output. */
mn_status mn_dense_transform(mn_context *ctx, const void *self, const mn_data *data,
                             mn_status (*transform_sparse)(mn_context *, const void *, const mn_data *, mn_csr *),
                             mn_matrix *out);

#endif

/* Factors of covariance matrices, which may be singular. */
#ifndef MN_FACTORIZATION_SEMIDEFINITE_H
#define MN_FACTORIZATION_SEMIDEFINITE_H
#include "../core/context.h"

/* L with L L' = A for a symmetric matrix without negative eigenvalues beyond rounding; MN_BAD_DATA otherwise. */
mn_status mn_semidefinite_factor(mn_context *ctx, size_t n, const double *a, const char *what, double *l);

#endif

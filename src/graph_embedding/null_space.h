/* The smallest eigenvalues of a sparse matrix whose null space has the constant vectors, which are left out. */
#ifndef MN_GRAPH_EMBEDDING_NULL_SPACE_H
#define MN_GRAPH_EMBEDDING_NULL_SPACE_H
#include "../core/matrix.h"

/* The k smallest eigenvalues of M (n x n, symmetric, positive semidefinite, M 1 = 0), ascending, for eigenvectors
 * orthogonal to 1.
 *
 *   values   k, out
 *   vectors  k x n, out: unit vectors, the largest element of each in magnitude positive
 *
 * Errors begin with `who`. */
mn_status mn_smallest_pairs(mn_context *ctx, const char *who, const mn_csr *m, size_t k, double *values,
                            double *vectors);

#endif

/* The largest singular values of a dense or sparse matrix A, and their right vectors.
 *
 *     A ~ U diag(s) V'
 *
 * V spans the largest eigenvectors of A'A, or U those of A A', whichever is smaller, by block Lanczos. Values and
 * vectors are then those of A within that subspace, which restores the accuracy that squaring loses: Rayleigh & Ritz;
 * Golub & Van Loan, Matrix Computations, section 8.1. */
#ifndef MN_DECOMPOSITION_SINGULAR_H
#define MN_DECOMPOSITION_SINGULAR_H
#include "../core/matrix.h"

/* A, and its transpose if it is sparse; or A - left right', if `left` (rows) and `right` (cols) are not NULL. */
struct mn_svd_operand {
  size_t rows, cols;
  const double *dense;
  const mn_csr *sparse;
  mn_csr transposed;
  const double *left, *right;
};

/* y = x A' for `count` rows x, or x A. */
mn_status mn_svd_multiply(mn_context *ctx, const struct mn_svd_operand *a, bool by_transpose, size_t count,
                          const double *x, double *y);

/* s (k values, descending) and the orthonormal rows of v (k x cols), of arbitrary sign; k is at most the smaller side.
 */
mn_status mn_largest_singular(mn_context *ctx, struct mn_svd_operand *a, size_t k, double *s, double *v);

#endif

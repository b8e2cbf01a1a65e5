/* Large square systems of equations. Internal to dense.c. */
#ifndef MN_LINALG_LAPACK_SOLVE_H
#define MN_LINALG_LAPACK_SOLVE_H
#include "../core/context.h"

/* A X = B for A (n x n) and B, X (n x m) by QR with column pivoting, in a thread of its own, so that cancellation is
 * prompt. *rank is the rank of A with its columns scaled to norm 1; below n, X is not written. MN_BAD_DATA if A or B
 * holds NaN or infinity.
 *
 * LAPACK dgeqp3, dormqr; Golub & Van Loan, section 5.4. */
mn_status mn_lapack_solve(mn_context *ctx, size_t n, size_t m, const double *a, const double *b, double *x,
                          size_t *rank);

#endif

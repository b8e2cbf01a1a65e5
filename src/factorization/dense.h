/* Linear systems, inverse and pseudoinverse of general dense matrices. */
#ifndef MN_LINALG_DENSE_H
#define MN_LINALG_DENSE_H
#include "../core/context.h"

/* A X = B for A (n x n) and B, X (n x m), by QR with column pivoting. MN_SINGULAR if A is singular to working
 * precision; the text has its rank and condition number. MN_BAD_DATA if A or B holds NaN or infinity. */
mn_status mn_solve(mn_context *ctx, size_t n, size_t m, const double *a, const double *b, double *x);

/* The Moore-Penrose inverse of A (m x n), n x m, from its singular values above `tolerance` times the largest; a
 * negative tolerance stands for max(m, n) times the precision of double. */
mn_status mn_pinv(mn_context *ctx, size_t m, size_t n, const double *a, double tolerance, double *out);

#endif

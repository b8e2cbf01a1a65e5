/* Factorisations of dense matrices: Cholesky, QR, singular values, symmetric eigenvectors; and least squares on them.
 *
 * All matrices are row-major and contiguous, sizes may be 0, and what a comment does not call "in and out" or "out" is
 * only read. The work is LAPACK's, from a library that is looked for on first use: any of these functions may fail
 * with MN_BAD_ARGUMENT when there is none, or when a size exceeds 2^31 - 1, and with MN_NO_MEMORY for scratch, which
 * is given back before they return. NaN and infinity are found before LAPACK sees them (its iterations need not end
 * on NaN). Results do not depend on the number of threads. */
#ifndef MN_LAPACK_H
#define MN_LAPACK_H
#include "../core/context.h"

/* What was loaded, for people; NULL when nothing was found. */
const char *mn_lapack_name(void);

/* A = L L' in place, A symmetric positive definite.
 *
 *   n      order of A
 *   a      n x n, in and out: the lower triangle is read; L on return, with zeros above its diagonal
 *   rcond  out, may be NULL: estimate of 1 / cond(A) in the 1-norm, from 0 to 1
 *
 * MN_SINGULAR when a leading minor is not > 0, or A holds NaN or infinity; the text gives the order of the minor. No
 * jitter is added: that choice belongs to the caller. n^3 / 3 flops.
 *
 * LAPACK dpotrf, dpocon; Golub & Van Loan, Matrix Computations, 4th ed., section 4.2. */
mn_status mn_chol(mn_context *ctx, size_t n, double *a, double *rcond);

/* The same for callers that have an answer to failure (more jitter, another method): failing to factor is MN_OK
 * without a text, and *minor is the order of the leading minor that is not > 0, or 0 when L was made. */
mn_status mn_chol_try(mn_context *ctx, size_t n, double *a, double *rcond, size_t *minor);

/* B := inv(A) B with A = L L'; B := inv(L) B; B := inv(L') B.
 *
 *   n, m  order of L; columns of B
 *   l     n x n, the L of mn_chol
 *   b     n x m, in and out
 *
 * 2 n^2 m flops, and n^2 m for each half. */
mn_status mn_chol_apply(mn_context *ctx, size_t n, size_t m, const double *l, double *b);
mn_status mn_chol_lower(mn_context *ctx, size_t n, size_t m, const double *l, double *b);
mn_status mn_chol_upper(mn_context *ctx, size_t n, size_t m, const double *l, double *b);

/* mn_chol, then mn_chol_apply: a holds L and b the solution of A X = B on return. b is unchanged unless MN_OK. */
mn_status mn_chol_solve(mn_context *ctx, size_t n, size_t m, double *a, double *b, double *rcond);

/* inv(A) from the L of mn_chol, in place: a holds L, and both triangles of the inverse on return. 2 n^3 / 3 flops. */
mn_status mn_chol_inverse(mn_context *ctx, size_t n, double *a);

/* log det(A) from the L of mn_chol. */
double mn_chol_logdet(size_t n, const double *l);

/* The k largest or smallest eigenvalues of a symmetric matrix, with their vectors.
 *
 *   n, k     order of A; how many pairs are wanted, at most n
 *   end      MN_LARGEST: the k largest, in descending order; MN_SMALLEST: the k smallest, ascending
 *   a        n x n, in: the lower triangle is read; overwritten
 *   values   k, out
 *   vectors  k x n, out, may be NULL: row i is the unit vector of values[i]; its sign is arbitrary
 *
 * MN_BAD_DATA when A holds NaN or infinity. About 4 n^3 / 3 flops for the values, half of them at the speed of memory,
 * and 2 n^2 k more for vectors. Few pairs (k <= n / 10) are found by bisection and inverse iteration, many by divide
 * and conquer: for n = 784 and k = 50 that takes 48 ms against 84 ms.
 *
 * LAPACK dsyevr, dsyevd; Golub & Van Loan, section 8. */
typedef enum mn_end { MN_LARGEST, MN_SMALLEST } mn_end;
mn_status mn_eigh(mn_context *ctx, size_t n, size_t k, mn_end end, double *a, double *values, double *vectors);

#endif

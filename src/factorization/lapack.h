/* Dense factorizations (Cholesky, QR, singular values, symmetric eigenvectors) and least squares, on LAPACK.
 *
 * All matrices are row-major and contiguous, sizes may be 0, and arguments are inputs unless marked "in and out" or
 * "out". LAPACK is loaded on first use: every function may fail with MN_BAD_ARGUMENT if none is found or a size exceeds
 * 2^31 - 1, and with MN_NO_MEMORY for scratch, which is released before it returns. NaN and infinity are rejected
 * before LAPACK sees them, because its iterations may not terminate on NaN. Results do not depend on the number of
 * threads. */
#ifndef MN_LINALG_LAPACK_H
#define MN_LINALG_LAPACK_H
#include "../core/context.h"

/* A readable name of the loaded library; NULL if none was found. */
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

/* The same for callers that handle failure themselves (more jitter, another method): a failed factorization returns
 * MN_OK without a message, and *minor is the order of the leading minor that is not > 0; 0 means success. */
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

/* mn_chol, then mn_chol_apply: on return a holds L and b the solution of A X = B. b is unchanged on failure. */
mn_status mn_chol_solve(mn_context *ctx, size_t n, size_t m, double *a, double *b, double *rcond);

/* inv(A) from the L of mn_chol, in place: a holds L, and both triangles of the inverse on return. 2 n^3 / 3 flops. */
mn_status mn_chol_inverse(mn_context *ctx, size_t n, double *a);

/* The lower triangle of inv(A), out of place; the upper triangle of `inverse` is undefined on return.
 * The two may be the same. */
mn_status mn_chol_inverse_lower(mn_context *ctx, size_t n, const double *l, double *inverse);

/* log det(A) from the L of mn_chol. */
double mn_chol_logdet(size_t n, const double *l);

/* The k largest or smallest eigenvalues of a symmetric matrix, with their vectors.
 *
 *   n, k     order of A; number of pairs, at most n
 *   end      MN_LARGEST: the k largest, in descending order; MN_SMALLEST: the k smallest, ascending
 *   a        n x n, in: the lower triangle is read; overwritten
 *   values   k, out
 *   vectors  k x n, out, may be NULL: row i is the unit vector of values[i]; its sign is arbitrary
 *
 * MN_BAD_DATA if A holds NaN or infinity. About 4 n^3 / 3 flops for the values, half of them limited by memory
 * bandwidth, and 2 n^2 k more for vectors. Few vectors (k <= n / 10) are found by inverse iteration, many by divide and
 * conquer: for n = 784 and k = 50 that takes 42 ms against 84 ms.
 *
 * LAPACK dsytrd, dsterf, dstein, dormtr; dsyevd; Golub & Van Loan, section 8. */
typedef enum mn_spectrum_end { MN_LARGEST, MN_SMALLEST } mn_spectrum_end;
mn_status mn_eigh(mn_context *ctx, size_t n, size_t k, mn_spectrum_end end, double *a, double *values, double *vectors);

/* All eigenvalues in descending order (values: n), and the vectors of the k >= 1 largest, as above. */
mn_status mn_eigh_spectrum(mn_context *ctx, size_t n, size_t k, double *a, double *values, double *vectors);

/* X = Q R, of economy size.
 *
 *   m, n  rows and columns of X; k = min(m, n)
 *   x     m x n
 *   q     m x k, out, may be NULL: orthonormal columns
 *   r     k x n, out, may be NULL: zeros below the diagonal, which is >= 0
 *
 * MN_BAD_DATA when X holds NaN or infinity. 2 m n^2 flops for R and as many for Q. For R of a tall X, and for least
 * squares, mn_tall_qr is faster.
 *
 * LAPACK dgeqrf, dorgqr; Golub & Van Loan, section 5.2. */
mn_status mn_qr(mn_context *ctx, size_t m, size_t n, const double *x, double *q, double *r);

/* X = U diag(s) V', of economy size.
 *
 *   m, n  rows and columns of X; k = min(m, n)
 *   x     m x n
 *   u     m x k, out, may be NULL: left singular vectors in columns
 *   s     k, out: singular values, descending
 *   vt    k x n, out, may be NULL: right singular vectors in rows
 *
 * Signs are arbitrary. MN_BAD_DATA when X holds NaN or infinity. About 6 m n^2 flops for m >> n, and 2 m n^2 when u is
 * NULL (then R of mn_tall_qr is decomposed).
 *
 * LAPACK dgesdd, and dgesvd where that does not converge; Golub & Van Loan, section 8.6. */
mn_status mn_svd(mn_context *ctx, size_t m, size_t n, const double *x, double *u, double *s, double *vt);

/* The least squares problem: minimize sum_i w_i |(y_i - cy) - (x_i - cx) B|^2 over B. */
typedef struct mn_rows {
  size_t n, p, m;                    /* rows, columns of x, columns of y (0: none) */
  const double *x;                   /* n x p                                      */
  const double *y;                   /* n x m                                      */
  const double *weights;             /* n, >= 0, or NULL: all 1                    */
  const double *x_center, *y_center; /* p and m, subtracted from every row; NULL: none */
} mn_rows;

/* R and Q'y of sqrt(w) (x - cx) = Q R, without forming Q: all that least squares needs from the rows.
 *
 *   rows      see above
 *   r         p x p, out: zeros below the diagonal, which is >= 0; if n < p the last p - n rows are 0
 *   qty       p x m, out (NULL if m = 0): Q' sqrt(w) (y - cy)
 *   residual  m, out, may be NULL: squared norm of the part of sqrt(w) (y - cy) orthogonal to the columns of Q
 *
 * MN_BAD_DATA if any input is NaN or infinite. 2 n (p + m)^2 flops, over blocks of rows in parallel (Demmel et al.,
 * SIAM J. Sci. Comput. 34 (2012), TSQR). As accurate as Householder QR of all rows: X'X is not formed.
 *
 * LAPACK dtpqrt. */
mn_status mn_tall_qr(mn_context *ctx, const mn_rows *rows, double *r, double *qty, double *residual);

/* Least squares from R and Q'y, of minimum norm if X is rank-deficient.
 *
 *   p, m       columns of x and y
 *   r, qty     from mn_tall_qr (or any R with R'R = X'X, and inv(R') X'y)
 *   tolerance  a column is dependent if its part orthogonal to the others is at most this fraction of its norm;
 *              <= 0: (p + 100) times the precision of double, about the rounding error
 *   coef       p x m, out
 *   residual   m, in and out, may be NULL: the residual due to dropping dependent columns is added
 *   found      out, may be NULL
 *
 * Dependence is judged on columns scaled to norm 1, so the units of the data do not matter; the norm minimized is that
 * of the unscaled coef. About 4 p^3 / 3 + 4 p^2 m flops.
 *
 * LAPACK dgeqp3, dtzrzf; Golub & Van Loan, section 5.5. */
typedef struct mn_rank {
  size_t rank;
  double rcond;   /* estimate of 1 / cond of the `rank` independent columns, scaled to norm 1, in the 1-norm */
  int32_t *pivot; /* p, from the caller, or NULL: the columns, 0-based, independent ones first            */
} mn_rank;
mn_status mn_solve_r(mn_context *ctx, size_t p, size_t m, const double *r, const double *qty, double tolerance,
                     double *coef, double *residual, mn_rank *found);

/* mn_tall_qr and mn_solve_r in one; residual[j] is the weighted sum of squared residuals of column j of y. */
mn_status mn_least_squares(mn_context *ctx, const mn_rows *rows, double tolerance, double *coef, double *residual,
                           mn_rank *found);

#endif

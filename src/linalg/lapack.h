/* Factorisations of dense matrices: Cholesky, QR, singular values, symmetric eigenvectors; and least squares on them.
 *
 * All matrices are row-major and contiguous, sizes may be 0, and what a comment does not call "in and out" or "out" is
 * only read. The work is LAPACK's, from a library that is looked for on first use: any of these functions may fail
 * with MN_BAD_ARGUMENT when there is none, or when a size exceeds 2^31 - 1, and with MN_NO_MEMORY for scratch, which
 * is given back before they return. NaN and infinity are found before LAPACK sees them (its iterations need not end
 * on NaN). Results do not depend on the number of threads. */
#ifndef MN_LINALG_LAPACK_H
#define MN_LINALG_LAPACK_H
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

/* Rows to fit: minimise sum_i w_i |(y_i - cy) - (x_i - cx) B|^2 over B. */
typedef struct mn_rows {
  size_t n, p, m;                    /* rows, columns of x, columns of y (0: none) */
  const double *x;                   /* n x p                                      */
  const double *y;                   /* n x m                                      */
  const double *weights;             /* n, >= 0, or NULL: all 1                    */
  const double *x_center, *y_center; /* p and m, subtracted from every row, or NULL: nothing is */
} mn_rows;

/* R and Q'y of sqrt(w) (x - cx) = Q R, without ever making Q: all that least squares needs of the rows.
 *
 *   rows  see above
 *   r     p x p, out: zeros below the diagonal, which is >= 0. When n < p the last p - n rows are 0
 *   qty   p x m, out (NULL when m = 0): Q' sqrt(w) (y - cy)
 *   rest  m, out, may be NULL: what no B can explain, the squared norm of sqrt(w) (y - cy) outside the columns of Q
 *
 * MN_BAD_DATA when something is NaN or infinite. 2 n (p + m)^2 flops, over blocks of rows in parallel (Demmel et al.,
 * SIAM J. Sci. Comput. 34 (2012), TSQR). As accurate as Householder QR of the whole: no X'X is formed.
 *
 * LAPACK dtpqrt. */
mn_status mn_tall_qr(mn_context *ctx, const mn_rows *rows, double *r, double *qty, double *rest);

/* Least squares from R and Q'y, of minimum norm where the columns determine each other.
 *
 *   p, m       columns of x and y
 *   r, qty     from mn_tall_qr (or any R with R'R = X'X, and inv(R') X'y)
 *   tolerance  columns count as dependent when their part outside the others is at most this share of their norm;
 *              <= 0: (p + 100) times the precision of double, about rounding
 *   coef       p x m, out
 *   rest       m, in and out, may be NULL: what is left of y by dropping the dependent columns is added
 *   found      out, may be NULL
 *
 * Dependence is judged on columns scaled to norm 1, so the units of the data do not matter; the norm that is minimised
 * is that of coef as it is. About 4 p^3 / 3 + 4 p^2 m flops.
 *
 * LAPACK dgeqp3, dtzrzf; Golub & Van Loan, section 5.5. */
typedef struct mn_rank {
  size_t rank;
  double rcond;   /* estimate of 1 / cond of the `rank` independent columns, scaled to norm 1, in the 1-norm */
  int32_t *pivot; /* p, made by the caller, or NULL: the columns, 0-based, independent ones first            */
} mn_rank;
mn_status mn_solve_r(mn_context *ctx, size_t p, size_t m, const double *r, const double *qty, double tolerance,
                     double *coef, double *rest, mn_rank *found);

/* mn_tall_qr and mn_solve_r in one; rest[j] is the weighted sum of squared residuals of column j of y. */
mn_status mn_least_squares(mn_context *ctx, const mn_rows *rows, double tolerance, double *coef, double *rest,
                           mn_rank *found);

#endif

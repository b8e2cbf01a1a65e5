/* Aliased columns of a rank-deficient X, found as in R: in the order of the columns, each column that is a linear
 * combination of columns before it is set aside, and the others form a model of full rank. */
#ifndef MN_LINEAR_ALIAS_H
#define MN_LINEAR_ALIAS_H
#include "../core/matrix.h"

typedef struct mn_alias {
  size_t rank;         /* number of independent columns                                                   */
  int32_t *dependent;  /* p - rank columns, ascending                                                     */
  double *combination; /* (p - rank) x p: each of them in terms of the independent columns                */
  double *inverse;     /* p x p: inverse of the Gram matrix of the independent columns, 0 in the others   */
  double *basis;       /* p x p: row j is the direction that column j adds to those before it, of norm 1; 0 if none */
} mn_alias;

/* Find the aliased columns. Results are in scratch memory.
 *
 *   column     p x p: row j is column j of a matrix A whose Gram matrix A'A is that of X, scaled to norm 1 or 0
 *   max_rank   the rank, as another factorization found it
 *   tolerance  a column is dependent if its part orthogonal to the columns before it is at most this
 *
 * The tolerance is increased until at most max_rank columns are independent. Gram-Schmidt with reorthogonalization:
 * Golub & Van Loan, Matrix Computations, 4th ed., section 5.2.8. */
mn_status mn_alias_find(mn_context *ctx, size_t p, const double *column, size_t max_rank, double tolerance,
                        mn_alias *out);

/* Euclidean norm without overflow of the squares; 1 for a zero vector. */
double mn_column_norm(size_t n, const double *x);

/* The same for columns of any norm. out->combination is that of the columns as given; out->inverse and out->basis are
 * those of the scaled ones.
 *
 *   column  p x p: row j is column j of a matrix A whose Gram matrix is that of X
 *   scale   p, out: norms of the columns, 1 for a column of zeros */
mn_status mn_alias_find_unscaled(mn_context *ctx, size_t p, const double *column, size_t max_rank, double *scale,
                                 mn_alias *out);

#endif

/* Cholesky factorization of a sparse symmetric matrix: P (A + shift I) P' = L L'.
 *
 * The order P of the rows is found by nested dissection: a level of a breadth-first search that halves a part of the
 * graph separates it, and comes after both halves. George & Liu, Computer Solution of Large Sparse Positive Definite
 * Systems (1981), chapters 5 and 8; Davis, Direct Methods for Sparse Linear Systems (2006), chapter 4. */
#ifndef MN_LINALG_SPARSE_CHOL_H
#define MN_LINALG_SPARSE_CHOL_H
#include "../core/matrix.h"

/* All in scratch. */
typedef struct mn_sparse_chol {
  size_t n;
  int32_t *order; /* n: row i of L is row order[i] of A                            */
  size_t *start;  /* n + 1: column j of L is start[j] .. start[j + 1] - 1          */
  int32_t *row;   /* its rows, ascending, the diagonal first                       */
  double *at;
} mn_sparse_chol;

/* A has the full pattern, both triangles, and is positive semidefinite. A pivot below the shift, as rounding can give
 * if A is singular, is replaced by the shift. MN_NO_MEMORY, MN_CANCELLED. */
mn_status mn_sparse_chol_init(mn_context *ctx, const mn_csr *a, double shift, mn_sparse_chol *s);

/* x = inv(A + shift I) x for `count` vectors of n numbers. */
mn_status mn_sparse_chol_solve(mn_context *ctx, const mn_sparse_chol *s, size_t count, double *x);

#endif

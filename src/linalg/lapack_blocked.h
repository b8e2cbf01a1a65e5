/* Cholesky and triangular solves cut into tiles, for orders where the other cores and our own product pay. Called by
 * lapack_chol.c; the results do not depend on the number of threads, since the tiles depend on sizes only. */
#ifndef MN_LINALG_LAPACK_BLOCKED_H
#define MN_LINALG_LAPACK_BLOCKED_H
#include "lapack_table.h"

enum {
  MN_TILE = 192,        /* rows of a diagonal block                                */
  MN_BLOCKED_FROM = 512 /* orders from here on (measured; below, LAPACK is as fast) */
};

/* The lower triangle of a (n x n) becomes L. *minor as in mn_chol_try. */
mn_status mn_blocked_chol(mn_context *ctx, const mn_lapack *lapack, size_t n, double *a, size_t *minor);

/* B := inv(L) B and B := inv(L') B; b is n x m. */
mn_status mn_blocked_lower(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b);
mn_status mn_blocked_upper(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b);

/* a holds L and then, in its lower triangle, inv(L L'). */
mn_status mn_blocked_inverse(mn_context *ctx, const mn_lapack *lapack, size_t n, double *a);

#endif

/* Tiled Cholesky and triangular solves, for orders where threads and our own product pay. Internal to lapack_chol.c.
 * Tiles depend on sizes only, so the results do not depend on the number of threads. */
#ifndef MN_LINALG_LAPACK_BLOCKED_H
#define MN_LINALG_LAPACK_BLOCKED_H
#include "lapack_table.h"

enum {
  MN_CHOL_TILE = 192,       /* rows of a diagonal block                                */
  MN_CHOL_BLOCKED_MIN = 512 /* smallest order (measured; below, LAPACK is as fast) */
};

/* Replace the lower triangle of a (n x n) by L. *minor as in mn_chol_try. */
mn_status mn_blocked_chol(mn_context *ctx, const mn_lapack *lapack, size_t n, double *a, size_t *minor);

/* B := inv(L) B and B := inv(L') B; b is n x m. */
mn_status mn_blocked_lower(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b);
mn_status mn_blocked_upper(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b);

/* The lower triangle of inv(L L'), which may take the place of L. */
mn_status mn_blocked_inverse(mn_context *ctx, const mn_lapack *lapack, size_t n, const double *l, double *inverse);

#endif

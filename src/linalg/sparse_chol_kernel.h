/* Hot loops of sparse_chol.c. No argument is checked. */
#ifndef MN_LINALG_SPARSE_CHOL_KERNEL_H
#define MN_LINALG_SPARSE_CHOL_KERNEL_H
#include <stddef.h>
#include <stdint.h>

enum { MN_SOLVE_LANES = 8 };

/* x[row[e]] -= at[e] * value for e < count; the rows differ. */
void mn_subtract_sparse(size_t count, const int32_t *row, const double *at, double value, double *x);

/* z = inv(L L') z for MN_SOLVE_LANES vectors.
 *
 *   start, row, at  the columns of L, diagonal first
 *   z               n x MN_SOLVE_LANES */
void mn_solve_sparse_factor(size_t n, const size_t *start, const int32_t *row, const double *at, double *z);

#endif

/* Cholesky factors of which only the lower triangle is stored, row after row, so that rows can be added at the end and
 * removed. Right-hand sides are contiguous, m x n, and replaced by the solutions. */
#ifndef MN_GAUSSIAN_PROCESS_GP_FACTOR_H
#define MN_GAUSSIAN_PROCESS_GP_FACTOR_H
#include "../core/context.h"
#include <stddef.h>

static inline size_t mn_packed_factor_size(size_t n)
{
  return n * (n + 1) / 2;
}

/* inv(L) b, of which the elements before `first` are given already; inv(L') b. n^2 flops and one pass over L. */
void mn_packed_lower_from(size_t n, size_t first, const double *l, size_t m, double *b);
static inline void mn_packed_lower(size_t n, const double *l, size_t m, double *b)
{
  mn_packed_lower_from(n, 0, l, m, b);
}
void mn_packed_upper(size_t n, const double *l, size_t m, double *b);

/* The same for one right-hand side by two threads, because one core does not use the whole bandwidth of memory. sums: 2
 * n values, workspace. On MN_CANCELLED, b is meaningless. */
mn_status mn_packed_lower_parallel(mn_context *ctx, size_t n, const double *l, double *b);
mn_status mn_packed_upper_parallel(mn_context *ctx, size_t n, const double *l, double *b, double *sums);

/* Steps of these for a part of L. lower_tile subtracts L x from the elements of the rows of the tile and divides by the
 * diagonal where the tile contains it. upper_corner solves for elements begin to end - 1, given all contributions of
 * later ones; upper_tile adds L' x of a tile below the diagonal to sum. */
typedef struct mn_factor_tile {
  size_t row, row_end, column, column_end;
} mn_factor_tile;
void mn_packed_lower_tile(const double *l, mn_factor_tile tile, double *x);
void mn_packed_upper_corner(const double *l, size_t begin, size_t end, double *x);
void mn_packed_upper_tile(const double *l, mn_factor_tile tile, const double *x, double *sum);

/* L of the matrix without row and column i, in place, by rotations: Golub & Van Loan, Matrix Computations, 4th ed.,
 * section 6.5.4. c, s: n values each, workspace. 3 (n - i)^2 flops. */
void mn_packed_remove(size_t n, size_t i, double *l, double *c, double *s);

#endif

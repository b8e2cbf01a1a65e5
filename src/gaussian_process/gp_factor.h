/* Cholesky factors of which only the lower triangle is stored, row after row, so that rows can be added at the end and
 * removed. Right-hand sides are contiguous, m x n, and replaced by the solutions. */
#ifndef MN_GAUSSIAN_PROCESS_GP_FACTOR_H
#define MN_GAUSSIAN_PROCESS_GP_FACTOR_H
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

/* L of the matrix without row and column i, in place, by rotations: Golub & Van Loan, Matrix Computations, 4th ed.,
 * section 6.5.4. c, s: n values each, workspace. 3 (n - i)^2 flops. */
void mn_packed_remove(size_t n, size_t i, double *l, double *c, double *s);

#endif

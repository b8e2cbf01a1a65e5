/* Hot loops of non-negative matrix factorization. The rows of all factors are padded with zeros to `ld` values, a
 * multiple of 8. No argument is checked; arrays must not overlap. */
#ifndef MN_DECOMPOSITION_NMF_KERNEL_H
#define MN_DECOMPOSITION_NMF_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* One pass of coordinate descent over each row w of `w` (rows x ld): minimize w G w' / 2 - (c - l1) w' over w >= 0.
 * Returns the sum of absolute projected gradients before each step.
 *
 *   g       k x k, rows ld apart
 *   c       rows x ld
 *   buffer  16 ld values: workspace */
double mn_nmf_descend(size_t rows, size_t k, size_t ld, const double *g, double l1, const double *c, double *w,
                      double *buffer);

/* fit[e] = w_i h_j for each value e of S, in row i and column j. */
void mn_nmf_fit_values(size_t rows, const size_t *start, const int32_t *col, size_t ld, const double *w,
                       const double *h, double *fit);

#endif

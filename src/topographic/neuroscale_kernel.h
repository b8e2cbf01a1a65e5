/* Stress of one row of an embedding, and its gradient. */
#ifndef MN_TOPOGRAPHIC_NEUROSCALE_KERNEL_H
#define MN_TOPOGRAPHIC_NEUROSCALE_KERNEL_H
#include <stddef.h>

/* sum_j w_j (delta_j - d_j)^2 for d_j = |y_i - y_j|, w_j = 1 / delta_j (sammon) or 1, without pairs of delta 0.
 *
 *   y         k x n: coordinates by dimension
 *   delta     n given distances of row i
 *   work      n
 *   gradient  k, out: of the sum by y_i */
double mn_row_stress(size_t n, size_t k, size_t i, int sammon, const double *y, const double *delta, double *work,
                     double *gradient);

#endif

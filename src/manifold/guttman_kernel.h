/* The Guttman transform of multidimensional scaling (smacof.h). No argument is checked. */
#ifndef MN_MANIFOLD_GUTTMAN_KERNEL_H
#define MN_MANIFOLD_GUTTMAN_KERNEL_H
#include <stddef.h>

/* out_c = sum_j w_j (delta_j / d_j) (z_c - points_cj), with d_j = |z - points_j|; terms with d_j = 0 are left out.
 * Returns sum_j w_j (delta_j - d_j)^2.
 *
 *   delta   n
 *   weights n; NULL: all 1
 *   points  k x n: a column for each point
 *   z, out  k */
double mn_guttman_sums(size_t n, size_t k, const double *delta, const double *weights, const double *points,
                       const double *z, double *out);

/* out_j = |z - points_j| */
void mn_distances_to_points(size_t n, size_t k, const double *points, const double *z, double *out);

#endif

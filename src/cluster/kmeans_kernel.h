/* Loops of k-means. No argument is checked; arrays must not overlap. */
#ifndef MN_CLUSTER_KMEANS_KERNEL_H
#define MN_CLUSTER_KMEANS_KERNEL_H
#include <stddef.h>

/* Squared distances of rows to candidate centers, and the inertia that each would give.
 *
 *   x         n x d; read once
 *   point     t x d
 *   closest   n: squared distance to the centers chosen so far
 *   w         n, or NULL: all 1
 *   distance  n x t, out: the smaller of closest_i and |x_i - point_c|^2
 *   inertia   t, in and out: sum_i w_i distance_ic is added */
void mn_kmeans_trial(size_t n, size_t d, size_t t, const double *restrict x, const double *restrict point,
                     const double *restrict closest, const double *restrict w, double *restrict distance,
                     double *restrict inertia);

#endif

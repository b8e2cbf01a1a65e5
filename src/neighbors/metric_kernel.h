/* Distances from one row to many. No argument is checked; arrays must not overlap. */
#ifndef MN_NEIGHBORS_METRIC_KERNEL_H
#define MN_NEIGHBORS_METRIC_KERNEL_H
#include <stddef.h>

/* out_i = max_j |x_ij - q_j| for x (n x d). */
void mn_chebyshev_distances(size_t n, size_t d, const double *restrict x, const double *restrict q,
                            double *restrict out);
/* out_i = sum_j |x_ij - q_j|^p, without the root. */
void mn_minkowski_distances(size_t n, size_t d, double p, const double *restrict x, const double *restrict q,
                            double *restrict out);

#endif

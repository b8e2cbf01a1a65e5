/* The sums of powers of distance_block.h. No argument is checked; arrays must not overlap. */
#ifndef MN_SEARCH_DISTANCE_POWERS_KERNEL_H
#define MN_SEARCH_DISTANCE_POWERS_KERNEL_H
#include <stddef.h>

/* out[i] = sum_j |points[j * capacity + i] - q_j|^p for i < count. */
void mn_block_powers(double p, size_t count, size_t capacity, size_t d, const double *restrict points,
                     const double *restrict q, double *restrict out);

#endif

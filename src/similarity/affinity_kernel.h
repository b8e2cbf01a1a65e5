/* Loops of affinity propagation over one row of n similarities. No argument is checked; arrays must not overlap. */
#ifndef MN_SIMILARITY_AFFINITY_KERNEL_H
#define MN_SIMILARITY_AFFINITY_KERNEL_H
#include <stddef.h>

/* r = damping r + (1 - damping) (s - best). */
void mn_damp_responsibilities(size_t n, double damping, double best, const double *restrict s, double *restrict r);

/* sum += max(r, 0). */
void mn_add_positive(size_t n, const double *restrict r, double *restrict sum);

/* a = damping a + (1 - damping) min(0, sum - max(r, 0)). */
void mn_damp_availabilities(size_t n, double damping, const double *restrict sum, const double *restrict r,
                            double *restrict a);

#endif

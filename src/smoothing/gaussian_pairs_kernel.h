/* Hot loop of the sums over all pairs of rows. */
#ifndef MN_SMOOTHING_GAUSSIAN_PAIRS_KERNEL_H
#define MN_SMOOTHING_GAUSSIAN_PAIRS_KERNEL_H
#include <stddef.h>

/* cosine[k * n + i] and sine[k * n + i], k < size: of k times the angle of row i, times first[i]. c, z: n, cosines and
 * sines of the angles. By recurrence, so with a relative error of about k rounding errors. */
void mn_multiple_angles(size_t n, size_t size, const double *restrict c, const double *restrict z,
                        const double *restrict first, double *restrict cosine, double *restrict sine);

#endif

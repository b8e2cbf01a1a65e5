/* The loop over rows and centers of k-modes and k-prototypes. */
#ifndef MN_CLUSTER_PROTOTYPES_KERNEL_H
#define MN_CLUSTER_PROTOTYPES_KERNEL_H
#include <stddef.h>

/* out[i * ld + c] = sum of squared differences over the first `numeric` columns, plus gamma for each other column in
 * which row i and center c differ.
 *
 *   x       n x p
 *   across  p x ld: the centers as columns; ld is a multiple of 8 */
void mn_prototype_distances(size_t n, size_t numeric, size_t p, size_t ld, const double *restrict x,
                            const double *restrict across, double gamma, double *restrict out);

#endif

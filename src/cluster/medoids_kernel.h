/* Loops over the distances of one candidate medoid to all rows. No argument is checked. */
#ifndef MN_CLUSTER_MEDOIDS_KERNEL_H
#define MN_CLUSTER_MEDOIDS_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* sum_o w_o d_o; and sum_o w_o max(near_o - d_o, 0), by how much a medoid at these distances lowers the loss. */
double mn_medoid_sum(size_t n, const double *d, const double *w);
double mn_medoid_gain(size_t n, const double *d, const double *near, const double *w);

/* How the loss changes if the candidate replaces a medoid: the change is removal_i + loss_i + shared for medoid i.
 *
 *   near, second  distances of each row to its two nearest medoids
 *   nearest       index of the nearest one
 *   loss          k, in and out
 * Returns the shared part: rows nearer to the candidate than to all medoids. */
double mn_medoid_swap(size_t n, const double *d, const double *near, const double *second, const double *w,
                      const int32_t *nearest, double *loss);

#endif

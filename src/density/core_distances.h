/* Core distances: the radius within which the weights of rows, the row itself included, sum to a number of samples. */
#ifndef MN_DENSITY_CORE_DISTANCES_H
#define MN_DENSITY_CORE_DISTANCES_H
#include "../search/neighbor_index.h"
#include "../spanning_tree/spanning_tree.h"

/* The core distances of all rows; the neighbors found may serve mn_spanning_tree (scratch; k is 0 if none were needed).
 * `weights` may be NULL: all 1. The sum of all weights must be at least `samples`. */
mn_status mn_core_distances(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                            const double *weights, double samples, double *core, mn_known_neighbors *known);

#endif

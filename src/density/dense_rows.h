/* Core rows, which have enough rows within a radius, and the components of core rows within that radius of each other:
 * Ester, Kriegel, Sander & Xu, KDD 1996. */
#ifndef MN_DENSITY_DENSE_ROWS_H
#define MN_DENSITY_DENSE_ROWS_H
#include "../search/neighbor_index.h"

/* core[i] = whether the weights (NULL: all 1) of the rows within `radius` of row i, itself included, sum to at least
 * `least`.
 *
 *   core       n, out
 *   component  n, out: numbered from 0 in the order of their first rows; -1 for other rows
 *   count      out: components */
mn_status mn_find_dense(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, double radius,
                        const double *weights, double least, bool *core, int32_t *component, size_t *count);

#endif

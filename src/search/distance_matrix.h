/* Matrices of distances, computed in threads. Any metric. */
#ifndef MN_SEARCH_DISTANCE_MATRIX_H
#define MN_SEARCH_DISTANCE_MATRIX_H
#include "row_distances.h"

/* out (n x n) = distances between all rows; `points` as in mn_row_distances_init. */
mn_status mn_distances_within(mn_context *ctx, const char *who, mn_metric metric, const mn_points *points, double *out);

/* out (n x count) = distances from n rows x to `count` other rows, both dense with space->d columns. */
mn_status mn_distances_between(mn_context *ctx, const mn_space *space, size_t n, const double *x, size_t count,
                               const double *others, double *out);

#endif

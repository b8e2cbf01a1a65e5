/* The nearest rows of each row, by an index or by precomputed distances. Errors begin with `who`. */
#ifndef MN_MANIFOLD_NEIGHBOR_TABLE_H
#define MN_MANIFOLD_NEIGHBOR_TABLE_H
#include "../model/data.h"
#include "../search/neighbor_index.h"

/* k neighbors of each of n rows, nearest first. */
typedef struct mn_neighbor_table {
  size_t n, k;
  int32_t *found;   /* n x k */
  double *distance; /* n x k */
} mn_neighbor_table;

/* A table in scratch, not set. */
mn_status mn_neighbor_table_new(mn_context *ctx, size_t n, size_t k, mn_neighbor_table *t);

/* MN_BAD_DATA if a distance (n x k) is so large that products of distances overflow. */
mn_status mn_check_neighbor_distances(mn_context *ctx, const char *who, size_t n, size_t k, const double *distance);

/* The rows of an index: each row itself comes first. k >= 2. */
mn_status mn_neighbor_table_own(mn_context *ctx, const char *who, const mn_neighbor_index *index, const mn_points *rows,
                                mn_neighbor_table *t);

/* The same with the exact index of a metric, which is not kept. */
mn_status mn_neighbor_table_exact(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows,
                                  mn_neighbor_table *t);

/* By precomputed distances: a dense X, or a sparse one, of which only the stored values are distances. Ties are broken
 * by the lowest index. `own`: each row is a column of X, too, and comes first at the distance 0; a dense X must then be
 * symmetric with 0 on the diagonal. count_of: the parameter to decrease if there are too few distances. */
mn_status mn_neighbor_table_given(mn_context *ctx, const char *who, const char *count_of, const mn_data *data, bool own,
                                  mn_neighbor_table *t);

#endif

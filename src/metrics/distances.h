/* Distances between the rows of one matrix, one tile at a time, without an n x n matrix.
 *
 * For long rows |x|^2 + |y|^2 - 2 x y is computed by matrix products; if that cancels too many digits, the distance is
 * recomputed from differences, so relative errors stay below 1e-12. Short rows use differences only. */
#ifndef MN_METRICS_DISTANCES_H
#define MN_METRICS_DISTANCES_H
#include "../core/context.h"

typedef enum mn_distance { MN_EUCLIDEAN, MN_MANHATTAN, MN_COSINE, MN_PRECOMPUTED } mn_distance;

typedef struct mn_distance_points {
  mn_distance distance;
  size_t n, d;
  const double *x;      /* n x d; of MN_PRECOMPUTED n x n distances                            */
  const double *across; /* d x n: x transposed, for short rows; or NULL                        */
  const double *norm;   /* n squared norms, for long rows; or NULL                             */
  const size_t *order;  /* row i of the points is row order[i] of the data; NULL: row i        */
} mn_distance_points;

/* Prepare the rows in scratch: in the order of `order` (may be NULL), centered, or for cosine normalized; a zero row
 * has cosine distance 1 to all rows. x must be finite. */
mn_status mn_distance_points_init(mn_context *ctx, mn_distance_points *p, mn_distance distance, size_t n, size_t d,
                                  const double *x, const size_t *order);

/* out (rows x cols) = distances of rows i .. i + rows - 1 to rows j .. j + cols - 1. May be called from tasks.
 *   work  mn_tile_space bytes, 64-byte aligned, one for each worker */
size_t mn_tile_space(const mn_distance_points *p, size_t rows, size_t cols);
void mn_distance_tile(const mn_distance_points *p, size_t i, size_t rows, size_t j, size_t cols, double *out,
                      void *work);

#endif

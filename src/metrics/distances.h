/* Distances between the rows of one matrix, a tile at a time: no n x n matrix is ever made.
 *
 * Long rows go through products of blocks, and where |x|^2 + |y|^2 - 2 x y has lost digits the distance is computed
 * anew from the differences: relative errors stay below 1e-12. Short rows are subtracted at once. */
#ifndef MN_METRICS_DISTANCES_H
#define MN_METRICS_DISTANCES_H
#include "../core/context.h"

typedef enum mn_distance { MN_EUCLIDEAN, MN_MANHATTAN, MN_COSINE, MN_PRECOMPUTED } mn_distance;

typedef struct mn_points {
  mn_distance distance;
  size_t n, d;
  const double *x;      /* n x d; of MN_PRECOMPUTED n x n distances                            */
  const double *across; /* d x n: x transposed, for short rows; else NULL                      */
  const double *norm;   /* n squared lengths, for long rows; else NULL                         */
  const size_t *order;  /* row i of the points is row order[i] of the data; NULL: as they come */
} mn_points;

/* Ready rows for tiles, in scratch: taken in the order of `order` (may be NULL), about their mean, or (cosine) of
 * length 1; a row of zeros has cosine distance 1 to all. x must be finite. */
mn_status mn_points_init(mn_context *ctx, mn_points *p, mn_distance distance, size_t n, size_t d, const double *x,
                         const size_t *order);

/* Distances of rows i .. i + rows - 1 to rows j .. j + cols - 1 into out, rows x cols. For tasks.
 *   work  mn_tile_space bytes, 64-byte aligned; one for each worker */
size_t mn_tile_space(const mn_points *p, size_t rows, size_t cols);
void mn_tile(const mn_points *p, size_t i, size_t rows, size_t j, size_t cols, double *out, void *work);

#endif

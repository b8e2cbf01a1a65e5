/* Distances from one row to all others, for methods that look at every pair of rows. Any metric; nothing is indexed. */
#ifndef MN_SEARCH_ROW_DISTANCES_H
#define MN_SEARCH_ROW_DISTANCES_H
#include "metric.h"

/* Scratch memory; `rows` is borrowed. */
typedef struct mn_row_distances {
  mn_space space;
  mn_points rows;         /* with sparse rows and cosine: unit vectors                              */
  mn_csr unit;            /* what they point to                                                     */
  const double *embedded; /* n x space.width; NULL if sparse or precomputed                         */
  double *columns;        /* the embedded rows in chunks, by column; NULL if pairs are measured one by one */
} mn_row_distances;

/* Prepare a metric for n >= 1 rows; for the metric precomputed they are a matrix of distances, see
 * mn_check_distances. Errors begin with `who`. */
mn_status mn_row_distances_init(mn_context *ctx, const char *who, mn_row_distances *w, mn_metric metric,
                                const mn_points *rows);

/* out[j - begin] = distance of row i from row j, for begin <= j < end. May run in tasks. */
void mn_measure_row(const mn_row_distances *w, size_t i, size_t begin, size_t end, double *out);

/* Fails unless a square matrix has distances: finite numbers >= 0, symmetric up to rounding, 0 on the diagonal. */
mn_status mn_check_distances(mn_context *ctx, const char *who, size_t n, const double *distance);
mn_status mn_check_distances_of(mn_context *ctx, const char *who, const char *argument, size_t n,
                                const double *distance); /* an argument that is not X */

#endif

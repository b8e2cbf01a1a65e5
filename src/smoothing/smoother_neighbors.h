/* The nearest rows of many points, for smoothers that weigh a number of neighbors. */
#ifndef MN_SMOOTHING_SMOOTHER_NEIGHBORS_H
#define MN_SMOOTHING_SMOOTHER_NEIGHBORS_H
#include "../search/neighbor_index.h"
#include "smoother.h"

/* In scratch. One column is sorted, and the neighbors are a window of it; several have a neighbor index. */
typedef struct mn_smoother_neighbors {
  const mn_smoother_plan *plan;
  size_t strip;   /* most points of one search                       */
  size_t *order;  /* one column: n rows in ascending order           */
  double *sorted; /* one column: n values of z                       */
  mn_points rows; /* several columns                                 */
  mn_neighbor_index index;
  double *queries; /* strip x d                                       */
  int32_t *found;  /* strip x neighbors, out                          */
} mn_smoother_neighbors;

/* Whether searching for the neighbors of so many points is faster than computing all distances. */
bool mn_smoother_neighbors_suit(const mn_smoother_plan *plan, size_t points);

mn_status mn_smoother_neighbors_init(mn_context *ctx, const mn_smoother_plan *plan, mn_smoother_neighbors *out);

/* The number of points to search for next. */
size_t mn_smoother_neighbors_strip(const mn_smoother_neighbors *s, size_t remaining);

/* s->found of rows begin .. begin + count - 1 of `points`. */
mn_status mn_smoother_neighbors_find(mn_context *ctx, mn_smoother_neighbors *s, const mn_matrix *points, size_t begin,
                                     size_t count);

#endif

/* What the estimators share whose neighbors are all training rows within a radius. */
#ifndef MN_NEIGHBORS_RADIUS_NEIGHBORS_H
#define MN_NEIGHBORS_RADIUS_NEIGHBORS_H
#include "neighbors.h"

/* What a row without neighbors gets. */
enum { MN_EMPTY_NEAREST, MN_EMPTY_AVERAGE };
extern const char *const mn_empty_names[];

/* The struct of such an estimator begins with this. */
typedef struct mn_radius_neighbors {
  mn_neighbors neighbors;
  int64_t empty;
} mn_radius_neighbors;

#define MN_RADIUS_PARAMS(average_text)                                                                                 \
  MN_REAL(mn_neighbors, radius, 1, MN_AT_LEAST(0), "largest distance of a neighbor, in the units of the metric"),      \
      MN_NEIGHBORS_VOTE_PARAMS("bandwidth of kernel weights; nil: radius"),                                            \
      MN_CHOICE(mn_radius_neighbors, empty, MN_EMPTY_NEAREST, mn_empty_names,                                          \
                "prediction for a row without neighbors. nearest: the result of the nearest training row; "            \
                "average: " average_text),                                                                             \
      MN_NEIGHBORS_METRIC_PARAMS, MN_NEIGHBORS_EXACT_PARAMS

/* One row of the output from the neighbors of a row of X, in order of index, with their vote weights in place of
 * distances. Without neighbors `votes` has the nearest training row, or none. */
typedef void (*mn_radius_count)(const void *self, size_t n, const mn_candidate *votes, size_t cols, double *out);

/* Call `count` for each row of X. Blocks of rows, so that not all neighbors of all rows are in memory. */
mn_status mn_radius_vote(mn_context *ctx, const mn_radius_neighbors *m, const mn_data *data, mn_radius_count count,
                         mn_matrix *out);

/* The same for one row as an exported program. `vote`: code for neighbor i with weight share; `empty`: code for rows
 * without neighbors, which may use `nearest`. */
mn_status mn_radius_program(mn_context *ctx, const mn_radius_neighbors *m, const char *vote, const char *empty,
                            mn_program *program);

#endif

/* What the neighbour estimators share: the rows that are kept, the metric, and the search for the nearest of them. */
#ifndef MN_NEIGHBORS_SEARCH_H
#define MN_NEIGHBORS_SEARCH_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"

enum { MN_METRIC_EUCLIDEAN, MN_METRIC_MANHATTAN, MN_METRIC_CHEBYSHEV, MN_METRIC_MINKOWSKI, MN_METRIC_COSINE };
extern const char *const mn_metric_names[];

enum { MN_UNIFORM, MN_BY_DISTANCE };
extern const char *const mn_vote_names[];

/* A neighbour estimator begins with this. */
typedef struct mn_neighbors {
  mn_estimator base;
  int64_t n_neighbors, weights, metric;
  double p;
  mn_matrix x; /* rows x features: the rows of fit */
} mn_neighbors;

/* The parameters and the field of a struct that begins with mn_neighbors. */
#define MN_NEIGHBORS_PARAMS                                                                                            \
  MN_COUNT(mn_neighbors, n_neighbors, 5, MN_CLOSED(1, INT32_MAX), "how many neighbours decide"),                       \
      MN_CHOICE(mn_neighbors, weights, MN_UNIFORM, mn_vote_names,                                                      \
                "uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others"),           \
      MN_CHOICE(mn_neighbors, metric, MN_METRIC_EUCLIDEAN, mn_metric_names, "distance between rows"),                  \
      MN_REAL(mn_neighbors, p, 2, MN_AT_LEAST(1), "exponent of the Minkowski metric")
#define MN_NEIGHBORS_FIELDS MN_LEARNED(MN_KIND_MATRIX, mn_neighbors, x, "rows x features", NULL)

/* Keep the rows; refuses n_neighbors above their number, and rows of zeros for the cosine. */
mn_status mn_neighbors_keep(mn_context *ctx, mn_neighbors *m, const mn_data *data);

/* The k nearest kept rows of each row of data->x, nearest first, the lowest index among equals.
 *
 *   index     rows x k, out: 0-based
 *   distance  rows x k, out */
mn_status mn_neighbors_search(mn_context *ctx, const mn_neighbors *m, const mn_data *data, size_t k, int32_t *index,
                              double *distance);

/* What mn_neighbors_search and mn_neighbors_votes do with one row, for program.h: leaves near[i] and vote[i], i < k. */
void mn_neighbors_program(const mn_neighbors *m, mn_program *program);

/* Distances (k) of one row to the weights of its neighbours' votes, in place. */
void mn_neighbors_votes(const mn_neighbors *m, size_t k, double *distance);

/* model:kneighbors(X, { n_neighbors = }) */
extern const mn_operation mn_neighbors_operations[];

#endif

/* What the nearest-neighbor estimators share: the stored training rows, the metric, and the search. */
#ifndef MN_NEIGHBORS_NEIGHBOR_SEARCH_H
#define MN_NEIGHBORS_NEIGHBOR_SEARCH_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"

enum { MN_METRIC_EUCLIDEAN, MN_METRIC_MANHATTAN, MN_METRIC_CHEBYSHEV, MN_METRIC_MINKOWSKI, MN_METRIC_COSINE };
extern const char *const mn_metric_names[];

enum { MN_UNIFORM, MN_BY_DISTANCE };
extern const char *const mn_vote_names[];

/* The struct of a nearest-neighbor estimator begins with this. */
typedef struct mn_neighbors {
  mn_estimator base;
  int64_t n_neighbors, weights, metric;
  double p;
  mn_matrix x; /* rows x features: the training rows */
} mn_neighbors;

/* The parameters and the field of a struct that begins with mn_neighbors. */
#define MN_NEIGHBORS_PARAMS                                                                                            \
  MN_COUNT(mn_neighbors, n_neighbors, 5, MN_CLOSED(1, INT32_MAX), "number of neighbors"),                              \
      MN_CHOICE(mn_neighbors, weights, MN_UNIFORM, mn_vote_names,                                                      \
                "vote weights. uniform: 1; distance: 1 / distance, and rows at distance 0 outvote all others"),        \
      MN_CHOICE(mn_neighbors, metric, MN_METRIC_EUCLIDEAN, mn_metric_names, "distance between rows"),                  \
      MN_REAL(mn_neighbors, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski")
#define MN_NEIGHBORS_FIELDS MN_LEARNED(MN_KIND_MATRIX, mn_neighbors, x, "rows x features", NULL)

/* Store the training rows. Fails if n_neighbors exceeds their number. */
mn_status mn_neighbors_store(mn_context *ctx, mn_neighbors *m, const mn_data *data);

/* The k nearest training rows of each row of data->x, nearest first; ties are broken by the lowest index.
 *
 *   index     rows x k, out: 0-based
 *   distance  rows x k, out */
mn_status mn_neighbors_search(mn_context *ctx, const mn_neighbors *m, const mn_data *data, size_t k, int32_t *index,
                              double *distance);

/* mn_neighbors_search and mn_neighbors_votes for one row as an exported program, which sets near[i] and vote[i], i < k.
 */
void mn_neighbors_program(const mn_neighbors *m, mn_program *program);

/* Convert the k distances of one row to the weights of its neighbors' votes, in place. */
void mn_neighbors_votes(const mn_neighbors *m, size_t k, double *distance);

/* The operation kneighbors. */
extern const mn_operation mn_neighbors_operations[];

#endif

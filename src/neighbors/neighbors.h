/* What the nearest-neighbor estimators share: the stored training rows, their index, the parameters and the searches.
 */
#ifndef MN_NEIGHBORS_NEIGHBORS_H
#define MN_NEIGHBORS_NEIGHBORS_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"
#include "../search/neighbor_index.h"

enum {
  MN_VOTE_UNIFORM,
  MN_VOTE_DISTANCE,
  MN_VOTE_TRIANGULAR,
  MN_VOTE_EPANECHNIKOV,
  MN_VOTE_BIWEIGHT,
  MN_VOTE_TRICUBE,
  MN_VOTE_GAUSSIAN
};
extern const char *const mn_vote_names[];

/* The struct of a nearest-neighbor estimator begins with this. */
typedef struct mn_neighbors {
  mn_estimator base;
  int64_t n_neighbors, weights, metric, algorithm, leaf_size;
  double p, radius, bandwidth, recall;
  mn_matrix covariance;
  mn_matrix x;     /* rows x features: the training rows */
  mn_csr sparse_x; /* the same if X was sparse           */
  mn_neighbor_index index;
} mn_neighbors;

/* The parameters and fields of a struct that begins with mn_neighbors. */
#define MN_NEIGHBORS_METRIC_PARAMS                                                                                     \
  MN_CHOICE(mn_neighbors, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,                                                \
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X has the " \
            "distances to the training rows, see pairwise_distances"),                                                 \
      MN_REAL(mn_neighbors, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),                                 \
      MN_TABLE(mn_neighbors, covariance, MN_NO_LIMITS(),                                                               \
               "covariance of the metric mahalanobis; nil: that of the training rows")
#define MN_NEIGHBORS_SEARCH_PARAMS                                                                                     \
  MN_CHOICE(mn_neighbors, algorithm, MN_INDEX_AUTO, mn_index_algorithm_names,                                          \
            "algorithm. hnsw is approximate; the others are exact and agree. auto: an exact one, chosen by rows, "     \
            "columns and metric"),                                                                                     \
      MN_NEIGHBORS_RECALL_PARAM, MN_NEIGHBORS_LEAF_PARAM
#define MN_NEIGHBORS_GRAPH_PARAMS                                                                                      \
  MN_CHOICE(mn_neighbors, algorithm, MN_INDEX_AUTO, mn_graph_algorithm_names,                                          \
            "algorithm. hnsw is approximate, and so is neighbor_descent for the neighbors of training rows (of other " \
            "rows they are exact); the others are exact and agree. auto: an exact one, chosen by rows, columns and "   \
            "metric"),                                                                                                 \
      MN_NEIGHBORS_RECALL_PARAM, MN_NEIGHBORS_LEAF_PARAM
#define MN_NEIGHBORS_RECALL_PARAM                                                                                      \
  MN_REAL(mn_neighbors, recall, 0.95, MN_LEFT_OPEN(0, 1), "fraction of the neighbors that hnsw is tuned to find")
#define MN_NEIGHBORS_EXACT_PARAMS                                                                                      \
  MN_CHOICE(mn_neighbors, algorithm, MN_INDEX_AUTO, mn_exact_algorithm_names,                                          \
            "algorithm; all give the same result. auto: chosen by rows, columns and metric"),                          \
      MN_NEIGHBORS_LEAF_PARAM
#define MN_NEIGHBORS_LEAF_PARAM                                                                                        \
  MN_COUNT(mn_neighbors, leaf_size, 30, MN_CLOSED(1, INT32_MAX), "maximum number of rows in a leaf of a tree")
#define MN_NEIGHBORS_COUNT_PARAM MN_COUNT(mn_neighbors, n_neighbors, 5, MN_CLOSED(1, INT32_MAX), "number of neighbors")
#define MN_NEIGHBORS_VOTE_PARAMS(bandwidth_text)                                                                       \
  MN_CHOICE(mn_neighbors, weights, MN_VOTE_UNIFORM, mn_vote_names,                                                     \
            "vote weights. uniform: 1; distance: 1 / distance, and rows at distance 0 outvote all others; else a "     \
            "kernel of distance / bandwidth"),                                                                         \
      MN_REAL(mn_neighbors, bandwidth, MN_UNSET_REAL, MN_GREATER_THAN(0), bandwidth_text)
#define MN_NEIGHBORS_FIELDS                                                                                            \
  MN_LEARNED(MN_KIND_MATRIX, mn_neighbors, x, "rows? x features?", NULL),                                              \
      MN_LEARNED(MN_KIND_CSR, mn_neighbors, sparse_x, "rows? x features?", NULL),                                      \
      MN_NEIGHBOR_INDEX_FIELDS(mn_neighbors, index)
/* For estimators that may use hnsw. */
#define MN_NEIGHBORS_GRAPH_FIELDS MN_NEIGHBOR_GRAPH_FIELDS(mn_neighbors, index)

/* Copy the training rows; build the index; both. */
mn_status mn_neighbors_keep_rows(mn_context *ctx, mn_neighbors *m, const mn_data *data);
mn_status mn_neighbors_build(mn_context *ctx, mn_neighbors *m);
mn_status mn_neighbors_store(mn_context *ctx, mn_neighbors *m, const mn_data *data);

/* For .check and .derive: whether the archive has the training rows; build the index if possible. */
mn_status mn_neighbors_check(mn_context *ctx, const mn_neighbors *m);
mn_status mn_neighbors_derive(mn_context *ctx, void *self);

/* The number of training rows, and the rows themselves. */
size_t mn_neighbors_rows(const mn_neighbors *m);
mn_points mn_neighbors_points(const mn_neighbors *m);

/* X as queries. */
mn_points mn_data_points(const mn_data *data);

/* Fails if x are precomputed distances and one is negative. */
mn_status mn_neighbors_check_distances(mn_context *ctx, const mn_neighbors *m, const mn_points *x);

/* Fails if k exceeds the number of rows to choose from. */
mn_status mn_neighbors_check_count(mn_context *ctx, const mn_neighbors *m, size_t rows, int64_t k);

/* The k nearest training rows of each row of data->x, nearest first; ties are broken by the lowest index.
 *
 *   found     rows x k, out: 0-based
 *   distance  rows x k, out */
mn_status mn_neighbors_search(mn_context *ctx, const mn_neighbors *m, const mn_data *data, size_t k, int32_t *found,
                              double *distance);

/* mn_neighbors_search for the votes: distances become the weights of the neighbors, of which not all are 0.
 *
 *   found   rows x k, out; *vote  rows x k, out (scratch) */
mn_status mn_neighbors_votes(mn_context *ctx, const mn_neighbors *m, const mn_data *data, size_t k, int32_t **found,
                             double **vote);

/* Convert the distances of the neighbors of one row to vote weights, in place. Kernels without a bandwidth of their own
 * use `bandwidth`. If all weights would be 0, all are 1. */
void mn_neighbors_vote_weights(const mn_neighbors *m, size_t n, double bandwidth, double *distance);

/* mn_neighbors_votes for one row as an exported program, which sets near[i] and vote[i], i < k. */
mn_status mn_neighbors_program(mn_context *ctx, const mn_neighbors *m, mn_program *program);

/* The operations kneighbors and kneighbors_graph; radius_neighbors and radius_neighbors_graph; all four. */
extern const mn_operation mn_nearest_operations[], mn_radius_operations[], mn_neighbors_operations[];

#endif

#include "../search/distance_matrix.h"
#include "neighbors.h"

enum { CONNECTIVITY, DISTANCE };
static const char *const mode_names[] = { "connectivity", "distance", NULL };

struct options {
  int64_t n_neighbors, mode;
  double radius;
};

#define N_NEIGHBORS                                                                                                    \
  MN_COUNT(struct options, n_neighbors, MN_UNSET, MN_CLOSED(1, INT32_MAX),                                             \
           "number of neighbors; nil: the parameter of the model")
#define RADIUS                                                                                                         \
  MN_REAL(struct options, radius, MN_UNSET_REAL, MN_AT_LEAST(0),                                                       \
          "largest distance of a neighbor; nil: the parameter of the model")
#define MODE                                                                                                           \
  MN_CHOICE(struct options, mode, CONNECTIVITY, mode_names, "values of the graph: 1 for each neighbor, or its distance")

static const mn_param nearest_options[] = { N_NEIGHBORS, MN_END };
static const mn_param nearest_graph_options[] = { N_NEIGHBORS, MODE, MN_END };
static const mn_param radius_options[] = { RADIUS, MN_END };
static const mn_param radius_graph_options[] = { RADIUS, MODE, MN_END };

/* What to search for. Without X the training rows are the queries, and not their own neighbors. */
struct request {
  const mn_neighbor_index *index;
  mn_points rows, given;
  const mn_points *queries; /* NULL: the training rows */
  size_t n;                 /* queries */
};

static mn_status read_request(mn_context *ctx, const mn_neighbors *m, const mn_data *data, struct request *r)
{
  r->rows = mn_neighbors_points(m);
  r->given = mn_data_points(data);
  r->queries = data->rows > 0 ? &r->given : NULL;
  r->n = r->queries ? data->rows : r->rows.n;
  r->index = &m->index;
  return mn_neighbors_check_distances(ctx, m, r->queries ? r->queries : &r->rows);
}

static mn_status count_wanted(mn_context *ctx, const mn_neighbors *m, const struct options *o, const struct request *r,
                              size_t *k)
{
  const int64_t wanted = o->n_neighbors == MN_UNSET ? m->n_neighbors : o->n_neighbors;
  const size_t others = r->rows.n - 1;
  *k = (size_t)wanted;
  if (r->queries || *k <= others) return mn_neighbors_check_count(ctx, m, r->rows.n, wanted);
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: n_neighbors must be at most the number of other training rows, %zu, got %lld",
                 m->base.class->name, others, (long long)wanted);
}

static double radius_wanted(const mn_neighbors *m, const struct options *o)
{
  return isnan(o->radius) ? m->radius : o->radius;
}

static mn_status kneighbors(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  const mn_neighbors *m = self;
  struct request r;
  size_t k;
  mn_matrix *distances, *indexes;
  MN_TRY(read_request(ctx, m, data, &r));
  MN_TRY(count_wanted(ctx, m, options, &r, &k));
  int32_t *found = MN_RAW(ctx, int32_t, r.n, k);
  MN_CHECK_ALLOC(found);
  MN_TRY(mn_result_matrix(ctx, results, "distances", r.n, k, &distances));
  MN_TRY(mn_result_matrix(ctx, results, "indexes", r.n, k, &indexes));
  MN_TRY(mn_neighbor_nearest(ctx, r.index, &r.rows, r.queries, k, found, distances->at));
  for (size_t i = 0; i < r.n * k; i++) indexes->at[i] = found[i] + 1;
  return MN_OK;
}

static mn_status kneighbors_graph(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const struct options *o = options;
  struct request r;
  size_t k;
  mn_neighbor_lists lists;
  mn_csr *graph;
  MN_TRY(read_request(ctx, self, data, &r));
  MN_TRY(count_wanted(ctx, self, o, &r, &k));
  MN_TRY(mn_neighbor_nearest_lists(ctx, r.index, &r.rows, r.queries, k, &lists));
  MN_TRY(mn_result_csr(ctx, results, "graph", &graph));
  return mn_neighbor_lists_graph(ctx, &lists, r.rows.n, o->mode == DISTANCE, graph);
}

static mn_status radius_neighbors(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  struct request r;
  mn_neighbor_lists lists;
  mn_vector *distances, *counts;
  mn_indexes *indexes;
  MN_TRY(read_request(ctx, self, data, &r));
  MN_TRY(mn_neighbor_within(ctx, r.index, &r.rows, r.queries, radius_wanted(self, options), true, &lists));
  MN_TRY(mn_result_vector(ctx, results, "distances", lists.start[r.n], &distances));
  MN_TRY(mn_result_indexes(ctx, results, "indexes", lists.start[r.n], &indexes));
  MN_TRY(mn_result_vector(ctx, results, "counts", r.n, &counts));
  for (size_t i = 0; i < lists.start[r.n]; i++) {
    distances->at[i] = lists.at[i].value;
    indexes->at[i] = lists.at[i].index;
  }
  for (size_t i = 0; i < r.n; i++) counts->at[i] = (double)(lists.start[i + 1] - lists.start[i]);
  return MN_OK;
}

static mn_status radius_neighbors_graph(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                        mn_results *results)
{
  const struct options *o = options;
  struct request r;
  mn_neighbor_lists lists;
  mn_csr *graph;
  MN_TRY(read_request(ctx, self, data, &r));
  MN_TRY(mn_neighbor_within(ctx, r.index, &r.rows, r.queries, radius_wanted(self, o), false, &lists));
  MN_TRY(mn_result_csr(ctx, results, "graph", &graph));
  return mn_neighbor_lists_graph(ctx, &lists, r.rows.n, o->mode == DISTANCE, graph);
}

static mn_status distances(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  (void)options;
  const mn_neighbors *m = self;
  struct request r;
  const mn_space *space = &m->index.space;
  const mn_metric metric = { .kind = space->kind, .p = space->p, .covariance = &space->covariance };
  mn_matrix *out;
  MN_TRY(read_request(ctx, m, data, &r));
  if (r.queries && (r.queries->sparse || r.rows.sparse || space->kind == MN_METRIC_PRECOMPUTED))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: X must be nil for %s; use kneighbors_graph", m->base.class->name,
                   space->kind == MN_METRIC_PRECOMPUTED ? "the metric precomputed" : "Sparse rows");
  MN_TRY(mn_result_matrix(ctx, results, "distances", r.n, r.rows.n, &out));
  if (!r.queries) return mn_distances_within(ctx, m->base.class->name, metric, &r.rows, out->at);
  return mn_distances_between(ctx, space, r.n, r.queries->x, r.rows.n, r.rows.x, out->at);
}

#define OPERATION(operation, operation_options, text, result)                                                          \
  {                                                                                                                    \
    .name = #operation, .brief = text, .returns = result, .needs = MN_NEEDS_X | MN_X_OR_NIL,                           \
    .options = operation_options, .options_size = sizeof(struct options), .run = operation                             \
  }

#define NEAREST                                                                                                        \
  OPERATION(kneighbors, nearest_options,                                                                               \
            "the nearest training rows of each row of X, nearest first; X nil: of each training row, without itself",  \
            "distances (rows x n_neighbors), indexes (rows x n_neighbors, 1-based)"),                                  \
      OPERATION(kneighbors_graph, nearest_graph_options,                                                               \
                "the nearest training rows as a sparse matrix; X nil: of each training row, without itself",           \
                "Sparse (rows x training rows)")
#define WITHIN_RADIUS                                                                                                  \
  OPERATION(radius_neighbors, radius_options,                                                                          \
            "the training rows within radius, nearest first; X nil: of each training row, without itself",             \
            "distances, indexes (1-based): lists one after the other; counts (rows): their lengths"),                  \
      OPERATION(radius_neighbors_graph, radius_graph_options,                                                          \
                "the training rows within radius as a sparse matrix; X nil: of each training row, without itself",     \
                "Sparse (rows x training rows)")

const mn_operation mn_nearest_operations[] = { NEAREST, { .name = NULL } };
const mn_operation mn_radius_operations[] = { WITHIN_RADIUS, { .name = NULL } };
const mn_operation mn_neighbors_operations[] = {
  NEAREST,
  WITHIN_RADIUS,
  { .name = "distances",
    .brief = "the distances of the rows of X from all training rows; X nil: between all training rows",
    .returns = "Matrix (rows x training rows)",
    .needs = MN_NEEDS_X | MN_X_OR_NIL,
    .run = distances },
  { .name = NULL },
};

/* Isomap: classical scaling (classical.h) of geodesic distances, the lengths of shortest paths in a graph of neighbors.
 * A new row is joined to its neighbors, and placed by Gower's formula from its geodesic distances. Tenenbaum, de Silva
 * & Langford, Science 290 (2000); new rows: Bengio et al., NIPS 16 (2003). */
#include "../manifold/classical.h"
#include "../manifold/training_distances.h"
#include "geodesic.h"
#include "neighbor_graph.h"
#include "../model/magnitudes.h"
#include "../actions/embedding.h"

struct isomap {
  mn_neighbors neighbors;
  int64_t n_components;
  mn_matrix embedding, projection; /* learned fields; projection: embedding / (2 lambda) */
  mn_vector eigenvalues, squared_means;
  mn_csr graph;
  int64_t n_parts;
  double reconstruction_error;
};

static const char who[] = "Isomap";

static mn_status store(mn_context *ctx, struct isomap *m, const mn_classical_scaling *s, const mn_csr *graph)
{
  const size_t n = graph->rows, k = (size_t)m->n_components;
  double squares = s->squares;
  MN_TRY(mn_keep_scaling(ctx, n, k, s, &m->embedding, &m->projection, &m->eigenvalues, &m->squared_means));
  for (size_t c = 0; c < k; c++) squares -= s->values[c] * s->values[c];
  m->reconstruction_error = sqrt(fmax(squares, 0)) / (double)n;
  return mn_value_copy(ctx, MN_KIND_CSR, graph, &m->graph);
}

/* Whether X has the edges of a graph: the distances of near rows only. */
static bool is_graph(const struct isomap *m, const mn_csr *sparse)
{
  return sparse && sparse->start && m->neighbors.metric == MN_METRIC_PRECOMPUTED;
}

/* The graph that X is. Distances that would join its parts are not known. */
static mn_status read_graph(mn_context *ctx, struct isomap *m, const mn_data *data, mn_csr *graph)
{
  mn_neighbor_lists lists;
  int32_t *component = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(component);
  MN_TRY(mn_given_neighbors(ctx, who, data->sparse, true, &lists));
  MN_TRY(mn_symmetric_graph(ctx, &lists, graph));
  const size_t parts = mn_connected_components(graph, component);
  if (parts > 1)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: the graph has %zu parts, and X no distances that join them; give more neighbors of each row, "
                   "or distances of all pairs",
                   who, parts);
  m->n_parts = 1;
  return mn_neighbors_keep_rows(ctx, &m->neighbors, data);
}

static mn_status make_graph(mn_context *ctx, struct isomap *m, const mn_data *data, mn_csr *graph)
{
  mn_neighbor_lists lists;
  size_t parts;
  MN_TRY(mn_neighbors_store(ctx, &m->neighbors, data));
  MN_TRY(mn_training_neighbors(ctx, &m->neighbors, &lists));
  MN_TRY(mn_symmetric_graph(ctx, &lists, graph));
  MN_TRY(mn_connect_graph(ctx, &m->neighbors, graph, &parts));
  m->n_parts = (int64_t)parts;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct isomap *m = self;
  const size_t n = data->rows, k = (size_t)m->n_components;
  mn_classical_scaling s;
  mn_csr graph;
  MN_TRY(mn_check_pairs(ctx, who, n, "fit a sample and transform the others, or use LocallyLinearEmbedding"));
  if (k > n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_components must be at most the number of rows, %zu, got %zu", who, n,
                   k);
  MN_TRY(mn_check_metric_magnitudes(ctx, self, m->neighbors.metric, data));
  MN_TRY((is_graph(m, data->sparse) ? read_graph : make_graph)(ctx, m, data, &graph));
  double *distance = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(distance);
  MN_TRY(mn_geodesic_distances(ctx, &graph, distance));
  MN_TRY(mn_classical_scale(ctx, n, k, distance, &s));
  return store(ctx, m, &s, &graph);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct isomap *m = self;
  if (m->n_parts > 1)
    mn_text_printf(text,
                   "the graph of neighbors has %lld parts, which were joined by their shortest edges; increase "
                   "n_neighbors or radius",
                   (long long)m->n_parts);
}

/* --- new rows --- */

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct isomap *m = self;
  const size_t many = ((size_t)1 << 23) / m->graph.rows, chunk = many < 256 ? 256 : many; /* at least 64 MB */
  mn_neighbor_lists lists;
  if (is_graph(m, data->sparse))
    MN_TRY(mn_given_neighbors(ctx, who, data->sparse, false, &lists));
  else if (is_graph(m, &m->neighbors.sparse_x))
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must be sparse, as in fit: the distances to near training rows only", who);
  else
    MN_TRY(mn_new_neighbors(ctx, &m->neighbors, data, &lists));
  mn_mark mark = mn_scratch_mark(ctx);
  for (size_t begin = 0; begin < data->rows; begin += chunk) {
    const size_t rows = data->rows - begin < chunk ? data->rows - begin : chunk;
    const mn_neighbor_lists part = { rows, lists.start + begin, lists.at };
    double *distance = MN_RAW(ctx, double, rows, m->graph.rows);
    MN_CHECK_ALLOC(distance);
    MN_TRY(mn_geodesic_from_lists(ctx, &m->graph, &part, distance));
    MN_TRY(mn_place_by_gower(ctx, rows, distance, &m->projection, m->squared_means.at, mn_row(out, begin)));
    MN_TRY(mn_scratch_recycle(ctx, &mark));
  }
  return MN_OK;
}

/* --- geodesic distances --- */

static mn_status geodesic_distances(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                    mn_results *results)
{
  (void)data, (void)options;
  const struct isomap *m = self;
  mn_matrix *out;
  MN_TRY(mn_result_matrix(ctx, results, "distances", m->graph.rows, m->graph.rows, &out));
  return mn_geodesic_distances(ctx, &m->graph, out->at);
}

static const mn_operation operations[] = {
  { .name = "geodesic_distances",
    .brief = "lengths of the shortest paths between the training rows in the graph of neighbors",
    .returns = "a Matrix, rows x rows",
    .run = geodesic_distances },
  { .name = NULL },
};

static mn_status check(mn_context *ctx, const void *self)
{
  const struct isomap *m = self;
  MN_TRY(mn_neighbors_check(ctx, &m->neighbors));
  if (mn_neighbors_rows(&m->neighbors) == m->graph.rows) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the archive must have a node of the graph for each row", who);
}

static mn_status derive(mn_context *ctx, void *self)
{
  const struct isomap *m = self;
  return is_graph(m, &m->neighbors.sparse_x) ? MN_OK : mn_neighbors_derive(ctx, self);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct isomap *m = self;
  (void)action, (void)program;
  return mn_cannot_export(ctx, &m->neighbors.base, "new rows are placed by searches for shortest paths");
}

static const mn_param params[] = {
  MN_COUNT(struct isomap, n_components, 2, MN_CLOSED(1, INT32_MAX),
           "number of coordinates, at most the number of rows"),
  MN_NEIGHBORS_COUNT_PARAM,
  MN_GRAPH_RADIUS_PARAM,
  MN_NEIGHBORS_METRIC_PARAMS,
  MN_NEIGHBORS_EXACT_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct isomap, embedding, "rows x components", "coordinates of the training rows"),
  MN_VECTOR(struct isomap, eigenvalues, "components",
            "largest eigenvalues of the matrix of inner products, descending; 0 if not positive"),
  MN_NUMBER(struct isomap, reconstruction_error,
            "root of the sum of the squared eigenvalues that are left out, over the number of rows"),
  MN_INTEGER(struct isomap, n_parts, "parts of the graph of neighbors before they were joined; 1: it was connected"),
  MN_LEARNED(MN_KIND_MATRIX, struct isomap, projection, "rows x components", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct isomap, squared_means, "rows", NULL),
  MN_LEARNED(MN_KIND_CSR, struct isomap, graph, "rows x rows", NULL),
  MN_NEIGHBORS_FIELDS,
  MN_END,
};

const mn_class mn_isomap = {
  .name = "Isomap",
  .family = "manifold",
  .brief = "Coordinates from distances along a graph of neighbors.",
  .objective = "classical scaling of the lengths of shortest paths between rows in the graph of neighbors",
  .source = "Tenenbaum, de Silva & Langford, Science 290 (2000)",
  .notes = "As scikit-learn's, except that radius takes precedence over n_neighbors. The largest element of each "
           "coordinate in magnitude is positive. Parts of a graph that is not connected are joined, each pair by its "
           "shortest edge, with a warning. With the metric precomputed a sparse X is the graph itself, as of "
           "kneighbors_graph. transform gives training rows their embedding. reconstruction_error is a "
           "field. Distances take 8 n^2 bytes during fit; the model keeps the graph only.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop{ 'species' }\n"
             "local model = ml.Isomap{ n_neighbors = 10 }:fit(X)\n"
             "print(model.eigenvalues, model.reconstruction_error)",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_SPARSE,
  .size = sizeof(struct isomap),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .warning = warning,
  .transform = transform,
  .training_transform = mn_training_embedding,
  .export = export,
  .overwrites = true,
  .outputs = mn_embedding_columns,
  .check = check,
  .derive = derive,
};

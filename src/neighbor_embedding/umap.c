/* UMAP: rows become a fuzzy graph (fuzzy_graph.h), whose layout in few dimensions (umap_layout.h) is the embedding. */
#include "umap.h"
#include "../manifold/start_check.h"
#include "../model/program.h"
#include "../stats/correlation.h"
#include "spectral_start.h"
#include "umap_curve.h"
#include "umap_density.h"
#include "../actions/embedding.h"
#include <stdio.h>

static const char who[] = "UMAP";
static const char *const inits[] = { "spectral", "pca", "random", NULL };
enum { CATEGORICAL, EUCLIDEAN, MANHATTAN };
static const char *const target_metrics[] = { "categorical", "euclidean", "manhattan", NULL };
enum { MANY_ROWS = 10000, EPOCHS_OF_FEW = 500, EPOCHS_OF_MANY = 200, DENSITY_EPOCHS = 200 };

mn_points mn_umap_training_points(const struct mn_umap *m)
{
  if (m->sparse_rows.start)
    return (mn_points){ .n = m->sparse_rows.rows, .d = m->sparse_rows.cols, .sparse = &m->sparse_rows };
  return (mn_points){ .n = m->training_rows.rows, .d = m->training_rows.cols, .x = m->training_rows.at };
}

mn_index_options mn_umap_index_options(const struct mn_umap *m)
{
  return (mn_index_options){ .metric = { m->metric, m->p, &m->covariance },
                             .algorithm = m->algorithm,
                             .approximate = true,
                             .leaf_size = 30,
                             .k = m->n_neighbors,
                             .recall = m->recall };
}

mn_umap_settings mn_umap_layout_settings(const struct mn_umap *m, int64_t epochs)
{
  return (mn_umap_settings){ .columns = m->embedding.cols,
                             .epochs = epochs,
                             .seed = m->seed,
                             .a = m->a,
                             .b = m->b,
                             .learning_rate = m->learning_rate,
                             .repulsion_strength = m->repulsion_strength,
                             .negative_sample_rate = (double)m->negative_sample_rate };
}

static int64_t count_epochs(const struct mn_umap *m, size_t n)
{
  if (m->n_epochs != MN_UNSET) return m->n_epochs;
  return (n <= MANY_ROWS ? EPOCHS_OF_FEW : EPOCHS_OF_MANY) + (m->densmap ? DENSITY_EPOCHS : 0);
}

static mn_status check_arguments(mn_context *ctx, const struct mn_umap *m, const mn_data *data)
{
  const size_t n = data->rows, columns = (size_t)m->n_components;
  char least[MN_NUMBER_SIZE], spread[MN_NUMBER_SIZE];
  if ((size_t)m->n_neighbors > n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_neighbors must be at most the number of rows, %zu, got %lld", who, n,
                   (long long)m->n_neighbors);
  if (m->min_dist > m->spread)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: min_dist must be at most spread, %s, got %s", who,
                   mn_format_number(spread, m->spread), mn_format_number(least, m->min_dist));
  MN_TRY(mn_check_start(ctx, who, n, columns, &m->start));
  if (m->start.at || m->init != MN_UMAP_PCA) return MN_OK;
  if (data->sparse || m->metric == MN_METRIC_PRECOMPUTED)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: init = 'pca' requires a dense X of features; use init = 'spectral'", who);
  if (columns > data->features)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: n_components must be at most the number of features with init = 'pca', "
                   "%zu, got %zu; use init = 'spectral'",
                   who, data->features, columns);
  return MN_OK;
}

/* --- the graph --- */

/* Store the training rows and search for their neighbors. */
static mn_status find_neighbors(mn_context *ctx, struct mn_umap *m, const mn_data *data, mn_neighbor_table *t)
{
  MN_TRY(mn_neighbor_table_new(ctx, data->rows, (size_t)m->n_neighbors, t));
  m->index.hnsw.recall = NAN;
  if (m->metric == MN_METRIC_PRECOMPUTED) return mn_neighbor_table_given(ctx, who, "n_neighbors", data, true, t);
  if (data->sparse)
    MN_TRY(mn_value_copy(ctx, MN_KIND_CSR, data->sparse, &m->sparse_rows));
  else
    MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &data->x, &m->training_rows));
  const mn_points rows = mn_umap_training_points(m);
  MN_TRY(mn_neighbor_index_init(ctx, who, &m->index, &rows, mn_umap_index_options(m)));
  return mn_neighbor_table_own(ctx, who, &m->index, &rows, t);
}

/* The directed graph of real targets. */
static mn_status target_graph(mn_context *ctx, const struct mn_umap *m, const mn_data *data, mn_csr *v)
{
  const size_t n = data->rows, k = (size_t)m->n_neighbors;
  const mn_points rows = { .n = n, .d = data->y.cols, .x = data->y.at };
  const mn_metric metric = { .kind = m->target_metric == MANHATTAN ? MN_METRIC_MANHATTAN : MN_METRIC_EUCLIDEAN };
  double *rho = MN_RAW(ctx, double, n, 1), *sigma = MN_RAW(ctx, double, n, 1);
  mn_neighbor_table t;
  if (!rho || !sigma) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_table_new(ctx, n, k, &t));
  MN_TRY(mn_neighbor_table_exact(ctx, who, metric, &rows, &t));
  MN_TRY(mn_fuzzy_bandwidths(ctx, &t, 1, true, rho, sigma));
  return mn_fuzzy_directed(ctx, &t, n, rho, sigma, true, v);
}

static mn_status make_graph(mn_context *ctx, struct mn_umap *m, const mn_data *data, const mn_neighbor_table *t)
{
  double *rho = MN_RAW(ctx, double, data->rows, 1);
  mn_csr v, w;
  MN_CHECK_ALLOC(rho);
  MN_TRY(mn_vector_init(ctx, &m->sigmas, data->rows));
  MN_TRY(mn_fuzzy_bandwidths(ctx, t, m->local_connectivity, true, rho, m->sigmas.at));
  MN_TRY(mn_fuzzy_directed(ctx, t, data->rows, rho, m->sigmas.at, true, &v));
  MN_TRY(mn_fuzzy_union(ctx, &v, m->set_op_mix_ratio, &w));
  if (data->code) MN_TRY(mn_fuzzy_by_labels(ctx, data->code, m->target_weight, &w));
  if (data->y.at) {
    MN_TRY(target_graph(ctx, m, data, &v));
    MN_TRY(mn_fuzzy_by_targets(ctx, &v, m->target_weight, &w));
  }
  return mn_value_copy(ctx, MN_KIND_CSR, &w, &m->graph);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_umap *m = self;
  const size_t n = data->rows;
  int32_t *label = MN_RAW(ctx, int32_t, n, 1);
  mn_neighbor_table t;
  size_t count;
  MN_CHECK_ALLOC(label);
  MN_TRY(check_arguments(ctx, m, data));
  MN_TRY(mn_umap_curve(ctx, who, m->min_dist, m->spread, &m->a, &m->b));
  MN_TRY(find_neighbors(ctx, m, data, &t));
  MN_TRY(make_graph(ctx, m, data, &t));
  MN_TRY(mn_graph_components(ctx, &m->graph, label, &count));
  m->n_connected_components = (int64_t)count;
  for (size_t i = 0; i < n; i++) m->n_isolated += m->graph.start[i] == m->graph.start[i + 1];
  MN_TRY(mn_matrix_init(ctx, &m->embedding, n, (size_t)m->n_components));
  MN_TRY(mn_umap_start(ctx, m, data, label, m->embedding.at));
  mn_umap_settings s = mn_umap_layout_settings(m, count_epochs(m, n));
  m->radius_correlation = NAN;
  if (!m->densmap) return mn_umap_optimize(ctx, &s, &m->graph, m->embedding.at);
  s.dens_lambda = m->dens_lambda;
  s.dens_frac = m->dens_frac;
  s.dens_var_shift = m->dens_var_shift;
  MN_TRY(mn_vector_init(ctx, &m->radii, n));
  MN_TRY(mn_vector_init(ctx, &m->embedding_radii, n));
  MN_TRY(mn_umap_data_radii(ctx, &t, &m->graph, s.epochs, m->radii.at));
  s.radii = m->radii.at;
  MN_TRY(mn_umap_optimize(ctx, &s, &m->graph, m->embedding.at));
  MN_TRY(mn_umap_layout_radii(ctx, who, &m->embedding, t.k, m->embedding_radii.at));
  m->radius_correlation = mn_pearson(n, m->radii.at, m->embedding_radii.at);
  return MN_OK;
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct mn_umap *m = self;
  if (m->n_connected_components < 2) return;
  mn_text_printf(text,
                 "the neighbor graph has %lld connected components, whose places relative to each other mean "
                 "little; increase n_neighbors",
                 (long long)m->n_connected_components);
}

static unsigned target_kind(const void *self)
{
  return ((const struct mn_umap *)self)->target_metric == CATEGORICAL ? MN_Y_LABELS : MN_Y_REALS;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "umap%zu", j + 1);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_umap *m = self;
  const size_t n = m->embedding.rows;
  const bool rows =
      (m->training_rows.at && m->training_rows.rows == n) || (m->sparse_rows.start && m->sparse_rows.rows == n);
  const bool both = m->training_rows.at && m->sparse_rows.start;
  const bool given = m->metric == MN_METRIC_PRECOMPUTED;
  if (given ? !m->training_rows.at && !m->sparse_rows.start && m->base.n_features == n : rows && !both) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the training rows do not fit the metric", who);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct mn_umap *m = self;
  if (m->metric == MN_METRIC_PRECOMPUTED) return MN_OK;
  const mn_points rows = mn_umap_training_points(m);
  mn_index_options options = mn_umap_index_options(m);
  options.graph = m->index.hnsw; /* of an archive */
  return mn_neighbor_index_init(ctx, who, &m->index, &rows, options);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_umap *m = self;
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, &m->base, "new rows are placed by an iteration");
}

static const mn_param params[] = {
  MN_COUNT(struct mn_umap, n_neighbors, 15, MN_CLOSED(2, INT32_MAX),
           "neighbors of each row, itself included; few show detail, many the large structure"),
  MN_COUNT(struct mn_umap, n_components, 2, MN_CLOSED(1, INT32_MAX), "number of coordinates"),
  MN_CHOICE(struct mn_umap, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "matrix of distances, or sparse with those of near rows, see kneighbors_graph"),
  MN_REAL(struct mn_umap, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct mn_umap, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the training rows"),
  MN_CHOICE(struct mn_umap, algorithm, MN_INDEX_AUTO, mn_graph_algorithm_names, MN_GRAPH_ALGORITHM_HELP),
  MN_REAL(struct mn_umap, recall, 0.95, MN_LEFT_OPEN(0, 1), "fraction of the neighbors that hnsw is tuned to find"),
  MN_REAL(struct mn_umap, min_dist, 0.1, MN_AT_LEAST(0),
          "distance in the embedding up to which rows count as near, at most spread; small values give dense clumps"),
  MN_REAL(struct mn_umap, spread, 1, MN_GREATER_THAN(0), "scale of the distances in the embedding"),
  MN_REAL(struct mn_umap, set_op_mix_ratio, 1, MN_CLOSED(0, 1),
          "how the neighborhoods of two rows are joined: 1 by union, 0 by intersection"),
  MN_REAL(struct mn_umap, local_connectivity, 1, MN_AT_LEAST(0),
          "number of neighbors to which each row is surely connected"),
  MN_CHOICE(struct mn_umap, init, MN_UMAP_SPECTRAL, inits,
            "positions to start from: eigenvectors of the graph, principal components, or random ones"),
  MN_TABLE(struct mn_umap, start, MN_NO_LIMITS(), "positions to start from, rows x n_components; nil: by init"),
  MN_COUNT(struct mn_umap, n_epochs, MN_UNSET, MN_CLOSED(1, 100000),
           "number of steps of the layout; nil: 500, but 200 for more than 10,000 rows; densmap adds 200"),
  MN_REAL(struct mn_umap, learning_rate, 1, MN_GREATER_THAN(0), "size of the first step, which then decreases to 0"),
  MN_REAL(struct mn_umap, repulsion_strength, 1, MN_AT_LEAST(0), "factor of the repulsion between rows"),
  MN_COUNT(struct mn_umap, negative_sample_rate, 5, MN_CLOSED(0, 10000),
           "rows drawn for repulsion for each attraction; more take longer and are more accurate"),
  MN_CHOICE(
      struct mn_umap, target_metric, CATEGORICAL, target_metrics,
      "what y has: categorical: labels, some of which may be missing (a nil in ml.Factor{ ..., n = rows }, or nan in a "
      "Vector; an empty string is a class); otherwise numbers at this distance"),
  MN_REAL(struct mn_umap, target_weight, 0.5, MN_CLOSED(0, 1), "influence of y: 0 none, 1 all"),
  MN_FLAG(struct mn_umap, densmap, false, "densMAP: dense regions of X become dense regions of the embedding"),
  MN_REAL(struct mn_umap, dens_lambda, 2, MN_AT_LEAST(0), "weight of the density in densMAP"),
  MN_REAL(struct mn_umap, dens_frac, 0.3, MN_CLOSED(0, 1),
          "fraction of the epochs, the last ones, that use the density"),
  MN_REAL(struct mn_umap, dens_var_shift, 0.1, MN_GREATER_THAN(0), "added to the variance of the radii in densMAP"),
  MN_SEED(struct mn_umap, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mn_umap, embedding, "rows x components", "coordinates of the training rows"),
  MN_LEARNED(MN_KIND_CSR, struct mn_umap, graph, "rows x rows", "weights of the fuzzy graph"),
  MN_NUMBER(struct mn_umap, a, "of the curve 1 / (1 + a d^(2b)) that is fitted to min_dist and spread"),
  MN_NUMBER(struct mn_umap, b, "of the same curve"),
  MN_INTEGER(struct mn_umap, n_connected_components,
             "of the graph; the places of several relative to each other mean little"),
  MN_INTEGER(struct mn_umap, n_isolated, "rows without edges, whose places mean nothing"),
  MN_VECTOR(struct mn_umap, radii, "rows?", "densMAP: logarithm of the mean squared distance to neighbors in X"),
  MN_VECTOR(struct mn_umap, embedding_radii, "rows?", "densMAP: the same in the embedding"),
  MN_OPTIONAL_NUMBER(struct mn_umap, radius_correlation,
                     "correlation of radii and embedding_radii; nil without densmap"),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_umap, sigmas, "rows", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_umap, training_rows, "rows? x features?", NULL),
  MN_LEARNED(MN_KIND_CSR, struct mn_umap, sparse_rows, "rows? x features?", NULL),
  MN_NEIGHBOR_INDEX_FIELDS(struct mn_umap, index),
  MN_NEIGHBOR_GRAPH_FIELDS(struct mn_umap, index),
  MN_END,
};

const mn_class mn_umap = {
  .name = "UMAP",
  .family = "manifold",
  .brief = "Map of data: near rows stay near (UMAP); also supervised, and densMAP.",
  .objective = "-sum_ij w_ij log q_ij - sum_ij (1 - w_ij) log(1 - q_ij), q_ij = 1 / (1 + a |y_i - y_j|^(2b))",
  .source = "McInnes, Healy & Melville, arXiv 1802.03426 (2018); Narayan, Berger & Cho, Nature Biotech. 39 (2021)",
  .notes =
      "Sizes of clusters and gaps between them say little. The graph is that of umap-learn; algorithm says when its "
      "neighbors are exact. The layout sums all forces of an epoch, as uwot's batch mode, so results do not depend on "
      "threads. transform leaves a row that equals a training row at its place, and other rows do not influence each "
      "other. y is optional. inverse_transform, for the metric euclidean, is a weighted median of training rows.",
  .example = "local X, y = ml.read_csv('examples/data/iris.csv'):split 'species'\n"
             "local model = ml.UMAP{ n_epochs = 100, seed = 1 }\n"
             "print(model:fit(X).embedding, ml.metrics.trustworthiness(X, model.embedding))",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM | MN_RANDOM | MN_APPROXIMATE_INVERSE,
  .accepts = MN_SPARSE | MN_Y_REALS | MN_Y_LABELS | MN_Y_OPTIONAL | MN_UNLABELLED | MN_MULTITARGET,
  .size = sizeof(struct mn_umap),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
  .target_kind = target_kind,
  MN_TRANSFORM_PAIR(mn_umap_transform, mn_umap_inverse_transform),
  .training_transform = mn_training_embedding,
  .outputs = mn_embedding_columns,
  .output_name = output_name,
  .export = export,
  .check = check,
  .derive = derive,
};

/* t-distributed stochastic neighbor embedding: affinities of neighbors (tsne_affinities.h), the gradient of their
 * divergence from those of the map (tsne_forces.h), and gradient descent (tsne_descent.c). */
#include "tsne.h"
#include "../core/rng.h"
#include "../model/program.h"
#include "classical.h"
#include "neighbor_table.h"
#include "principal_start.h"
#include "start_check.h"
#include "training_distances.h"
#include "../actions/embedding.h"
#include <stdio.h>
#include <string.h>

const char mn_tsne_name[] = "TSNE";
enum { PCA, RANDOM };
static const char *const inits[] = { "pca", "random", NULL };
static const char *const methods[] = { "auto", "exact", "barnes_hut", "fft", NULL };
enum {
  FEW_ROWS = 400,         /* up to which auto computes all pairs          */
  MEDIUM_ROWS = 3000,     /* up to which trees are faster than the grid   */
  MOST_PAIRS_ROWS = 30000 /* of the method exact, which takes 8 n^2 bytes */
};
static const double start_deviation = 1e-4, usual_perplexity = 30;

/* Whether X has the distances of near rows only. */
static bool is_graph(const struct mn_tsne *m, const mn_data *data)
{
  return data->sparse && m->metric == MN_METRIC_PRECOMPUTED;
}

static mn_tsne_method method_of(const struct mn_tsne *m, const mn_data *data)
{
  const size_t n = data->rows;
  if (m->method != MN_TSNE_AUTO) return (mn_tsne_method)m->method;
  if ((n <= FEW_ROWS && !is_graph(m, data)) || m->n_components > 3) return MN_TSNE_EXACT;
  return m->n_components == 3 || n <= MEDIUM_ROWS ? MN_TSNE_BARNES_HUT : MN_TSNE_FFT;
}

static mn_status check_arguments(mn_context *ctx, const struct mn_tsne *m, const mn_data *data)
{
  const size_t n = data->rows, k = (size_t)m->n_components;
  const mn_tsne_method method = method_of(m, data);
  char most[MN_NUMBER_SIZE], got[MN_NUMBER_SIZE];
  if (n < 2) return mn_fail(ctx, MN_BAD_DATA, "%s: X must have at least 2 rows, got %zu", mn_tsne_name, n);
  if (is_graph(m, data) && method == MN_TSNE_EXACT)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: the method exact requires the distances of all pairs, got a sparse X; use barnes_hut and at "
                   "most 3 components",
                   mn_tsne_name);
  for (size_t i = 0; i < m->perplexity.size; i++)
    if (m->perplexity.at[i] > fmax((double)(n - 1) / 3, 1))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: perplexity must be at most (rows - 1) / 3 = %s, got %s", mn_tsne_name,
                     mn_format_number(most, fmax((double)(n - 1) / 3, 1)), mn_format_number(got, m->perplexity.at[i]));
  if (k > 3 && (method == MN_TSNE_BARNES_HUT || method == MN_TSNE_FFT))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: with more than 3 components the method must be exact, got %s",
                   mn_tsne_name, methods[method]);
  if (k > 2 && method == MN_TSNE_FFT)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the method fft is for 1 or 2 components; use barnes_hut", mn_tsne_name);
  if (method == MN_TSNE_EXACT && n > MOST_PAIRS_ROWS)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the method exact is for at most %d rows, got %zu; use %s", mn_tsne_name,
                   MOST_PAIRS_ROWS, n, k <= 3 ? "fft or barnes_hut" : "at most 3 components");
  return mn_check_start(ctx, mn_tsne_name, n, k, &m->start);
}

static mn_metric metric_of(const struct mn_tsne *m)
{
  return (mn_metric){ m->metric, m->p, &m->covariance };
}

/* --- affinities --- */

mn_status mn_tsne_index(mn_context *ctx, const struct mn_tsne *m, int64_t algorithm, size_t k, const mn_points *rows,
                        mn_neighbor_index *index)
{
  enum { LEAF_SIZE = 30 };
  const mn_index_options options = { .metric = metric_of(m),
                                     .algorithm = algorithm,
                                     .approximate = true,
                                     .leaf_size = LEAF_SIZE,
                                     .scratch = true,
                                     .k = (int64_t)k,
                                     .recall = 0.95 };
  return mn_neighbor_index_init(ctx, mn_tsne_name, index, rows, options);
}

/* By the stored distances of a sparse X. */
static mn_status graph_affinities(mn_context *ctx, mn_perplexities perplexities, const mn_data *data,
                                  mn_tsne_graph *graph)
{
  const size_t n = data->rows, k = mn_tsne_neighbors(perplexities, n - 1);
  mn_neighbor_table t;
  MN_TRY(mn_neighbor_table_new(ctx, n, k + 1, &t));
  MN_TRY(mn_neighbor_table_given(ctx, mn_tsne_name, "perplexity (3 times as many neighbors are used)", data, true, &t));
  for (size_t i = 0; i < n; i++) { /* without the row itself */
    memmove(t.found + i * k, t.found + i * (k + 1) + 1, k * sizeof *t.found);
    memmove(t.distance + i * k, t.distance + i * (k + 1) + 1, k * sizeof *t.distance);
  }
  return mn_tsne_sparse_affinities(ctx, perplexities, n, k, t.found, t.distance, graph);
}

static mn_status neighbor_affinities(mn_context *ctx, const struct mn_tsne *m, mn_perplexities perplexities,
                                     const mn_data *data, mn_tsne_graph *graph)
{
  const size_t n = data->rows, k = mn_tsne_neighbors(perplexities, n - 1);
  const mn_points rows = { .n = n, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  mn_neighbor_index index = { 0 };
  int32_t *found = MN_RAW(ctx, int32_t, n, k);
  double *distance = MN_RAW(ctx, double, n, k);
  if (!found || !distance) return MN_NO_MEMORY;
  if (m->metric == MN_METRIC_PRECOMPUTED) {
    if (n != data->features)
      return mn_fail(ctx, MN_BAD_DATA, "%s: the metric precomputed requires a square X of distances, got %zu x %zu",
                     mn_tsne_name, n, data->features);
    MN_TRY(mn_check_distances(ctx, mn_tsne_name, n, data->x.at));
  }
  MN_TRY(mn_tsne_index(ctx, m, m->algorithm, k, &rows, &index));
  MN_TRY(mn_neighbor_nearest(ctx, &index, &rows, NULL, k, found, distance));
  return mn_tsne_sparse_affinities(ctx, perplexities, n, k, found, distance, graph);
}

static mn_status find_affinities(mn_context *ctx, const struct mn_tsne *m, const mn_data *data, mn_tsne_forces *f)
{
  const double usual = fmax(fmin(usual_perplexity, (double)(f->n - 1) / 3), 1);
  const mn_perplexities perplexities = { m->perplexity.at ? m->perplexity.size : 1,
                                         m->perplexity.at ? m->perplexity.at : &usual };
  if (is_graph(m, data)) return graph_affinities(ctx, perplexities, data, &f->graph);
  if (f->method != MN_TSNE_EXACT) return neighbor_affinities(ctx, m, perplexities, data, &f->graph);
  double *p = MN_RAW(ctx, double, f->n, f->n);
  MN_CHECK_ALLOC(p);
  f->dense = p;
  const mn_points rows = { .n = f->n, .d = data->features, .sparse = data->sparse };
  if (data->sparse)
    MN_TRY(mn_distances_within(ctx, mn_tsne_name, metric_of(m), &rows, p));
  else
    MN_TRY(mn_training_distances(ctx, mn_tsne_name, metric_of(m), data, p));
  return mn_tsne_dense_affinities(ctx, perplexities, f->n, p);
}

/* --- the start --- */

static mn_status principal_coordinates(mn_context *ctx, const struct mn_tsne *m, const mn_data *data, double *y)
{
  const size_t n = data->rows, k = (size_t)m->n_components, found = k < n ? k : n;
  if (m->metric != MN_METRIC_PRECOMPUTED) return mn_principal_start(ctx, data, k, y);
  mn_classical_scaling s;
  double *distance = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(distance);
  MN_TRY(mn_training_distances(ctx, mn_tsne_name, metric_of(m), data, distance));
  MN_TRY(mn_classical_scale(ctx, n, found, distance, &s));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) y[i * k + c] = c < found ? s.embedding[i * found + c] : 0;
  return MN_OK;
}

static double deviation(size_t n, size_t k, const double *y)
{
  double mean = 0, square = 0;
  for (size_t i = 0; i < n; i++) mean += y[i * k] / (double)n;
  for (size_t i = 0; i < n; i++) square += (y[i * k] - mean) * (y[i * k] - mean) / (double)n;
  return sqrt(square);
}

/* Principal components are scaled to a standard deviation of 1e-4 of the first, and moved a little, because points at
 * the same place would stay together. */
static mn_status find_start(mn_context *ctx, const struct mn_tsne *m, const mn_data *data, double *y)
{
  const size_t n = data->rows, k = (size_t)m->n_components;
  if (m->start.at) {
    memcpy(y, m->start.at, n * k * sizeof *y);
    return MN_OK;
  }
  double noise = start_deviation;
  memset(y, 0, n * k * sizeof *y);
  if (m->init == PCA && !is_graph(m, data)) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(principal_coordinates(ctx, m, data, y));
    mn_scratch_release(ctx, mark);
    const double spread = deviation(n, k, y);
    for (size_t e = 0; e < n * k; e++) y[e] = spread > 0 ? y[e] * (start_deviation / spread) : 0;
    if (spread > 0) noise *= 0.01;
  }
  mn_rng rng = mn_stream(m->seed, 0);
  for (size_t e = 0; e < n * k; e++) y[e] += noise * mn_random_normal(&rng);
  return MN_OK;
}

/* --- fit --- */

static mn_status store(mn_context *ctx, struct mn_tsne *m, const mn_data *data, const mn_tsne_forces *f)
{
  MN_TRY(mn_matrix_init(ctx, &m->embedding, f->n, f->dims));
  memcpy(m->embedding.at, f->y, f->n * f->dims * sizeof *f->y);
  if (m->metric == MN_METRIC_PRECOMPUTED) return MN_OK;
  if (data->sparse) return mn_value_copy(ctx, MN_KIND_CSR, data->sparse, &m->sparse_rows);
  return mn_value_copy(ctx, MN_KIND_MATRIX, &data->x, &m->training_rows);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_tsne *m = self;
  MN_TRY(check_arguments(ctx, m, data));
  const size_t n = data->rows, k = (size_t)m->n_components;
  m->effective_dof = isnan(m->dof) ? fmax((double)k - 1, 1) : m->dof;
  mn_tsne_forces f = { .n = n, .dims = k, .dof = m->effective_dof, .angle = m->angle, .method = method_of(m, data) };
  MN_TRY(find_affinities(ctx, m, data, &f));
  MN_TRY(mn_tsne_forces_init(ctx, &f, m->grid_spacing));
  MN_TRY(find_start(ctx, m, data, f.y));
  MN_TRY(mn_tsne_descend(ctx, m, &f));
  return store(ctx, m, data, &f);
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "tsne%zu", j + 1);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_tsne *m = self;
  const size_t n = m->embedding.rows;
  const size_t rows = m->sparse_rows.start ? m->sparse_rows.rows : m->training_rows.rows;
  const bool precomputed = m->metric == MN_METRIC_PRECOMPUTED, both = m->sparse_rows.start && m->training_rows.at;
  const bool good = precomputed ? rows == 0 && m->base.n_features == n : rows == n && !both;
  if (!good || n < 2) return mn_fail(ctx, MN_BAD_FILE, "%s: the training rows do not fit the metric", mn_tsne_name);
  if (!(m->effective_dof >= 0.01))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the degrees of freedom must be at least 0.01", mn_tsne_name);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_tsne *m = self;
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, &m->base, "new rows are placed by an iteration");
}

#define COUNTS MN_CLOSED(1, INT32_MAX)
static const mn_param params[] = {
  MN_COUNT(struct mn_tsne, n_components, 2, COUNTS, "number of coordinates"),
  MN_NUMBER_OR_REALS(struct mn_tsne, perplexity, MN_AT_LEAST(1),
                     "effective number of neighbors, at most (rows - 1) / 3; several numbers: probabilities are "
                     "averaged; nil: 30, or (rows - 1) / 3 if that is less"),
  MN_CHOICE(struct mn_tsne, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "symmetric matrix of distances, see pairwise_distances, or sparse with those of near rows, see "
            "kneighbors_graph"),
  MN_REAL(struct mn_tsne, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct mn_tsne, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the training rows"),
  MN_CHOICE(struct mn_tsne, method, MN_TSNE_AUTO, methods,
            "gradient. exact: all pairs; barnes_hut: groups of points, up to 3 components; fft: interpolation on a "
            "grid, up to 2; auto: exact up to 400 rows or above 3 components, barnes_hut up to 3000 or for 3 "
            "components, else fft"),
  MN_CHOICE(struct mn_tsne, init, PCA, inits,
            "coordinates to start from: principal components (of precomputed distances: of ClassicalMDS; of a "
            "sparse matrix of them: random), or random"),
  MN_TABLE(struct mn_tsne, start, MN_NO_LIMITS(), "coordinates to start from, rows x n_components; nil: by init"),
  MN_COUNT(struct mn_tsne, max_iter, 1000, COUNTS,
           "maximum number of iterations, those of early exaggeration included"),
  MN_REAL(struct mn_tsne, early_exaggeration, 12, MN_AT_LEAST(1),
          "factor of the attraction in the first iterations, in which clusters form"),
  MN_COUNT(struct mn_tsne, early_exaggeration_iter, 250, MN_CLOSED(0, INT32_MAX), "number of these iterations"),
  MN_REAL(struct mn_tsne, exaggeration, 1, MN_GREATER_THAN(0),
          "factor of the attraction in the later iterations; above 1 clusters are denser and farther apart"),
  MN_REAL(
      struct mn_tsne, learning_rate, MN_UNSET_REAL, MN_GREATER_THAN(0),
      "length of a step; nil: max(rows / e / 4, 50), where e is early_exaggeration and then exaggeration, at least 1"),
  MN_REAL(struct mn_tsne, initial_momentum, 0.5, MN_OPEN(0, 1), "momentum during early exaggeration"),
  MN_REAL(struct mn_tsne, final_momentum, 0.8, MN_OPEN(0, 1), "momentum afterwards"),
  MN_REAL(struct mn_tsne, max_step_norm, 5, MN_GREATER_THAN(0), "longest step of a row, in units of the map"),
  MN_REAL(struct mn_tsne, min_grad_norm, 1e-7, MN_AT_LEAST(0), "stop when the norm of the gradient is at most this"),
  MN_COUNT(struct mn_tsne, n_iter_without_progress, 300, COUNTS,
           "stop after this many iterations without a lower divergence; tested every 50 after early exaggeration"),
  MN_REAL(
      struct mn_tsne, dof, MN_UNSET_REAL, MN_CLOSED(0.01, 1e6),
      "degrees of freedom of the similarities in the map; below 1 clusters split; nil: n_components - 1, at least 1"),
  MN_REAL(struct mn_tsne, angle, 0.5, MN_CLOSED(0, 1),
          "barnes_hut: points act as a group if it is narrower than this fraction of its distance; 0: never"),
  MN_REAL(
      struct mn_tsne, grid_spacing, 0.33, MN_GREATER_THAN(0),
      "fft: distance of grid nodes, in units of the map, for dof < 1 times its root; half of it divides the error of the repulsion by 30"),
  MN_CHOICE(struct mn_tsne, algorithm, MN_INDEX_AUTO, mn_graph_algorithm_names, MN_GRAPH_ALGORITHM_HELP),
  MN_REAL(struct mn_tsne, transform_perplexity, 5, MN_AT_LEAST(1),
          "effective number of neighbors of new rows, lowered to (training rows - 1) / 3"),
  MN_COUNT(struct mn_tsne, transform_iter, 250, MN_CLOSED(0, INT32_MAX),
           "number of steps that place a new row; 0: it stays at the median of its neighbors"),
  MN_COUNT(struct mn_tsne, snapshot_interval, MN_UNSET, COUNTS,
           "keep the map after every so many iterations in snapshots, for an animation; nil: none"),
  MN_SEED(struct mn_tsne, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mn_tsne, embedding, "rows x components", "coordinates of the training rows"),
  MN_NUMBER(
      struct mn_tsne, kl_divergence,
      "Kullback-Leibler divergence of the map, without exaggeration; its values every 10 iterations are in trace"),
  MN_NUMBER(struct mn_tsne, effective_learning_rate, "length of the last steps"),
  MN_NUMBER(struct mn_tsne, effective_dof, "degrees of freedom that were used"),
  MN_MATRIX(struct mn_tsne, snapshots, "snapshot_rows? x components?",
            "maps after every snapshot_interval iterations, one below the other"),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_tsne, training_rows, "rows? x features?", NULL),
  MN_LEARNED(MN_KIND_CSR, struct mn_tsne, sparse_rows, "rows? x features?", NULL),
  MN_END,
};

const mn_class mn_tsne = {
  .name = "TSNE",
  .family = "manifold",
  .brief = "t-SNE: a map in which similar rows are neighbors, for looking at data.",
  .objective = "minimize sum_ij p_ij log(p_ij / q_ij): p from Gaussians in X, q from Student's t in the map",
  .source = "van der Maaten & Hinton, JMLR 9 (2008); Linderman et al., Nature Methods 16 (2019)",
  .notes =
      "Neighborhoods mean something; sizes of clusters and distances between them mostly do not. Compare several "
      "perplexities and seeds. fit_transform returns the embedding; transform places new rows one by one in the fixed "
      "map, and copies of training rows on them. scikit-learn's learning rates and gradients; openTSNE's learning rates "
      "are 4 times as large. Its dof a is 2 a - 1 here, up to the scale of the map.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop('species'):matrix()\n"
             "local model = ml.TSNE{ perplexity = 20, max_iter = 300 }:fit(X)\n"
             "print(model.embedding.rows, model.kl_divergence < 1)",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_SPARSE,
  .size = sizeof(struct mn_tsne),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = mn_tsne_place,
  .training_transform = mn_training_embedding,
  .export = export,
  .overwrites = true,
  .outputs = mn_embedding_columns,
  .output_name = output_name,
  .check = check,
};

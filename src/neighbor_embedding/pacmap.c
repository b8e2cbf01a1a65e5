/* PaCMAP: pairs of rows (pacmap_pairs.h), which attract and repel each other in a layout (pacmap_layout.h). */
#include "../core/rng.h"
#include "../eigen/principal_axes.h"
#include "../linalg/product.h"
#include "../manifold/start_check.h"
#include "../model/program.h"
#include "../manifold/neighbor_table.h"
#include "pacmap_layout.h"
#include "../actions/embedding.h"
#include <stdio.h>

struct pacmap {
  mn_estimator base;
  int64_t n_components, n_neighbors, metric, algorithm, init, num_iters, pca_components, seed; /* parameters */
  double mn_ratio, fp_ratio, learning_rate;
  mn_matrix start;
  mn_matrix embedding; /* learned fields */
  mn_indexes near_pairs, mid_near_pairs, further_pairs;
  double loss;
  mn_vector mean;       /* features, and */
  mn_matrix components; /* of the principal components to which the rows were reduced; or empty */
  mn_matrix training_rows;
  mn_neighbor_index index;
};

static const char who[] = "PaCMAP";
enum { EUCLIDEAN, MANHATTAN, ANGULAR, HAMMING };
static const char *const metrics[] = { "euclidean", "manhattan", "angular", "hamming", NULL };
enum { PRINCIPAL, RANDOM };
static const char *const inits[] = { "pca", "random", NULL };

/* Those of mn_graph_algorithm_names but hnsw. */
enum { DESCENT = MN_INDEX_BRUTE + 1 };
static const char *const algorithms[] = { "auto", "kd_tree", "ball_tree", "brute", "neighbor_descent", NULL };

static mn_index_options index_options(const struct pacmap *m)
{
  static const mn_metric_kind kinds[] = { MN_METRIC_EUCLIDEAN, MN_METRIC_MANHATTAN, MN_METRIC_COSINE,
                                          MN_METRIC_HAMMING };
  return (mn_index_options){ .metric = { .kind = kinds[m->metric] },
                             .algorithm = m->algorithm == DESCENT ? (int64_t)MN_INDEX_DESCENT : m->algorithm,
                             .approximate = true,
                             .leaf_size = 30 };
}

static mn_points points_of(const mn_matrix *x)
{
  return (mn_points){ .n = x->rows, .d = x->cols, .x = x->at };
}

static mn_status check_arguments(mn_context *ctx, const struct pacmap *m, const mn_data *data)
{
  const size_t n = data->rows, columns = (size_t)m->n_components;
  if (n < 3) return mn_fail(ctx, MN_BAD_DATA, "%s: X must have at least 3 rows, got %zu", who, n);
  if ((size_t)m->n_neighbors > n - 2)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_neighbors must be at most rows - 2 = %zu, got %lld", who, n - 2,
                   (long long)m->n_neighbors);
  MN_TRY(mn_check_start(ctx, who, n, columns, &m->start));
  const size_t reduced =
      m->metric != HAMMING && (size_t)m->pca_components < data->features ? (size_t)m->pca_components : data->features;
  if (m->start.at || m->init == RANDOM || columns <= reduced) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: n_components must be at most the number of features, %zu, got %zu; use init = 'random'", who,
                 reduced, columns);
}

/* --- fit --- */

/* out (rows x k) = principal components of the rows of x, and optionally the model of them. */
static mn_status project(mn_context *ctx, const mn_matrix *x, size_t k, double *mean, double *axes, double *out)
{
  const size_t n = x->rows, p = x->cols;
  double *values = MN_RAW(ctx, double, k, 1), *shift = MN_RAW(ctx, double, k, 1), trace;
  if (!values || !shift) return MN_NO_MEMORY;
  MN_TRY(mn_principal_axes(ctx, n, p, x->at, NULL, k, mean, values, axes, &trace));
  MN_TRY(mn_gemm(ctx, false, true, n, k, p, 1, x->at, p, axes, p, 0, out, k));
  MN_TRY(mn_gemm(ctx, false, true, 1, k, p, 1, mean, p, axes, p, 0, shift, k));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) out[i * k + c] -= shift[c];
  return MN_OK;
}

/* Reduce rows of many columns, and store them. */
static mn_status store_rows(mn_context *ctx, struct pacmap *m, const mn_data *data)
{
  const size_t n = data->rows, k = (size_t)m->pca_components;
  if (m->metric == HAMMING || data->features <= k)
    return mn_value_copy(ctx, MN_KIND_MATRIX, &data->x, &m->training_rows);
  MN_TRY(mn_vector_init(ctx, &m->mean, data->features));
  MN_TRY(mn_matrix_init(ctx, &m->components, k, data->features));
  MN_TRY(mn_matrix_init(ctx, &m->training_rows, n, k));
  return project(ctx, &data->x, k, m->mean.at, m->components.at, m->training_rows.at);
}

static mn_pacmap_counts count_pairs(const struct pacmap *m, size_t n)
{
  const double near = (double)m->n_neighbors, most = (double)n - 1;
  return (mn_pacmap_counts){ (size_t)m->n_neighbors, (size_t)fmin(nearbyint(near * m->mn_ratio), most),
                             (size_t)fmin(nearbyint(near * m->fp_ratio), most - near) };
}

/* Principal components of rows that were not reduced are those of X scaled to the range 1. */
static mn_status start_at_components(mn_context *ctx, const struct pacmap *m, const mn_matrix *x, double *y)
{
  const size_t n = x->rows, p = x->cols, columns = (size_t)m->n_components;
  double *mean = MN_RAW(ctx, double, p, 1), *axes = MN_RAW(ctx, double, columns, p), range = 1;
  if (!mean || !axes) return MN_NO_MEMORY;
  MN_TRY(project(ctx, x, columns, mean, axes, y));
  if (!m->components.at) {
    double low = x->at[0], high = x->at[0];
    for (size_t i = 0; i < n * p; i++) {
      low = fmin(low, x->at[i]);
      high = fmax(high, x->at[i]);
    }
    range = high > low ? high - low : 1;
  }
  for (size_t i = 0; i < n * columns; i++) y[i] *= 0.01 / range;
  return MN_OK;
}

static mn_status find_start(mn_context *ctx, const struct pacmap *m, double *y)
{
  const double small = 1e-4;
  const size_t n = m->training_rows.rows, columns = (size_t)m->n_components;
  mn_rng rng = mn_stream(m->seed, 0);
  if (!m->start.at && m->init == PRINCIPAL) return start_at_components(ctx, m, &m->training_rows, y);
  for (size_t c = 0; m->start.at && c < columns; c++) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++) mean += mn_row(&m->start, i)[c] / (double)n;
    for (size_t i = 0; i < n; i++) square += pow(mn_row(&m->start, i)[c] - mean, 2) / (double)n;
    for (size_t i = 0; i < n; i++)
      y[i * columns + c] = square > 0 ? small * (mn_row(&m->start, i)[c] - mean) / sqrt(square) : 0;
  }
  for (size_t i = 0; !m->start.at && i < n * columns; i++) y[i] = small * mn_random_normal(&rng);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct pacmap *m = self;
  const size_t n = data->rows;
  const mn_pacmap_counts counts = count_pairs(m, n);
  MN_TRY(check_arguments(ctx, m, data));
  MN_TRY(store_rows(ctx, m, data));
  const mn_points rows = points_of(&m->training_rows);
  MN_TRY(mn_neighbor_index_init(ctx, who, &m->index, &rows, index_options(m)));
  MN_TRY(mn_indexes_init(ctx, &m->near_pairs, n * counts.near));
  if (counts.mid > 0) MN_TRY(mn_indexes_init(ctx, &m->mid_near_pairs, n * counts.mid));
  if (counts.far > 0) MN_TRY(mn_indexes_init(ctx, &m->further_pairs, n * counts.far));
  MN_TRY(mn_pacmap_pairs(ctx, &m->index, &rows, m->metric == ANGULAR, counts, m->seed, m->near_pairs.at,
                         m->mid_near_pairs.at, m->further_pairs.at));
  MN_TRY(mn_matrix_init(ctx, &m->embedding, n, (size_t)m->n_components));
  MN_TRY(find_start(ctx, m, m->embedding.at));
  const mn_pacmap_settings s = { m->embedding.cols, m->num_iters, m->learning_rate };
  return mn_pacmap_optimize(ctx, &s, n, counts, m->near_pairs.at, m->mid_near_pairs.at, m->further_pairs.at,
                            m->embedding.at, &m->loss);
}

/* --- new rows --- */

static mn_status reduce(mn_context *ctx, const struct pacmap *m, const mn_matrix *x, mn_matrix *out)
{
  const size_t n = x->rows, p = x->cols, k = m->components.rows;
  double *centered = MN_RAW(ctx, double, n, p);
  *out = (mn_matrix){ MN_RAW(ctx, double, n, k), n, k };
  if (!centered || !out->at) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) centered[i * p + j] = mn_row(x, i)[j] - m->mean.at[j];
  for (size_t i = 0; i < n; i++) /* one by one, so that a row gives the same in any company */
    MN_TRY(mn_gemm(ctx, false, true, 1, k, p, 1, centered + i * p, p, m->components.at, p, 0, mn_row(out, i), k));
  return MN_OK;
}

/* Near rows at the mean of their neighbors; rows at distance 0 of a training row at its place, without pairs. */
static void start_rows(const struct pacmap *m, const mn_neighbor_table *t, size_t *start, int32_t *near, double *y)
{
  const size_t columns = m->embedding.cols;
  size_t used = 0;
  for (size_t i = 0; i < t->n; i++) {
    const double least = 1e-9 * t->distance[i * t->k + t->k - 1];
    const bool known = !(t->distance[i * t->k] > least);
    for (size_t c = 0; c < columns; c++) y[i * columns + c] = 0;
    for (size_t j = 0; j < (known ? 1 : t->k); j++) {
      const double *to = mn_row(&m->embedding, (size_t)t->found[i * t->k + j]);
      for (size_t c = 0; c < columns; c++) y[i * columns + c] += to[c] / (double)(known ? 1 : t->k);
      if (!known) near[used++] = t->found[i * t->k + j];
    }
    start[i + 1] = used;
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct pacmap *m = self;
  const size_t n = data->rows;
  const mn_points rows = points_of(&m->training_rows);
  mn_matrix x = data->x;
  size_t *start = MN_NEW(ctx, size_t, n + 1, 1);
  int32_t *near = MN_RAW(ctx, int32_t, n, (size_t)m->n_neighbors);
  mn_neighbor_table t;
  if (!start || !near) return MN_NO_MEMORY;
  if (m->components.at) MN_TRY(reduce(ctx, m, &data->x, &x));
  const mn_points queries = points_of(&x);
  MN_TRY(mn_neighbor_table_new(ctx, n, (size_t)m->n_neighbors, &t));
  MN_TRY(mn_neighbor_nearest(ctx, &m->index, &rows, &queries, t.k, t.found, t.distance));
  MN_TRY(mn_check_neighbor_distances(ctx, who, n, t.k, t.distance));
  start_rows(m, &t, start, near, out->at);
  const mn_pacmap_settings s = { m->embedding.cols, m->num_iters, m->learning_rate };
  return mn_pacmap_place(ctx, &s, n, start, near, m->embedding.rows, m->embedding.at, out->at);
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "pacmap%zu", j + 1);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct pacmap *m = self;
  const size_t width = m->components.at ? m->components.rows : m->base.n_features;
  if (!m->components.at == !m->mean.at && m->training_rows.cols == width) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the training rows do not fit the components", who);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct pacmap *m = self;
  const mn_points rows = points_of(&m->training_rows);
  return mn_neighbor_index_init(ctx, who, &m->index, &rows, index_options(m));
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct pacmap *m = self;
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, &m->base, "new rows are placed by an iteration");
}

static const mn_param params[] = {
  MN_COUNT(struct pacmap, n_components, 2, MN_CLOSED(1, INT32_MAX), "number of coordinates"),
  MN_COUNT(struct pacmap, n_neighbors, 10, MN_CLOSED(1, INT32_MAX),
           "near pairs of each row; 10 + 15 (log10(rows) - 4) suits more than 10,000 rows"),
  MN_REAL(struct pacmap, mn_ratio, 0.5, MN_CLOSED(0, 1000), "mid-near pairs for each near pair"),
  MN_REAL(struct pacmap, fp_ratio, 2, MN_CLOSED(0, 1000), "further pairs for each near pair"),
  MN_CHOICE(struct pacmap, metric, EUCLIDEAN, metrics, "distance between rows; angular: of rows scaled to length 1"),
  MN_CHOICE(struct pacmap, algorithm, MN_INDEX_AUTO, algorithms, MN_GRAPH_ALGORITHM_HELP),
  MN_COUNT(struct pacmap, pca_components, 100, MN_CLOSED(1, INT32_MAX),
           "more features are reduced to so many principal components first, unless the metric is hamming"),
  MN_CHOICE(struct pacmap, init, PRINCIPAL, inits, "positions to start from: principal components, or random ones"),
  MN_TABLE(struct pacmap, start, MN_NO_LIMITS(), "positions to start from, rows x n_components; nil: by init"),
  MN_COUNT(struct pacmap, num_iters, 450, MN_CLOSED(1, 100000),
           "number of steps, in phases of 2/9, 2/9 and 5/9 for large structure, its refinement, and detail"),
  MN_REAL(struct pacmap, learning_rate, 1, MN_GREATER_THAN(0), "size of the steps of Adam"),
  MN_SEED(struct pacmap, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct pacmap, embedding, "rows x components", "coordinates of the training rows"),
  MN_NUMBER(struct pacmap, loss, "at the last step"),
  MN_INDEXES(struct pacmap, near_pairs, "near < rows", "other rows of the near pairs of row 1, of row 2, ..."),
  MN_INDEXES(struct pacmap, mid_near_pairs, "mid? < rows", "the same of mid-near pairs"),
  MN_INDEXES(struct pacmap, further_pairs, "further? < rows", "the same of further pairs"),
  MN_LEARNED(MN_KIND_VECTOR, struct pacmap, mean, "features?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct pacmap, components, "reduced? x features?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct pacmap, training_rows, "rows x width", NULL),
  MN_NEIGHBOR_INDEX_FIELDS(struct pacmap, index),
  MN_END,
};

const mn_class mn_pacmap = {
  .name = "PaCMAP",
  .family = "manifold",
  .brief = "Map of data by near, mid-near and further pairs of rows (PaCMAP).",
  .objective = "sum_near z / (10 + z) + sum_mid z / (10000 + z) + sum_far 1 / (1 + z), z = 1 + |y_i - y_j|^2, weighted",
  .source = "Wang, Huang, Rudin & Shaposhnik, Journal of Machine Learning Research 22 (2021)",
  .notes =
      "Pairs and weights are those of the package pacmap; algorithm says when neighbors are exact. Keeps more of the "
      "large structure than UMAP, as it starts with mid-near pairs. Scale the columns first. transform leaves a row "
      "that equals a training row at its place; it places other rows from the mean of their neighbors, and they do "
      "not influence each other. Sizes of clusters say little. Results do not depend on threads.",
  .example = "local X, y = ml.read_csv('examples/data/iris.csv'):split 'species'\n"
             "local model = ml.PaCMAP{ seed = 1 }\n"
             "print(model:fit(X).embedding, ml.metrics.trustworthiness(X, model.embedding))",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .size = sizeof(struct pacmap),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .training_transform = mn_training_embedding,
  .overwrites = true,
  .outputs = mn_embedding_columns,
  .output_name = output_name,
  .export = export,
  .check = check,
  .derive = derive,
};

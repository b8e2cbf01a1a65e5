/* Locally linear embedding: coordinates whose relations among neighbors are those of the rows,
 *
 *     minimize sum_i tr(Z_i' M_i Z_i),      Z' Z = I, Z' 1 = 0,
 *
 * where Z_i has the coordinates of row i and its neighbors, and M_i depends on the method: local_alignment.h. The
 * coordinates are the eigenvectors of the smallest eigenvalues of the sum of the M_i, but for the constant one. A new
 * row gets the coordinates of its neighbors by the weights that reconstruct it. Roweis & Saul, Science 290 (2000). */
#include "../linalg/csr.h"
#include "../model/program.h"
#include "../search/row_distances.h"
#include "../stats/quantile.h"
#include "local_alignment.h"
#include "neighbor_graph.h"
#include "null_space.h"
#include "../model/magnitudes.h"
#include "../actions/embedding.h"

struct lle {
  mn_neighbors neighbors;
  int64_t n_components, method, metric;
  double reg;
  mn_matrix embedding; /* learned fields */
  mn_vector eigenvalues;
  double reconstruction_error;
  int64_t n_parts;
};

static const char who[] = "LocallyLinearEmbedding";
static const char *const methods[] = { "standard", "modified", "hessian", "ltsa", NULL };
enum { EUCLIDEAN, PRECOMPUTED };
static const char *const metrics[] = { "euclidean", "precomputed", NULL };

static mn_local local_of(const struct lle *m)
{
  return (mn_local){ .k = (size_t)m->neighbors.n_neighbors,
                     .d = m->neighbors.x.cols,
                     .components = (size_t)m->n_components,
                     .method = m->method,
                     .reg = m->reg,
                     .distances = m->metric == PRECOMPUTED };
}

static mn_status check_arguments(mn_context *ctx, const struct lle *m, size_t n, size_t d)
{
  const size_t p = (size_t)m->n_components, k = (size_t)m->neighbors.n_neighbors;
  const size_t least = m->method == MN_LLE_HESSIAN ? p * (p + 3) / 2 + 1 : m->method == MN_LLE_STANDARD ? 1 : p + 1;
  if (k >= n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_neighbors must be less than the number of rows, %zu, got %zu", who, n,
                   k);
  if (p > d || p >= n)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: n_components must be at most the number of columns, %zu, and less than the number of rows, "
                   "%zu, got %zu",
                   who, d, n, p);
  if (k < least)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: n_neighbors must be at least %zu for %zu components by the method %s, "
                   "got %zu",
                   who, least, p, methods[m->method], k);
  return MN_OK;
}

/* --- local problems --- */

struct alignment {
  mn_local local;
  const double *x;      /* n x d                                      */
  const int32_t *found; /* n x k                                      */
  double *ratio;        /* n, of modified                             */
  mn_entry *entry;      /* n x m x m                                  */
  double *work;         /* threads x (workspace + m x m)              */
  size_t size;          /* m                                          */
  mn_blocks blocks;
};

static double *workspace_of(const struct alignment *w, size_t worker)
{
  return w->work + worker * (mn_local_workspace(&w->local) + w->size * w->size);
}

static void ratio_block(void *work, size_t block, size_t worker)
{
  const struct alignment *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    w->ratio[i] =
        mn_local_ratio(&w->local, w->x + i * w->local.d, w->x, w->found + i * w->local.k, workspace_of(w, worker));
}

static void matrix_block(void *work, size_t block, size_t worker)
{
  const struct alignment *w = work;
  const size_t k = w->local.k, m = w->size;
  double *local = workspace_of(w, worker), *rest = local + m * m;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const int32_t *found = w->found + i * k;
    mn_entry *entry = w->entry + i * m * m;
    mn_local_matrix(&w->local, w->x + i * w->local.d, w->x, found, local, rest);
    for (size_t a = 0; a < m; a++)
      for (size_t b = 0; b < m; b++)
        *entry++ = (mn_entry){ a < k ? (size_t)found[a] : i, b < k ? found[b] : (int32_t)i, local[a * m + b] };
  }
}

/* *sum = the sum of the local problems, in scratch. */
static mn_status sum_problems(mn_context *ctx, const struct lle *m, const int32_t *found, mn_csr *sum)
{
  const size_t n = m->neighbors.x.rows;
  struct alignment w = { .local = local_of(m), .x = m->neighbors.x.at, .found = found };
  w.size = w.local.k + mn_local_has_row(&w.local);
  const size_t values = n * w.size * w.size;
  w.blocks = mn_make_blocks(n, 16, SIZE_MAX);
  w.work = MN_RAW(ctx, double, mn_threads(ctx), mn_local_workspace(&w.local) + w.size * w.size);
  w.entry = MN_RAW(ctx, mn_entry, n * w.size, w.size);
  if (!w.work || !w.entry) return MN_NO_MEMORY;
  if (m->method == MN_LLE_MODIFIED) {
    const double half = 0.5;
    w.ratio = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(w.ratio);
    MN_TRY(mn_parallel(ctx, w.blocks.count, ratio_block, &w));
    MN_TRY(mn_quantiles(ctx, n, w.ratio, NULL, 1, &half, &w.local.eta));
  }
  MN_TRY(mn_parallel(ctx, w.blocks.count, matrix_block, &w));
  *sum = (mn_csr){ .rows = n,
                   .cols = n,
                   .start = MN_RAW(ctx, size_t, n + 1, 1),
                   .col = MN_RAW(ctx, int32_t, values, 1),
                   .at = MN_RAW(ctx, double, values, 1) };
  if (!sum->start || !sum->col || !sum->at) return MN_NO_MEMORY;
  return mn_csr_from_entries(ctx, w.entry, values, sum);
}

static void set_metric(struct lle *m)
{
  m->neighbors.metric = m->metric == PRECOMPUTED ? MN_METRIC_PRECOMPUTED : MN_METRIC_EUCLIDEAN;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct lle *m = self;
  const size_t n = data->rows, p = (size_t)m->n_components;
  if (m->metric == PRECOMPUTED && n != data->features)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the metric precomputed requires a square X of distances, got %zu x %zu", who,
                   n, data->features);
  if (m->metric == PRECOMPUTED) MN_TRY(mn_check_distances(ctx, who, n, data->x.at));
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(check_arguments(ctx, m, n, data->features));
  set_metric(m);
  MN_TRY(mn_neighbors_store(ctx, &m->neighbors, data));
  const mn_points rows = mn_neighbors_points(&m->neighbors);
  const size_t k = (size_t)m->neighbors.n_neighbors;
  int32_t *found = MN_RAW(ctx, int32_t, n, k), *component = MN_RAW(ctx, int32_t, n, 1);
  double *distance = MN_RAW(ctx, double, n, k), *vectors = MN_RAW(ctx, double, p, n);
  mn_csr sum;
  if (!found || !component || !distance || !vectors) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_nearest(ctx, &m->neighbors.index, &rows, NULL, k, found, distance));
  MN_TRY(sum_problems(ctx, m, found, &sum));
  m->n_parts = (int64_t)mn_connected_components(&sum, component);
  MN_TRY(mn_matrix_init(ctx, &m->embedding, n, p));
  MN_TRY(mn_vector_init(ctx, &m->eigenvalues, p));
  MN_TRY(mn_smallest_pairs(ctx, who, &sum, p, m->eigenvalues.at, vectors));
  m->reconstruction_error = 0;
  for (size_t c = 0; c < p; c++) {
    m->reconstruction_error += m->eigenvalues.at[c];
    for (size_t i = 0; i < n; i++) mn_row(&m->embedding, i)[c] = vectors[c * n + i];
  }
  return MN_OK;
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct lle *m = self;
  if (m->n_parts > 1)
    mn_text_printf(text,
                   "the graph of neighbors has %lld parts, and the first coordinates only separate them; increase "
                   "n_neighbors, or fit each part",
                   (long long)m->n_parts);
}

/* --- new rows --- */

struct placing {
  const struct lle *model;
  mn_local local;
  const mn_data *data;
  const int32_t *found; /* rows x k                   */
  double *work;         /* threads x (workspace + k)  */
  mn_matrix *out;
  mn_blocks blocks;
};

static void place_block(void *work, size_t block, size_t worker)
{
  const struct placing *w = work;
  const size_t k = w->local.k;
  double *weights = w->work + worker * (mn_local_workspace(&w->local) + k);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const int32_t *found = w->found + i * k;
    double *z = mn_row(w->out, i);
    mn_local_weights(&w->local, mn_row(&w->data->x, i), w->model->neighbors.x.at, found, weights, weights + k);
    for (size_t c = 0; c < w->out->cols; c++) {
      z[c] = 0;
      for (size_t a = 0; a < k; a++) z[c] += weights[a] * mn_row(&w->model->embedding, (size_t)found[a])[c];
    }
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct lle *m = self;
  const size_t k = (size_t)m->neighbors.n_neighbors;
  struct placing w = { .model = m, .local = local_of(m), .data = data, .out = out };
  int32_t *found = MN_RAW(ctx, int32_t, data->rows, k);
  double *distance = MN_RAW(ctx, double, data->rows, k);
  w.work = MN_RAW(ctx, double, mn_threads(ctx), mn_local_workspace(&w.local) + k);
  if (!found || !distance || !w.work) return MN_NO_MEMORY;
  w.found = found;
  w.blocks = mn_make_blocks(data->rows, 16, SIZE_MAX);
  MN_TRY(mn_neighbors_search(ctx, &m->neighbors, data, k, found, distance));
  return mn_parallel(ctx, w.blocks.count, place_block, &w);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct lle *m = self;
  MN_TRY(mn_neighbors_check(ctx, &m->neighbors));
  if (m->neighbors.x.rows == m->embedding.rows && (uint64_t)m->neighbors.n_neighbors < m->embedding.rows) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the training rows do not fit the embedding", who);
}

static mn_status derive(mn_context *ctx, void *self)
{
  set_metric(self);
  return mn_neighbors_derive(ctx, self);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct lle *m = self;
  (void)action, (void)program;
  return mn_cannot_export(ctx, &m->neighbors.base, "new rows are placed by solving linear equations");
}

static const mn_param params[] = {
  MN_COUNT(struct lle, n_components, 2, MN_CLOSED(1, INT32_MAX),
           "number of coordinates, at most the number of columns"),
  MN_NEIGHBORS_COUNT_PARAM,
  MN_CHOICE(struct lle, method, MN_LLE_STANDARD, methods,
            "standard: weights that reconstruct a row from its neighbors; modified: several such weights; hessian: "
            "second derivatives on tangent spaces; ltsa: local tangent space alignment"),
  MN_CHOICE(struct lle, metric, EUCLIDEAN, metrics,
            "euclidean: X has coordinates; precomputed: distances to the training rows, see pairwise_distances"),
  MN_REAL(struct lle, reg, 1e-3, MN_AT_LEAST(0),
          "regularization of the weights, relative to the trace of the Gram matrix of the neighbors"),
  MN_NEIGHBORS_EXACT_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct lle, embedding, "rows x components", "coordinates of the training rows: unit vectors"),
  MN_VECTOR(struct lle, eigenvalues, "components", "smallest eigenvalues but for that of constants, ascending"),
  MN_NUMBER(struct lle, reconstruction_error, "their sum"),
  MN_INTEGER(struct lle, n_parts, "parts of the graph of neighbors; 1: it is connected"),
  MN_NEIGHBORS_FIELDS,
  MN_END,
};

const mn_class mn_locally_linear_embedding = {
  .name = "LocallyLinearEmbedding",
  .family = "manifold",
  .brief = "Coordinates with the local geometry of the rows: LLE, MLLE, HLLE and LTSA.",
  .objective = "minimize sum_i |z_i - sum_j w_ij z_j|^2 (standard), with z of mean 0 and unit variance",
  .source = "Roweis & Saul, Science 290 (2000); Zhang & Wang (2006); Donoho & Grimes (2003); Zhang & Zha (2004)",
  .notes =
      "As scikit-learn's, but hessian follows Donoho & Grimes: scikit-learn's gives the result of ltsa. The largest "
      "element of each coordinate in magnitude is positive. Eigenvectors come from the inverse by a sparse Cholesky "
      "factorization. A graph that is not connected is reported, not repaired. transform places new rows by their "
      "weights; training rows too, so it differs from the embedding, which fit_transform returns.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop{ 'species' }\n"
             "local model = ml.LocallyLinearEmbedding{ n_neighbors = 20, method = 'ltsa' }:fit(X)\n"
             "print(model.eigenvalues)",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM,
  .size = sizeof(struct lle),
  .params = params,
  .fields = fields,
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

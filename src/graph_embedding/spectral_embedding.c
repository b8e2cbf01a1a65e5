/* Laplacian eigenmaps: coordinates that differ little between rows joined by heavy edges of a graph,
 *
 *     minimize sum_ij W_ij |z_i - z_j|^2,      Z' D Z = I, Z' D 1 = 0,      D = diag(W 1),
 *
 * which are D^-1/2 v for the eigenvectors v of the smallest eigenvalues lambda of the normalized Laplacian, but for the
 * first (spectral_graph.h). They are right eigenvectors of P = D^-1 W with the eigenvalues 1 - lambda, so a new row
 * with the weights w gets sum_j w_j z_j / sum_j w_j / (1 - lambda). Belkin & Niyogi, Neural Computation 15 (2003); new
 * rows: Bengio et al., NIPS 16 (2003). */
#include "../core/threads.h"
#include "../linalg/product.h"
#include "../model/program.h"
#include "../search/neighbor_index.h"
#include "../similarity/spectral_graph.h"
#include "../model/magnitudes.h"
#include "../actions/embedding.h"

struct spectral_embedding {
  mn_estimator base;
  int64_t n_components, affinity, n_neighbors; /* parameters */
  double gamma;
  mn_matrix embedding, training_rows; /* learned fields */
  mn_vector eigenvalues;
  mn_csr sparse_rows; /* in place of training_rows if X was sparse */
  int64_t n_parts;
};

static const char who[] = "SpectralEmbedding";

static mn_affinity affinity_of(const struct spectral_embedding *m, size_t rows, size_t features)
{
  const size_t tenth = rows / 10 > 0 ? rows / 10 : 1;
  return (mn_affinity){ .kind = m->affinity,
                        .gamma = isnan(m->gamma) ? 1 / (double)features : m->gamma,
                        .n_neighbors = m->n_neighbors == MN_UNSET ? tenth : (size_t)m->n_neighbors };
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct spectral_embedding *m = self;
  const size_t n = data->rows, k = (size_t)m->n_components;
  mn_spectral_graph g;
  size_t parts;
  if (k >= n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_components must be less than the number of rows, %zu, got %zu", who, n,
                   k);
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(mn_spectral_graph_init(ctx, who, affinity_of(m, n, data->features), data, &g));
  MN_TRY(mn_spectral_parts(ctx, &g, &parts));
  m->n_parts = (int64_t)parts;
  double *values = MN_RAW(ctx, double, k + 1, 1), *vectors = MN_RAW(ctx, double, k + 1, n);
  if (!values || !vectors) return MN_NO_MEMORY;
  MN_TRY(mn_spectral_vectors(ctx, who, &g, k + 1, 1e-10, values, vectors));
  MN_TRY(mn_matrix_init(ctx, &m->embedding, n, k));
  MN_TRY(mn_vector_init(ctx, &m->eigenvalues, k));
  for (size_t c = 0; c < k; c++) {
    m->eigenvalues.at[c] = fmax(values[c + 1], 0);
    for (size_t i = 0; i < n; i++) mn_row(&m->embedding, i)[c] = vectors[(c + 1) * n + i] / g.root[i];
  }
  if (m->affinity == MN_AFFINITY_PRECOMPUTED) return MN_OK;
  if (data->sparse) return mn_value_copy(ctx, MN_KIND_CSR, data->sparse, &m->sparse_rows);
  return mn_value_copy(ctx, MN_KIND_MATRIX, &data->x, &m->training_rows);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct spectral_embedding *m = self;
  if (m->n_parts > 1)
    mn_text_printf(
        text,
        "the graph has %lld parts, and the first coordinates only separate them; increase n_neighbors, or fit "
        "each part",
        (long long)m->n_parts);
}

/* --- new rows --- */

/* z = the mean of the coordinates of the training rows with these weights, over 1 - lambda; 0 without weights. */
static void average(const struct spectral_embedding *m, size_t count, const int32_t *row, const double *weight,
                    double *z)
{
  const size_t k = m->embedding.cols;
  double sum = 0;
  for (size_t c = 0; c < k; c++) z[c] = 0;
  for (size_t e = 0; e < count; e++) {
    const double *from = mn_row(&m->embedding, row ? (size_t)row[e] : e), w = weight ? weight[e] : 1;
    sum += w;
    for (size_t c = 0; c < k; c++) z[c] += w * from[c];
  }
  for (size_t c = 0; c < k; c++) {
    const double scale = sum * (1 - m->eigenvalues.at[c]);
    z[c] = fabs(scale) > 1e-12 * sum ? z[c] / scale : 0;
  }
}

static mn_status transform_by_neighbors(mn_context *ctx, const struct spectral_embedding *m, const mn_data *data,
                                        mn_matrix *out)
{
  enum { LEAF_SIZE = 30 };
  const size_t n = m->embedding.rows, given = affinity_of(m, n, data->features).n_neighbors;
  const size_t count = given > 1 ? given - 1 : 1;
  const mn_csr *rows_of = m->sparse_rows.start ? &m->sparse_rows : NULL;
  const mn_points rows = { .n = n, .d = data->features, .x = m->training_rows.at, .sparse = rows_of },
                  queries = { .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  const mn_index_options options = { .metric = { .kind = MN_METRIC_EUCLIDEAN },
                                     .leaf_size = LEAF_SIZE,
                                     .scratch = true };
  mn_neighbor_index index = { 0 };
  int32_t *found = MN_RAW(ctx, int32_t, data->rows, count);
  double *distance = MN_RAW(ctx, double, data->rows, count);
  if (!found || !distance) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_index_init(ctx, who, &index, &rows, options));
  MN_TRY(mn_neighbor_nearest(ctx, &index, &rows, &queries, count, found, distance));
  for (size_t i = 0; i < data->rows; i++) average(m, count, found + i * count, NULL, mn_row(out, i));
  return MN_OK;
}

static mn_status transform_by_kernel(mn_context *ctx, const struct spectral_embedding *m, const mn_data *data,
                                     mn_matrix *out)
{
  enum { CHUNK = 1024 };
  const size_t n = m->embedding.rows, d = data->features;
  const double gamma = affinity_of(m, n, d).gamma;
  double *weight = MN_RAW(ctx, double, CHUNK, n);
  MN_CHECK_ALLOC(weight);
  for (size_t begin = 0; begin < data->rows; begin += CHUNK) {
    const size_t rows = data->rows - begin < CHUNK ? data->rows - begin : CHUNK;
    MN_TRY(mn_rbf(ctx, rows, n, d, mn_row(&data->x, begin), m->training_rows.at, gamma, weight, n));
    for (size_t i = 0; i < rows; i++) average(m, n, NULL, weight + i * n, mn_row(out, begin + i));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status transform_by_graph(mn_context *ctx, const struct spectral_embedding *m, const mn_csr *x,
                                    mn_matrix *out)
{
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < x->rows; i++) {
    const size_t begin = x->start[i], end = x->start[i + 1];
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    for (size_t e = begin; e < end; e++)
      if (!(x->at[e] >= 0))
        return mn_fail(ctx, MN_BAD_DATA, "%s: similarities must be >= 0, got %s in row %zu, column %d", who,
                       mn_format_number(number, x->at[e]), i + 1, x->col[e] + 1);
    average(m, end - begin, x->col + begin, x->at + begin, mn_row(out, i));
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct spectral_embedding *m = self;
  char number[MN_NUMBER_SIZE];
  if (m->affinity == MN_AFFINITY_NEIGHBORS) return transform_by_neighbors(ctx, m, data, out);
  if (m->affinity == MN_AFFINITY_PRECOMPUTED && data->sparse) return transform_by_graph(ctx, m, data->sparse, out);
  if (data->sparse)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the affinity rbf requires a dense X; convert it with X:todense()", who);
  if (m->affinity == MN_AFFINITY_RBF) return transform_by_kernel(ctx, m, data, out);
  for (size_t i = 0; i < data->rows; i++) {
    const double *weight = mn_row(&data->x, i);
    for (size_t j = 0; j < data->features; j++)
      if (weight[j] < 0)
        return mn_fail(ctx, MN_BAD_DATA, "%s: similarities must be >= 0, got %s in row %zu, column %zu", who,
                       mn_format_number(number, weight[j]), i + 1, j + 1);
    average(m, data->features, NULL, weight, mn_row(out, i));
  }
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct spectral_embedding *m = self;
  const size_t n = m->embedding.rows, given = affinity_of(m, n, m->base.n_features).n_neighbors;
  const bool precomputed = m->affinity == MN_AFFINITY_PRECOMPUTED;
  const bool sparse = m->sparse_rows.start, dense = m->training_rows.at;
  const size_t rows = sparse ? m->sparse_rows.rows : m->training_rows.rows;
  const bool rows_fit = precomputed ? !sparse && !dense && m->base.n_features == n : rows == n && sparse != dense;
  if (rows_fit && (m->affinity != MN_AFFINITY_NEIGHBORS || given <= n)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the training rows do not fit the affinity", who);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct spectral_embedding *m = self;
  (void)action, (void)program;
  return mn_cannot_export(ctx, &m->base, "new rows are placed by their affinities to all training rows");
}

static const mn_param params[] = {
  MN_COUNT(struct spectral_embedding, n_components, 2, MN_CLOSED(1, INT32_MAX), "number of coordinates"),
  MN_CHOICE(struct spectral_embedding, affinity, MN_AFFINITY_NEIGHBORS, mn_affinity_names,
            "weights of the graph. rbf: exp(-gamma d^2); nearest_neighbors: 1 or 1/2 for rows that are neighbors; "
            "precomputed: X is a symmetric matrix of similarities >= 0, which may be sparse"),
  MN_REAL(struct spectral_embedding, gamma, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "inverse squared width of the affinity rbf; nil: 1 / columns"),
  MN_COUNT(struct spectral_embedding, n_neighbors, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "neighbors of each row in the affinity nearest_neighbors, itself included; nil: rows / 10"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct spectral_embedding, embedding, "rows x components", "coordinates of the training rows"),
  MN_VECTOR(struct spectral_embedding, eigenvalues, "components",
            "smallest eigenvalues of the normalized Laplacian but for the first, ascending"),
  MN_INTEGER(struct spectral_embedding, n_parts, "parts of the graph; 1: it is connected"),
  MN_LEARNED(MN_KIND_MATRIX, struct spectral_embedding, training_rows, "rows? x features?", NULL),
  MN_LEARNED(MN_KIND_CSR, struct spectral_embedding, sparse_rows, "rows? x features?", NULL),
  MN_END,
};

const mn_class mn_spectral_embedding = {
  .name = "SpectralEmbedding",
  .family = "manifold",
  .brief = "Laplacian eigenmaps: coordinates that keep neighbors in a graph together.",
  .objective = "minimize sum_ij W_ij |z_i - z_j|^2, with Z' D Z = I and Z' D 1 = 0, D = diag(W 1)",
  .source = "Belkin & Niyogi, Neural Computation 15 (2003)",
  .notes =
      "As scikit-learn's, which has no transform: here new rows get the weighted mean of the coordinates of training "
      "rows, over 1 - eigenvalue. That differs a little from the embedding of training rows, which fit_transform "
      "returns. The graph is that of SpectralClustering: rbf and dense similarities take 8 n^2 bytes, "
      "nearest_neighbors is sparse. The largest element of each coordinate in magnitude is positive.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop{ 'species' }\n"
             "local model = ml.SpectralEmbedding{ affinity = 'rbf' }:fit(X)\n"
             "print(model.eigenvalues)",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_SPARSE,
  .size = sizeof(struct spectral_embedding),
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
};

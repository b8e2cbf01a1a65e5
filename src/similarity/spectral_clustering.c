/* Spectral clustering: rows are nodes of a graph with edges of weight W_ij, and a cluster is a part of the graph with
 * light edges to the rest. The normalized cut,
 *
 *     sum_c cut(c, rest) / volume(c),
 *
 * is relaxed: the rows are embedded by the eigenvectors u of the k largest eigenvalues of D^-1/2 W D^-1/2, D = diag(W
 * 1), which are those of the k smallest of the normalized Laplacian; row i has the coordinates u_c(i) / sqrt(D_ii),
 * which are then clustered. Shi & Malik, IEEE PAMI 22 (2000); von Luxburg, Statistics and Computing 17 (2007). */
#include "../cluster/centers.h"
#include "../cluster/lloyd.h"
#include "../model/magnitudes.h"
#include "spectral_graph.h"
#include "spectral_labels.h"
#include <string.h>

struct spectral_clustering {
  mn_estimator base;
  int64_t n_clusters, n_components, affinity, n_neighbors, assign_labels, n_init, seed; /* parameters */
  double gamma, eigen_tol;
  mn_indexes labels; /* learned fields */
  mn_vector counts, eigenvalues;
  mn_matrix embedding;
};

static const char name[] = "SpectralClustering";
enum { KMEANS, DISCRETIZE, CLUSTER_QR };
static const char *const assignments[] = { "kmeans", "discretize", "cluster_qr", NULL };

/* Store the embedding: rows x k, the largest element of each column in magnitude positive. */
static mn_status embed(mn_context *ctx, struct spectral_clustering *m, const mn_spectral_graph *g, size_t k)
{
  const size_t n = g->n;
  double *vectors = MN_RAW(ctx, double, k, n);
  MN_CHECK_ALLOC(vectors);
  MN_TRY(mn_vector_init(ctx, &m->eigenvalues, k));
  MN_TRY(mn_matrix_init(ctx, &m->embedding, n, k));
  MN_TRY(mn_spectral_vectors(ctx, name, g, k, m->eigen_tol, m->eigenvalues.at, vectors));
  for (size_t c = 0; c < k; c++)
    for (size_t i = 0; i < n; i++) mn_row(&m->embedding, i)[c] = vectors[c * n + i] / g->root[i];
  return MN_OK;
}

static mn_status cluster_by_kmeans(mn_context *ctx, const struct spectral_clustering *m, size_t k, int32_t *label)
{
  const mn_data rows = { .x = m->embedding, .rows = m->embedding.rows, .features = m->embedding.cols };
  const mn_kmeans_settings s = { .k = k, .n_init = m->n_init, .max_iter = 300, .seed = m->seed, .tol = 1e-4 };
  mn_kmeans_result r;
  MN_TRY(mn_kmeans_run(ctx, &s, &rows, &r));
  mn_vector_free(mn_context_memory(ctx), &r.report.trace);
  memcpy(label, r.label, rows.rows * sizeof *label);
  return MN_OK;
}

/* Empty clusters are left out. */
static mn_status store(mn_context *ctx, struct spectral_clustering *m, size_t n, size_t k, const int32_t *label)
{
  int32_t *number = MN_NEW(ctx, int32_t, k, 1), clusters = 0;
  MN_CHECK_ALLOC(number);
  MN_TRY(mn_indexes_init(ctx, &m->labels, n));
  for (size_t i = 0; i < n; i++) number[label[i]] = 1;
  for (size_t c = 0; c < k; c++) number[c] = number[c] ? clusters++ : -1;
  MN_TRY(mn_vector_init(ctx, &m->counts, (size_t)clusters));
  for (size_t i = 0; i < n; i++) {
    m->labels.at[i] = number[label[i]];
    m->counts.at[m->labels.at[i]] += 1;
  }
  return MN_OK;
}

/* Distinct rows of X, but at most `most`. Similarities are not compared: nodes of equal weights need not be alike. */
static mn_status count_distinct_rows(mn_context *ctx, const struct spectral_clustering *m, const mn_data *data,
                                     size_t most, size_t *count)
{
  size_t *found = MN_RAW(ctx, size_t, most, 1), size = 0;
  MN_CHECK_ALLOC(found);
  *count = most;
  if (m->affinity == MN_AFFINITY_PRECOMPUTED) return MN_OK;
  for (size_t i = 0; i < data->rows && size < most; i++) {
    size_t c = 0;
    while (c < size && memcmp(mn_row(&data->x, found[c]), mn_row(&data->x, i), data->features * sizeof(double))) c++;
    if (c == size) found[size++] = i;
  }
  *count = size;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct spectral_clustering *m = self;
  const size_t n = data->rows, wanted = (size_t)m->n_clusters;
  const size_t columns = m->n_components == MN_UNSET ? wanted : (size_t)m->n_components;
  const mn_affinity affinity = { m->affinity, m->gamma, (size_t)m->n_neighbors };
  mn_spectral_graph g;
  size_t clusters;
  int32_t *label = MN_NEW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(label);
  if (wanted > n || columns > n)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: n_clusters and n_components must be at most the number of rows, %zu, got %zu", name, n,
                   wanted > columns ? wanted : columns);
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  if (m->assign_labels != KMEANS && columns != wanted)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_components must be n_clusters unless assign_labels is 'kmeans'", name);
  MN_TRY(count_distinct_rows(ctx, m, data, wanted, &clusters)); /* no cut separates equal rows */
  const size_t k = m->n_components == MN_UNSET || m->assign_labels != KMEANS ? clusters : columns;
  MN_TRY(mn_spectral_graph_init(ctx, name, affinity, data, &g));
  MN_TRY(embed(ctx, m, &g, k));
  if (m->assign_labels == KMEANS) MN_TRY(cluster_by_kmeans(ctx, m, clusters, label));
  if (m->assign_labels == DISCRETIZE) MN_TRY(mn_spectral_discretize(ctx, n, k, m->embedding.at, m->seed, label));
  if (m->assign_labels == CLUSTER_QR) MN_TRY(mn_spectral_qr(ctx, n, k, m->embedding.at, label));
  return store(ctx, m, n, clusters, label);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct spectral_clustering *m = self;
  mn_centers_warning(m->n_clusters, &m->counts, text);
}

static const mn_param params[] = {
  MN_COUNT(struct spectral_clustering, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(struct spectral_clustering, affinity, MN_AFFINITY_RBF, mn_affinity_names,
            "weights of the graph. rbf: exp(-gamma d^2); nearest_neighbors: 1 or 1/2 for rows that are neighbors; "
            "precomputed: X is a symmetric matrix of similarities >= 0"),
  MN_REAL(struct spectral_clustering, gamma, 1, MN_GREATER_THAN(0), "inverse squared width of the affinity rbf"),
  MN_COUNT(struct spectral_clustering, n_neighbors, 10, MN_CLOSED(1, INT32_MAX),
           "neighbors of each row in the affinity nearest_neighbors, itself included"),
  MN_COUNT(struct spectral_clustering, n_components, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "number of eigenvectors of the embedding; nil: n_clusters"),
  MN_CHOICE(struct spectral_clustering, assign_labels, KMEANS, assignments,
            "how embedded rows are clustered; discretize and cluster_qr: rotations in place of centers"),
  MN_COUNT(struct spectral_clustering, n_init, 10, MN_CLOSED(1, INT32_MAX), "number of starts of k-means"),
  MN_REAL(struct spectral_clustering, eigen_tol, 1e-10, MN_GREATER_THAN(0),
          "largest error of an eigenvector, relative to the largest eigenvalue"),
  MN_SEED(struct spectral_clustering, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct spectral_clustering, labels, "rows < clusters", "cluster of each training row"),
  MN_VECTOR(struct spectral_clustering, counts, "clusters", "number of rows of each cluster"),
  MN_VECTOR(struct spectral_clustering, eigenvalues, "components",
            "smallest eigenvalues of the normalized Laplacian; a gap after k of them suggests k clusters"),
  MN_MATRIX(struct spectral_clustering, embedding, "rows x components", "coordinates that were clustered"),
  MN_END,
};

const mn_class mn_spectral_clustering = {
  .name = "SpectralClustering",
  .family = "cluster",
  .brief = "Clusters of any shape, by eigenvectors of a graph of similar rows.",
  .objective = "minimize sum_c cut(c, rest) / volume(c), relaxed to eigenvectors of D^-1/2 W D^-1/2",
  .source = "Shi & Malik, IEEE PAMI 22 (2000); von Luxburg, A Tutorial on Spectral Clustering (2007)",
  .notes =
      "New rows have no place in the embedding, so there is no predict: train a KNeighborsClassifier on labels. rbf and "
      "precomputed take 8 n^2 bytes, nearest_neighbors is sparse. Eigenvectors are found by block Lanczos. Scale the columns "
      "first: gamma is in units of X. A similarity matrix that is not symmetric is an error, which scikit-learn averages.",
  .example = "local X = ml.read_csv('examples/data/faithful.csv'):matrix()\n"
             "local scaled = ml.StandardScaler{}:fit_transform(X)\n"
             "local model = ml.SpectralClustering{ n_clusters = 2 }:fit(scaled)\n"
             "print(model.counts, model.eigenvalues)",
  .capabilities = MN_CLUSTER | MN_RANDOM,
  .size = sizeof(struct spectral_clustering),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
};

/* Agglomerative clustering as an estimator: the merges of linkage.h, cut into clusters. */
#include "../model/class.h"
#include "../model/magnitudes.h"
#include "../search/row_distances.h"
#include "linkage.h"

struct agglomerative {
  mn_estimator base;
  int64_t n_clusters, linkage, metric; /* parameters */
  double distance_threshold, p;
  mn_matrix covariance, connectivity;
  mn_matrix merges; /* learned fields */
  mn_indexes labels;
  mn_vector counts;
};

static mn_status check_parameters(mn_context *ctx, const struct agglomerative *m, const mn_data *data)
{
  if (isnan(m->distance_threshold) && (uint64_t)m->n_clusters > data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "AgglomerativeClustering: n_clusters must be at most the number of rows, %zu, got %lld", data->rows,
                   (long long)m->n_clusters);
  if (m->connectivity.at && m->connectivity.cols != 2)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "AgglomerativeClustering: connectivity must be a Sparse matrix, rows x rows, or a list of pairs of "
                   "rows, got %zu columns",
                   m->connectivity.cols);
  return MN_OK;
}

/* The pairs of connectivity, 0-based. */
static mn_status read_links(mn_context *ctx, const mn_matrix *pairs, size_t rows, mn_links *links)
{
  char number[MN_NUMBER_SIZE];
  *links = (mn_links){ pairs->rows, MN_RAW(ctx, int32_t, pairs->rows, 1), MN_RAW(ctx, int32_t, pairs->rows, 1) };
  if (!links->a || !links->b) return MN_NO_MEMORY;
  for (size_t i = 0; i < 2 * pairs->rows; i++) {
    const double row = pairs->at[i];
    if (!(row >= 1 && row <= (double)rows) || row != floor(row))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "AgglomerativeClustering: connectivity must have numbers of rows, from 1 to %zu, got %s in row "
                     "%zu, column %zu",
                     rows, mn_format_number(number, row), i / 2 + 1, i % 2 + 1);
    (i % 2 ? links->b : links->a)[i / 2] = (int32_t)row - 1;
  }
  return MN_OK;
}

static mn_status link_rows(mn_context *ctx, const struct agglomerative *m, const mn_data *data, mn_merge *merges)
{
  static const char who[] = "AgglomerativeClustering";
  const mn_points rows = { .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  const mn_metric metric = { m->metric, m->p, &m->covariance };
  mn_links links;
  if (m->metric == MN_METRIC_PRECOMPUTED && data->rows == data->features && !data->sparse)
    MN_TRY(mn_check_distances(ctx, who, data->rows, data->x.at));
  if (!m->connectivity.at) return mn_link(ctx, who, (mn_linkage)m->linkage, metric, &rows, merges);
  MN_TRY(read_links(ctx, &m->connectivity, data->rows, &links));
  return mn_link_connected(ctx, who, (mn_linkage)m->linkage, metric, &rows, links, merges);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct agglomerative *m = self;
  const size_t n = data->rows;
  size_t clusters;
  MN_TRY(check_parameters(ctx, m, data));
  MN_TRY(mn_check_metric_magnitudes(ctx, &m->base, m->metric, data));
  mn_merge *merges = MN_RAW(ctx, mn_merge, n, 1);
  MN_CHECK_ALLOC(merges);
  MN_TRY(link_rows(ctx, m, data, merges));
  MN_TRY(mn_matrix_init(ctx, &m->merges, n - 1, 4));
  MN_TRY(mn_indexes_init(ctx, &m->labels, n));
  mn_merges_to_matrix(n - 1, merges, m->merges.at);
  if (isnan(m->distance_threshold))
    MN_TRY(mn_cut_count(ctx, n, merges, (size_t)m->n_clusters, m->labels.at, &clusters));
  else
    MN_TRY(mn_cut_height(ctx, n, merges, m->distance_threshold, false, m->labels.at, &clusters));
  MN_TRY(mn_vector_init(ctx, &m->counts, clusters));
  for (size_t i = 0; i < n; i++) m->counts.at[m->labels.at[i]] += 1;
  return MN_OK;
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct agglomerative *m = self;
  const size_t n = m->labels.size, clusters = m->counts.size;
  if (isnan(m->distance_threshold) && clusters > 1 && !(mn_row(&m->merges, n - clusters)[2] > 0))
    mn_text_printf(text,
                   "rows at distance 0 are in different clusters, as when X has fewer distinct rows than %zu; decrease "
                   "n_clusters",
                   clusters);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct agglomerative *m = self;
  mn_merge *merges = MN_RAW(ctx, mn_merge, m->merges.rows + 1, 1);
  MN_CHECK_ALLOC(merges);
  if (m->merges.rows + 1 != m->labels.size || m->merges.cols != 4)
    return mn_fail(ctx, MN_BAD_FILE, "AgglomerativeClustering: merges must be (rows - 1) x 4");
  return mn_merges_from_matrix(ctx, "AgglomerativeClustering: merges", MN_BAD_FILE, m->merges.rows, m->merges.at,
                               merges);
}

static const mn_param params[] = {
  MN_COUNT(struct agglomerative, n_clusters, 2, MN_CLOSED(1, INT32_MAX),
           "number of clusters; not used with distance_threshold"),
  MN_CHOICE(struct agglomerative, linkage, MN_LINKAGE_WARD, mn_linkage_names,
            "distance of two clusters. ward, centroid, median: metric euclidean, or precomputed Euclidean distances"),
  MN_REAL(struct agglomerative, distance_threshold, MN_UNSET_REAL, MN_AT_LEAST(0),
          "clusters at this distance or farther are not merged, in units of the metric; nil: n_clusters decides"),
  MN_CHOICE(struct agglomerative, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "symmetric matrix of distances, see pairwise_distances"),
  MN_REAL(struct agglomerative, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct agglomerative, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the rows of X"),
  { .name = "connectivity",
    .kind = MN_KIND_MATRIX,
    .offset = offsetof(struct agglomerative, connectivity),
    .initial = (double)NAN,
    MN_CLOSED(1, INT32_MAX),
    .pairs = true,
    .brief =
        "graph of the rows that are linked, a Sparse matrix or pairs of rows: only linked clusters merge; nil: all" },
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct agglomerative, labels, "rows < clusters",
             "cluster of each training row; clusters are numbered in the order of their first rows"),
  MN_VECTOR(struct agglomerative, counts, "clusters", "number of rows of each cluster"),
  MN_MATRIX(
      struct agglomerative, merges, "merges? x columns?",
      "the rows - 1 merges: numbers of the two clusters, distance, rows of the new cluster. Clusters 1 to n are the "
      "rows; cluster n + i is made by merge i"),
  MN_END,
};

const mn_class mn_agglomerative_clustering = {
  .name = "AgglomerativeClustering",
  .family = "cluster",
  .brief = "Hierarchical clustering: the two nearest clusters merge until one is left.",
  .objective = "merge the clusters A, B with the least linkage(A, B), such as mean distance(a, b)",
  .source = "Ward, JASA 58 (1963); Muellner, arXiv:1109.2378 (2011)",
  .notes =
      "merges has all merges, as scipy's linkage, counted from 1; ml.cut_tree cuts them elsewhere, and "
      "ml.plot.dendrogram draws them. New rows have no place in the hierarchy, so there is no predict: train a "
      "KNeighborsClassifier on labels. If connectivity leaves parts unconnected, the shortest link between each two "
      "parts is added. single, and ward of dense rows, need memory for the rows only; others for all distances.",
  .example = "local model = ml.AgglomerativeClustering{ n_clusters = 2 }:fit{ {0, 0}, {0, 1}, {10, 0}, {10, 1} }\n"
             "print(model.labels, model.merges)",
  .capabilities = MN_CLUSTER | MN_SCALE_EQUIVARIANT,
  .accepts = MN_SPARSE,
  .size = sizeof(struct agglomerative),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
  .check = check,
};

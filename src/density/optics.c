/* OPTICS as an estimator: the reachability plot, and its clusters. */
#include "../model/class.h"
#include "../model/magnitudes.h"
#include "../search/row_distances.h"
#include "reachability.h"

enum { XI, DBSCAN };
static const char *const methods[] = { "xi", "dbscan", NULL };

struct optics {
  mn_estimator base;
  int64_t min_samples, metric, cluster_method; /* parameters */
  double min_cluster_size, max_eps, p, eps, xi;
  bool predecessor_correction;
  mn_matrix covariance;
  mn_indexes labels, ordering, predecessor; /* learned fields */
  mn_vector reachability, core_distances, counts;
  mn_matrix cluster_hierarchy;
};

/* The rows that a cluster must have: a fraction of them is rounded down, but is at least 2. */
static double smallest_cluster(const struct optics *m, size_t rows)
{
  if (isnan(m->min_cluster_size)) return (double)m->min_samples;
  return m->min_cluster_size < 1 ? fmax(floor(m->min_cluster_size * (double)rows), 2) : m->min_cluster_size;
}

static mn_status check_samples(mn_context *ctx, const struct optics *m, size_t rows)
{
  char number[MN_NUMBER_SIZE];
  const double size = m->min_cluster_size;
  const bool too_large = size > (double)rows;
  if (size >= 1 && (size < 2 || floor(size) < size))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "OPTICS: min_cluster_size must be a whole number of at least 2 or, below 1, a fraction of the rows, "
                   "got %s",
                   mn_format_number(number, size));
  if ((uint64_t)m->min_samples <= rows && !too_large) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "OPTICS: %s must be at most the number of rows, %zu, got %s",
                 too_large ? "min_cluster_size" : "min_samples", rows,
                 mn_format_number(number, too_large ? size : (double)m->min_samples));
}

static mn_status find_steep(mn_context *ctx, struct optics *m, const mn_reachability *r, size_t *clusters)
{
  const size_t least = (size_t)smallest_cluster(m, r->n);
  const mn_steep settings = { m->xi, (size_t)m->min_samples, least, m->predecessor_correction };
  mn_steep_area *spans;
  size_t count;
  MN_TRY(mn_find_spans(ctx, r, settings, &spans, &count));
  mn_label_spans(r, spans, count, m->labels.at, clusters);
  if (count == 0) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, &m->cluster_hierarchy, count, 2));
  for (size_t i = 0; i < count; i++) {
    mn_row(&m->cluster_hierarchy, i)[0] = (double)spans[i].begin + 1;
    mn_row(&m->cluster_hierarchy, i)[1] = (double)spans[i].end + 1;
  }
  return MN_OK;
}

static mn_status order(mn_context *ctx, struct optics *m, const mn_data *data, mn_reachability *r)
{
  const size_t n = data->rows;
  const mn_points rows = { .n = n, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  const mn_metric metric = { m->metric, m->p, &m->covariance };
  MN_TRY(mn_indexes_init(ctx, &m->labels, n));
  MN_TRY(mn_indexes_init(ctx, &m->ordering, n));
  MN_TRY(mn_indexes_init(ctx, &m->predecessor, n));
  MN_TRY(mn_vector_init(ctx, &m->reachability, n));
  MN_TRY(mn_vector_init(ctx, &m->core_distances, n));
  *r = (mn_reachability){ n, m->ordering.at, m->reachability.at, m->core_distances.at, m->predecessor.at };
  return mn_order_by_reachability(ctx, "OPTICS", metric, &rows, (size_t)m->min_samples,
                                  isnan(m->max_eps) ? INFINITY : m->max_eps, r);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct optics *m = self;
  mn_reachability r;
  size_t clusters;
  const double eps = isnan(m->eps) ? isnan(m->max_eps) ? INFINITY : m->max_eps : m->eps;
  MN_TRY(check_samples(ctx, m, data->rows));
  MN_TRY(mn_check_metric_magnitudes(ctx, &m->base, m->metric, data));
  if (m->metric == MN_METRIC_PRECOMPUTED && !data->sparse && data->rows == data->features)
    MN_TRY(mn_check_distances(ctx, "OPTICS", data->rows, data->x.at));
  if (!isnan(m->max_eps) && m->eps > m->max_eps)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "OPTICS: eps must be at most max_eps, %g, got %g", m->max_eps, m->eps);
  MN_TRY(order(ctx, m, data, &r));
  if (m->cluster_method == DBSCAN)
    mn_cut_reachability(&r, eps, m->labels.at, &clusters);
  else
    MN_TRY(find_steep(ctx, m, &r, &clusters));
  if (clusters > 0) MN_TRY(mn_vector_init(ctx, &m->counts, clusters));
  for (size_t i = 0; i < data->rows; i++)
    if (m->labels.at[i] >= 0) m->counts.at[m->labels.at[i]] += 1;
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct optics, min_samples, 5, MN_CLOSED(2, INT32_MAX),
           "rows within the core distance of a row, itself included"),
  MN_REAL(
      struct optics, max_eps, MN_UNSET_REAL, MN_GREATER_THAN(0),
      "largest distance of neighbors, in units of the metric; smaller is faster; nil: unlimited, in quadratic time"),
  MN_CHOICE(struct optics, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "symmetric matrix of distances, see pairwise_distances"),
  MN_REAL(struct optics, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct optics, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the rows of X"),
  MN_CHOICE(struct optics, cluster_method, XI, methods,
            "xi: clusters between steep slopes of the reachability plot; dbscan: below eps"),
  MN_REAL(struct optics, eps, MN_UNSET_REAL, MN_GREATER_THAN(0), "radius of the method dbscan; nil: max_eps"),
  MN_REAL(struct optics, xi, 0.05, MN_OPEN(0, 1), "relative change of reachability that is steep, of the method xi"),
  MN_FLAG(struct optics, predecessor_correction, true, "whether xi corrects the ends of clusters by predecessors"),
  MN_REAL(struct optics, min_cluster_size, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "smallest number of rows of a cluster of xi; below 1: fraction of the rows; nil: min_samples"),
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct optics, labels, "rows < clusters? or -1", "cluster of each training row, -1 for noise"),
  MN_VECTOR(struct optics, counts, "clusters?", "number of rows of each cluster"),
  MN_INDEXES(struct optics, ordering, "rows < rows", "the rows in the order of the reachability plot"),
  MN_VECTOR(struct optics, reachability, "rows", "reachability distance of each row, inf where a part begins"),
  MN_VECTOR(struct optics, core_distances, "rows", "core distance of each row, inf if above max_eps"),
  MN_INDEXES(struct optics, predecessor, "rows < rows or -1", "the row from which each was reached; -1: none"),
  MN_MATRIX(struct optics, cluster_hierarchy, "spans? x columns?",
            "first and last position in ordering of all clusters of xi, the smaller ones first"),
  MN_END,
};

const mn_class mn_optics = {
  .name = "OPTICS",
  .family = "cluster",
  .brief = "Orders rows by density: a reachability plot, and the clusters in its valleys.",
  .objective = "reachability(b from a) = max(core distance of a, d(a, b)); next is the row with the least",
  .source = "Ankerst, Breunig, Kriegel & Sander, SIGMOD 1999; Schubert & Gertz, LWDA 2018",
  .notes =
      "One ordering contains the clusters of DBSCAN for every radius: ml.plot.reachability draws it. Ties are broken "
      "by the lowest index, and the ordering begins with the first row, so results may depend on the order of the "
      "rows. New rows have no place in the ordering, so there is no predict: use DBSCAN with an eps read from the "
      "plot, or HDBSCAN. Scale the columns first if their units differ.",
  .example = "local X = ml.normal(60, 2, 1)\n"
             "for i = 1, 30 do X:set(i, 1, X:get(i, 1) + 9) end\n"
             "local model = ml.OPTICS{ min_samples = 8, cluster_method = 'dbscan', eps = 2 }:fit(X)\n"
             "print(model.counts, model.reachability:take(model.ordering))",
  .capabilities = MN_CLUSTER,
  .accepts = MN_SPARSE,
  .size = sizeof(struct optics),
  .params = params,
  .fields = fields,
  .fit = fit,
};

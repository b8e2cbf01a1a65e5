/* k-means. Choose centers c_1..c_k and labels l_i to minimize the inertia
 *
 *     J = sum_i w_i |x_i - c_{l_i}|^2
 *
 * by Lloyd's algorithm: alternately assign labels for given centers and move centers to the means of their rows.
 * Neither step increases J. Labels and means are computed in one pass over X (mn_nearest_center), which skips what
 * bounds exclude: Hamerly, SIAM Data Mining (2010); Elkan, ICML (2003); Ding et al., ICML (2015). A center that loses
 * all its rows moves to the row that is farthest from its own center. The best of n_init starts is kept.
 *
 * Lloyd, IEEE Trans. Inf. Theory 28 (1982); Arthur & Vassilvitskii, SODA 2007. */
#include "centers.h"
#include "lloyd.h"
#include <string.h>

struct kmeans {
  mn_estimator base;
  int64_t n_clusters, init, algorithm, n_init, max_iter, seed; /* parameters */
  double tol;
  mn_matrix start;
  mn_matrix cluster_centers; /* learned fields */
  mn_indexes labels;
  double inertia;
  mn_vector counts; /* clusters: sum of the sample weights */
};

static mn_kmeans_settings settings(const struct kmeans *m)
{
  return (mn_kmeans_settings){ .k = (size_t)m->n_clusters,
                               .algorithm = m->algorithm,
                               .init = m->init,
                               .n_init = m->n_init,
                               .max_iter = m->max_iter,
                               .seed = m->seed,
                               .tol = m->tol,
                               .start = m->start.at ? &m->start : NULL };
}

static mn_status store(mn_context *ctx, struct kmeans *m, const mn_data *data, const mn_kmeans_result *r, size_t k)
{
  m->inertia = r->inertia;
  return mn_centers_store(ctx, data->rows, data->features, k, r->centers, r->label, r->counts, &m->cluster_centers,
                          &m->labels, &m->counts);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kmeans *m = self;
  const mn_kmeans_settings s = settings(m);
  mn_kmeans_result r;
  MN_TRY(mn_centers_check(ctx, "KMeans", m->n_clusters, &m->start, data));
  MN_TRY(mn_kmeans_run(ctx, &s, data, &r));
  mn_vector_free(mn_context_memory(ctx), &m->base.report.trace);
  m->base.report = r.report;
  MN_TRY(mn_centers_check_inertia(ctx, "KMeans", r.inertia));
  return store(ctx, m, data, &r, s.k);
}

/* The centers and counts after the previous batches; for the first batch initial centers of weight 0. */
static mn_status init_batch(mn_context *ctx, const struct kmeans *m, const mn_data *data, double *centers,
                            double *counts)
{
  const mn_kmeans_settings s = settings(m);
  if (!m->cluster_centers.at) {
    MN_TRY(mn_centers_check(ctx, "KMeans", m->n_clusters, &m->start, data));
    return mn_kmeans_start(ctx, &s, data, 0, centers);
  }
  memcpy(centers, m->cluster_centers.at, m->cluster_centers.rows * data->features * sizeof *centers);
  memcpy(counts, m->counts.at, m->cluster_centers.rows * sizeof *counts);
  return MN_OK;
}

/* Each center becomes the mean of all rows that were ever assigned to it: Sculley, WWW 2010. */
static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kmeans *m = self;
  const size_t k = m->cluster_centers.at ? m->cluster_centers.rows : (size_t)m->n_clusters, d = data->features;
  double *sums = MN_RAW(ctx, double, k, d), *totals = MN_RAW(ctx, double, k, 1);
  mn_kmeans_result r = { .centers = MN_RAW(ctx, double, k, d),
                         .counts = MN_NEW(ctx, double, k, 1),
                         .label = MN_RAW(ctx, int32_t, data->rows, 1) };
  if (!sums || !totals || !r.centers || !r.counts || !r.label) return MN_NO_MEMORY;
  MN_TRY(init_batch(ctx, m, data, r.centers, r.counts));
  MN_TRY(mn_kmeans_assign(ctx, data, k, r.centers, r.label, NULL, sums, totals, NULL));
  mn_centers_move(k, d, sums, totals, r.centers, r.counts);
  MN_TRY(mn_kmeans_assign(ctx, data, k, r.centers, r.label, NULL, NULL, NULL, &r.inertia));
  MN_TRY(store(ctx, m, data, &r, k));
  m->base.report.converged = false;
  m->base.report.change = (double)NAN;
  mn_record_round(ctx, &m->base.report, m->inertia);
  return mn_error_status(ctx);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_centers_predict(ctx, &((const struct kmeans *)self)->cluster_centers, data, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_centers_transform(ctx, &((const struct kmeans *)self)->cluster_centers, data, out);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct kmeans *m = self;
  mn_centers_warning(m->n_clusters, &m->counts, text);
}

static size_t outputs(const void *self)
{
  return ((const struct kmeans *)self)->cluster_centers.rows;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  mn_centers_export(&((const struct kmeans *)self)->cluster_centers, action, program);
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct kmeans, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(struct kmeans, init, MN_KMEANS_PLUS_PLUS, mn_kmeans_inits, "method for choosing the initial centers"),
  MN_CHOICE(struct kmeans, algorithm, MN_KMEANS_AUTO, mn_kmeans_algorithms,
            "how the nearest centers are found: all give the same result. auto: by the number of clusters and columns; "
            "sparse X: always lloyd"),
  MN_TABLE(struct kmeans, start, MN_NO_LIMITS(), "initial centers, n_clusters x features; nil: chosen by init"),
  MN_COUNT(struct kmeans, n_init, 1, MN_CLOSED(1, INT32_MAX), "number of starts, of which the best is kept"),
  MN_COUNT(struct kmeans, max_iter, 300, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_REAL(struct kmeans, tol, 1e-4, MN_AT_LEAST(0),
          "stop when the sum of the squared center movements is at most this fraction of the mean variance"),
  MN_SEED(struct kmeans, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct kmeans, cluster_centers, "clusters x features", "mean of each cluster, in the units of X"),
  MN_INDEXES(struct kmeans, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(struct kmeans, inertia, "weighted sum of squared distances to the nearest center"),
  MN_VECTOR(struct kmeans, counts, "clusters", "number of rows (sum of sample weights) of each cluster"),
  MN_END,
};

const mn_class mn_kmeans = {
  .name = "KMeans",
  .family = "cluster",
  .brief = "k-means clustering by Lloyd's algorithm with k-means++ initialization.",
  .objective = "sum_i w_i |x_i - c_l(i)|^2 over centers c and labels l",
  .source = "Lloyd, IEEE Trans. Inf. Theory 28 (1982); Arthur & Vassilvitskii, SODA 2007",
  .notes =
      "transform returns the distance to each center. Rows of weight 0 are excluded and have no labels; predict labels them. "
      "partial_fit is one step of mini-batch k-means: each center is the mean of all rows ever assigned to it, and old rows "
      "are not reassigned. labels and inertia are those of the last batch; partial_fit may also continue after fit. An "
      "exported program may break near-ties differently. Scale the columns first if their units differ.",
  .example = "local model = ml.KMeans{ n_clusters = 2, seed = 1 }:fit{ {0, 0}, {0, 1}, {10, 0}, {10, 1} }\n"
             "print(model.inertia, model:predict{ {9, 0} })",
  .capabilities = MN_CLUSTER | MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct kmeans),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
  .partial_fit = partial_fit,
  .predict = predict,
  .transform = transform,
  .export = export,
  .outputs = outputs,
};

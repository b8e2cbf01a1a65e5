/* Spherical k-means: clusters of directions. Rows and centers have length 1, and
 *
 *     sum_i w_i (1 - cos(x_i, c_l(i)))  =  sum_i w_i |x_i / |x_i| - c_l(i)|^2 / 2
 *
 * is minimized by Lloyd's algorithm, whose centers are scaled to length 1 after each step.
 *
 * Dhillon & Modha, Machine Learning 42 (2001). */
#include "../linalg/ordered.h"
#include "centers.h"
#include "lloyd.h"

struct spherical_kmeans {
  mn_estimator base;
  int64_t n_clusters, init, algorithm, n_init, max_iter, seed; /* parameters */
  double tol;
  mn_matrix start;
  mn_matrix cluster_centers; /* learned fields */
  mn_indexes labels;
  double inertia;
  mn_vector counts;
};

/* x / |x|, or 0 if x is 0; without overflow. Also for the values of a sparse row. */
static void normalize(size_t n, const double *x, double *out)
{
  double largest = 0;
  for (size_t j = 0; j < n; j++) largest = fmax(largest, fabs(x[j]));
  for (size_t j = 0; j < n; j++) out[j] = largest > 0 ? x[j] / largest : 0;
  const double length = largest > 0 ? sqrt(mn_ordered_dot(n, out, out)) : 1;
  for (size_t j = 0; j < n; j++) out[j] /= length;
}

/* The data with rows of length 1, in scratch. */
static mn_status normalize_rows(mn_context *ctx, const mn_data *data, mn_data *out)
{
  *out = *data;
  if (data->sparse) {
    const mn_csr *s = data->sparse;
    mn_csr *copy = MN_RAW(ctx, mn_csr, 1, 1);
    MN_CHECK_ALLOC(copy);
    *copy = *s;
    copy->at = MN_RAW(ctx, double, s->start[s->rows], 1);
    MN_CHECK_ALLOC(copy->at);
    for (size_t i = 0; i < s->rows; i++)
      normalize(s->start[i + 1] - s->start[i], s->at + s->start[i], copy->at + s->start[i]);
    out->sparse = copy;
    return MN_OK;
  }
  out->x.at = MN_RAW(ctx, double, data->rows, data->features);
  MN_CHECK_ALLOC(out->x.at);
  for (size_t i = 0; i < data->rows; i++) normalize(data->features, mn_row(&data->x, i), mn_row(&out->x, i));
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct spherical_kmeans *m = self;
  const size_t k = (size_t)m->n_clusters, d = data->features;
  mn_matrix start = { MN_RAW(ctx, double, k, d), k, d };
  mn_data rows;
  mn_kmeans_result r;
  MN_CHECK_ALLOC(start.at);
  MN_TRY(mn_centers_check(ctx, "SphericalKMeans", m->n_clusters, &m->start, data));
  for (size_t c = 0; m->start.at && c < k; c++) normalize(d, mn_row(&m->start, c), mn_row(&start, c));
  MN_TRY(normalize_rows(ctx, data, &rows));
  const mn_kmeans_settings s = { .k = k,
                                 .algorithm = m->algorithm,
                                 .init = m->init,
                                 .n_init = m->n_init,
                                 .max_iter = m->max_iter,
                                 .seed = m->seed,
                                 .tol = m->tol,
                                 .start = m->start.at ? &start : NULL,
                                 .spherical = true };
  MN_TRY(mn_kmeans_run(ctx, &s, &rows, &r));
  m->base.report = r.report;
  m->inertia = r.inertia;
  return mn_centers_store(ctx, data->rows, d, k, r.centers, r.label, r.counts, &m->cluster_centers, &m->labels,
                          &m->counts);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  mn_data rows;
  MN_TRY(normalize_rows(ctx, data, &rows));
  return mn_centers_predict(ctx, &((const struct spherical_kmeans *)self)->cluster_centers, &rows, out);
}

/* 1 - cos = |z - c|^2 / 2. A row of zeros has cosine 0, as elsewhere. */
static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct spherical_kmeans *m = self;
  mn_data rows;
  double *buffer = MN_RAW(ctx, double, data->features, 1);
  MN_CHECK_ALLOC(buffer);
  MN_TRY(normalize_rows(ctx, data, &rows));
  for (size_t i = 0; i < data->rows; i++) {
    const double *z = mn_dense_row(&rows, i, buffer);
    const bool zero = !(mn_ordered_abs_sum(data->features, z) > 0);
    mn_ordered_distances2(out->cols, data->features, m->cluster_centers.at, z, mn_row(out, i));
    for (size_t c = 0; c < out->cols; c++) mn_row(out, i)[c] = zero ? 1 : mn_row(out, i)[c] / 2;
  }
  return MN_OK;
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct spherical_kmeans *m = self;
  mn_centers_warning(m->n_clusters, &m->counts, text);
}

static size_t outputs(const void *self)
{
  return ((const struct spherical_kmeans *)self)->cluster_centers.rows;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_matrix *centers = &((const struct spherical_kmeans *)self)->cluster_centers;
  (void)ctx;
  mn_program_reals(program, "centers", centers->rows * centers->cols, centers->at);
  mn_program_count(program, "clusters", centers->rows);
  mn_program_code(program, "reals z[features]"
                           " real largest = largest_absolute(features, x)"
                           " if largest > 0.0 {"
                           "   for j < features { z[j] = x[j] / largest }"
                           "   real length = sqrt(dot(features, z, 0, z, 0))"
                           "   for j < features { z[j] /= length }"
                           " }");
  if (action == MN_PREDICT)
    mn_program_code(program, "real best = infinity"
                             " int nearest = 0"
                             " for c < clusters {"
                             "   real d = distance2(features, z, 0, centers, c * features)"
                             "   if d < best { best = d nearest = c }"
                             " }"
                             " out[0] = nearest + 0.0");
  if (action == MN_TRANSFORM_X)
    mn_program_code(program, "for c < clusters {"
                             "  real d = distance2(features, centers, c * features, z, 0)"
                             "  out[c] = largest > 0.0 ? d / 2.0 : 1.0"
                             "}");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct spherical_kmeans, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(struct spherical_kmeans, init, MN_KMEANS_PLUS_PLUS, mn_kmeans_inits,
            "method for choosing the initial centers"),
  MN_CHOICE(struct spherical_kmeans, algorithm, MN_KMEANS_AUTO, mn_kmeans_algorithms,
            "how the nearest centers are found, as in KMeans: all give the same result"),
  MN_TABLE(struct spherical_kmeans, start, MN_NO_LIMITS(),
           "initial centers, n_clusters x features, of any length; nil: chosen by init"),
  MN_COUNT(struct spherical_kmeans, n_init, 1, MN_CLOSED(1, INT32_MAX), "number of starts, of which the best is kept"),
  MN_COUNT(struct spherical_kmeans, max_iter, 300, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_REAL(struct spherical_kmeans, tol, 1e-4, MN_AT_LEAST(0),
          "stop when the sum of the squared center movements is at most this fraction of the mean variance of the "
          "normalized columns"),
  MN_SEED(struct spherical_kmeans, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct spherical_kmeans, cluster_centers, "clusters x features", "direction of each cluster, of length 1"),
  MN_INDEXES(struct spherical_kmeans, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(struct spherical_kmeans, inertia, "weighted sum of cosine distances to the own center"),
  MN_VECTOR(struct spherical_kmeans, counts, "clusters", "number of rows (sum of sample weights) of each cluster"),
  MN_END,
};

const mn_class mn_spherical_kmeans = {
  .name = "SphericalKMeans",
  .family = "cluster",
  .brief = "k-means clustering of directions by cosine distance, such as of documents.",
  .objective = "sum_i w_i (1 - cos(x_i, c_l(i))) over centers c of length 1 and labels l",
  .source = "Dhillon & Modha, Machine Learning 42 (2001)",
  .notes =
      "Only the direction of a row matters, not its length. transform returns the cosine distance to each center. A "
      "row of zeros has no direction: it does not move centers, its label is arbitrary, and it adds 1/2 to the "
      "inertia. Sparse X, such as TF-IDF of documents, is not made dense.",
  .example = "local X = { {1, 0}, {5, 1}, {0, 2}, {1, 9} }\n"
             "print(ml.SphericalKMeans{ n_clusters = 2 }:fit(X).labels)",
  .capabilities = MN_CLUSTER | MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct spherical_kmeans),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
  .predict = predict,
  .transform = transform,
  .export = export,
  .outputs = outputs,
};

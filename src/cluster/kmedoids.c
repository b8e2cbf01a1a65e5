/* k-medoids: k rows, the medoids, such that the sum of the distances of all rows to the nearest medoid is small. Any
 * metric, and matrices of distances; medoids.h has the algorithms. */
#include "../core/rng.h"
#include "../linalg/product.h"
#include "../model/magnitudes.h"
#include "../model/program.h"
#include "../search/distance_matrix.h"
#include "centers.h"
#include "medoids.h"
#include <string.h>

enum { INIT_BUILD, INIT_RANDOM };
static const char *const inits[] = { "build", "random", NULL };
static const char *const methods[] = { "fasterpam", "pam", "alternate", NULL };
static const char who[] = "KMedoids";

struct kmedoids {
  mn_estimator base;
  int64_t n_clusters, method, init, n_init, max_iter, metric, seed; /* parameters */
  double p;
  mn_matrix covariance;
  mn_vector start;
  mn_indexes medoid_indices, labels; /* learned fields */
  mn_matrix cluster_centers;         /* empty with precomputed distances         */
  mn_matrix metric_covariance;       /* of mahalanobis                           */
  mn_vector counts;
  double inertia;
};

static mn_metric metric_of(const struct kmedoids *m)
{
  return (mn_metric){ m->metric, m->p, &m->metric_covariance };
}

/* --- distances of the training rows --- */

/* The columns of a given matrix of distances that belong to rows of positive weight. */
static mn_status given_distances(mn_context *ctx, const mn_data *data, const double **distance)
{
  const size_t n = data->rows, all = data->unfiltered ? data->unfiltered->rows : n;
  if (data->sparse || data->features != all)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the metric precomputed requires a square dense X of distances, got %zu x %zu",
                   who, all, data->features);
  *distance = data->x.at;
  if (data->unfiltered) {
    double *part = MN_RAW(ctx, double, n, n);
    MN_CHECK_ALLOC(part);
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) part[i * n + j] = mn_row(&data->x, i)[data->kept_rows[j]];
    *distance = part;
  }
  return mn_check_distances(ctx, who, n, *distance);
}

/* The covariance of the training rows, as the metric would compute it, to be kept for new rows. */
static mn_status learn_covariance(mn_context *ctx, struct kmedoids *m, const mn_data *data)
{
  const size_t d = data->features;
  if (m->metric != MN_METRIC_MAHALANOBIS || data->sparse) return MN_OK;
  if (m->covariance.at) {
    MN_TRY(mn_matrix_init(ctx, &m->metric_covariance, m->covariance.rows, m->covariance.cols));
    memcpy(m->metric_covariance.at, m->covariance.at, m->covariance.rows * m->covariance.cols * sizeof(double));
    return MN_OK;
  }
  double *mean = MN_RAW(ctx, double, d, 1);
  MN_CHECK_ALLOC(mean);
  MN_TRY(mn_matrix_init(ctx, &m->metric_covariance, d, d));
  MN_TRY(mn_gram(ctx, data->rows, d, data->x.at, d, 0, NULL, 0, NULL, true, NULL, mean, m->metric_covariance.at, d));
  for (size_t i = 0; i < d * d; i++) m->metric_covariance.at[i] /= data->rows > 1 ? (double)(data->rows - 1) : 1;
  return MN_OK;
}

static mn_status find_distances(mn_context *ctx, struct kmedoids *m, const mn_data *data, const double **distance)
{
  if (m->metric == MN_METRIC_PRECOMPUTED) return given_distances(ctx, data, distance);
  double *all = MN_RAW(ctx, double, data->rows, data->rows);
  MN_CHECK_ALLOC(all);
  MN_TRY(learn_covariance(ctx, m, data));
  *distance = all;
  const mn_points points = { .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  return mn_distances_within(ctx, who, metric_of(m), &points, all);
}

/* --- distances of new rows to the medoids --- */

/* Distances to all medoids, rows x k. Sparse rows become dense in chunks. */
static mn_status measure_queries(mn_context *ctx, const struct kmedoids *m, const mn_data *data, double *out)
{
  enum { CHUNK = 4096 };
  const size_t d = data->features, k = m->medoid_indices.size;
  const mn_points medoids = { .n = k, .d = d, .x = m->cluster_centers.at };
  mn_space space;
  MN_TRY(mn_space_init(ctx, who, &space, metric_of(m), &medoids, true));
  mn_mark mark = mn_scratch_mark(ctx);
  for (size_t begin = 0; begin < data->rows; begin += CHUNK) {
    const size_t n = data->rows - begin < CHUNK ? data->rows - begin : CHUNK;
    double *dense = MN_RAW(ctx, double, data->sparse ? n : 0, d);
    MN_CHECK_ALLOC(dense);
    for (size_t i = 0; data->sparse && i < n; i++) mn_dense_row(data, begin + i, dense + i * d);
    const double *x = data->sparse ? dense : mn_row(&data->x, begin);
    MN_TRY(mn_distances_between(ctx, &space, n, x, k, m->cluster_centers.at, out + begin * k));
    MN_TRY(mn_scratch_recycle(ctx, &mark));
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kmedoids *m = self;
  if (m->metric != MN_METRIC_PRECOMPUTED) return measure_queries(ctx, m, data, out->at);
  for (size_t i = 0; i < data->rows; i++)
    for (size_t c = 0; c < out->cols; c++) mn_row(out, i)[c] = mn_element(data, i, (size_t)m->medoid_indices.at[c]);
  return MN_OK;
}

static mn_status nearest(mn_context *ctx, const struct kmedoids *m, const mn_data *data, int32_t *label)
{
  const size_t k = m->medoid_indices.size;
  mn_matrix distance = { MN_RAW(ctx, double, data->rows, k), data->rows, k };
  MN_CHECK_ALLOC(distance.at);
  MN_TRY(transform(ctx, m, data, &distance));
  for (size_t i = 0; i < data->rows; i++) {
    label[i] = 0;
    for (size_t c = 1; c < k; c++)
      if (mn_row(&distance, i)[c] < mn_row(&distance, i)[label[i]]) label[i] = (int32_t)c;
  }
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(nearest(ctx, self, data, label));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = label[i];
  return MN_OK;
}

/* --- fit --- */

static mn_status check_start(mn_context *ctx, const struct kmedoids *m, const mn_data *data)
{
  char number[MN_NUMBER_SIZE];
  const size_t k = (size_t)m->n_clusters;
  MN_TRY(mn_centers_check(ctx, who, m->n_clusters, &(mn_matrix){ 0 }, data));
  if (!m->start.at) return MN_OK;
  if (m->start.size != k)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: start must have n_clusters = %zu rows, got %zu", who, k, m->start.size);
  for (size_t c = 0; c < k; c++) {
    const double row = m->start.at[c];
    bool valid = row >= 1 && row <= (double)data->rows && row == floor(row);
    for (size_t b = 0; b < c; b++) valid &= m->start.at[b] != row;
    if (!valid)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: start must have different row numbers from 1 to %zu, got %s at %zu",
                     who, data->rows, mn_format_number(number, row), c + 1);
  }
  return MN_OK;
}

/* k different rows, with probability proportional to their weights. */
static mn_status choose_start(mn_context *ctx, const struct kmedoids *m, const mn_medoid_problem *p, int64_t run,
                              int32_t *medoid)
{
  mn_rng rng = mn_stream(m->seed, (uint64_t)run);
  double *left = MN_RAW(ctx, double, p->n, 1);
  MN_CHECK_ALLOC(left);
  for (size_t c = 0; m->start.at && c < p->k; c++) medoid[c] = (int32_t)m->start.at[c] - 1;
  if (m->start.at) return MN_OK;
  if (m->init == INIT_BUILD) return mn_medoids_build(ctx, p, medoid);
  memcpy(left, p->w, p->n * sizeof *left);
  for (size_t c = 0; c < p->k; c++) {
    medoid[c] = (int32_t)mn_random_weighted(&rng, left, p->n);
    left[medoid[c]] = 0;
  }
  return MN_OK;
}

static mn_status run_once(mn_context *ctx, const struct kmedoids *m, const mn_medoid_problem *p, int64_t run,
                          int32_t *medoid, int32_t *label, mn_report *r)
{
  MN_TRY(choose_start(ctx, m, p, run, medoid));
  return mn_medoids_improve(ctx, p, m->method, m->max_iter, medoid, label, r);
}

/* Keep the best of the starts. */
static mn_status run_all(mn_context *ctx, struct kmedoids *m, const mn_medoid_problem *p, int32_t *best, int32_t *label)
{
  const int64_t runs = m->start.at || m->init == INIT_BUILD ? 1 : m->n_init;
  int32_t *medoid = MN_RAW(ctx, int32_t, p->k, 1);
  MN_CHECK_ALLOC(medoid);
  for (int64_t run = 0; run < runs && mn_should_continue(ctx); run++) {
    mn_report r = { .advice = "increase max_iter" };
    const mn_mark mark = mn_scratch_mark(ctx);
    if (runs > 1) mn_progress_part(ctx, (size_t)run, (size_t)runs);
    const mn_status status = run_once(ctx, m, p, run, medoid, label, &r);
    const bool better = status == MN_OK && (run == 0 || r.objective < m->inertia);
    mn_vector_free(mn_context_memory(ctx), better ? &m->base.report.trace : &r.trace);
    MN_TRY(status);
    if (better) {
      m->base.report = r;
      m->inertia = r.objective;
      memcpy(best, medoid, p->k * sizeof *best);
    }
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

static mn_status store(mn_context *ctx, struct kmedoids *m, const mn_data *data, const int32_t *medoid)
{
  const size_t k = (size_t)m->n_clusters;
  MN_TRY(mn_indexes_init(ctx, &m->medoid_indices, k));
  MN_TRY(mn_indexes_init(ctx, &m->labels, data->rows));
  MN_TRY(mn_vector_init(ctx, &m->counts, k));
  if (m->metric != MN_METRIC_PRECOMPUTED) MN_TRY(mn_matrix_init(ctx, &m->cluster_centers, k, data->features));
  for (size_t c = 0; c < k; c++) {
    const size_t row = (size_t)medoid[c];
    const bool column = m->metric == MN_METRIC_PRECOMPUTED && data->unfiltered;
    m->medoid_indices.at[c] = (int32_t)(column ? data->kept_rows[row] : row);
    if (m->metric == MN_METRIC_PRECOMPUTED) continue;
    double *center = mn_row(&m->cluster_centers, c);
    const double *x = mn_dense_row(data, row, center);
    if (x != center) memcpy(center, x, data->features * sizeof *center);
  }
  MN_TRY(nearest(ctx, m, data, m->labels.at));
  for (size_t i = 0; i < data->rows; i++) m->counts.at[m->labels.at[i]] += mn_weight(data, i);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kmedoids *m = self;
  double *w = MN_RAW(ctx, double, data->rows, 1);
  int32_t *medoid = MN_RAW(ctx, int32_t, (size_t)m->n_clusters, 1), *label = MN_RAW(ctx, int32_t, data->rows, 1);
  mn_medoid_problem p = { .n = data->rows, .k = (size_t)m->n_clusters, .w = w };
  if (!w || !medoid || !label) return MN_NO_MEMORY;
  MN_TRY(check_start(ctx, m, data));
  MN_TRY(mn_check_metric_magnitudes(ctx, &m->base, m->metric, data));
  for (size_t i = 0; i < data->rows; i++) w[i] = mn_weight(data, i);
  MN_TRY(find_distances(ctx, m, data, &p.distance));
  MN_TRY(run_all(ctx, m, &p, medoid, label));
  return store(ctx, m, data, medoid);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct kmedoids *m = self;
  mn_centers_warning(m->n_clusters, &m->counts, text);
}

static size_t outputs(const void *self)
{
  return ((const struct kmedoids *)self)->medoid_indices.size;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct kmedoids *m = self;
  const bool precomputed = m->metric == MN_METRIC_PRECOMPUTED;
  bool good = precomputed == (m->cluster_centers.at == NULL);
  good &= m->metric == MN_METRIC_MAHALANOBIS ? m->metric_covariance.rows == m->base.n_features : true;
  for (size_t c = 0; c < m->medoid_indices.size; c++)
    good &= m->medoid_indices.at[c] >= 0 && (!precomputed || (size_t)m->medoid_indices.at[c] < m->base.n_features);
  return good ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: the medoids do not fit the metric", who);
}

static const char *distance_code(const struct kmedoids *m)
{
  switch (m->metric) {
  case MN_METRIC_EUCLIDEAN: return "d = sqrt(distance2(features, x, 0, centers, c * features))";
  case MN_METRIC_MANHATTAN: return "d = manhattan(features, x, 0, centers, c * features)";
  case MN_METRIC_CHEBYSHEV:
    return "for j < features {"
           "  real apart = abs(x[j] - centers[c * features + j])"
           "  d = apart > d ? apart : d"
           "}";
  case MN_METRIC_HAMMING:
    return "for j < features { d += x[j] == centers[c * features + j] ? 0.0 : 1.0 }"
           " d /= features + 0.0";
  default: return "d = x[rows[c]]";
  }
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct kmedoids *m = self;
  if (m->metric != MN_METRIC_PRECOMPUTED && m->metric > MN_METRIC_CHEBYSHEV && m->metric != MN_METRIC_HAMMING)
    return mn_cannot_export(
        ctx, &m->base, "only the metrics euclidean, manhattan, chebyshev, hamming and precomputed can be exported");
  mn_program_count(program, "clusters", m->medoid_indices.size);
  if (m->metric == MN_METRIC_PRECOMPUTED)
    mn_program_indexes(program, "rows", m->medoid_indices.size, m->medoid_indices.at);
  else
    mn_program_reals(program, "centers", m->cluster_centers.rows * m->cluster_centers.cols, m->cluster_centers.at);
  if (action == MN_PREDICT) mn_program_code(program, "real best = infinity int nearest = 0");
  mn_program_code(program, "for c < clusters { real d = 0.0");
  mn_program_code(program, distance_code(m));
  mn_program_code(program, action == MN_PREDICT ? "if d < best { best = d nearest = c } } out[0] = nearest + 0.0"
                                                : "out[c] = d }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct kmedoids, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(struct kmedoids, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "symmetric matrix of distances, see pairwise_distances"),
  MN_REAL(struct kmedoids, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct kmedoids, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the training rows"),
  MN_CHOICE(struct kmedoids, method, MN_MEDOIDS_FASTERPAM, methods,
            "fasterpam: swap a medoid for another row as soon as that is better; pam: the best swap at a time, which "
            "takes longer; alternate: move each medoid within its cluster, which is often worse"),
  MN_CHOICE(struct kmedoids, init, INIT_BUILD, inits,
            "initial medoids. build: each lowers the sum of distances the most; random: different rows"),
  MN_REALS(struct kmedoids, start, MN_AT_LEAST(1), "initial medoids, n_clusters row numbers; nil: chosen by init"),
  MN_COUNT(struct kmedoids, n_init, 1, MN_CLOSED(1, INT32_MAX), "number of random starts, of which the best is kept"),
  MN_COUNT(struct kmedoids, max_iter, 300, MN_CLOSED(1, INT32_MAX),
           "maximum number of passes over all rows (fasterpam), of swaps (pam), or of moves of all medoids"),
  MN_SEED(struct kmedoids, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct kmedoids, medoid_indices, "clusters",
             "the training rows that are medoids; rows of weight 0 are not counted but with metric precomputed"),
  MN_MATRIX(struct kmedoids, cluster_centers, "clusters? x features?", "the medoids; empty for precomputed distances"),
  MN_INDEXES(struct kmedoids, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(struct kmedoids, inertia, "weighted sum of the distances to the nearest medoid"),
  MN_VECTOR(struct kmedoids, counts, "clusters", "number of rows (sum of sample weights) of each cluster"),
  MN_LEARNED(MN_KIND_MATRIX, struct kmedoids, metric_covariance, "features? x features?", NULL),
  MN_END,
};

const mn_class mn_kmedoids = {
  .name = "KMedoids",
  .family = "cluster",
  .brief = "k-medoids clustering (PAM): centers are rows; any metric or distances.",
  .objective = "sum_i w_i min_c d(x_i, m_c) over medoids m, which are rows",
  .source = "Schubert & Rousseeuw, Information Systems 101 (2021); Kaufman & Rousseeuw (1990)",
  .notes =
      "Less sensitive to outliers than KMeans, and each center is a real example. Needs the distances of all pairs of "
      "rows: 8 n^2 bytes, about 3 GB for 20,000 rows; fit a sample of more rows and predict the others. transform "
      "returns the distance to each medoid. With the metric precomputed, predict takes the distances to all training "
      "rows. Scale the columns first if their units differ.",
  .example = "local X = { {0, 0}, {0, 1}, {1, 0}, {9, 9}, {9, 8}, {50, 50} }\n"
             "local model = ml.KMedoids{ n_clusters = 2, metric = 'manhattan' }:fit(X)\n"
             "print(model.cluster_centers, model.labels)",
  .capabilities = MN_CLUSTER | MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct kmedoids),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
  .predict = predict,
  .transform = transform,
  .export = export,
  .outputs = outputs,
  .check = check,
};

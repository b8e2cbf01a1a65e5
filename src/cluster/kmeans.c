/* k-means. Choose centers c_1..c_k and labels l_i to minimize the inertia
 *
 *     J = sum_i w_i |x_i - c_{l_i}|^2
 *
 * by Lloyd's algorithm: alternately assign labels for given centers and move centers to the means of their rows.
 * Neither step increases J. Labels and means are computed in one pass over X (mn_nearest_center), which skips rows that
 * are provably still nearest to their center: Hamerly, SIAM Data Mining (2010). A center that loses all its rows moves
 * to the row that is farthest from its own center. The best of n_init starts is kept.
 *
 * Lloyd, IEEE Trans. Inf. Theory 28 (1982); Arthur & Vassilvitskii, SODA 2007. */
#include "../core/threads.h"
#include "../search/nearest.h"
#include "../linalg/ordered.h"
#include "../linalg/reduce.h"
#include "../model/class.h"
#include "../model/program.h"
#include "kmeans_kernel.h"
#include "kmeans_start.h"
#include <stdio.h>
#include <string.h>

struct kmeans {
  mn_estimator base;
  int64_t n_clusters, init, n_init, max_iter, seed; /* parameters */
  double tol;
  mn_matrix start;
  mn_matrix cluster_centers; /* learned fields */
  mn_indexes labels;
  double inertia;
  mn_vector counts; /* clusters: sum of the sample weights */
};

enum { INIT_PLUS_PLUS, INIT_RANDOM };
static const char *const inits[] = { "k-means++", "random", NULL };
enum { BLOCK_VALUES = 1 << 15 };

struct work {
  size_t k, d;
  double *centers, *next; /* k x d: current centers, and sums for the next ones */
  double *totals;         /* k */
  double *moved;          /* k: how far each center moved last */
  double *distance2;      /* rows */
  int32_t *label;         /* rows */
  float *lower;           /* rows: lower bound on the distance to other centers; negative: unknown */
};

static mn_status make_work(mn_context *ctx, struct work *w, size_t n)
{
  w->centers = MN_RAW(ctx, double, w->k, w->d);
  w->next = MN_RAW(ctx, double, w->k, w->d);
  w->totals = MN_RAW(ctx, double, w->k, 1);
  w->moved = MN_RAW(ctx, double, w->k, 1);
  w->distance2 = MN_RAW(ctx, double, n, 1);
  w->label = MN_RAW(ctx, int32_t, n, 1);
  w->lower = MN_RAW(ctx, float, n, 1);
  return w->centers && w->next && w->totals && w->moved && w->distance2 && w->label && w->lower ? MN_OK : MN_NO_MEMORY;
}

static mn_status assign(mn_context *ctx, const mn_data *data, const double *moved, struct work *w, double *inertia)
{
  return mn_nearest_center(ctx, data->rows, w->d, w->k, data->x.at, w->centers, data->weights, w->label, w->lower,
                           moved, w->distance2, w->next, w->totals, inertia);
}

static size_t farthest(const mn_data *data, const double *distance2)
{
  size_t row = 0;
  for (size_t i = 1; i < data->rows; i++)
    if (distance2[i] > distance2[row]) row = i;
  return row;
}

/* Move each center without rows to the row farthest from its own center, and subtract that row from its old cluster. */
static void fill_empty(const mn_data *data, struct work *w)
{
  for (size_t c = 0; c < w->k; c++) {
    if (w->totals[c] > 0) continue;
    const size_t row = farthest(data, w->distance2), from = (size_t)w->label[row];
    const double weight = mn_weight(data, row), *x = mn_row(&data->x, row);
    if (!(w->totals[from] > weight)) continue; /* fewer distinct rows than centers */
    for (size_t j = 0; j < w->d; j++) {
      w->next[from * w->d + j] -= weight * x[j];
      w->next[c * w->d + j] = weight * x[j];
    }
    w->totals[from] -= weight;
    w->totals[c] = weight;
    w->distance2[row] = 0;
    w->label[row] = (int32_t)c;
    w->lower[row] = -1;
  }
}

/* Move the centers to the means of their rows; an empty one stays. Returns the sum of the squared distances moved. */
static double update_centers(struct work *w)
{
  double total = 0;
  for (size_t c = 0; c < w->k; c++) {
    double moved = 0;
    for (size_t j = 0; j < w->d; j++) {
      double *center = &w->centers[c * w->d + j];
      const double mean = w->totals[c] > 0 ? w->next[c * w->d + j] / w->totals[c] : *center;
      moved += (mean - *center) * (mean - *center);
      *center = mean;
    }
    total += moved;
    w->moved[c] = sqrt(moved);
  }
  return total;
}

/* The mean variance of the columns, to which tol is relative. */
static mn_status mean_variance(mn_context *ctx, const mn_data *data, double *variance)
{
  const size_t p = data->features;
  double *mean = MN_NEW(ctx, double, p, 1), *square = MN_NEW(ctx, double, p, 1), total = data->weights ? 0 : 1;
  if (!mean || !square) return MN_NO_MEMORY;
  if (!data->weights) MN_TRY(mn_reduce(ctx, MN_VARIANCE, MN_EACH_COLUMN, 0, &data->x, square));
  for (size_t i = 0; data->weights && i < data->rows; i++) {
    const double *row = mn_row(&data->x, i), w = data->weights[i];
    total += w;
    for (size_t j = 0; j < p; j++) {
      const double delta = row[j] - mean[j];
      mean[j] += w / total * delta;
      square[j] += w * delta * (row[j] - mean[j]);
    }
  }
  *variance = 0;
  for (size_t j = 0; j < p; j++) *variance += square[j] / total / (double)p;
  return MN_OK;
}

static mn_status choose_start(mn_context *ctx, const struct kmeans *m, const mn_data *data, int64_t run, struct work *w)
{
  mn_rng rng = mn_stream(m->seed, (uint64_t)run);
  if (m->start.at) {
    memcpy(w->centers, m->start.at, w->k * w->d * sizeof *w->centers);
    return MN_OK;
  }
  if (m->init == INIT_PLUS_PLUS) return mn_kmeans_plus_plus(ctx, data, w->k, &rng, w->centers);
  return mn_kmeans_random_rows(ctx, data, w->k, &rng, w->centers);
}

/* Run from one start. Labels and inertia belong to the final centers. */
static mn_status run_lloyd(mn_context *ctx, const struct kmeans *m, const mn_data *data, double max_moved2,
                           struct work *w, mn_report *r)
{
  double inertia, before = DBL_MAX;
  bool proceed = true;
  MN_TRY(assign(ctx, data, NULL, w, &inertia));
  while (proceed && !r->converged && r->n_iter < m->max_iter) {
    fill_empty(data, w);
    const double moved = update_centers(w);
    MN_TRY(assign(ctx, data, w->moved, w, &inertia));
    r->change = moved;
    r->converged = moved <= max_moved2 || !(inertia < before);
    before = inertia;
    proceed = mn_round(ctx, r, m->max_iter, inertia);
  }
  return mn_error_status(ctx);
}

static mn_status store(mn_context *ctx, struct kmeans *m, const mn_data *data, const struct work *w)
{
  mn_memory *memory = mn_context_memory(ctx);
  mn_matrix_free(memory, &m->cluster_centers);
  mn_indexes_free(memory, &m->labels);
  mn_vector_free(memory, &m->counts);
  MN_TRY(mn_matrix_init(ctx, &m->cluster_centers, w->k, w->d));
  MN_TRY(mn_indexes_init(ctx, &m->labels, data->rows));
  MN_TRY(mn_vector_init(ctx, &m->counts, w->k));
  memcpy(m->cluster_centers.at, w->centers, w->k * w->d * sizeof *w->centers);
  memcpy(m->labels.at, w->label, data->rows * sizeof *w->label);
  memcpy(m->counts.at, w->totals, w->k * sizeof *w->totals);
  return MN_OK;
}

static mn_status check_start(mn_context *ctx, const struct kmeans *m, const mn_data *data)
{
  if ((uint64_t)m->n_clusters > data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "KMeans: n_clusters must be at most the number of rows, %zu, got %lld",
                   data->rows, (long long)m->n_clusters);
  if (m->start.at && (m->start.rows != (size_t)m->n_clusters || m->start.cols != data->features))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "KMeans: start must be n_clusters x features = %lld x %zu, got %zu x %zu",
                   (long long)m->n_clusters, data->features, m->start.rows, m->start.cols);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kmeans *m = self;
  struct work w = { .k = (size_t)m->n_clusters, .d = data->features };
  double variance;
  mn_memory *memory = mn_context_memory(ctx);
  MN_TRY(check_start(ctx, m, data));
  MN_TRY(make_work(ctx, &w, data->rows));
  MN_TRY(mean_variance(ctx, data, &variance));
  const int64_t runs = m->start.at ? 1 : m->n_init;
  for (int64_t run = 0; run < runs; run++) {
    mn_report r = { .advice = "increase max_iter" };
    mn_progress_part(ctx, (size_t)run, (size_t)runs);
    mn_status status = choose_start(ctx, m, data, run, &w);
    if (status == MN_OK) status = run_lloyd(ctx, m, data, m->tol * variance, &w, &r);
    const bool better = status == MN_OK && (run == 0 || r.objective < m->inertia);
    if (better) {
      status = store(ctx, m, data, &w);
      m->inertia = r.objective;
    }
    mn_vector_free(memory, better ? &m->base.report.trace : &r.trace);
    if (better) m->base.report = r;
    MN_TRY(status);
    if (!mn_should_continue(ctx)) break;
  }
  return MN_OK;
}

/* The centers and counts after the previous batches; for the first batch initial centers of weight 0. */
static mn_status init_batch(mn_context *ctx, const struct kmeans *m, const mn_data *data, struct work *w,
                            double *counts)
{
  if (!m->cluster_centers.at) {
    MN_TRY(check_start(ctx, m, data));
    return choose_start(ctx, m, data, 0, w);
  }
  memcpy(w->centers, m->cluster_centers.at, w->k * w->d * sizeof *w->centers);
  memcpy(counts, m->counts.at, w->k * sizeof *counts);
  return MN_OK;
}

/* Each center becomes the mean of all rows that were ever assigned to it: Sculley, WWW 2010. */
static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kmeans *m = self;
  struct work w = { .k = m->cluster_centers.at ? m->cluster_centers.rows : (size_t)m->n_clusters, .d = data->features };
  double *counts = MN_NEW(ctx, double, w.k, 1);
  MN_CHECK_ALLOC(counts);
  MN_TRY(make_work(ctx, &w, data->rows));
  MN_TRY(init_batch(ctx, m, data, &w, counts));
  MN_TRY(assign(ctx, data, NULL, &w, &m->inertia));
  for (size_t c = 0; c < w.k; c++) {
    if (!(w.totals[c] > 0)) continue;
    counts[c] += w.totals[c];
    for (size_t j = 0; j < w.d; j++) {
      double *center = &w.centers[c * w.d + j];
      *center += (w.next[c * w.d + j] - w.totals[c] * *center) / counts[c];
    }
  }
  MN_TRY(assign(ctx, data, NULL, &w, &m->inertia));
  MN_TRY(store(ctx, m, data, &w));
  memcpy(m->counts.at, counts, w.k * sizeof *counts);
  m->base.report.converged = false;
  m->base.report.change = (double)NAN;
  mn_record_round(ctx, &m->base.report, m->inertia);
  return mn_error_status(ctx);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kmeans *m = self;
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(mn_nearest_center(ctx, data->rows, data->features, m->cluster_centers.rows, data->x.at, m->cluster_centers.at,
                           NULL, label, NULL, NULL, NULL, NULL, NULL, NULL));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = label[i];
  return MN_OK;
}

struct distances {
  const struct kmeans *m;
  const mn_data *data;
  mn_matrix *out;
  mn_blocks blocks;
};

static void distances_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct distances *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, i);
    mn_ordered_distances2(w->out->cols, w->data->features, w->m->cluster_centers.at, mn_row(&w->data->x, i), out);
    for (size_t c = 0; c < w->out->cols; c++) out[c] = sqrt(out[c]);
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct distances w = { .m = self,
                         .data = data,
                         .out = out,
                         .blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features + 1, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, distances_block, &w);
}

static size_t outputs(const void *self)
{
  return ((const struct kmeans *)self)->cluster_centers.rows;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct kmeans *m = self;
  (void)ctx;
  mn_program_reals(program, "centers", m->cluster_centers.rows * m->cluster_centers.cols, m->cluster_centers.at);
  mn_program_count(program, "clusters", m->cluster_centers.rows);
  if (action == MN_PREDICT)
    mn_program_code(program, "real best = infinity"
                             " int nearest = 0"
                             " for c < clusters {"
                             "   real d = distance2(features, x, 0, centers, c * features)"
                             "   if d < best { best = d nearest = c }"
                             " }"
                             " out[0] = nearest + 0.0");
  if (action == MN_TRANSFORM_X)
    mn_program_code(program, "for c < clusters { out[c] = sqrt(distance2(features, centers, c * features, x, 0)) }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct kmeans, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(struct kmeans, init, INIT_PLUS_PLUS, inits, "method for choosing the initial centers"),
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
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct kmeans),
  .params = params,
  .fields = fields,
  .fit = fit,
  .partial_fit = partial_fit,
  .predict = predict,
  .transform = transform,
  .export = export,
  .outputs = outputs,
};

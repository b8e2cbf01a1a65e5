/* Classification by the nearest class centroid.
 *
 *     predict: argmin_c |x - m_c|,    m_c the mean of class c (euclidean) or its median (manhattan)
 *
 * With a threshold D each feature of the centroids is shrunken towards the mean m of all rows:
 *
 *     d_cj = (m_cj - m_j) / (a_c (s_j + s_0)),   a_c = sqrt(1 / n_c - 1 / n),   s_0 = median of the s_j
 *     m_cj = m_j + a_c (s_j + s_0) sign(d_cj) max(|d_cj| - D, 0)
 *
 * where s_j^2 = sum_i w_i (x_ij - m_{c_i j})^2 / (n - k) is the pooled variance within the k classes, and n is the sum
 * of the weights. A feature whose d_cj are all 0 does not affect the decision.
 *
 * Tibshirani, Hastie, Narasimhan & Chu, PNAS 99 (2002), equations 2 to 5. */
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../stats/quantile.h"
#include "../model/class.h"
#include "../model/program.h"
#include <string.h>

enum { EUCLIDEAN, MANHATTAN };
static const char *const metric_names[] = { "euclidean", "manhattan", NULL };
enum { BLOCK_ROWS = 64 };

struct nearest_centroid {
  mn_estimator base;
  int64_t metric; /* parameters     */
  double shrink_threshold;
  mn_matrix centroids; /* learned fields */
  mn_matrix deviations;
  mn_vector within_class_std_dev;
};

struct class_stats {
  const mn_data *data;
  double *count, total; /* weight of each class, and of all rows */
  double *mean;         /* features: of all rows                 */
  double *std_dev;      /* features: s_j, or NULL: not estimable */
};

static void count_classes(struct class_stats *s)
{
  for (size_t i = 0; i < s->data->rows; i++) s->count[s->data->code[i]] += mn_weight(s->data, i);
  for (size_t c = 0; c < s->data->classes; c++) s->total += s->count[c];
}

/* Update a running mean, which cannot overflow. */
static void add_to_mean(size_t p, const double *x, double share, double *mean)
{
  for (size_t j = 0; j < p; j++) mean[j] += share * (x[j] - mean[j]);
}

static mn_status class_means(mn_context *ctx, const mn_data *d, mn_matrix *centroids)
{
  double *seen = MN_NEW(ctx, double, d->classes, 1);
  MN_CHECK_ALLOC(seen);
  for (size_t i = 0; i < d->rows; i++) {
    const size_t c = (size_t)d->code[i];
    seen[c] += mn_weight(d, i);
    add_to_mean(d->features, mn_row(&d->x, i), mn_weight(d, i) / seen[c], mn_row(centroids, c));
  }
  return MN_OK;
}

static mn_status class_medians(mn_context *ctx, const mn_data *d, mn_matrix *centroids)
{
  static const double half = 0.5;
  double *value = MN_RAW(ctx, double, d->rows, 1), *weight = d->weights ? MN_RAW(ctx, double, d->rows, 1) : NULL;
  if (!value || (d->weights && !weight)) return MN_NO_MEMORY;
  for (size_t c = 0; c < d->classes; c++)
    for (size_t j = 0; j < d->features; j++) {
      size_t n = 0;
      for (size_t i = 0; i < d->rows; i++) {
        if ((size_t)d->code[i] != c) continue;
        if (weight) weight[n] = d->weights[i];
        value[n++] = mn_row(&d->x, i)[j];
      }
      MN_TRY(mn_quantiles(ctx, n, value, weight, 1, &half, mn_row(centroids, c) + j));
      MN_TRY(mn_poll(ctx));
    }
  return MN_OK;
}

static void overall_mean(struct class_stats *s)
{
  const mn_data *d = s->data;
  double seen = 0;
  for (size_t i = 0; i < d->rows; i++) {
    seen += mn_weight(d, i);
    add_to_mean(d->features, mn_row(&d->x, i), mn_weight(d, i) / seen, s->mean);
  }
}

static void compute_std_dev(const struct class_stats *s, const mn_matrix *centroids)
{
  const mn_data *d = s->data;
  for (size_t i = 0; i < d->rows; i++) {
    const double *x = mn_row(&d->x, i), *m = mn_row(centroids, (size_t)d->code[i]);
    for (size_t j = 0; j < d->features; j++) s->std_dev[j] += mn_weight(d, i) * (x[j] - m[j]) * (x[j] - m[j]);
  }
  for (size_t j = 0; j < d->features; j++) s->std_dev[j] = sqrt(s->std_dev[j] / (s->total - (double)d->classes));
}

/* Compute the deviations of the centroids, and shrink them if there is a threshold. Works in the units of X, so that a
 * feature without variance, which deviates infinitely, is not changed. */
static mn_status compute_deviations(mn_context *ctx, struct nearest_centroid *m, const struct class_stats *s)
{
  static const double half = 0.5;
  const size_t p = s->data->features;
  const double threshold = m->shrink_threshold;
  double median;
  MN_TRY(mn_quantiles(ctx, p, s->std_dev, NULL, 1, &half, &median));
  for (size_t c = 0; c < s->data->classes; c++) {
    const double a = sqrt(1 / s->count[c] - 1 / s->total);
    double *centroid = mn_row(&m->centroids, c), *deviation = mn_row(&m->deviations, c);
    for (size_t j = 0; j < p; j++) {
      const double scale = a * (s->std_dev[j] + median);
      double shift = centroid[j] - s->mean[j];
      if (!isnan(threshold)) {
        shift = copysign(fmax(fabs(shift) - threshold * scale, 0), shift);
        centroid[j] = s->mean[j] + shift;
      }
      deviation[j] = fabs(shift) > 0 ? shift / scale : 0;
    }
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct nearest_centroid *m = self;
  const size_t k = data->classes, p = data->features;
  struct class_stats s = { .data = data, .count = MN_NEW(ctx, double, k, 1), .mean = MN_NEW(ctx, double, p, 1) };
  if (!s.count || !s.mean) return MN_NO_MEMORY;
  count_classes(&s);
  MN_TRY(mn_matrix_init(ctx, &m->centroids, k, p));
  MN_TRY(m->metric == MANHATTAN ? class_medians(ctx, data, &m->centroids) : class_means(ctx, data, &m->centroids));
  if (!(s.total > (double)k)) {
    char number[MN_NUMBER_SIZE];
    if (isnan(m->shrink_threshold)) return MN_OK;
    return mn_fail(ctx, MN_BAD_DATA,
                   "NearestCentroid: shrink_threshold requires more rows than the %zu classes, got %s", k,
                   mn_format_number(number, s.total));
  }
  MN_TRY(mn_vector_init(ctx, &m->within_class_std_dev, p));
  MN_TRY(mn_matrix_init(ctx, &m->deviations, k, p));
  s.std_dev = m->within_class_std_dev.at;
  overall_mean(&s);
  compute_std_dev(&s, &m->centroids);
  return compute_deviations(ctx, m, &s);
}

struct decision_work {
  const struct nearest_centroid *m;
  const mn_data *data;
  const mn_matrix *out;
  double *distance; /* workers x classes */
  mn_blocks blocks;
};

static void decide_block(void *work, size_t block, size_t worker)
{
  const struct decision_work *w = work;
  const mn_matrix *centroids = &w->m->centroids;
  const size_t k = centroids->rows, p = centroids->cols;
  double *distance = w->distance + worker * k;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&w->data->x, i);
    double *out = mn_row(w->out, i);
    if (w->m->metric == MANHATTAN)
      mn_ordered_manhattan(k, p, centroids->at, x, distance);
    else
      mn_ordered_distances2(k, p, centroids->at, x, distance);
    for (size_t c = 0; w->m->metric == EUCLIDEAN && c < k; c++) distance[c] = sqrt(distance[c]);
    if (w->out->cols == 1)
      out[0] = distance[0] - distance[1];
    else
      for (size_t c = 0; c < k; c++) out[c] = -distance[c];
  }
}

static mn_status decision(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct nearest_centroid *m = self;
  struct decision_work w = {
    .m = m, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX)
  };
  w.distance = MN_RAW(ctx, double, mn_threads(ctx), m->centroids.rows);
  MN_CHECK_ALLOC(w.distance);
  return mn_parallel(ctx, w.blocks.count, decide_block, &w);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct nearest_centroid *m = self;
  const size_t k = m->centroids.rows;
  (void)ctx;
  if (action != MN_DECISION_FUNCTION) return MN_OK;
  mn_program_reals(program, "centroids", k * m->centroids.cols, m->centroids.at);
  mn_program_count(program, "k", k);
  mn_program_code(program, "reals d[k]");
  mn_program_code(program, m->metric == MANHATTAN
                               ? "for c < k { d[c] = manhattan(features, centroids, c * features, x, 0) }"
                               : "for c < k { d[c] = sqrt(distance2(features, centroids, c * features, x, 0)) }");
  mn_program_code(program, k == 2 ? "out[0] = d[0] - d[1]" : "for c < k { out[c] = -d[c] }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct nearest_centroid, metric, EUCLIDEAN, metric_names,
            "distance to the centroids, which are means for euclidean and medians for manhattan"),
  MN_REAL(struct nearest_centroid, shrink_threshold, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "shrinkage of the centroids towards the mean of all rows, in standard errors; nil: none"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct nearest_centroid, centroids, "classes x features",
            "centroid of each class, shrunken if shrink_threshold is set"),
  MN_MATRIX(struct nearest_centroid, deviations, "classes? x features?",
            "deviation of each centroid from the mean of all rows in standard errors; empty if rows <= classes"),
  MN_VECTOR(struct nearest_centroid, within_class_std_dev, "features?",
            "pooled standard deviation within the classes; empty if rows <= classes"),
  MN_END,
};

const mn_class mn_nearest_centroid = {
  .name = "NearestCentroid",
  .family = "neighbors",
  .brief = "Classification by the nearest class mean or median.",
  .objective =
      "argmin_c |x - m_c|; d_cj = (m_cj - m_j) / (a_c (s_j + s_0)) is shrunken to sign(d) max(|d| - threshold, 0)",
  .source = "Tibshirani, Hastie, Narasimhan & Chu, PNAS 99 (2002)",
  .notes =
      "The decision is minus the distance to each centroid, or with two classes the distance to the first minus that to the "
      "second. Distances are not divided by within_class_std_dev; scikit-learn's decision_function divides, its predict does "
      "not. Scale the columns first if their units differ.",
  .example =
      "local model = ml.NearestCentroid{}:fit({ {0, 1}, {1, 0}, {8, 9}, {9, 9} }, { 'low', 'low', 'high', 'high' })\n"
      "print(model.centroids, model:predict{ {2, 2}, {7, 7} })",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct nearest_centroid),
  .params = params,
  .fields = fields,
  .fit = fit,
  .export = export,
  .decision = decision,
};

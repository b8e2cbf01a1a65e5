#include "../core/rng.h"
#include "../core/threads.h"
#include "../eigen/principal_axes.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../search/nearest.h"
#include "som.h"
#include <string.h>

/* Streams of random numbers: the start, then one for each pass. */
enum { START_STREAM, FIRST_PASS };

static double scheduled(int64_t schedule, double first, double last, double progress)
{
  const double p = fmin(progress, 1);
  return schedule == MN_SOM_LINEAR ? first + (last - first) * p : first * pow(last / first, p);
}

/* The radius when the share `progress` of the training is done. The first one is half the longer side. */
static double radius_at(const struct mn_som *m, double progress)
{
  const int64_t side = m->grid_rows > m->grid_columns ? m->grid_rows : m->grid_columns;
  const double first = isnan(m->radius) ? fmax((double)side / 2, m->final_radius) : m->radius;
  return scheduled(m->radius_schedule, first, m->final_radius, progress);
}

/* Units on the plane of the first two principal components, the longer side of the grid along the first. */
static mn_status start_on_plane(mn_context *ctx, struct mn_som *m, const mn_data *data)
{
  const size_t p = data->features, units = m->positions.rows, axes = p < 2 ? p : 2;
  const bool wide = m->grid_columns >= m->grid_rows;
  double *mean = MN_RAW(ctx, double, p, 1), *vectors = MN_RAW(ctx, double, axes, p), values[2], trace;
  double center[2] = { 0, 0 }, spread[2] = { 0, 0 };
  if (!mean || !vectors) return MN_NO_MEMORY;
  MN_TRY(mn_principal_axes(ctx, data->rows, p, data->x.at, data->weights, axes, mean, values, vectors, &trace));
  for (size_t u = 0; u < units; u++)
    for (int c = 0; c < 2; c++) center[c] += mn_row(&m->positions, u)[c] / (double)units;
  for (size_t u = 0; u < units; u++)
    for (int c = 0; c < 2; c++)
      spread[c] +=
          (mn_row(&m->positions, u)[c] - center[c]) * (mn_row(&m->positions, u)[c] - center[c]) / (double)units;
  for (size_t u = 0; u < units; u++) {
    memcpy(mn_row(&m->codebook, u), mean, p * sizeof *mean);
    for (size_t a = 0; a < axes; a++) {
      const size_t c = wide ? a : 1 - a;
      const double at = spread[c] > 0 ? (mn_row(&m->positions, u)[c] - center[c]) * sqrt(values[a] / spread[c]) : 0;
      for (size_t j = 0; j < p; j++) mn_row(&m->codebook, u)[j] += at * vectors[a * p + j];
    }
  }
  return MN_OK;
}

static mn_status check_grid(mn_context *ctx, const struct mn_som *m, size_t p)
{
  enum { MAX_UNITS = 1 << 14 };
  const size_t units = (size_t)m->grid_rows * (size_t)m->grid_columns;
  if (units > MAX_UNITS)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "SOM: grid_rows times grid_columns must be at most %d, got %zu", MAX_UNITS,
                   units);
  if (m->toroidal && m->topology == MN_SOM_HEXAGONAL && m->grid_rows % 2 == 1)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "SOM: a toroidal hexagonal grid must have an even number of rows, got grid_rows = %lld",
                   (long long)m->grid_rows);
  if (m->start.at && (m->start.rows != units || m->start.cols != p))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "SOM: start must be units x features = %zu x %zu, got %zu x %zu", units, p,
                   m->start.rows, m->start.cols);
  return MN_OK;
}

static mn_status start(mn_context *ctx, struct mn_som *m, const mn_data *data)
{
  const size_t p = data->features, units = (size_t)m->grid_rows * (size_t)m->grid_columns;
  mn_rng rng = mn_stream(m->seed, START_STREAM);
  MN_TRY(check_grid(ctx, m, p));
  MN_TRY(mn_matrix_init(ctx, &m->positions, units, 2));
  for (size_t u = 0; u < units; u++) mn_som_position(m, u, mn_row(&m->positions, u));
  MN_TRY(mn_matrix_init(ctx, &m->codebook, units, p));
  if (m->start.at) {
    memcpy(m->codebook.at, m->start.at, units * p * sizeof *m->start.at);
    return MN_OK;
  }
  if (m->init == MN_SOM_PCA) return start_on_plane(ctx, m, data);
  for (size_t u = 0; u < units; u++)
    memcpy(mn_row(&m->codebook, u), mn_row(&data->x, mn_random_below(&rng, data->rows)), p * sizeof(double));
  return MN_OK;
}

/* --- batch --- */

struct batch {
  double *sums, *totals; /* units x p, units: over the rows of each unit          */
  double *h;             /* chunk x units                                         */
  double *next;          /* chunk x p                                             */
  double *distance2;     /* rows                                                  */
  int32_t *label;        /* rows                                                  */
};

enum { UNIT_CHUNK = 64 };

/* Move all units to the means of the rows, weighted by the neighborhood. A unit without rows in it stays. */
static mn_status move_units(mn_context *ctx, struct mn_som *m, const struct batch *b, double radius)
{
  const size_t units = m->codebook.rows, p = m->codebook.cols;
  for (size_t from = 0; from < units; from += UNIT_CHUNK) {
    const size_t count = units - from < UNIT_CHUNK ? units - from : UNIT_CHUNK;
    for (size_t u = 0; u < count; u++) mn_som_neighborhood(m, radius, from + u, b->h + u * units);
    MN_TRY(mn_gemm(ctx, false, false, count, p, units, 1, b->h, units, b->sums, p, 0, b->next, p));
    for (size_t u = 0; u < count; u++) {
      const double total = mn_ordered_dot(units, b->h + u * units, b->totals);
      for (size_t j = 0; total > 0 && j < p; j++) mn_row(&m->codebook, from + u)[j] = b->next[u * p + j] / total;
    }
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status make_batch(mn_context *ctx, const struct mn_som *m, size_t n, struct batch *b)
{
  const size_t units = m->codebook.rows, p = m->codebook.cols;
  *b = (struct batch){ .sums = MN_RAW(ctx, double, units, p),
                       .totals = MN_RAW(ctx, double, units, 1),
                       .h = MN_RAW(ctx, double, UNIT_CHUNK, units),
                       .next = MN_RAW(ctx, double, UNIT_CHUNK, p),
                       .distance2 = MN_RAW(ctx, double, n, 1),
                       .label = MN_RAW(ctx, int32_t, n, 1) };
  return b->sums && b->totals && b->h && b->next && b->distance2 && b->label ? MN_OK : MN_NO_MEMORY;
}

static double mean_distance(const mn_data *data, const double *distance2)
{
  double sum = 0;
  for (size_t i = 0; i < data->rows; i++) sum += mn_weight(data, i) * sqrt(distance2[i]);
  return sum / mn_total_weight(data);
}

static mn_status fit_batch(mn_context *ctx, struct mn_som *m, const mn_data *data)
{
  const size_t n = data->rows, p = data->features;
  mn_report *r = &m->base.report;
  struct batch b;
  MN_TRY(make_batch(ctx, m, n, &b));
  bool proceed = true;
  for (int64_t pass = 0; proceed && pass < m->max_iter; pass++) {
    const double progress = m->max_iter > 1 ? (double)pass / (double)(m->max_iter - 1) : 1;
    MN_TRY(mn_nearest_center(ctx, n, p, m->codebook.rows, data->x.at, m->codebook.at, data->weights, b.label, NULL,
                             b.distance2, b.sums, b.totals, NULL));
    MN_TRY(move_units(ctx, m, &b, radius_at(m, progress)));
    m->n_passes = pass + 1;
    proceed = mn_round(ctx, r, m->max_iter, mean_distance(data, b.distance2));
  }
  return mn_error_status(ctx);
}

/* --- online --- */

/* One row. A row of weight w moves the units as far as w steps to the same unit would. */
static double learn_row(struct mn_som *m, const double *x, double weight, double radius, double rate, double *work)
{
  const size_t units = m->codebook.rows, p = m->codebook.cols;
  size_t nearest = 0;
  mn_ordered_distances2(units, p, m->codebook.at, x, work);
  for (size_t u = 1; u < units; u++)
    if (work[u] < work[nearest]) nearest = u;
  const double distance = sqrt(work[nearest]);
  mn_som_neighborhood(m, radius, nearest, work);
  for (size_t u = 0; u < units; u++) {
    if (!(work[u] > 0)) continue;
    const double step = weight == 1 ? rate * work[u] : -expm1(weight * log1p(-rate * work[u]));
    double *c = mn_row(&m->codebook, u);
    for (size_t j = 0; j < p; j++) c[j] += step * (x[j] - c[j]);
  }
  return distance;
}

/* One pass over the rows; *error is the mean distance to the units before each step. */
static mn_status online_pass(mn_context *ctx, struct mn_som *m, const mn_data *data, double *error)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = data->rows, every = (1 << 18) / (m->codebook.rows * data->features) + 1;
  double *work = MN_RAW(ctx, double, m->codebook.rows, 1), sum = 0;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  mn_rng rng = mn_stream(m->seed, (uint64_t)(FIRST_PASS + m->n_passes));
  if (!work || !order) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) order[i] = i;
  if (m->shuffle) mn_shuffle(&rng, order, n);
  for (size_t t = 0; t < n; t++) {
    const double progress = ((double)m->n_passes + (double)t / (double)n) / (double)m->max_iter;
    const double rate = scheduled(m->rate_schedule, m->learning_rate, m->final_learning_rate, progress);
    const double weight = mn_weight(data, order[t]);
    sum += weight * learn_row(m, mn_row(&data->x, order[t]), weight, radius_at(m, progress), rate, work);
    if (t % every == 0) MN_TRY(mn_poll(ctx));
  }
  m->n_passes++;
  *error = sum / mn_total_weight(data);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status fit_online(mn_context *ctx, struct mn_som *m, const mn_data *data)
{
  bool proceed = true;
  while (proceed && m->n_passes < m->max_iter) {
    double error;
    MN_TRY(online_pass(ctx, m, data, &error));
    proceed = mn_round(ctx, &m->base.report, m->max_iter, error);
  }
  return mn_error_status(ctx);
}

/* --- both --- */

mn_status mn_som_quality(mn_context *ctx, const struct mn_som *m, const mn_data *data, int32_t *label, double *hits,
                         double *quantization, double *topographic)
{
  const size_t n = data->rows, p = data->features, units = m->codebook.rows, k = units < 2 ? 1 : 2;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *distance2 = MN_RAW(ctx, double, n, k), apart = 0, sum = 0;
  int32_t *nearest = MN_RAW(ctx, int32_t, n, k);
  if (!distance2 || !nearest) return MN_NO_MEMORY;
  MN_TRY(mn_nearest_rows(ctx, n, units, p, data->x.at, m->codebook.at, k, false, nearest, distance2));
  memset(hits, 0, units * sizeof *hits);
  for (size_t i = 0; i < n; i++) {
    const double w = mn_weight(data, i);
    label[i] = nearest[i * k];
    hits[label[i]] += w;
    sum += w * sqrt(distance2[i * k]);
    if (k == 2 && !mn_som_adjacent(m, (size_t)nearest[2 * i], (size_t)nearest[2 * i + 1])) apart += w;
  }
  *quantization = sum / mn_total_weight(data);
  *topographic = apart / mn_total_weight(data);
  mn_scratch_release(ctx, mark);
  if (isfinite(*quantization)) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "SOM: squared distances overflow; scale the columns of X (StandardScaler)");
}

static mn_status finish(mn_context *ctx, struct mn_som *m, const mn_data *data)
{
  mn_memory *memory = mn_context_memory(ctx);
  mn_vector_free(memory, &m->hits); /* of an earlier batch */
  mn_indexes_free(memory, &m->labels);
  MN_TRY(mn_vector_init(ctx, &m->hits, m->codebook.rows));
  MN_TRY(mn_indexes_init(ctx, &m->labels, data->rows));
  return mn_som_quality(ctx, m, data, m->labels.at, m->hits.at, &m->quantization_error, &m->topographic_error);
}

mn_status mn_som_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_som *m = self;
  MN_TRY(start(ctx, m, data));
  m->base.report = (mn_report){ .converged = false, .advice = NULL }; /* no test: the schedule decides */
  MN_TRY(m->algorithm == MN_SOM_BATCH ? fit_batch(ctx, m, data) : fit_online(ctx, m, data));
  return finish(ctx, m, data);
}

mn_status mn_som_partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_som *m = self;
  double error;
  if (!m->codebook.at) MN_TRY(start(ctx, m, data));
  MN_TRY(online_pass(ctx, m, data, &error));
  m->base.report.converged = false;
  m->base.report.change = (double)NAN;
  mn_record_round(ctx, &m->base.report, error);
  MN_TRY(mn_error_status(ctx));
  return finish(ctx, m, data);
}

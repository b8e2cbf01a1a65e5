/* Mean shift: every seed climbs to a mode of the density of the rows by moving to the mean of the rows around it,
 *
 *     m <- sum_i K(|x_i - m| / h) x_i / sum_i K(|x_i - m| / h),
 *
 * with K(u) = 1 for u <= 1 (flat) or exp(-u^2 / 2) (gaussian), until it moves by at most h / 1000. Of the modes that
 * are within h of each other the one with the largest sum of K is kept. Comaniciu & Meer, IEEE PAMI 24 (2002). */
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/magnitudes.h"
#include "../search/neighbor_index.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include "centers.h"
#include "lloyd.h"
#include <string.h>

struct mean_shift {
  mn_estimator base;
  double bandwidth, quantile; /* parameters */
  int64_t kernel, min_bin_freq, max_iter;
  bool bin_seeding, cluster_all;
  mn_matrix cluster_centers; /* learned fields */
  mn_indexes labels;
  mn_vector counts;
  double fitted_bandwidth;
};

static const char name[] = "MeanShift";
enum { FLAT, GAUSSIAN };
static const char *const kernels[] = { "flat", "gaussian", NULL };
enum { LEAF_SIZE = 30, CHUNK = 256, ROW_BLOCK = 16 };

struct widths {
  mn_context *ctx;
  const mn_data *data;
  size_t rank;
  double *distance, *kth; /* workers x rows; rows */
  mn_blocks blocks;
};

static void width_block(void *work, size_t block, size_t worker)
{
  const struct widths *w = work;
  const size_t n = w->data->rows;
  const mn_cancel_token token = { w->ctx, worker };
  double *distance = w->distance + worker * n;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    mn_ordered_distances2(n, w->data->features, w->data->x.at, mn_row(&w->data->x, i), distance);
    mn_select(&token, n, distance, w->rank);
    w->kth[i] = sqrt(distance[w->rank]);
  }
}

/* The mean distance of a row to the nearest `quantile` of all rows, of which it is the first. */
static mn_status estimate_bandwidth(mn_context *ctx, const struct mean_shift *m, const mn_data *data, double *width)
{
  const size_t n = data->rows, k = (size_t)(m->quantile * (double)n);
  struct widths w = { .ctx = ctx, .data = data, .rank = k > 1 ? k - 1 : 0 };
  w.blocks = mn_make_blocks(n, ROW_BLOCK, SIZE_MAX);
  w.distance = MN_RAW(ctx, double, mn_threads(ctx), n);
  w.kth = MN_RAW(ctx, double, n, 1);
  if (!w.distance || !w.kth) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w.blocks.count, width_block, &w));
  *width = 0;
  for (size_t i = 0; i < n; i++) *width += w.kth[i] / (double)n;
  if (*width > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA,
                 "%s: the estimated bandwidth is 0, because rows are equal or too few for quantile; set bandwidth",
                 name);
}

static int compare_rows(size_t d, const double *a, const double *b)
{
  for (size_t j = 0; j < d; j++)
    if (a[j] < b[j] || a[j] > b[j]) return a[j] < b[j] ? -1 : 1;
  return 0;
}

/* Centers of the cells of a grid of width h that have at least min_bin_freq rows. */
static mn_status bin_seeds(mn_context *ctx, const struct mean_shift *m, const mn_data *data, double *seed,
                           size_t *count)
{
  const size_t n = data->rows, d = data->features;
  double *cell = MN_RAW(ctx, double, n, d), *key = MN_RAW(ctx, double, n, 1);
  size_t *order = MN_RAW(ctx, size_t, n, 1), *by_key = MN_RAW(ctx, size_t, n, 1), *next = MN_RAW(ctx, size_t, n, 1);
  if (!cell || !key || !order || !by_key || !next) return MN_NO_MEMORY;
  for (size_t i = 0; i < n * d; i++) cell[i] = rint(data->x.at[i] / m->fitted_bandwidth);
  for (size_t i = 0; i < n; i++) order[i] = i;
  for (size_t j = d; j-- > 0;) { /* a stable sort by each column, the first one last */
    for (size_t i = 0; i < n; i++) key[i] = cell[order[i] * d + j];
    MN_TRY(mn_argsort(ctx, n, key, 1, by_key));
    for (size_t i = 0; i < n; i++) next[i] = order[by_key[i]];
    memcpy(order, next, n * sizeof *order);
  }
  *count = 0;
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && compare_rows(d, cell + order[i] * d, cell + order[end] * d) == 0;) end++;
    if (end - i < (size_t)m->min_bin_freq) continue;
    for (size_t j = 0; j < d; j++) seed[*count * d + j] = cell[order[i] * d + j] * m->fitted_bandwidth;
    (*count)++;
  }
  if (*count == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: no cell has min_bin_freq = %lld rows; reduce min_bin_freq", name,
                   (long long)m->min_bin_freq);
  return MN_OK;
}

/* Seeds on their way. */
struct climb {
  const struct mean_shift *m;
  const mn_data *data;
  const mn_neighbor_index *index;
  size_t size;          /* seeds                                           */
  double *at, *density; /* size x features; size: sum of the kernel there; < 0 while it moves */
};

static bool arrive(const struct climb *w, size_t seed, const double *mean, double density)
{
  const size_t d = w->data->features;
  double *at = w->at + seed * d;
  const double moved = sqrt(mn_ordered_distance2(d, at, mean));
  memcpy(at, mean, d * sizeof *at);
  if (!(moved <= 1e-3 * w->m->fitted_bandwidth)) return false;
  w->density[seed] = density;
  return true;
}

/* One step of n seeds at `from`. A seed without rows in reach stays, with density 0. */
static mn_status step_flat(mn_context *ctx, const struct climb *w, size_t n, const double *from, double *mean,
                           double *density)
{
  const size_t d = w->data->features;
  const mn_points rows = { .n = w->data->rows, .d = d, .x = w->data->x.at }, queries = { .n = n, .d = d, .x = from };
  mn_neighbor_lists lists;
  MN_TRY(mn_neighbor_within(ctx, w->index, &rows, &queries, w->m->fitted_bandwidth, false, &lists));
  for (size_t q = 0; q < n; q++) {
    const size_t found = lists.start[q + 1] - lists.start[q];
    double *to = mean + q * d;
    memset(to, 0, d * sizeof *to);
    for (size_t e = lists.start[q]; e < lists.start[q + 1]; e++)
      for (size_t j = 0; j < d; j++) to[j] += mn_row(&w->data->x, (size_t)lists.at[e].index)[j];
    for (size_t j = 0; j < d; j++) to[j] = found > 0 ? to[j] / (double)found : from[q * d + j];
    density[q] = (double)found;
  }
  return MN_OK;
}

static mn_status step_gaussian(mn_context *ctx, const struct climb *w, size_t n, const double *from, double *mean,
                               double *density)
{
  const size_t rows = w->data->rows, d = w->data->features;
  const double h = w->m->fitted_bandwidth;
  double *k = MN_RAW(ctx, double, n, rows);
  MN_CHECK_ALLOC(k);
  MN_TRY(mn_rbf(ctx, n, rows, d, from, w->data->x.at, 1 / (2 * h * h), k, rows));
  MN_TRY(mn_gemm(ctx, false, false, n, d, rows, 1, k, rows, w->data->x.at, d, 0, mean, d));
  for (size_t q = 0; q < n; q++) {
    density[q] = 0;
    for (size_t i = 0; i < rows; i++) density[q] += k[q * rows + i];
    for (size_t j = 0; j < d; j++) mean[q * d + j] = density[q] > 0 ? mean[q * d + j] / density[q] : from[q * d + j];
  }
  return MN_OK;
}

/* One step of all seeds that still move; *left is the number of those that do not stop. */
static mn_status step(mn_context *ctx, struct climb *w, size_t *left)
{
  const size_t d = w->data->features;
  size_t active[CHUNK];
  *left = 0;
  for (size_t seed = 0; seed < w->size;) {
    const mn_mark mark = mn_scratch_mark(ctx);
    size_t n = 0;
    for (; seed < w->size && n < CHUNK; seed++)
      if (w->density[seed] < 0) active[n++] = seed;
    if (n == 0) break;
    double *from = MN_RAW(ctx, double, n, d), *mean = MN_RAW(ctx, double, n, d), *density = MN_RAW(ctx, double, n, 1);
    if (!from || !mean || !density) return MN_NO_MEMORY;
    for (size_t q = 0; q < n; q++) memcpy(from + q * d, w->at + active[q] * d, d * sizeof *from);
    if (w->m->kernel == FLAT)
      MN_TRY(step_flat(ctx, w, n, from, mean, density));
    else
      MN_TRY(step_gaussian(ctx, w, n, from, mean, density));
    for (size_t q = 0; q < n; q++) *left += !arrive(w, active[q], mean + q * d, density[q]);
    mn_scratch_release(ctx, mark);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status climb(mn_context *ctx, struct mean_shift *m, struct climb *w)
{
  mn_report *report = &m->base.report;
  size_t left = w->size;
  bool proceed = true;
  for (size_t s = 0; s < w->size; s++) w->density[s] = -1;
  while (proceed && left > 0 && report->n_iter < m->max_iter) {
    MN_TRY(step(ctx, w, &left));
    proceed = mn_round(ctx, report, m->max_iter, (double)left);
  }
  for (size_t s = 0; s < w->size; s++) w->density[s] = fmax(w->density[s], 0);
  report->converged = left == 0;
  report->change = (double)left;
  report->advice = "increase max_iter";
  return MN_OK;
}

/* Seeds in descending order of density, then of coordinates. */
static bool comes_before(const struct climb *w, size_t a, size_t b)
{
  const size_t d = w->data->features;
  if (w->density[a] > w->density[b] || w->density[a] < w->density[b]) return w->density[a] > w->density[b];
  return compare_rows(d, w->at + a * d, w->at + b * d) > 0;
}

/* The best seed that is left becomes a center, and those within h of it are removed. */
static size_t select_modes(const struct climb *w, bool *removed, double *centers)
{
  const size_t d = w->data->features;
  const double h2 = w->m->fitted_bandwidth * w->m->fitted_bandwidth;
  size_t count = 0;
  for (;;) {
    size_t best = SIZE_MAX;
    for (size_t s = 0; s < w->size; s++)
      if (!removed[s] && (best == SIZE_MAX || comes_before(w, s, best))) best = s;
    if (best == SIZE_MAX) return count;
    const double *center = w->at + best * d;
    memcpy(centers + count++ * d, center, d * sizeof *center);
    for (size_t s = 0; s < w->size; s++)
      removed[s] = removed[s] || s == best || mn_ordered_distance2(d, w->at + s * d, center) <= h2;
  }
}

/* The nearest center of each row; -1 for rows farther than h from it, unless cluster_all. */
static mn_status assign(mn_context *ctx, const struct mean_shift *m, const mn_data *data, int32_t *label)
{
  double *distance2 = MN_RAW(ctx, double, data->rows, 1);
  const double h2 = m->fitted_bandwidth * m->fitted_bandwidth;
  MN_CHECK_ALLOC(distance2);
  MN_TRY(
      mn_kmeans_assign(ctx, data, m->cluster_centers.rows, m->cluster_centers.at, label, distance2, NULL, NULL, NULL));
  for (size_t i = 0; i < data->rows && !m->cluster_all; i++)
    if (distance2[i] > h2) label[i] = -1;
  return MN_OK;
}

static mn_status start(mn_context *ctx, struct mean_shift *m, const mn_data *data, struct climb *w)
{
  const size_t n = data->rows, d = data->features;
  m->fitted_bandwidth = m->bandwidth;
  if (isnan(m->bandwidth)) MN_TRY(estimate_bandwidth(ctx, m, data, &m->fitted_bandwidth));
  *w = (struct climb){ .m = m, .data = data, .size = n };
  w->at = MN_RAW(ctx, double, n, d);
  w->density = MN_RAW(ctx, double, n, 1);
  if (!w->at || !w->density) return MN_NO_MEMORY;
  if (m->bin_seeding) MN_TRY(bin_seeds(ctx, m, data, w->at, &w->size));
  if (!m->bin_seeding || w->size == n) memcpy(w->at, data->x.at, n * d * sizeof *w->at);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mean_shift *m = self;
  const size_t d = data->features;
  const mn_points rows = { .n = data->rows, .d = d, .x = data->x.at };
  const mn_index_options options = { .metric = { .kind = MN_METRIC_EUCLIDEAN },
                                     .leaf_size = LEAF_SIZE,
                                     .scratch = true };
  mn_neighbor_index index = { 0 };
  struct climb w;
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(start(ctx, m, data, &w));
  if (m->kernel == FLAT) MN_TRY(mn_neighbor_index_init(ctx, name, &index, &rows, options));
  w.index = &index;
  MN_TRY(climb(ctx, m, &w));
  double *centers = MN_RAW(ctx, double, w.size, d);
  bool *removed = MN_NEW(ctx, bool, w.size, 1);
  if (!centers || !removed) return MN_NO_MEMORY;
  const size_t k = select_modes(&w, removed, centers);
  MN_TRY(mn_matrix_init(ctx, &m->cluster_centers, k, d));
  memcpy(m->cluster_centers.at, centers, k * d * sizeof *centers);
  MN_TRY(mn_indexes_init(ctx, &m->labels, data->rows));
  MN_TRY(mn_vector_init(ctx, &m->counts, k));
  MN_TRY(assign(ctx, m, data, m->labels.at));
  for (size_t i = 0; i < data->rows; i++)
    if (m->labels.at[i] >= 0) m->counts.at[m->labels.at[i]] += 1;
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(assign(ctx, self, data, label));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = label[i];
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mean_shift *m = self;
  if (!m->cluster_all) return mn_cannot_export(ctx, &m->base, "cluster_all is false");
  mn_centers_export(&m->cluster_centers, action, program);
  return MN_OK;
}

static const mn_param params[] = {
  MN_REAL(struct mean_shift, bandwidth, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "radius h of the kernel, in units of X; nil: estimated, see quantile"),
  MN_REAL(struct mean_shift, quantile, 0.3, MN_LEFT_OPEN(0, 1),
          "the estimated bandwidth is the mean distance of a row to this share of all rows, the nearest ones"),
  MN_CHOICE(struct mean_shift, kernel, FLAT, kernels,
            "flat: mean of the rows within h; gaussian: weighted mean of all rows, h is the standard deviation"),
  MN_FLAG(struct mean_shift, bin_seeding, false,
          "begin at the centers of the cells of a grid of width h; false: at all rows"),
  MN_COUNT(struct mean_shift, min_bin_freq, 1, MN_CLOSED(1, INT32_MAX),
           "least number of rows of a cell that is a seed"),
  MN_FLAG(struct mean_shift, cluster_all, true, "false: rows farther than h from all centers are noise"),
  MN_COUNT(struct mean_shift, max_iter, 300, MN_CLOSED(1, INT32_MAX), "maximum number of steps of a seed"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mean_shift, cluster_centers, "clusters x features", "modes, the densest first"),
  MN_INDEXES(struct mean_shift, labels, "rows < clusters or -1", "cluster of each training row, -1 for noise"),
  MN_VECTOR(struct mean_shift, counts, "clusters", "number of rows of each cluster"),
  MN_NUMBER(struct mean_shift, fitted_bandwidth, "bandwidth that was used"),
  MN_END,
};

const mn_class mn_mean_shift = {
  .name = "MeanShift",
  .family = "cluster",
  .brief = "Clusters around the modes of a density estimate; finds their number.",
  .objective = "modes of f(m) = sum_i K(|x_i - m| / h), by m <- sum_i K x_i / sum_i K",
  .source = "Comaniciu & Meer, Mean Shift: A Robust Approach Toward Feature Space Analysis, IEEE PAMI 24 (2002)",
  .notes =
      "New rows get the cluster of the nearest center. Smaller bandwidths give more clusters; the estimate is "
      "scikit-learn's, whose kernel is flat. Time grows with the square of the rows, less with bin_seeding. Without "
      "cluster_all predict finds noise, too, which scikit-learn's does not.",
  .example = "local model = ml.MeanShift{ bandwidth = 2 }:fit{ {1, 1}, {2, 1}, {1, 0}, {4, 7}, {3, 5}, {3, 6} }\n"
             "print(model.labels, model.cluster_centers, model:predict{ {0, 0}, {5, 5} })",
  .capabilities = MN_CLUSTER | MN_ITERATE,
  .size = sizeof(struct mean_shift),
  .params = params,
  .fields = fields,
  .fit = fit,
  .predict = predict,
  .export = export,
};

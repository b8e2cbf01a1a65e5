/* Affinity propagation. Rows choose exemplars among themselves: exemplars c maximize
 *
 *     sum_i s(i, c_i),    s(i, k) = -|x_i - x_k|^2,  s(k, k) = preference.
 *
 * Rows exchange two messages, damped from one iteration to the next, until the exemplars stay the same:
 *
 *     r(i, k) = s(i, k) - max_{j != k} [ a(i, j) + s(i, j) ]                 how well k suits i
 *     a(i, k) = min(0, r(k, k) + sum_{j != i, k} max(0, r(j, k)))            how well k suits others
 *     a(k, k) = sum_{j != k} max(0, r(j, k))
 *
 * Row k is an exemplar if a(k, k) + r(k, k) > 0. Frey & Dueck, Science 315 (2007). */
#include "../cluster/centers.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../linear/linear.h"
#include "../stats/quantile.h"
#include "affinity_kernel.h"
#include <string.h>

struct affinity_propagation {
  mn_estimator base;
  int64_t affinity, max_iter, convergence_iter; /* parameters */
  double damping;
  mn_vector preference;
  mn_matrix cluster_centers; /* learned fields */
  mn_indexes exemplars, labels;
  mn_vector counts;
};

static const char name[] = "AffinityPropagation";
enum { EUCLIDEAN, PRECOMPUTED };
static const char *const affinities[] = { "euclidean", "precomputed", NULL };
enum { ROW_BLOCK = 16, MAX_BLOCKS = 64 };

/* The messages; all n x n. */
struct messages {
  const struct affinity_propagation *m;
  const mn_data *data;
  size_t n;
  double *s, *r, *a;
  double *part, *sum; /* blocks x n; n: sum over rows of max(r, 0), with r(k, k) as it is */
  mn_blocks blocks;
};

static void measure_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct messages *w = work;
  const mn_data *d = w->data;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *s = w->s + i * w->n;
    if (w->m->affinity == PRECOMPUTED) {
      memcpy(s, mn_row(&d->x, i), w->n * sizeof *s);
      continue;
    }
    mn_ordered_distances2(w->n, d->features, d->x.at, mn_row(&d->x, i), s);
    for (size_t k = 0; k < w->n; k++) s[k] = -s[k];
  }
}

/* Noise of the size of rounding errors: equally good exemplars would make the messages swing forever. */
static void add_noise(const struct messages *w)
{
  for (size_t i = 0; i < w->n; i++) {
    mn_rng rng = mn_stream(0, i);
    double *s = w->s + i * w->n;
    for (size_t k = 0; k < w->n; k++) s[k] += (DBL_EPSILON * s[k] + 100 * DBL_MIN) * mn_random_normal(&rng);
  }
}

static void responsibilities_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct messages *w = work;
  const size_t n = w->n;
  double *sum = w->part + block * n;
  memset(sum, 0, n * sizeof *sum);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *s = w->s + i * n, *a = w->a + i * n;
    double *r = w->r + i * n, best = -INFINITY, second = -INFINITY;
    size_t where = 0;
    for (size_t k = 0; k < n; k++) {
      const double value = a[k] + s[k];
      if (!(value > second)) continue;
      second = value > best ? best : value;
      where = value > best ? k : where;
      best = value > best ? value : best;
    }
    const double own = r[where];
    mn_damp_responsibilities(n, w->m->damping, best, s, r);
    r[where] = w->m->damping * own + (1 - w->m->damping) * (s[where] - second);
    mn_add_positive(n, r, sum);
    if (r[i] < 0) sum[i] += r[i];
  }
}

static void availabilities_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct messages *w = work;
  const size_t n = w->n;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *a = w->a + i * n;
    const double own = a[i];
    mn_damp_availabilities(n, w->m->damping, w->sum, w->r + i * n, a);
    a[i] = w->m->damping * own + (1 - w->m->damping) * (w->sum[i] - w->r[i * n + i]);
  }
}

/* Set is_exemplar; returns the number of exemplars. */
static size_t find_exemplars(const struct messages *w, bool *is_exemplar, bool *changed)
{
  size_t count = 0;
  *changed = false;
  for (size_t k = 0; k < w->n; k++) {
    const bool is = w->a[k * w->n + k] + w->r[k * w->n + k] > 0;
    *changed = *changed || is != is_exemplar[k];
    is_exemplar[k] = is;
    count += is;
  }
  return count;
}

/* Exchange messages until the exemplars have not changed in convergence_iter iterations. */
static mn_status exchange(mn_context *ctx, struct affinity_propagation *m, struct messages *w, bool *is_exemplar)
{
  mn_report *report = &m->base.report;
  int64_t unchanged = 0;
  bool proceed = true;
  while (proceed && !report->converged && report->n_iter < m->max_iter) {
    bool changed;
    MN_TRY(mn_parallel(ctx, w->blocks.count, responsibilities_block, w));
    mn_sum_blocks(w->blocks.count, w->n, w->part, w->sum);
    MN_TRY(mn_parallel(ctx, w->blocks.count, availabilities_block, w));
    const size_t count = find_exemplars(w, is_exemplar, &changed);
    unchanged = changed ? 1 : unchanged + 1;
    proceed = mn_round(ctx, report, m->max_iter, (double)count);
    report->converged = count > 0 && unchanged >= m->convergence_iter && report->n_iter > m->convergence_iter;
    report->change = (double)changed;
  }
  report->advice = "increase damping or max_iter";
  return MN_OK;
}

/* Rows of the exemplars; the best candidate if there is none. */
static size_t list_exemplars(const struct messages *w, const bool *is_exemplar, int32_t *exemplar)
{
  size_t count = 0, best = 0;
  for (size_t k = 0; k < w->n; k++) {
    const size_t at = k * w->n + k, top = best * w->n + best;
    if (is_exemplar[k]) exemplar[count++] = (int32_t)k;
    if (w->a[at] + w->r[at] > w->a[top] + w->r[top]) best = k;
  }
  if (count == 0) exemplar[count++] = (int32_t)best;
  return count;
}

/* Label each row by the most similar exemplar, ties by the lowest index; exemplars by themselves. */
static void assign(const struct messages *w, size_t count, const int32_t *exemplar, int32_t *label)
{
  for (size_t i = 0; i < w->n; i++) {
    const double *s = w->s + i * w->n;
    size_t best = 0;
    for (size_t c = 1; c < count; c++) best = s[exemplar[c]] > s[exemplar[best]] ? c : best;
    label[i] = (int32_t)best;
  }
  for (size_t c = 0; c < count; c++) label[exemplar[c]] = (int32_t)c;
}

/* The row of each cluster that is most similar to all of it becomes its exemplar. */
static void refine(const struct messages *w, size_t count, const int32_t *label, int32_t *exemplar)
{
  for (size_t c = 0; c < count; c++) {
    double best = -INFINITY;
    for (size_t k = 0; k < w->n; k++) {
      double sum = 0;
      if (label[k] != (int32_t)c) continue;
      for (size_t i = 0; i < w->n; i++) sum += label[i] == (int32_t)c ? w->s[i * w->n + k] : 0;
      if (sum > best) exemplar[c] = (int32_t)k;
      best = sum > best ? sum : best;
    }
  }
}

/* Exemplars in ascending order, and labels that fit. */
static void sort_exemplars(size_t n, size_t count, int32_t *exemplar, int32_t *label, int32_t *place)
{
  for (size_t i = 0; i < n; i++) place[i] = -1;
  for (size_t i = 0; i < n; i++) label[i] = exemplar[label[i]];
  for (size_t c = 0; c < count; c++) place[exemplar[c]] = 0;
  for (size_t i = 0, next = 0; i < n; i++) {
    if (place[i] < 0) continue;
    exemplar[next] = (int32_t)i;
    place[i] = (int32_t)next++;
  }
  for (size_t i = 0; i < n; i++) label[i] = place[label[i]];
}

static mn_status store(mn_context *ctx, struct affinity_propagation *m, const mn_data *data, size_t count,
                       const int32_t *exemplar, const int32_t *label)
{
  const size_t centers = m->affinity == EUCLIDEAN ? count : 0;
  MN_TRY(mn_indexes_init(ctx, &m->exemplars, count));
  MN_TRY(mn_indexes_init(ctx, &m->labels, data->rows));
  MN_TRY(mn_vector_init(ctx, &m->counts, count));
  memcpy(m->exemplars.at, exemplar, count * sizeof *exemplar);
  memcpy(m->labels.at, label, data->rows * sizeof *label);
  for (size_t i = 0; i < data->rows; i++) m->counts.at[label[i]] += 1;
  if (centers == 0) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, &m->cluster_centers, centers, data->features));
  for (size_t c = 0; c < centers; c++)
    memcpy(mn_row(&m->cluster_centers, c), mn_row(&data->x, (size_t)exemplar[c]), data->features * sizeof(double));
  return MN_OK;
}

/* If all similarities and all preferences are equal, messages decide nothing: one cluster, or as many as rows. */
static bool is_undecided(const struct messages *w, const double *preference)
{
  for (size_t i = 0; i < w->n; i++) {
    if (preference[i] < preference[0] || preference[i] > preference[0]) return false;
    for (size_t k = 0; k < w->n; k++) {
      const double first = w->s[w->n > 1 ? 1 : 0], value = w->s[i * w->n + k];
      if (i != k && (value < first || value > first)) return false;
    }
  }
  return true;
}

static mn_status read_preference(mn_context *ctx, const struct affinity_propagation *m, const struct messages *w,
                                 double *preference)
{
  static const double half[] = { 0.5 };
  double common = m->preference.size > 0 ? m->preference.at[0] : 0;
  if (m->preference.size > 1 && m->preference.size != w->n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: preference must be a number or %zu numbers, one for each row, got %zu",
                   name, w->n, m->preference.size);
  if (!m->preference.at) MN_TRY(mn_quantiles(ctx, w->n * w->n, w->s, NULL, 1, half, &common));
  for (size_t i = 0; i < w->n; i++) preference[i] = m->preference.size > 1 ? m->preference.at[i] : common;
  return MN_OK;
}

static mn_status init_messages(mn_context *ctx, const struct affinity_propagation *m, const mn_data *data,
                               struct messages *w)
{
  const size_t n = data->rows;
  *w = (struct messages){ .m = m, .data = data, .n = n, .blocks = mn_make_blocks(n, ROW_BLOCK, MAX_BLOCKS) };
  w->s = MN_RAW(ctx, double, n, n);
  w->r = MN_NEW(ctx, double, n, n);
  w->a = MN_NEW(ctx, double, n, n);
  w->part = MN_RAW(ctx, double, w->blocks.count, n);
  w->sum = MN_RAW(ctx, double, n, 1);
  if (!w->s || !w->r || !w->a || !w->part || !w->sum) return MN_NO_MEMORY;
  return mn_parallel(ctx, w->blocks.count, measure_block, w);
}

static mn_status fit_undecided(mn_context *ctx, struct affinity_propagation *m, const struct messages *w,
                               double preference, int32_t *exemplar, int32_t *label)
{
  const bool apart = w->n > 1 && preference > w->s[1];
  for (size_t i = 0; i < w->n; i++) exemplar[i] = label[i] = apart ? (int32_t)i : 0;
  mn_round(ctx, &m->base.report, m->max_iter, (double)(apart ? w->n : 1));
  m->base.report.converged = true;
  m->base.report.change = 0;
  return store(ctx, m, w->data, apart ? w->n : 1, exemplar, label);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct affinity_propagation *m = self;
  const size_t n = data->rows;
  struct messages w;
  double *preference = MN_RAW(ctx, double, n, 1);
  bool *is_exemplar = MN_NEW(ctx, bool, n, 1);
  int32_t *exemplar = MN_RAW(ctx, int32_t, n, 1), *label = MN_RAW(ctx, int32_t, n, 1),
          *place = MN_RAW(ctx, int32_t, n, 1);
  if (!preference || !is_exemplar || !exemplar || !label || !place) return MN_NO_MEMORY;
  if (m->affinity == PRECOMPUTED && n != data->features)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must be a square matrix of similarities, got %zu x %zu", name, n,
                   data->features);
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(init_messages(ctx, m, data, &w));
  MN_TRY(read_preference(ctx, m, &w, preference));
  if (is_undecided(&w, preference)) return fit_undecided(ctx, m, &w, preference[0], exemplar, label);
  for (size_t i = 0; i < n; i++) w.s[i * n + i] = preference[i];
  add_noise(&w);
  MN_TRY(exchange(ctx, m, &w, is_exemplar));
  const size_t count = list_exemplars(&w, is_exemplar, exemplar);
  assign(&w, count, exemplar, label);
  refine(&w, count, label, exemplar);
  assign(&w, count, exemplar, label);
  sort_exemplars(n, count, exemplar, label, place);
  return store(ctx, m, data, count, exemplar, label);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_centers_predict(ctx, &((const struct affinity_propagation *)self)->cluster_centers, data, out);
}

static bool supports(const void *self, mn_action action)
{
  return action != MN_PREDICT || ((const struct affinity_propagation *)self)->affinity == EUCLIDEAN;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct affinity_propagation *m = self;
  if (m->affinity == EUCLIDEAN) mn_centers_export(&m->cluster_centers, action, program);
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct affinity_propagation *m = self;
  if (m->affinity == PRECOMPUTED || m->cluster_centers.rows == m->counts.size) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: cluster_centers and counts are inconsistent", name);
}

static const mn_param params[] = {
  MN_REAL(struct affinity_propagation, damping, 0.5, MN_CLOSED(0.5, 0.99),
          "share of the last message that is kept; more than 0.5 against messages that swing"),
  MN_NUMBER_OR_REALS(struct affinity_propagation, preference, MN_NO_LIMITS(),
                     "similarity of a row to itself, or one for each row: the larger, the more exemplars; nil: the "
                     "median of all similarities"),
  MN_CHOICE(struct affinity_propagation, affinity, EUCLIDEAN, affinities,
            "euclidean: minus the squared distance; precomputed: X is a square matrix of similarities"),
  MN_COUNT(struct affinity_propagation, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_COUNT(struct affinity_propagation, convergence_iter, 15, MN_CLOSED(1, 1000),
           "stop when the exemplars have stayed the same for so many iterations"),
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct affinity_propagation, exemplars, "clusters < rows", "row that is the exemplar of each cluster"),
  MN_INDEXES(struct affinity_propagation, labels, "rows < clusters", "cluster of each training row"),
  MN_VECTOR(struct affinity_propagation, counts, "clusters", "number of rows of each cluster"),
  MN_MATRIX(struct affinity_propagation, cluster_centers, "centers? x features?",
            "the exemplars; empty with precomputed similarities"),
  MN_END,
};

const mn_class mn_affinity_propagation = {
  .name = "AffinityPropagation",
  .family = "cluster",
  .brief = "Clustering by exemplars that rows choose; finds the number of clusters.",
  .objective = "maximize sum_i s(i, exemplar of i), s(i, k) = -|x_i - x_k|^2, s(k, k) = preference",
  .source = "Frey & Dueck, Clustering by Passing Messages Between Data Points, Science 315 (2007)",
  .notes =
      "New rows join the cluster of the nearest exemplar; with precomputed similarities they cannot be assigned. If no "
      "row became an exemplar, which scikit-learn answers with labels -1, the best candidate is the only one. Noise of "
      "1e-16 of the similarities breaks ties; it is always the same. Memory: 24 n^2 bytes.",
  .example = "local model = ml.AffinityPropagation{}:fit{ {1, 2}, {1, 4}, {1, 0}, {4, 2}, {4, 4}, {4, 0} }\n"
             "print(model.labels, model.cluster_centers, model:predict{ {0, 0}, {5, 3} })",
  .capabilities = MN_CLUSTER | MN_ITERATE | MN_NOISY_OBJECTIVE,
  .size = sizeof(struct affinity_propagation),
  .params = params,
  .fields = fields,
  .fit = fit,
  .predict = predict,
  .supports = supports,
  .supports_when = "affinity = 'euclidean'",
  .check = check,
  .export = export,
};

#include "lloyd.h"
#include "../linalg/reduce.h"
#include "../search/nearest.h"
#include "kmeans_start.h"
#include <string.h>

const char *const mn_kmeans_inits[] = { "k-means++", "random", NULL };
const char *const mn_kmeans_algorithms[] = { "auto", "lloyd", "hamerly", "elkan", "yinyang", NULL };

enum {
  YINYANG_SHARE = 10, /* centers of a group                */
  GROUPING_STEPS = 5, /* iterations that group the centers */
  MIN_ELKAN_D = 768   /* with fewer columns the matrix product over all centers costs less than more bounds save */
};

struct work {
  const mn_kmeans_settings *s;
  const mn_data *data;
  size_t d;
  double *next;            /* k x d: sums for the next centers      */
  double *moved;           /* k: how far each center moved last     */
  double *row;             /* d: a sparse row                       */
  int32_t *group;          /* k, or NULL                            */
  mn_center_bounds bounds; /* groups 0: none */
};

mn_status mn_kmeans_assign(mn_context *ctx, const mn_data *data, size_t k, const double *centers, int32_t *label,
                           double *distance2, double *sums, double *totals, double *inertia)
{
  if (data->sparse)
    return mn_nearest_center_sparse(ctx, data->sparse, k, centers, data->weights, label, distance2, sums, totals,
                                    inertia);
  return mn_nearest_center(ctx, data->rows, data->features, k, data->x.at, centers, data->weights, label, NULL,
                           distance2, sums, totals, inertia);
}

/* The number of bounds for each row. Chosen by "auto", they take at most half the memory of X. */
static size_t count_groups(const mn_kmeans_settings *s, const mn_data *data)
{
  const size_t yinyang = s->k / YINYANG_SHARE > 0 ? s->k / YINYANG_SHARE : 1;
  if (data->sparse) return 0;
  switch (s->algorithm) {
  case MN_KMEANS_LLOYD: return 0;
  case MN_KMEANS_HAMERLY: return 1;
  case MN_KMEANS_ELKAN: return s->k;
  case MN_KMEANS_YINYANG: return yinyang;
  default: return data->features >= MIN_ELKAN_D && s->k <= data->features ? s->k : 1;
  }
}

/* Group the centers by a few iterations of k-means on them. */
static mn_status group_centers(mn_context *ctx, struct work *w, const double *centers)
{
  const size_t k = w->s->k, d = w->d, groups = w->bounds.groups;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *mean = MN_RAW(ctx, double, groups, d), *sums = MN_RAW(ctx, double, groups, d);
  double *totals = MN_RAW(ctx, double, groups, 1);
  if (!mean || !sums || !totals) return MN_NO_MEMORY;
  for (size_t g = 0; g < groups; g++) memcpy(mean + g * d, centers + g * k / groups * d, d * sizeof *mean);
  for (int step = 0; step < GROUPING_STEPS; step++) {
    MN_TRY(mn_nearest_center(ctx, k, d, groups, centers, mean, NULL, w->group, NULL, NULL, sums, totals, NULL));
    for (size_t g = 0; g < groups; g++)
      for (size_t j = 0; j < d && totals[g] > 0; j++) mean[g * d + j] = sums[g * d + j] / totals[g];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status make_result(mn_context *ctx, size_t n, size_t d, size_t k, mn_kmeans_result *r)
{
  *r = (mn_kmeans_result){ .centers = MN_RAW(ctx, double, k, d),
                           .counts = MN_RAW(ctx, double, k, 1),
                           .distance2 = MN_RAW(ctx, double, n, 1),
                           .label = MN_RAW(ctx, int32_t, n, 1) };
  return r->centers && r->counts && r->distance2 && r->label ? MN_OK : MN_NO_MEMORY;
}

static mn_status make_work(mn_context *ctx, struct work *w)
{
  const size_t k = w->s->k, n = w->data->rows;
  w->bounds.groups = count_groups(w->s, w->data);
  w->next = MN_RAW(ctx, double, k, w->d);
  w->moved = MN_RAW(ctx, double, k, 1);
  w->row = MN_RAW(ctx, double, w->d, 1);
  if (!w->next || !w->moved || !w->row) return MN_NO_MEMORY;
  if (w->bounds.groups > 0) {
    w->bounds.lower = MN_RAW(ctx, float, n, w->bounds.groups);
    MN_CHECK_ALLOC(w->bounds.lower);
  }
  if (w->bounds.groups <= 1 || w->bounds.groups == k) return MN_OK;
  w->group = MN_RAW(ctx, int32_t, k, 1);
  MN_CHECK_ALLOC(w->group);
  w->bounds.group = w->group;
  return MN_OK;
}

static mn_status assign(mn_context *ctx, struct work *w, const double *moved, mn_kmeans_result *r)
{
  const mn_data *data = w->data;
  w->bounds.moved = moved;
  if (w->bounds.groups == 0)
    return mn_kmeans_assign(ctx, data, w->s->k, r->centers, r->label, r->distance2, w->next, r->counts, &r->inertia);
  return mn_nearest_center(ctx, data->rows, w->d, w->s->k, data->x.at, r->centers, data->weights, r->label, &w->bounds,
                           r->distance2, w->next, r->counts, &r->inertia);
}

static size_t farthest(const mn_data *data, const double *distance2)
{
  size_t row = 0;
  for (size_t i = 1; i < data->rows; i++)
    if (distance2[i] > distance2[row]) row = i;
  return row;
}

/* Move each center without rows to the row farthest from its own center, and subtract that row from its old cluster. */
static void fill_empty(struct work *w, mn_kmeans_result *r)
{
  for (size_t c = 0; c < w->s->k; c++) {
    if (r->counts[c] > 0) continue;
    const size_t row = farthest(w->data, r->distance2), from = (size_t)r->label[row];
    const double weight = mn_weight(w->data, row), *x = mn_dense_row(w->data, row, w->row);
    if (!(r->counts[from] > weight)) continue; /* fewer distinct rows than centers */
    for (size_t j = 0; j < w->d; j++) {
      w->next[from * w->d + j] -= weight * x[j];
      w->next[c * w->d + j] = weight * x[j];
    }
    r->counts[from] -= weight;
    r->counts[c] = weight;
    r->distance2[row] = 0;
    r->label[row] = (int32_t)c;
    for (size_t g = 0; g < w->bounds.groups; g++) w->bounds.lower[row * w->bounds.groups + g] = -1;
  }
}

/* The factor that turns the sum of the rows of a cluster into its center; 0: the center stays. */
static double center_scale(const struct work *w, const double *sum, double count)
{
  if (!w->s->spherical) return count > 0 ? 1 / count : 0;
  double norm2 = 0;
  for (size_t j = 0; j < w->d; j++) norm2 += sum[j] * sum[j];
  return norm2 > 0 ? 1 / sqrt(norm2) : 0;
}

/* Move the centers to the means of their rows; an empty one stays. Returns the sum of the squared distances moved. */
static double update_centers(struct work *w, mn_kmeans_result *r)
{
  double total = 0;
  for (size_t c = 0; c < w->s->k; c++) {
    const double *sum = w->next + c * w->d, scale = center_scale(w, sum, r->counts[c]);
    double moved = 0;
    for (size_t j = 0; j < w->d && scale > 0; j++) {
      double *center = &r->centers[c * w->d + j];
      const double mean = w->s->spherical ? sum[j] * scale : sum[j] / r->counts[c];
      moved += (mean - *center) * (mean - *center);
      *center = mean;
    }
    total += moved;
    w->moved[c] = sqrt(moved);
  }
  return total;
}

/* Sums of squared deviations of each column from its weighted mean, which are also found for sparse X. */
static mn_status column_squares(mn_context *ctx, const mn_data *data, double *square, double *total)
{
  const size_t p = data->features;
  double *mean = MN_NEW(ctx, double, p, 1), *buffer = MN_RAW(ctx, double, p, 1);
  if (!mean || !buffer) return MN_NO_MEMORY;
  *total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double w = mn_weight(data, i);
    *total += w;
    if (data->sparse) {
      for (size_t e = data->sparse->start[i]; e < data->sparse->start[i + 1]; e++) {
        mean[data->sparse->col[e]] += w * data->sparse->at[e];
        square[data->sparse->col[e]] += w * data->sparse->at[e] * data->sparse->at[e];
      }
      continue;
    }
    const double *row = mn_row(&data->x, i);
    for (size_t j = 0; j < p; j++) {
      const double delta = row[j] - mean[j];
      mean[j] += w / *total * delta;
      square[j] += w * delta * (row[j] - mean[j]);
    }
  }
  for (size_t j = 0; data->sparse && j < p; j++) square[j] = fmax(0, square[j] - mean[j] * mean[j] / *total);
  return MN_OK;
}

mn_status mn_kmeans_mean_variance(mn_context *ctx, const mn_data *data, double *variance)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *square = MN_NEW(ctx, double, data->features, 1), total = 1;
  MN_CHECK_ALLOC(square);
  if (data->weights || data->sparse)
    MN_TRY(column_squares(ctx, data, square, &total));
  else
    MN_TRY(mn_reduce(ctx, MN_VARIANCE, MN_EACH_COLUMN, 0, &data->x, square));
  *variance = 0;
  for (size_t j = 0; j < data->features; j++) *variance += square[j] / total / (double)data->features;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_kmeans_start(mn_context *ctx, const mn_kmeans_settings *s, const mn_data *data, int64_t run,
                          double *centers)
{
  mn_rng rng = mn_stream(s->seed, s->stream + (uint64_t)run);
  if (s->start) {
    memcpy(centers, s->start->at, s->k * data->features * sizeof *centers);
    return MN_OK;
  }
  if (s->init == MN_KMEANS_PLUS_PLUS) return mn_kmeans_plus_plus(ctx, data, s->k, &rng, centers);
  return mn_kmeans_random_rows(ctx, data, s->k, &rng, centers);
}

/* Run from the centers in `r`. Labels and inertia belong to the final centers. */
static mn_status run_lloyd(mn_context *ctx, struct work *w, double max_moved2, mn_kmeans_result *r)
{
  const double scale = w->s->spherical ? 0.5 : 1; /* 1 - cos = |x - c|^2 / 2 */
  double before = DBL_MAX;
  bool proceed = true;
  if (w->group) MN_TRY(group_centers(ctx, w, r->centers));
  MN_TRY(assign(ctx, w, NULL, r));
  while (proceed && !r->report.converged && r->report.n_iter < w->s->max_iter) {
    fill_empty(w, r);
    const double moved = update_centers(w, r);
    MN_TRY(assign(ctx, w, w->moved, r));
    r->report.change = moved;
    r->report.converged = moved <= max_moved2 || !(r->inertia < before);
    before = r->inertia;
    r->inertia *= scale;
    proceed = mn_round(ctx, &r->report, w->s->max_iter, r->inertia);
  }
  return mn_error_status(ctx);
}

/* Copy the result of a start that is the best so far; its trace changes hands. */
static void keep(mn_context *ctx, const struct work *w, mn_kmeans_result *from, mn_kmeans_result *to)
{
  memcpy(to->centers, from->centers, w->s->k * w->d * sizeof *to->centers);
  memcpy(to->counts, from->counts, w->s->k * sizeof *to->counts);
  memcpy(to->label, from->label, w->data->rows * sizeof *to->label);
  memcpy(to->distance2, from->distance2, w->data->rows * sizeof *to->distance2);
  to->inertia = from->inertia;
  mn_vector_free(mn_context_memory(ctx), &to->report.trace);
  to->report = from->report;
  from->report.trace = (mn_vector){ 0 };
}

static mn_status run_all(mn_context *ctx, struct work *w, mn_kmeans_result *one, mn_kmeans_result *best)
{
  const int64_t runs = w->s->start ? 1 : w->s->n_init;
  double variance;
  MN_TRY(mn_kmeans_mean_variance(ctx, w->data, &variance));
  for (int64_t run = 0; run < runs && mn_should_continue(ctx); run++) {
    mn_vector_free(mn_context_memory(ctx), &one->report.trace);
    one->report = (mn_report){ .advice = "increase max_iter" };
    if (runs > 1) mn_progress_part(ctx, (size_t)run, (size_t)runs);
    MN_TRY(mn_kmeans_start(ctx, w->s, w->data, run, one->centers));
    MN_TRY(run_lloyd(ctx, w, w->s->tol * variance, one));
    if (run == 0 || one->inertia < best->inertia) keep(ctx, w, one, best);
  }
  return MN_OK;
}

mn_status mn_kmeans_run(mn_context *ctx, const mn_kmeans_settings *s, const mn_data *data, mn_kmeans_result *out)
{
  struct work w = { .s = s, .data = data, .d = data->features };
  mn_kmeans_result one;
  MN_TRY(make_work(ctx, &w));
  MN_TRY(make_result(ctx, data->rows, w.d, s->k, &one));
  MN_TRY(make_result(ctx, data->rows, w.d, s->k, out));
  const mn_status status = run_all(ctx, &w, &one, out);
  mn_vector_free(mn_context_memory(ctx), &one.report.trace);
  if (status != MN_OK) mn_vector_free(mn_context_memory(ctx), &out->report.trace);
  return status;
}

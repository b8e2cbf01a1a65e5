#include "kmeans_start.h"
#include "../core/threads.h"
#include "kmeans_kernel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK_VALUES = 1 << 16, MAX_TRIALS = 32 };

struct trial {
  const mn_data *data;
  size_t trials;
  double *point;              /* trials x d                 */
  double *closest;            /* rows                       */
  double *distance, *inertia; /* rows x trials, blocks x trials */
  double *across, *norm2;     /* of sparse X: features x trials, trials */
  mn_blocks blocks;
};

/* |x - p|^2 of a sparse row and the candidate points; 0 where rounding leaves no digit. */
static void sparse_distances(const struct trial *w, size_t row, double *distance)
{
  const mn_csr *x = w->data->sparse;
  double norm2 = 0;
  for (size_t c = 0; c < w->trials; c++) distance[c] = 0;
  for (size_t e = x->start[row]; e < x->start[row + 1]; e++) {
    const double value = x->at[e], *point = w->across + (size_t)x->col[e] * w->trials;
    norm2 += value * value;
    for (size_t c = 0; c < w->trials; c++) distance[c] += value * point[c];
  }
  for (size_t c = 0; c < w->trials; c++) {
    distance[c] = norm2 + w->norm2[c] - 2 * distance[c];
    if (!(distance[c] > 1e-13 * (norm2 + w->norm2[c]))) distance[c] = 0;
  }
}

static void sparse_trial_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct trial *w = work;
  double *inertia = w->inertia + block * w->trials;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *distance = w->distance + i * w->trials;
    sparse_distances(w, i, distance);
    for (size_t c = 0; c < w->trials; c++) {
      distance[c] = fmin(distance[c], w->closest[i]);
      inertia[c] += mn_weight(w->data, i) * distance[c];
    }
  }
}

/* The candidate points as columns, in which the values of a sparse row find theirs side by side. */
static void transpose_points(const struct trial *t)
{
  const size_t d = t->data->features;
  for (size_t c = 0; c < t->trials; c++) {
    t->norm2[c] = 0;
    for (size_t j = 0; j < d; j++) {
      const double value = t->point[c * d + j];
      t->across[j * t->trials + c] = value;
      t->norm2[c] += value * value;
    }
  }
}

static void trial_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct trial *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), n = mn_block_end(&w->blocks, block) - begin;
  const size_t d = w->data->features;
  mn_kmeans_trial(n, d, w->trials, w->data->x.at + begin * d, w->point, w->closest + begin,
                  w->data->weights ? w->data->weights + begin : NULL, w->distance + begin * w->trials,
                  w->inertia + block * w->trials);
}

static void copy_row(const mn_data *data, size_t row, double *out)
{
  const double *x = mn_dense_row(data, row, out);
  if (x != out) memcpy(out, x, data->features * sizeof *out);
}

/* The first row at which the prefix sum of w closest exceeds `target`, or the last row of positive weight if rounding
 * leaves none. */
static size_t row_at_quantile(const mn_data *data, const double *closest, double target)
{
  size_t last = 0;
  double sum = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double part = mn_weight(data, i) * closest[i];
    if (!(part > 0)) continue;
    last = i;
    sum += part;
    if (sum > target) break;
  }
  return last;
}

static double total_inertia(const mn_data *data, const double *closest)
{
  double total = 0;
  for (size_t i = 0; i < data->rows; i++) total += mn_weight(data, i) * closest[i];
  return total;
}

/* Measure the candidate points and keep the distances of the best one in `closest`. */
static mn_status keep_best(mn_context *ctx, struct trial *t, double *sum, size_t *best)
{
  memset(t->inertia, 0, t->blocks.count * t->trials * sizeof *t->inertia);
  if (t->data->sparse) transpose_points(t);
  MN_TRY(mn_parallel(ctx, t->blocks.count, t->data->sparse ? sparse_trial_block : trial_block, t));
  mn_sum_blocks(t->blocks.count, t->trials, t->inertia, sum);
  *best = 0;
  for (size_t c = 1; c < t->trials; c++)
    if (sum[c] < sum[*best]) *best = c;
  for (size_t i = 0; i < t->data->rows; i++) t->closest[i] = t->distance[i * t->trials + *best];
  return MN_OK;
}

mn_status mn_kmeans_plus_plus(mn_context *ctx, const mn_data *data, size_t k, mn_rng *rng, double *centers)
{
  const size_t n = data->rows, d = data->features, wanted = 2 + (size_t)log((double)k);
  const mn_mark mark = mn_scratch_mark(ctx);
  struct trial t = { .data = data, .blocks = mn_make_blocks(n, BLOCK_VALUES / d + 1, SIZE_MAX) };
  double sum[MAX_TRIALS];
  const size_t trials = wanted < MAX_TRIALS ? wanted : MAX_TRIALS;
  t.point = MN_RAW(ctx, double, trials, d);
  t.closest = MN_RAW(ctx, double, n, 1);
  t.distance = MN_RAW(ctx, double, n, trials);
  t.inertia = MN_RAW(ctx, double, t.blocks.count, trials);
  t.across = MN_RAW(ctx, double, data->sparse ? d : 0, trials);
  t.norm2 = MN_RAW(ctx, double, trials, 1);
  if (!t.point || !t.closest || !t.distance || !t.inertia || !t.across || !t.norm2) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) t.closest[i] = DBL_MAX;
  for (size_t c = 0; c < k; c++) {
    size_t best = 0;
    const double total = c > 0 ? total_inertia(data, t.closest) : 0;
    t.trials = c > 0 ? trials : 1;
    for (size_t s = 0; s < t.trials; s++) {
      const size_t row = c > 0 && total > 0
                             ? row_at_quantile(data, t.closest, mn_random_uniform(rng) * total)
                             : (data->weights ? mn_random_weighted(rng, data->weights, n) : mn_random_below(rng, n));
      copy_row(data, row, t.point + s * d);
    }
    MN_TRY(keep_best(ctx, &t, sum, &best));
    memcpy(centers + c * d, t.point + best * d, d * sizeof *centers);
    MN_TRY(mn_poll(ctx)); /* cancellation only: all centers are needed */
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_kmeans_random_rows(mn_context *ctx, const mn_data *data, size_t k, mn_rng *rng, double *centers)
{
  const size_t n = data->rows, d = data->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *weight = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(weight);
  for (size_t i = 0; i < n; i++) weight[i] = mn_weight(data, i);
  for (size_t c = 0; c < k; c++) {
    const size_t row = mn_random_weighted(rng, weight, n);
    copy_row(data, row, centers + c * d);
    weight[row] = 0;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

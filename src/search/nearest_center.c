/* Nearest centers. A block of rows is shifted, scaled, rounded to float32, multiplied with the packed centers, and
 * scanned while it is in the cache. */
#include "nearest.h"
#include "../core/threads.h"
#include "../linalg/gemm.h"
#include "../linalg/screen.h"
#include <math.h>
#include <string.h>

enum {
  STRIP = 96,           /* rows screened at a time    */
  MAX_DIRECT_ROWS = 16, /* up to this many rows are measured without packing the centers */
  CHUNK = 8 * STRIP,    /* rows processed while in the cache */
  MAX_FAST = 8,
  FAST_SHARE = 32, /* at most k / FAST_SHARE fast centers: measuring them costs a quarter of screening all */
  MIN_BLOCK_ROWS = 1024,
  MAX_BLOCKS = 64,
  SUMS_BYTES = 8 << 20
};

/* How far the centers moved. The fastest few are measured one by one, so that they do not loosen the bound of all. */
struct movement {
  double largest, second; /* second: among the centers other than `center` */
  int32_t center, fast[MAX_FAST];
  size_t n_fast;
  double slow; /* the largest among the centers that are not fast */
};

struct assignment {
  const mn_product_kernels *kernels;
  const mn_gemm_kernel *g;
  size_t n, d, k, ld;
  const double *x, *centers, *w;
  mn_screen screen; /* of the centers */
  float *bias;      /* ld: |center|^2 / 2; large for the padding after the k-th */
  double max_norm2; /* largest |center|^2 */
  double unit;      /* factor from scaled distances to distances of the data, rounded down */
  mn_blocks rows;
  int32_t *label;
  float *lower;
  struct movement *movement; /* NULL: bounds unknown */
  double *distance2;
  double *part; /* for each block: k x d sums, k totals, inertia */
  size_t part_size;
  char *work; /* for each worker: strip, scores, left operand */
  size_t strip_bytes, score_bytes, work_bytes;
};

/* Measure the centers whose score is within the margin of the best (all if the scores are NaN). Returns the nearest. */
static int32_t nearest_candidate(const struct assignment *a, const double *x, const float *score, double margin)
{
  double limit = INFINITY, best = INFINITY;
  int32_t nearest = 0;
  for (size_t j = 0; j < a->k; j++) limit = fmin(limit, (double)(score[j] + a->bias[j]));
  for (size_t j = 0; j < a->k; j++) {
    if ((double)(score[j] + a->bias[j]) > limit + margin) continue;
    const double distance2 = a->kernels->distance2(a->d, x, a->centers + j * a->d);
    if (distance2 < best) {
      best = distance2;
      nearest = (int32_t)j;
    }
  }
  return nearest;
}

/* A lower bound on the distance of a row to all centers whose scores are at least `second`, allowing for rounding. */
static float distance_bound(const struct assignment *a, double second, double norm2, double margin)
{
  const double distance2 = norm2 + 2 * (second - margin);
  return distance2 > 0 ? (float)fmin(sqrt(distance2) * a->unit, FLT_MAX) : -1;
}

/* Compute the labels of the given rows, in ascending order. */
static void screen_rows(const struct assignment *a, size_t count, const size_t *row, char *work)
{
  float *strip = (float *)(void *)work, *score = (float *)(void *)(work + a->strip_bytes);
  double norm2[STRIP], best[STRIP], second[STRIP];
  int32_t index[STRIP];
  for (size_t i = 0, run; i < count; i += run) {
    for (run = 1; i + run < count && row[i + run] == row[i] + run;) run++;
    a->g->convert(run, a->d, a->x + row[i] * a->d, a->screen.shift, a->screen.scale, strip + i * a->d, norm2 + i);
  }
  mn_gemm_packed(a->g, count, a->k, a->d, -1, (mn_operand){ strip, a->d, 1 }, a->screen.packed, 0, a->ld, 0, score,
                 a->ld, work + a->strip_bytes + a->score_bytes);
  a->g->two_smallest(count, a->ld, score, a->bias, index, best, second);
  for (size_t i = 0; i < count; i++) {
    const double margin = a->screen.error * (norm2[i] + a->max_norm2) + (double)a->d * FLT_MIN;
    const bool sure = second[i] > best[i] + margin && margin <= FLT_MAX / 16;
    a->label[row[i]] = sure ? index[i] : nearest_candidate(a, a->x + row[i] * a->d, score + i * a->ld, margin);
    if (a->lower) a->lower[row[i]] = sure ? distance_bound(a, second[i], norm2[i], margin) : -1;
  }
}

static struct movement rank_movement(size_t k, const double *moved)
{
  struct movement w = { .n_fast = mn_min_size(MAX_FAST, k / FAST_SHARE) };
  double fastest[MAX_FAST + 2] = { 0 }; /* descending: at least the first two, and the one after the fast ones */
  int32_t center[MAX_FAST + 2] = { 0 };
  const size_t capacity = w.n_fast > 1 ? w.n_fast + 1 : 2;
  size_t size = 0;
  for (size_t c = 0; c < k; c++) {
    if (size == capacity && !(moved[c] > fastest[size - 1])) continue;
    size_t at = size < capacity ? size++ : size - 1;
    for (; at > 0 && moved[c] > fastest[at - 1]; at--) {
      fastest[at] = fastest[at - 1];
      center[at] = center[at - 1];
    }
    fastest[at] = moved[c];
    center[at] = (int32_t)c;
  }
  w.largest = fastest[0];
  w.second = fastest[1];
  w.center = center[0];
  w.slow = fastest[w.n_fast];
  memcpy(w.fast, center, sizeof w.fast);
  return w;
}

/* A bound after centers have moved by at most `moved`, rounded down. */
static double shrink_bound(float lower, double moved)
{
  return ((double)lower - moved) * (1 - 1e-6);
}

static bool within(double distance2, double lower)
{
  return (lower > 0) & (distance2 < lower * lower);
}

/* Whether the row is nearer to its center than any slow center can be and than each fast center is. */
static bool still_nearest(const struct assignment *a, size_t row, double distance2, float before)
{
  const double lower = shrink_bound(before, a->movement->slow);
  if (!within(distance2, lower)) return false;
  double nearest2 = INFINITY;
  for (size_t f = 0; f < a->movement->n_fast; f++) {
    const int32_t c = a->movement->fast[f];
    if (c != a->label[row])
      nearest2 = fmin(nearest2, a->kernels->distance2(a->d, a->x + row * a->d, a->centers + (size_t)c * a->d));
  }
  a->lower[row] = (float)fmin(lower, sqrt(nearest2) * (1 - 1e-6));
  return distance2 < nearest2;
}

/* Measure the distances of rows to their centers, and list the rows for which another center may be nearer. */
static size_t find_changed(const struct assignment *a, size_t begin, size_t rows, double *distance2, size_t *screened)
{
  const struct movement *movement = a->movement;
  const int32_t *label = a->label + begin;
  float *lower = a->lower + begin, before[CHUNK];
  size_t listed = 0, remaining = 0;
  a->kernels->assigned_distance2(rows, a->d, a->x + begin * a->d, a->centers, label, distance2);
  for (size_t i = 0; i < rows; i++) {
    const double bound = shrink_bound(lower[i], label[i] == movement->center ? movement->second : movement->largest);
    before[i] = lower[i];
    lower[i] = bound > 0 ? (float)bound : -1;
    screened[listed] = i;
    listed += !within(distance2[i], bound); /* branch-free: unpredictable */
  }
  for (size_t s = 0; s < listed; s++) {
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): elements below the count are set
    const size_t i = screened[s];
    if (movement->n_fast > 0 && still_nearest(a, begin + i, distance2[i], before[i])) continue;
    screened[remaining++] = begin + i;
  }
  return remaining;
}

/* Labels and squared distances of the rows begin .. begin + rows - 1. */
static void process_chunk(const struct assignment *a, size_t begin, size_t rows, double *distance2, char *work)
{
  size_t screened[CHUNK], listed = rows;
  int32_t before[CHUNK];
  if (a->movement)
    listed = find_changed(a, begin, rows, distance2, screened);
  else
    for (size_t i = 0; i < rows; i++) screened[i] = begin + i;
  for (size_t s = 0; s < listed; s++) before[s] = a->movement ? a->label[screened[s]] : -1;
  for (size_t s = 0; s < listed; s += STRIP) screen_rows(a, mn_min_size(STRIP, listed - s), screened + s, work);
  for (size_t s = 0; s < listed; s++) {
    const size_t row = screened[s];
    if (a->label[row] == before[s]) continue;
    distance2[row - begin] = a->kernels->distance2(a->d, a->x + row * a->d, a->centers + (size_t)a->label[row] * a->d);
  }
}

static void process_block(void *work, size_t block, size_t worker)
{
  const struct assignment *a = work;
  const size_t begin = mn_block_begin(&a->rows, block), end = mn_block_end(&a->rows, block);
  double *sums = a->part + block * a->part_size, *inertia = sums + a->part_size - 1, chunk_distance2[CHUNK];
  memset(sums, 0, sizeof(double) * a->part_size);
  for (size_t i = begin; i < end; i += CHUNK) {
    const size_t rows = mn_min_size(CHUNK, end - i);
    double *distance2 = chunk_distance2;
    if (a->distance2) distance2 = a->distance2 + i;
    process_chunk(a, i, rows, distance2, a->work + worker * a->work_bytes);
    for (size_t r = 0; r < rows; r++) *inertia += (a->w ? a->w[i + r] : 1) * distance2[r];
    if (a->part_size > 1)
      a->kernels->add_labeled_rows(rows, a->d, a->x + i * a->d, a->w ? a->w + i : NULL, a->label + i, sums,
                                   sums + a->k * a->d);
  }
}

static mn_status prepare(mn_context *ctx, struct assignment *a)
{
  const size_t k = a->k, d = a->d;
  double *norm2;
  MN_TRY(mn_screen_init(ctx, &a->screen, a->g, k, d, a->centers, true, &norm2));
  a->unit = (1 - 1e-6) / a->screen.scale;
  a->ld = mn_round_up(k, a->g->nr);
  a->bias = MN_RAW(ctx, float, a->ld, 1);
  MN_CHECK_ALLOC(a->bias);
  for (size_t j = 0; j < k; j++) {
    a->bias[j] = (float)(norm2[j] / 2);
    if (!(norm2[j] <= a->max_norm2)) a->max_norm2 = norm2[j];
  }
  for (size_t j = k; j < a->ld; j++) a->bias[j] = FLT_MAX / 4;
  const double capacity = fmax(SUMS_BYTES, (double)a->n * (double)d * 2) / ((double)a->part_size * sizeof(double));
  a->rows = mn_make_blocks(a->n, MIN_BLOCK_ROWS, (size_t)fmax(1, fmin(MAX_BLOCKS, capacity)));
  a->part = MN_RAW(ctx, double, a->rows.count, a->part_size);
  MN_CHECK_ALLOC(a->part);
  a->strip_bytes = mn_round_up(STRIP * d * sizeof(float), 64);
  a->score_bytes = mn_round_up(STRIP * a->ld * sizeof(float), 64);
  a->work_bytes = a->strip_bytes + a->score_bytes + mn_gemm_left_bytes(a->g, STRIP, d);
  a->work = MN_RAW(ctx, char, mn_threads(ctx), a->work_bytes);
  MN_CHECK_ALLOC(a->work);
  return MN_OK;
}

/* Labels of a few rows, without screening. */
static void measure_directly(const struct assignment *a)
{
  for (size_t i = 0; i < a->n; i++) {
    double best = INFINITY;
    a->label[i] = 0;
    for (size_t j = 0; j < a->k; j++) {
      const double distance2 = a->kernels->distance2(a->d, a->x + i * a->d, a->centers + j * a->d);
      if (!(distance2 < best)) continue;
      best = distance2;
      a->label[i] = (int32_t)j;
    }
    if (a->distance2) a->distance2[i] = best;
  }
}

static void reduce_parts(const struct assignment *a, double *sums, double *totals, double *inertia)
{
  const size_t width = a->k * a->d;
  if (sums) memset(sums, 0, sizeof(double) * width);
  if (totals) memset(totals, 0, sizeof(double) * a->k);
  if (inertia) *inertia = 0;
  for (size_t b = 0; b < a->rows.count; b++) {
    const double *part = a->part + b * a->part_size;
    for (size_t i = 0; sums && i < width; i++) sums[i] += part[i];
    for (size_t j = 0; totals && j < a->k; j++) totals[j] += part[width + j];
    if (inertia) *inertia += part[a->part_size - 1];
  }
}

mn_status mn_nearest_center(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const double *centers,
                            const double *w, int32_t *label, float *lower, const double *moved, double *distance2,
                            double *sums, double *totals, double *inertia)
{
  struct assignment a = { .kernels = mn_kernels(),
                          .g = mn_kernels()->f32,
                          .n = n,
                          .d = d,
                          .k = k,
                          .x = x,
                          .w = w,
                          .centers = centers,
                          .label = label,
                          .lower = lower,
                          .distance2 = distance2,
                          .part_size = (sums ? k * d + k : 0) + 1 };
  if (n <= MAX_DIRECT_ROWS && !lower && !sums && !inertia) {
    measure_directly(&a);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  struct movement movement;
  if (lower && moved) {
    movement = rank_movement(k, moved);
    a.movement = &movement;
  }
  MN_TRY(prepare(ctx, &a));
  MN_TRY(mn_parallel(ctx, a.rows.count, process_block, &a));
  reduce_parts(&a, sums, totals, inertia);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

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
  SUMS_BYTES = 8 << 20,
  SCREEN_COST = 12 /* screening all k centers costs as much as measuring k / SCREEN_COST of them */
};

/* The members of each group of centers and how far they moved. The farthest is kept with the second, because the bound
 * of the group does not concern the row's own center. */
struct center_groups {
  size_t count;
  int32_t *of;             /* k: group of each center                   */
  int32_t *start, *member; /* count + 1, k                              */
  int32_t *farthest;       /* count: the center that moved the farthest */
  double *moved, *second;  /* count */
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
  struct movement *movement;          /* NULL: bounds unknown                     */
  const struct center_groups *groups; /* NULL: one bound for all centers, or none */
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

/* Bounds of one row by group, from the scores. */
static void bound_groups(const struct assignment *a, size_t row, const float *score, double norm2, double margin)
{
  const struct center_groups *groups = a->groups;
  float *lower = a->lower + row * groups->count;
  for (size_t g = 0; g < groups->count; g++) {
    double least = FLT_MAX / 4;
    for (int32_t s = groups->start[g]; s < groups->start[g + 1]; s++) {
      const int32_t c = groups->member[s];
      if (c != a->label[row]) least = fmin(least, (double)(score[c] + a->bias[c]));
    }
    lower[g] = least < FLT_MAX / 4 ? distance_bound(a, least, norm2, margin) : FLT_MAX;
  }
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
    if (a->groups)
      bound_groups(a, row[i], score + i * a->ld, norm2[i], margin);
    else if (a->lower)
      a->lower[row[i]] = sure ? distance_bound(a, second[i], norm2[i], margin) : -1;
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

/* The two smallest squared distances of a row to the centers of a group other than its first label. */
struct nearest_two {
  double best2, second2;
  int32_t best;
};

static struct nearest_two measure_group(const struct assignment *a, size_t row, size_t g, int32_t except)
{
  const struct center_groups *groups = a->groups;
  struct nearest_two two = { INFINITY, INFINITY, -1 };
  for (int32_t s = groups->start[g]; s < groups->start[g + 1]; s++) {
    const int32_t c = groups->member[s];
    if (c == except) continue;
    const double distance2 = a->kernels->distance2(a->d, a->x + row * a->d, a->centers + (size_t)c * a->d);
    two.second2 = fmin(two.second2, fmax(distance2, two.best2));
    if (distance2 < two.best2) {
      two.best2 = distance2;
      two.best = c;
    }
  }
  return two;
}

static float bound_of(double distance2)
{
  return (float)(fmin(sqrt(distance2), FLT_MAX) * (1 - 1e-6));
}

/* Measure the groups whose bound does not exclude them. Members are in ascending order, so that ties go to the lowest
 * index. */
static void measure_groups(const struct assignment *a, size_t row, double *distance2)
{
  const struct center_groups *groups = a->groups;
  const int32_t before = a->label[row];
  const double before2 = *distance2;
  float *lower = a->lower + row * groups->count;
  int32_t label = before;
  for (size_t g = 0; g < groups->count; g++) {
    if (within(*distance2, lower[g])) continue;
    const struct nearest_two two = measure_group(a, row, g, before);
    const bool nearer = two.best2 < *distance2 || (two.best2 == *distance2 && two.best < label);
    lower[g] = bound_of(nearer ? two.second2 : two.best2);
    if (!nearer) continue;
    if (label != before) { /* the center found in an earlier group is not the label after all */
      float *earlier = &lower[groups->of[label]];
      *earlier = fminf(*earlier, bound_of(*distance2));
    }
    label = two.best;
    *distance2 = two.best2;
  }
  if (label == before) return;
  lower[groups->of[before]] = fminf(lower[groups->of[before]], bound_of(before2));
  a->label[row] = label;
}

/* Shrink the bounds of a row by the movement of the centers. Returns the number of centers that they do not exclude. */
static size_t shrink_groups(const struct assignment *a, size_t row, double distance2)
{
  const struct center_groups *groups = a->groups;
  const int32_t label = a->label[row];
  float *lower = a->lower + row * groups->count;
  size_t open = 0;
  for (size_t g = 0; g < groups->count; g++) {
    const double bound = shrink_bound(lower[g], groups->farthest[g] == label ? groups->second[g] : groups->moved[g]);
    lower[g] = bound > 0 ? (float)bound : -1;
    if (!within(distance2, lower[g])) open += (size_t)(groups->start[g + 1] - groups->start[g]);
  }
  return open;
}

/* As find_changed, with a bound for each group: rows for which few centers remain are decided here. */
static size_t find_changed_groups(const struct assignment *a, size_t begin, size_t rows, double *distance2,
                                  size_t *screened)
{
  size_t listed = 0;
  a->kernels->assigned_distance2(rows, a->d, a->x + begin * a->d, a->centers, a->label + begin, distance2);
  for (size_t i = 0; i < rows; i++) {
    const size_t open = shrink_groups(a, begin + i, distance2[i]);
    if (open * SCREEN_COST > a->k + SCREEN_COST)
      screened[listed++] = begin + i;
    else if (open > 0)
      measure_groups(a, begin + i, distance2 + i);
  }
  return listed;
}

/* Labels and squared distances of the rows begin .. begin + rows - 1. */
static void process_chunk(const struct assignment *a, size_t begin, size_t rows, double *distance2, char *work)
{
  size_t screened[CHUNK], listed = rows;
  int32_t before[CHUNK];
  if (a->movement)
    listed = (a->groups ? find_changed_groups : find_changed)(a, begin, rows, distance2, screened);
  else
    for (size_t i = 0; i < rows; i++) screened[i] = begin + i;
  /* cppcheck-suppress uninitvar ; the first `listed` are set */
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

/* The members of each group in ascending order. */
static mn_status list_groups(mn_context *ctx, size_t k, const mn_center_bounds *bounds, struct center_groups *out)
{
  out->count = bounds->groups;
  out->of = MN_RAW(ctx, int32_t, k, 1);
  out->start = MN_NEW(ctx, int32_t, out->count + 2, 1);
  out->member = MN_RAW(ctx, int32_t, k, 1);
  if (!out->of || !out->start || !out->member) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) {
    out->of[c] = bounds->group ? bounds->group[c] : (int32_t)c;
    out->start[out->of[c] + 2]++;
  }
  for (size_t g = 2; g < out->count + 2; g++) out->start[g] += out->start[g - 1];
  for (size_t c = 0; c < k; c++) out->member[out->start[out->of[c] + 1]++] = (int32_t)c;
  return MN_OK;
}

/* The largest movement in each group, and the second largest. */
static mn_status measure_movement(mn_context *ctx, size_t k, const double *moved, struct center_groups *out)
{
  out->farthest = MN_NEW(ctx, int32_t, out->count, 1);
  out->moved = MN_NEW(ctx, double, out->count, 1);
  out->second = MN_NEW(ctx, double, out->count, 1);
  if (!out->farthest || !out->moved || !out->second) return MN_NO_MEMORY;
  for (size_t g = 0; g < out->count; g++) out->farthest[g] = -1;
  for (size_t c = 0; c < k; c++) {
    const int32_t g = out->of[c];
    out->second[g] = fmax(out->second[g], fmin(moved[c], out->moved[g]));
    if (out->farthest[g] >= 0 && !(moved[c] > out->moved[g])) continue;
    out->moved[g] = moved[c];
    out->farthest[g] = (int32_t)c;
  }
  return MN_OK;
}

static mn_status prepare_bounds(mn_context *ctx, const mn_center_bounds *bounds, struct assignment *a,
                                struct movement *movement, struct center_groups *groups)
{
  if (!bounds) return MN_OK;
  a->lower = bounds->lower;
  if (bounds->moved) {
    *movement = rank_movement(a->k, bounds->moved);
    a->movement = movement;
  }
  if (bounds->groups == 1) return MN_OK;
  a->groups = groups;
  MN_TRY(list_groups(ctx, a->k, bounds, groups));
  return bounds->moved ? measure_movement(ctx, a->k, bounds->moved, groups) : MN_OK;
}

mn_status mn_nearest_center(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const double *centers,
                            const double *w, int32_t *label, const mn_center_bounds *bounds, double *distance2,
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
                          .distance2 = distance2,
                          .part_size = (sums ? k * d + k : 0) + 1 };
  if (n <= MAX_DIRECT_ROWS && !bounds && !sums && !inertia) {
    measure_directly(&a);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  struct movement movement;
  struct center_groups groups = { 0 };
  MN_TRY(prepare_bounds(ctx, bounds, &a, &movement, &groups));
  MN_TRY(prepare(ctx, &a));
  MN_TRY(mn_parallel(ctx, a.rows.count, process_block, &a));
  reduce_parts(&a, sums, totals, inertia);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Nearest centers. A block of rows is shifted, scaled and rounded to float32, multiplied with the packed centers, and
 * scanned while it is in the cache. */
#include "nearest.h"
#include "../core/threads.h"
#include "../linalg/gemm.h"
#include "../linalg/screen.h"
#include <math.h>
#include <string.h>

enum {
  STRIP = 96,        /* rows screened at a time    */
  FEW_ROWS = 16,     /* packing the centers would cost more than measuring them all */
  PIECE = 8 * STRIP, /* rows done while in the cache */
  MOST_FAST = 8,
  FAST_SHARE = 32, /* of the centers: to measure so many costs a quarter of screening all */
  LEAST_ROWS = 1024,
  MOST_BLOCKS = 64,
  SUMS_BYTES = 8 << 20
};

/* How far the centers went. The fastest few are measured one by one, so that they do not spoil the bound of all. */
struct ways {
  double longest, second; /* second: of the others than `center` */
  int32_t center, fast[MOST_FAST];
  size_t fasts;
  double slow; /* the longest of those that are not fast */
};

struct assign {
  const mn_product_kernels *kernels;
  const mn_gemm_kernel *g;
  size_t n, d, k, ld;
  const double *x, *centers, *w;
  mn_screen screen; /* of the centers */
  float *bias;      /* ld: |center|^2 / 2; beyond the k-th too large to matter */
  double reach2;    /* the largest |center|^2 */
  double unit;      /* a screened length of 1 in the units of the data, and a little less for rounding */
  mn_blocks rows;
  int32_t *label;
  float *rest;
  struct ways *ways; /* NULL: nothing is known */
  double *distance2;
  double *part; /* for each block: k x d sums, k totals, inertia */
  size_t part_size;
  char *work; /* for each worker: strip, scores, left operand */
  size_t strip_bytes, score_bytes, work_bytes;
};

/* Among the centers whose score is within the margin (any of them if the scores are NaN), the nearest. */
static int32_t decide(const struct assign *a, const double *x, const float *score, double margin)
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

/* A distance that all centers keep from a row whose scores are `second` or more, with room for rounding. */
static float keep_off(const struct assign *a, double second, double norm2, double margin)
{
  const double distance2 = norm2 + 2 * (second - margin);
  return distance2 > 0 ? (float)fmin(sqrt(distance2) * a->unit, FLT_MAX) : -1;
}

/* Labels of some rows, ascending. */
static void screen_rows(const struct assign *a, size_t count, const size_t *row, char *work)
{
  float *strip = (float *)(void *)work, *score = (float *)(void *)(work + a->strip_bytes);
  double norm2[STRIP], least[STRIP], second[STRIP];
  int32_t index[STRIP];
  for (size_t i = 0, run; i < count; i += run) {
    for (run = 1; i + run < count && row[i + run] == row[i] + run;) run++;
    a->g->convert(run, a->d, a->x + row[i] * a->d, a->screen.shift, a->screen.scale, strip + i * a->d, norm2 + i);
  }
  mn_gemm_packed(a->g, count, a->k, a->d, -1, (mn_operand){ strip, a->d, 1 }, a->screen.packed, 0, a->ld, 0, score,
                 a->ld, work + a->strip_bytes + a->score_bytes);
  a->g->least(count, a->ld, score, a->bias, index, least, second);
  for (size_t i = 0; i < count; i++) {
    const double margin = a->screen.error * (norm2[i] + a->reach2) + (double)a->d * FLT_MIN;
    const bool sure = second[i] > least[i] + margin && margin <= FLT_MAX / 16;
    a->label[row[i]] = sure ? index[i] : decide(a, a->x + row[i] * a->d, score + i * a->ld, margin);
    if (a->rest) a->rest[row[i]] = sure ? keep_off(a, second[i], norm2[i], margin) : -1;
  }
}

static struct ways rank_ways(size_t k, const double *way)
{
  struct ways w = { .fasts = mn_least(MOST_FAST, k / FAST_SHARE) };
  double fastest[MOST_FAST + 2] = { 0 }; /* descending; the first two at least, and the one behind the fast ones */
  int32_t center[MOST_FAST + 2] = { 0 };
  const size_t most = w.fasts > 1 ? w.fasts + 1 : 2;
  size_t size = 0;
  for (size_t c = 0; c < k; c++) {
    if (size == most && !(way[c] > fastest[size - 1])) continue;
    size_t at = size < most ? size++ : size - 1;
    for (; at > 0 && way[c] > fastest[at - 1]; at--) {
      fastest[at] = fastest[at - 1];
      center[at] = center[at - 1];
    }
    fastest[at] = way[c];
    center[at] = (int32_t)c;
  }
  w.longest = fastest[0];
  w.second = fastest[1];
  w.center = center[0];
  w.slow = fastest[w.fasts];
  memcpy(w.fast, center, sizeof w.fast);
  return w;
}

/* What is left of a bound when centers went this way; a little less, for rounding. */
static double loosened(float rest, double way)
{
  return ((double)rest - way) * (1 - 1e-6);
}

static bool within(double distance2, double rest)
{
  return (rest > 0) & (distance2 < rest * rest);
}

/* Is the row nearer to its center than any slow one can be, and than each of the fast ones is? */
static bool keeps_center(const struct assign *a, size_t row, double distance2, float before)
{
  const double rest = loosened(before, a->ways->slow);
  if (!within(distance2, rest)) return false;
  double least = INFINITY;
  for (size_t f = 0; f < a->ways->fasts; f++) {
    const int32_t c = a->ways->fast[f];
    if (c != a->label[row])
      least = fmin(least, a->kernels->distance2(a->d, a->x + row * a->d, a->centers + (size_t)c * a->d));
  }
  a->rest[row] = (float)fmin(rest, sqrt(least) * (1 - 1e-6));
  return distance2 < least;
}

/* Measures rows from the centers they have, and lists those for which another may be nearer by now. */
static size_t pass_over(const struct assign *a, size_t begin, size_t rows, double *distance2, size_t *screened)
{
  const struct ways *ways = a->ways;
  const int32_t *label = a->label + begin;
  float *rest = a->rest + begin, before[PIECE];
  size_t all = 0, left = 0;
  a->kernels->own_distance2(rows, a->d, a->x + begin * a->d, a->centers, label, distance2);
  for (size_t i = 0; i < rows; i++) {
    const double loose = loosened(rest[i], label[i] == ways->center ? ways->second : ways->longest);
    before[i] = rest[i];
    rest[i] = loose > 0 ? (float)loose : -1;
    screened[all] = i;
    all += !within(distance2[i], loose); /* no branch: nobody can foretell it */
  }
  for (size_t s = 0; s < all; s++) {
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): all are set, the count goes up only behind one
    const size_t i = screened[s];
    if (ways->fasts > 0 && keeps_center(a, begin + i, distance2[i], before[i])) continue;
    screened[left++] = begin + i;
  }
  return left;
}

/* Labels and squared distances of the rows begin .. begin+rows-1. */
static void one_piece(const struct assign *a, size_t begin, size_t rows, double *distance2, char *work)
{
  size_t screened[PIECE], all = rows;
  int32_t before[PIECE];
  if (a->ways)
    all = pass_over(a, begin, rows, distance2, screened);
  else
    for (size_t i = 0; i < rows; i++) screened[i] = begin + i;
  for (size_t s = 0; s < all; s++) before[s] = a->ways ? a->label[screened[s]] : -1;
  for (size_t s = 0; s < all; s += STRIP) screen_rows(a, mn_least(STRIP, all - s), screened + s, work);
  for (size_t s = 0; s < all; s++) {
    const size_t row = screened[s];
    if (a->label[row] == before[s]) continue;
    distance2[row - begin] = a->kernels->distance2(a->d, a->x + row * a->d, a->centers + (size_t)a->label[row] * a->d);
  }
}

static void one_block(void *work, size_t block, size_t worker)
{
  const struct assign *a = work;
  const size_t begin = mn_block_begin(&a->rows, block), end = mn_block_end(&a->rows, block);
  double *sums = a->part + block * a->part_size, *inertia = sums + a->part_size - 1, own[PIECE];
  memset(sums, 0, sizeof(double) * a->part_size);
  for (size_t i = begin; i < end; i += PIECE) {
    const size_t rows = mn_least(PIECE, end - i);
    double *distance2 = own;
    if (a->distance2) distance2 = a->distance2 + i;
    one_piece(a, i, rows, distance2, a->work + worker * a->work_bytes);
    for (size_t r = 0; r < rows; r++) *inertia += (a->w ? a->w[i + r] : 1) * distance2[r];
    if (a->part_size > 1)
      a->kernels->add_rows(rows, a->d, a->x + i * a->d, a->w ? a->w + i : NULL, a->label + i, sums, sums + a->k * a->d);
  }
}

static mn_status prepare(mn_context *ctx, struct assign *a)
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
    if (!(norm2[j] <= a->reach2)) a->reach2 = norm2[j];
  }
  for (size_t j = k; j < a->ld; j++) a->bias[j] = FLT_MAX / 4;
  const double most = fmax(SUMS_BYTES, (double)a->n * (double)d * 2) / ((double)a->part_size * sizeof(double));
  a->rows = mn_make_blocks(a->n, LEAST_ROWS, (size_t)fmax(1, fmin(MOST_BLOCKS, most)));
  a->part = MN_RAW(ctx, double, a->rows.count, a->part_size);
  MN_CHECK_ALLOC(a->part);
  a->strip_bytes = mn_round_up(STRIP * d * sizeof(float), 64);
  a->score_bytes = mn_round_up(STRIP * a->ld * sizeof(float), 64);
  a->work_bytes = a->strip_bytes + a->score_bytes + mn_left_bytes(a->g, STRIP, d);
  a->work = MN_RAW(ctx, char, mn_threads(ctx), a->work_bytes);
  MN_CHECK_ALLOC(a->work);
  return MN_OK;
}

/* For a few rows that only want to know. */
static void measure_all(const struct assign *a)
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

static void add_up(const struct assign *a, double *sums, double *totals, double *inertia)
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
                            const double *w, int32_t *label, float *rest, const double *way, double *distance2,
                            double *sums, double *totals, double *inertia)
{
  struct assign a = { .kernels = mn_kernels(),
                      .g = mn_kernels()->f32,
                      .n = n,
                      .d = d,
                      .k = k,
                      .x = x,
                      .w = w,
                      .centers = centers,
                      .label = label,
                      .rest = rest,
                      .distance2 = distance2,
                      .part_size = (sums ? k * d + k : 0) + 1 };
  if (n <= FEW_ROWS && !rest && !sums && !inertia) {
    measure_all(&a);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  struct ways ways;
  if (rest && way) {
    ways = rank_ways(k, way);
    a.ways = &ways;
  }
  MN_TRY(prepare(ctx, &a));
  MN_TRY(mn_parallel(ctx, a.rows.count, one_block, &a));
  add_up(&a, sums, totals, inertia);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

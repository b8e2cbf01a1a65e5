/* Squared deviations are taken about a mean, never as a difference of large sums: rows are worked on in tiles that stay
 * in the cache for the two passes, and tiles are joined by the formulas of Chan, Golub & LeVeque (The American
 * Statistician 37, 1983), eq. 1.5 for the sums, and their corrected two-pass formula (1.7) within a tile. */
#include "moments.h"
#include "../core/threads.h"
#include "columns_kernel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { TILE_VALUES = 16384, LEAST_TILE = 64, MOST_BLOCKS = 64 };

/* Sums of squares within these bounds have neither lost terms to underflow nor overflowed. */
#define LEAST_SQUARE 0x1p-800
#define MOST_SQUARE 0x1p900

static struct mn_moments moments_at(double *at, size_t cols)
{
  return (struct mn_moments){ .count = at, .mean = at + cols, .square = at + 2 * cols, .unit = at + 3 * cols };
}

static void clear(struct mn_moments *m, size_t cols)
{
  memset(m->count, 0, 3 * cols * sizeof *m->count);
  for (size_t j = 0; j < cols; j++) m->unit[j] = 1;
}

mn_status mn_new_moments(mn_context *ctx, size_t cols, struct mn_moments *m)
{
  double *at = MN_RAW(ctx, double, 4, cols);
  MN_CHECK_ALLOC(at);
  *m = moments_at(at, cols);
  clear(m, cols);
  return MN_OK;
}

double mn_spread(const struct mn_moments *m, size_t j)
{
  return m->count[j] > 0 ? m->unit[j] * sqrt(m->square[j] / m->count[j]) : 0;
}

double mn_unit_of(const struct mn_moments *m, size_t j)
{
  const double spread = mn_spread(m, j);
  return spread <= 10 * DBL_EPSILON * fabs(m->mean[j]) ? 1 : spread;
}

/* 1 where squares of values of this size are safe, else a power of two near it. */
static double unit_for(double size)
{
  if (!(size > 0) || (size >= 0x1p-380 && size <= 0x1p380)) return 1;
  const int exponent = size < INFINITY ? ilogb(size) : 1000;
  return ldexp(1, exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent);
}

/* --- one tile --- */

struct tile {
  const double *x, *weight; /* rows x cols; rows, or NULL */
  size_t rows, cols;
};

/* Workspace of one worker: a tile's moments, and sums over groups of rows (mn_group_rows). */
struct desk {
  struct mn_moments tile;
  double *sum, *count, *mean, *rest, *square; /* width */
};

/* Fold the repeats of each column into the first, times `repeats`. */
static void fold(double *sum, size_t cols, size_t repeats)
{
  for (size_t r = 1; r < repeats; r++)
    for (size_t j = 0; j < cols; j++) sum[j] += sum[r * cols + j];
}

static void sum_tile(const struct tile *t, struct desk *d)
{
  const size_t p = t->cols, repeats = mn_group_rows(p), groups = t->rows / repeats;
  memset(d->sum, 0, repeats * p * sizeof *d->sum);
  memset(d->count, 0, repeats * p * sizeof *d->count);
  if (t->weight) {
    mn_sum_weighted(t->rows, p, t->x, t->weight, d->sum, d->count);
    return;
  }
  mn_sum_groups(groups, repeats * p, t->x, d->sum, d->count);
  fold(d->sum, p, repeats);
  fold(d->count, p, repeats);
  mn_sum_groups(t->rows - groups * repeats, p, t->x + groups * repeats * p, d->sum, d->count);
}

static void square_tile(const struct tile *t, struct desk *d)
{
  const size_t p = t->cols, repeats = mn_group_rows(p), groups = t->rows / repeats;
  for (size_t r = 1; r < repeats; r++) memcpy(d->mean + r * p, d->mean, p * sizeof *d->mean);
  memset(d->rest, 0, repeats * p * sizeof *d->rest);
  memset(d->square, 0, repeats * p * sizeof *d->square);
  if (t->weight) {
    mn_square_weighted(t->rows, p, t->x, t->weight, d->mean, d->rest, d->square);
    return;
  }
  mn_square_groups(groups, repeats * p, t->x, d->mean, d->rest, d->square);
  fold(d->rest, p, repeats);
  fold(d->square, p, repeats);
  mn_square_groups(t->rows - groups * repeats, p, t->x + groups * repeats * p, d->mean, d->rest, d->square);
}

static double weight_at(const struct tile *t, size_t i)
{
  return t->weight ? t->weight[i] : 1;
}

/* A column that is constant, or whose squares are out of range: slowly, in a unit of its own. */
static void settle_column(const struct tile *t, size_t j, struct mn_moments *m)
{
  double low = INFINITY, high = -INFINITY, count = 0, mean = 0, rest = 0, square = 0;
  for (size_t i = 0; i < t->rows; i++) {
    const double x = t->x[i * t->cols + j];
    if (isnan(x)) continue;
    count += weight_at(t, i);
    low = fmin(low, x);
    high = fmax(high, x);
  }
  m->count[j] = count;
  m->mean[j] = count > 0 ? low : 0;
  m->square[j] = 0;
  m->unit[j] = 1;
  if (!(high > low)) return;
  const double half = high / 2 - low / 2, unit = unit_for(2 * half);
  for (size_t i = 0; i < t->rows; i++) {
    const double x = t->x[i * t->cols + j];
    if (!isnan(x)) mean += (x / unit - low / unit) * weight_at(t, i);
  }
  mean /= count;
  for (size_t i = 0; i < t->rows; i++) {
    const double x = t->x[i * t->cols + j];
    if (isnan(x)) continue;
    const double d = x / unit - low / unit - mean;
    rest += d * weight_at(t, i);
    square += d * d * weight_at(t, i);
  }
  m->mean[j] = low + (mean + rest / count) * unit;
  m->square[j] = square - rest * rest / count;
  m->unit[j] = unit;
}

static void moments_of_tile(const struct tile *t, struct desk *d)
{
  struct mn_moments *m = &d->tile;
  sum_tile(t, d);
  for (size_t j = 0; j < t->cols; j++) d->mean[j] = d->count[j] > 0 ? d->sum[j] / d->count[j] : 0;
  square_tile(t, d);
  for (size_t j = 0; j < t->cols; j++) {
    const double square = d->square[j];
    if (square >= LEAST_SQUARE && square <= MOST_SQUARE) {
      m->count[j] = d->count[j];
      m->mean[j] = d->mean[j] + d->rest[j] / d->count[j];
      m->square[j] = square - d->rest[j] * d->rest[j] / d->count[j];
      m->unit[j] = 1;
    } else {
      settle_column(t, j, m);
    }
  }
}

/* --- joining --- */

/* Column j, where a plain sum of squares might leave the range. */
static void join_far(const struct mn_moments *other, struct mn_moments *sum, size_t j, double delta)
{
  const double reach = fmax(fabs(delta), fmax(mn_spread(sum, j), mn_spread(other, j)));
  const double unit = unit_for(reach), total = sum->count[j] + other->count[j], share = other->count[j] / total;
  const double a = sum->unit[j] / unit, b = other->unit[j] / unit, d = delta / unit;
  sum->square[j] = sum->square[j] * a * a + other->square[j] * b * b + d * d * sum->count[j] * share;
  sum->unit[j] = unit;
  sum->mean[j] += delta * share;
  sum->count[j] = total;
}

static void join(size_t cols, const struct mn_moments *other, struct mn_moments *sum)
{
  for (size_t j = 0; j < cols; j++) {
    const double total = sum->count[j] + other->count[j], delta = other->mean[j] - sum->mean[j];
    if (!(other->count[j] > 0)) continue;
    if (!(sum->count[j] > 0)) {
      sum->count[j] = other->count[j];
      sum->mean[j] = other->mean[j];
      sum->square[j] = other->square[j];
      sum->unit[j] = other->unit[j];
      continue;
    }
    const double size = fabs(delta) + (double)!(fabs(delta) > 0); /* 0 is as safe as 1 */
    if (sum->unit[j] * other->unit[j] == 1 && size >= 0x1p-380 && size <= 0x1p380) {
      const double share = other->count[j] / total;
      sum->square[j] += other->square[j] + delta * delta * sum->count[j] * share;
      sum->mean[j] += delta * share;
      sum->count[j] = total;
    } else {
      join_far(other, sum, j, delta);
    }
  }
}

/* --- all rows --- */

struct work {
  const mn_data *data;
  mn_blocks blocks;
  size_t tile_rows;
  struct mn_moments *part; /* one for each block  */
  struct desk *desk;       /* one for each worker */
};

static void moments_of_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const mn_data *data = w->data;
  const size_t end = mn_block_end(&w->blocks, block);
  for (size_t i = mn_block_begin(&w->blocks, block); i < end; i += w->tile_rows) {
    const struct tile tile = { .x = mn_row(&data->x, i),
                               .weight = data->weights ? data->weights + i : NULL,
                               .rows = end - i < w->tile_rows ? end - i : w->tile_rows,
                               .cols = data->features };
    moments_of_tile(&tile, &w->desk[worker]);
    join(data->features, &w->desk[worker].tile, &w->part[block]);
  }
}

static mn_status new_desk(mn_context *ctx, size_t cols, struct desk *d)
{
  const size_t width = mn_group_rows(cols) * cols;
  double *at = MN_RAW(ctx, double, 5, width);
  MN_CHECK_ALLOC(at);
  *d = (struct desk){
    .sum = at, .count = at + width, .mean = at + 2 * width, .rest = at + 3 * width, .square = at + 4 * width
  };
  return mn_new_moments(ctx, cols, &d->tile);
}

static mn_status new_work(mn_context *ctx, const mn_data *data, struct work *w)
{
  const size_t p = data->features, tile = TILE_VALUES / p > LEAST_TILE ? TILE_VALUES / p : LEAST_TILE;
  const size_t threads = mn_threads(ctx);
  *w = (struct work){ .data = data, .tile_rows = tile, .blocks = mn_make_blocks(data->rows, 4 * tile, MOST_BLOCKS) };
  w->part = MN_RAW(ctx, struct mn_moments, w->blocks.count, 1);
  w->desk = MN_RAW(ctx, struct desk, threads, 1);
  if (!w->part || !w->desk) return MN_NO_MEMORY;
  for (size_t b = 0; b < w->blocks.count; b++) MN_TRY(mn_new_moments(ctx, p, &w->part[b]));
  for (size_t i = 0; i < threads; i++) MN_TRY(new_desk(ctx, p, &w->desk[i]));
  return MN_OK;
}

mn_status mn_add_moments(mn_context *ctx, const mn_data *data, struct mn_moments *sum)
{
  struct work w;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(new_work(ctx, data, &w));
  MN_TRY(mn_parallel(ctx, w.blocks.count, moments_of_block, &w));
  for (size_t b = 0; b < w.blocks.count; b++) join(data->features, &w.part[b], sum);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

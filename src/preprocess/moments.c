/* Squared deviations are summed about a mean, never computed as a difference of large sums. Rows are processed in tiles
 * that stay in the cache for two passes; tiles are merged by the formulas of Chan, Golub & LeVeque (The American
 * Statistician 37, 1983), eq. 1.5, and within a tile the corrected two-pass formula (1.7) is used. */
#include "moments.h"
#include "../core/threads.h"
#include "columns_kernel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { TILE_VALUES = 16384, MIN_TILE_ROWS = 64, MAX_BLOCKS = 64 };

/* Sums of squares within these bounds have neither overflowed nor lost terms to underflow. */
#define MIN_SQUARE 0x1p-800
#define MAX_SQUARE 0x1p900

static struct mn_moments moments_at(double *at, size_t cols)
{
  return (struct mn_moments){
    .count = at, .mean = at + cols, .square = at + 2 * cols, .low = at + 3 * cols, .unit = at + 4 * cols
  };
}

static void clear_moments(struct mn_moments *m, size_t cols)
{
  memset(m->count, 0, 4 * cols * sizeof *m->count);
  for (size_t j = 0; j < cols; j++) m->unit[j] = 1;
}

mn_status mn_moments_init(mn_context *ctx, size_t cols, struct mn_moments *m)
{
  double *at = MN_RAW(ctx, double, 5, cols);
  MN_CHECK_ALLOC(at);
  *m = moments_at(at, cols);
  clear_moments(m, cols);
  return MN_OK;
}

/* mean + low += shift, by Knuth's two-sum. */
static void shift_mean(struct mn_moments *m, size_t j, double shift)
{
  const double by = m->low[j] + shift, mean = m->mean[j], total = mean + by, part = total - mean;
  m->mean[j] = total;
  m->low[j] = (mean - (total - part)) + (by - part);
}

double mn_moments_std(const struct mn_moments *m, size_t j)
{
  return m->count[j] > 0 ? m->unit[j] * sqrt(m->square[j] / m->count[j]) : 0;
}

double mn_moments_scale(const struct mn_moments *m, size_t j)
{
  const double std = mn_moments_std(m, j);
  return std <= 10 * DBL_EPSILON * fabs(m->mean[j]) ? 1 : std;
}

/* 1 if squares of values of this size are safe, else a power of two near it. */
static double choose_unit(double size)
{
  if (!(size > 0) || (size >= 0x1p-380 && size <= 0x1p380)) return 1;
  const int exponent = size < INFINITY ? ilogb(size) : 1000;
  return ldexp(1, exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent);
}

struct tile {
  const double *x, *weight; /* rows x cols; rows, or NULL */
  size_t rows, cols;
};

/* Workspace of one worker: the moments of a tile, and sums over groups of rows (mn_group_rows). */
struct workspace {
  struct mn_moments tile;
  double *sum, *count, *mean, *rest, *square; /* width */
};

/* Add the repeats of each column to the first. */
static void fold_repeats(double *sum, size_t cols, size_t repeats)
{
  for (size_t r = 1; r < repeats; r++)
    for (size_t j = 0; j < cols; j++) sum[j] += sum[r * cols + j];
}

static void sum_tile(const struct tile *t, struct workspace *d)
{
  const size_t p = t->cols, repeats = mn_group_rows(p), groups = t->rows / repeats;
  memset(d->sum, 0, repeats * p * sizeof *d->sum);
  memset(d->count, 0, repeats * p * sizeof *d->count);
  if (t->weight) {
    mn_sum_weighted(t->rows, p, t->x, t->weight, d->sum, d->count);
    return;
  }
  mn_sum_groups(groups, repeats * p, t->x, d->sum, d->count);
  fold_repeats(d->sum, p, repeats);
  fold_repeats(d->count, p, repeats);
  mn_sum_groups(t->rows - groups * repeats, p, t->x + groups * repeats * p, d->sum, d->count);
}

static void square_tile(const struct tile *t, struct workspace *d)
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
  fold_repeats(d->rest, p, repeats);
  fold_repeats(d->square, p, repeats);
  mn_square_groups(t->rows - groups * repeats, p, t->x + groups * repeats * p, d->mean, d->rest, d->square);
}

static double weight_at(const struct tile *t, size_t i)
{
  return t->weight ? t->weight[i] : 1;
}

/* Slow path for a column that is constant or whose squares are out of range: computed in a unit of its own. */
static void compute_column_scaled(const struct tile *t, size_t j, struct mn_moments *m)
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
  m->square[j] = m->low[j] = 0;
  m->unit[j] = 1;
  if (!(high > low)) return;
  const double half = high / 2 - low / 2, unit = choose_unit(2 * half);
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

static void moments_of_tile(const struct tile *t, struct workspace *d)
{
  struct mn_moments *m = &d->tile;
  sum_tile(t, d);
  for (size_t j = 0; j < t->cols; j++) d->mean[j] = d->count[j] > 0 ? d->sum[j] / d->count[j] : 0;
  square_tile(t, d);
  for (size_t j = 0; j < t->cols; j++) {
    const double square = d->square[j];
    if (square >= MIN_SQUARE && square <= MAX_SQUARE) {
      m->count[j] = d->count[j];
      m->mean[j] = d->mean[j];
      m->low[j] = 0;
      shift_mean(m, j, d->rest[j] / d->count[j]);
      m->square[j] = square - d->rest[j] * d->rest[j] / d->count[j];
      m->unit[j] = 1;
    } else {
      compute_column_scaled(t, j, m);
    }
  }
}

/* Merge column j when plain squares might overflow or underflow. */
static void merge_scaled(const struct mn_moments *other, struct mn_moments *sum, size_t j, double delta)
{
  const double magnitude = fmax(fabs(delta), fmax(mn_moments_std(sum, j), mn_moments_std(other, j)));
  const double unit = choose_unit(magnitude), total = sum->count[j] + other->count[j], share = other->count[j] / total;
  const double a = sum->unit[j] / unit, b = other->unit[j] / unit, d = delta / unit;
  sum->square[j] = sum->square[j] * a * a + other->square[j] * b * b + d * d * sum->count[j] * share;
  sum->unit[j] = unit;
  shift_mean(sum, j, delta * share);
  sum->count[j] = total;
}

static void merge(size_t cols, const struct mn_moments *other, struct mn_moments *sum)
{
  for (size_t j = 0; j < cols; j++) {
    const double total = sum->count[j] + other->count[j];
    const double delta = (other->mean[j] - sum->mean[j]) + (other->low[j] - sum->low[j]);
    if (!(other->count[j] > 0)) continue;
    if (!(sum->count[j] > 0)) {
      sum->count[j] = other->count[j];
      sum->mean[j] = other->mean[j];
      sum->low[j] = other->low[j];
      sum->square[j] = other->square[j];
      sum->unit[j] = other->unit[j];
      continue;
    }
    const double size = fabs(delta) + (double)!(fabs(delta) > 0); /* 0 is as safe as 1 */
    if (sum->unit[j] * other->unit[j] == 1 && size >= 0x1p-380 && size <= 0x1p380) {
      const double share = other->count[j] / total;
      sum->square[j] += other->square[j] + delta * delta * sum->count[j] * share;
      shift_mean(sum, j, delta * share);
      sum->count[j] = total;
    } else {
      merge_scaled(other, sum, j, delta);
    }
  }
}

struct work {
  const mn_data *data;
  mn_blocks blocks;
  size_t tile_rows;
  struct mn_moments *part;     /* blocks */
  struct workspace *workspace; /* workers */
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
    moments_of_tile(&tile, &w->workspace[worker]);
    merge(data->features, &w->workspace[worker].tile, &w->part[block]);
  }
}

static mn_status workspace_init(mn_context *ctx, size_t cols, struct workspace *d)
{
  const size_t width = mn_group_rows(cols) * cols;
  double *at = MN_RAW(ctx, double, 5, width);
  MN_CHECK_ALLOC(at);
  *d = (struct workspace){
    .sum = at, .count = at + width, .mean = at + 2 * width, .rest = at + 3 * width, .square = at + 4 * width
  };
  return mn_moments_init(ctx, cols, &d->tile);
}

static mn_status work_init(mn_context *ctx, const mn_data *data, struct work *w)
{
  const size_t p = data->features, tile = TILE_VALUES / p > MIN_TILE_ROWS ? TILE_VALUES / p : MIN_TILE_ROWS;
  const size_t threads = mn_threads(ctx);
  *w = (struct work){ .data = data, .tile_rows = tile, .blocks = mn_make_blocks(data->rows, 4 * tile, MAX_BLOCKS) };
  w->part = MN_RAW(ctx, struct mn_moments, w->blocks.count, 1);
  w->workspace = MN_RAW(ctx, struct workspace, threads, 1);
  if (!w->part || !w->workspace) return MN_NO_MEMORY;
  for (size_t b = 0; b < w->blocks.count; b++) MN_TRY(mn_moments_init(ctx, p, &w->part[b]));
  for (size_t i = 0; i < threads; i++) MN_TRY(workspace_init(ctx, p, &w->workspace[i]));
  return MN_OK;
}

mn_status mn_moments_add(mn_context *ctx, const mn_data *data, struct mn_moments *sum)
{
  struct work w;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(work_init(ctx, data, &w));
  MN_TRY(mn_parallel(ctx, w.blocks.count, moments_of_block, &w));
  for (size_t b = 0; b < w.blocks.count; b++) merge(data->features, &w.part[b], sum);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Stored values by columns, in the order of the rows. */
struct stored {
  size_t *start;          /* columns + 1 */
  double *value, *weight; /* weight NULL: all are 1 */
};

static mn_status by_columns(mn_context *ctx, const mn_data *data, struct stored *s)
{
  const mn_csr *x = data->sparse;
  const size_t nonzeros = x->start[x->rows];
  size_t *next = MN_RAW(ctx, size_t, x->cols, 1);
  s->start = MN_NEW(ctx, size_t, x->cols + 1, 1);
  s->value = MN_RAW(ctx, double, nonzeros, 1);
  s->weight = data->weights ? MN_RAW(ctx, double, nonzeros, 1) : NULL;
  if (!next || !s->start || !s->value || (data->weights && !s->weight)) return MN_NO_MEMORY;
  for (size_t k = 0; k < nonzeros; k++) s->start[x->col[k] + 1]++;
  for (size_t j = 0; j < x->cols; j++) s->start[j + 1] += s->start[j];
  memcpy(next, s->start, x->cols * sizeof *next);
  for (size_t i = 0; i < x->rows; i++) {
    if (i % TILE_VALUES == 0) MN_TRY(mn_poll(ctx));
    for (size_t k = x->start[i]; k < x->start[i + 1]; k++) {
      const size_t to = next[x->col[k]]++;
      s->value[to] = x->at[k];
      if (s->weight) s->weight[to] = data->weights[i];
    }
  }
  return MN_OK;
}

mn_status mn_moments_add_sparse(mn_context *ctx, const mn_data *data, struct mn_moments *sum)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct stored s;
  struct mn_moments of_stored, of_zeros;
  const double total = mn_total_weight(data);
  MN_TRY(by_columns(ctx, data, &s));
  MN_TRY(mn_moments_init(ctx, 1, &of_stored));
  MN_TRY(mn_moments_init(ctx, 1, &of_zeros));
  for (size_t j = 0; j < data->features; j++) {
    const size_t first = s.start[j];
    const struct tile tile = {
      .x = s.value + first, .weight = s.weight ? s.weight + first : NULL, .rows = s.start[j + 1] - first, .cols = 1
    };
    struct mn_moments column = { sum->count + j, sum->mean + j, sum->square + j, sum->low + j, sum->unit + j };
    double held = 0;
    MN_TRY(mn_poll(ctx));
    for (size_t i = 0; i < tile.rows; i++) held += weight_at(&tile, i);
    compute_column_scaled(&tile, 0, &of_stored);
    of_zeros.count[0] = tile.rows < data->rows ? fmax(total - held, 0) : 0; /* the difference may round below 0 */
    merge(1, &of_stored, &of_zeros);
    merge(1, &of_zeros, &column);
    clear_moments(&of_zeros, 1);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

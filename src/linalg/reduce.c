#include "reduce.h"
#include "../core/clones.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* lanes are to be vectorised; nothing here may be re-ordered beyond that */
#endif

enum { LANES = 16, BLOCK = 16384, WORTH_THREADS = 100000, MOST_COLUMN_BLOCKS = 32, COLUMN_BLOCK = 2048 };

static double add_lanes(const double *lane)
{
  double sum[LANES / 2];
  for (int k = 0; k < LANES / 2; k++) sum[k] = lane[k] + lane[k + LANES / 2];
  for (int half = LANES / 4; half > 0; half /= 2)
    for (int k = 0; k < half; k++) sum[k] += sum[k + half];
  return sum[0];
}

/* One block, n <= BLOCK: sum of (x_i - shift), of its square, of x_i y_i. */
static MN_CLONES(double, block_sum, (size_t n, const double *x, double shift), (n, x, shift))
{
  double lane[LANES] = { 0 };
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (size_t k = 0; k < LANES; k++) lane[k] += x[i + k] - shift;
  for (size_t k = 0; i + k < n; k++) lane[k] += x[i + k] - shift;
  return add_lanes(lane);
}

static MN_CLONES(double, block_square, (size_t n, const double *x, double shift), (n, x, shift))
{
  double lane[LANES] = { 0 };
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (size_t k = 0; k < LANES; k++) {
      const double d = x[i + k] - shift;
      lane[k] += d * d;
    }
  for (size_t k = 0; i + k < n; k++) lane[k] += (x[i + k] - shift) * (x[i + k] - shift);
  return add_lanes(lane);
}

static MN_CLONES(double, block_dot, (size_t n, const double *x, const double *y), (n, x, y))
{
  double lane[LANES] = { 0 };
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (size_t k = 0; k < LANES; k++) lane[k] += x[i + k] * y[i + k];
  for (size_t k = 0; i + k < n; k++) lane[k] += x[i + k] * y[i + k];
  return add_lanes(lane);
}

static double smaller(double a, double b)
{
  return a < b || a != a ? a : b; /* NaN wins */
}

/* The smallest, NaN when there is one; the largest is minus the smallest of -x (sign = -1). */
static MN_CLONES(double, block_min, (size_t n, const double *x, double sign), (n, x, sign))
{
  double lane[LANES];
  double has_nan[LANES] = { 0 };
  size_t i = 0;
  for (size_t k = 0; k < LANES; k++) lane[k] = INFINITY;
  for (; i + LANES <= n; i += LANES)
    for (size_t k = 0; k < LANES; k++) {
      const double value = sign * x[i + k];
      lane[k] = value < lane[k] ? value : lane[k];
      has_nan[k] += value != value ? 1.0 : 0.0;
    }
  double least = INFINITY;
  for (size_t k = 0; k < LANES; k++) least = smaller(has_nan[k] > 0 ? (double)NAN : lane[k], least);
  for (; i < n; i++) least = smaller(sign * x[i], least);
  return least;
}

/* --- one long run --- */

typedef enum part { SUM, SQUARE, DOT, LEAST } part;

struct run {
  part part;
  size_t n;
  const double *x, *y;
  double shift; /* the sign for LEAST */
  mn_blocks blocks;
  double *parts;
};

static double one_block(const struct run *r, size_t block)
{
  const size_t begin = mn_block_begin(&r->blocks, block), n = mn_block_end(&r->blocks, block) - begin;
  switch (r->part) {
  case SUM: return block_sum(n, r->x + begin, r->shift);
  case SQUARE: return block_square(n, r->x + begin, r->shift);
  case DOT: return block_dot(n, r->x + begin, r->y + begin);
  case LEAST: return block_min(n, r->x + begin, r->shift);
  }
  return 0;
}

static double join(const struct run *r, double a, double b)
{
  return r->part == LEAST ? smaller(a, b) : a + b;
}

static double start(const struct run *r)
{
  return r->part == LEAST ? (double)INFINITY : 0;
}

static double run_here(struct run *r)
{
  r->blocks = mn_make_blocks(r->n, BLOCK, SIZE_MAX);
  double all = start(r);
  for (size_t block = 0; block < r->blocks.count; block++) all = join(r, all, one_block(r, block));
  return all;
}

static void run_task(void *work, size_t block, size_t worker)
{
  const struct run *r = work;
  (void)worker;
  r->parts[block] = one_block(r, block);
}

static mn_status run_over_threads(mn_context *ctx, struct run *r, double *all)
{
  if (r->n < WORTH_THREADS) {
    *all = run_here(r);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  r->blocks = mn_make_blocks(r->n, BLOCK, SIZE_MAX);
  r->parts = MN_RAW(ctx, double, r->blocks.count, 1);
  MN_CHECK_ALLOC(r->parts);
  const mn_status status = mn_parallel(ctx, r->blocks.count, run_task, r);
  *all = start(r);
  for (size_t block = 0; status == MN_OK && block < r->blocks.count; block++) *all = join(r, *all, r->parts[block]);
  mn_scratch_release(ctx, mark);
  return status;
}

double mn_sum_values(size_t n, const double *x)
{
  struct run r = { .part = SUM, .n = n, .x = x };
  return run_here(&r);
}

double mn_dot_values(size_t n, const double *x, const double *y)
{
  struct run r = { .part = DOT, .n = n, .x = x, .y = y };
  return run_here(&r);
}

mn_status mn_total(mn_context *ctx, size_t n, const double *x, double *sum)
{
  struct run r = { .part = SUM, .n = n, .x = x };
  return run_over_threads(ctx, &r, sum);
}

mn_status mn_dot(mn_context *ctx, size_t n, const double *x, const double *y, double *dot)
{
  struct run r = { .part = DOT, .n = n, .x = x, .y = y };
  return run_over_threads(ctx, &r, dot);
}

mn_status mn_norm2(mn_context *ctx, size_t n, const double *x, double *norm)
{
  struct run r = { .part = SQUARE, .n = n, .x = x };
  double square, least, most;
  MN_TRY(run_over_threads(ctx, &r, &square));
  *norm = sqrt(square);
  const bool safe = square > 1e-290 && square < 1e300;
  if (safe || isnan(square)) return MN_OK;
  r = (struct run){ .part = LEAST, .n = n, .x = x, .shift = 1 };
  MN_TRY(run_over_threads(ctx, &r, &least));
  r.shift = -1;
  MN_TRY(run_over_threads(ctx, &r, &most));
  const double scale = fmax(-least, -most); /* the largest absolute value */
  if (!(scale > 0) || isinf(scale)) {
    *norm = n > 0 && scale > 0 ? scale : 0;
    return MN_OK;
  }
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (x[i] / scale) * (x[i] / scale);
  *norm = scale * sqrt(sum);
  return MN_OK;
}

/* The reduction of one run; over threads when ctx is given. */
static mn_status reduce_run(mn_context *ctx, mn_reduction what, double ddof, size_t n, const double *x, double *out)
{
  struct run r = { .part = what == MN_MIN || what == MN_MAX ? LEAST : SUM, .n = n, .x = x };
  double all, correction;
  if (r.part == LEAST) r.shift = what == MN_MIN ? 1 : -1;
  if (ctx)
    MN_TRY(run_over_threads(ctx, &r, &all));
  else
    all = run_here(&r);
  *out = what == MN_MAX ? -all : all;
  if (what == MN_SUM || r.part == LEAST) return MN_OK;
  *out = all / (double)n;
  if (what == MN_MEAN) return MN_OK;

  r.shift = *out;
  correction = all = 0;
  if (ctx) {
    MN_TRY(run_over_threads(ctx, &r, &correction));
    r.part = SQUARE;
    MN_TRY(run_over_threads(ctx, &r, &all));
  } else {
    correction = run_here(&r);
    r.part = SQUARE;
    all = run_here(&r);
  }
  const double variance = (all - correction * correction / (double)n) / ((double)n - ddof);
  *out = (double)n > ddof ? (variance < 0 ? 0 : variance) : (double)NAN;
  if (what == MN_STD) *out = sqrt(*out);
  return MN_OK;
}

/* --- each row --- */

struct rows {
  mn_reduction what;
  double ddof;
  const mn_matrix *x;
  double *out;
  mn_blocks blocks;
};

static void rows_task(void *work, size_t block, size_t worker)
{
  const struct rows *r = work;
  (void)worker;
  for (size_t i = mn_block_begin(&r->blocks, block); i < mn_block_end(&r->blocks, block); i++)
    reduce_run(NULL, r->what, r->ddof, r->x->cols, mn_row(r->x, i), &r->out[i]);
}

static mn_status reduce_rows(mn_context *ctx, mn_reduction what, double ddof, const mn_matrix *x, double *out)
{
  struct rows r = { .what = what, .ddof = ddof, .x = x, .out = out };
  r.blocks = mn_make_blocks(x->rows, x->cols < BLOCK ? BLOCK / (x->cols + 1) : 1, SIZE_MAX);
  if (x->rows * x->cols >= WORTH_THREADS) return mn_parallel(ctx, r.blocks.count, rows_task, &r);
  for (size_t block = 0; block < r.blocks.count; block++) rows_task(&r, block, 0);
  return MN_OK;
}

/* --- each column --- */

struct columns {
  part part;
  const mn_matrix *x;
  const double *shift; /* cols, or NULL; the sign for LEAST is in `sign` */
  double sign;
  mn_blocks blocks;
  double *parts; /* blocks x cols */
};

static MN_CLONES(void, add_rows,
                 (size_t n, size_t d, const double *restrict x, const double *restrict shift, double *restrict sum),
                 (n, d, x, shift, sum))
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++) sum[j] += x[i * d + j] - shift[j];
}

static MN_CLONES(void, add_squares,
                 (size_t n, size_t d, const double *restrict x, const double *restrict shift, double *restrict sum),
                 (n, d, x, shift, sum))
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++) sum[j] += (x[i * d + j] - shift[j]) * (x[i * d + j] - shift[j]);
}

static MN_CLONES(void, least_rows, (size_t n, size_t d, const double *restrict x, double sign, double *restrict least),
                 (n, d, x, sign, least))
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++) {
      const double value = sign * x[i * d + j];
      least[j] = ((value < least[j]) | (value != value)) ? value : least[j]; /* a NaN stays: nothing is below it */
    }
}

static void columns_task(void *work, size_t block, size_t worker)
{
  const struct columns *c = work;
  const size_t begin = mn_block_begin(&c->blocks, block), n = mn_block_end(&c->blocks, block) - begin;
  const size_t d = c->x->cols;
  double *out = c->parts + block * d;
  (void)worker;
  for (size_t j = 0; j < d; j++) out[j] = c->part == LEAST ? (double)INFINITY : 0;
  switch (c->part) {
  case SUM: add_rows(n, d, mn_row(c->x, begin), c->shift, out); break;
  case SQUARE: add_squares(n, d, mn_row(c->x, begin), c->shift, out); break;
  case LEAST: least_rows(n, d, mn_row(c->x, begin), c->sign, out); break;
  case DOT: break;
  }
}

static mn_status over_columns(mn_context *ctx, struct columns *c, double *out)
{
  const size_t d = c->x->cols;
  if (c->x->rows * d >= WORTH_THREADS)
    MN_TRY(mn_parallel(ctx, c->blocks.count, columns_task, c));
  else
    for (size_t block = 0; block < c->blocks.count; block++) columns_task(c, block, 0);
  if (c->part != LEAST) {
    mn_sum_blocks(c->blocks.count, d, c->parts, out);
    return MN_OK;
  }
  for (size_t j = 0; j < d; j++) {
    double least = INFINITY;
    for (size_t block = 0; block < c->blocks.count; block++) least = smaller(c->parts[block * d + j], least);
    out[j] = c->sign * least;
  }
  return MN_OK;
}

static mn_status column_variances(mn_context *ctx, struct columns *c, double ddof, bool root, double *out)
{
  const double n = (double)c->x->rows;
  double *correction = MN_RAW(ctx, double, c->x->cols, 1);
  double *mean = MN_RAW(ctx, double, c->x->cols, 1);
  MN_CHECK_ALLOC(correction);
  MN_CHECK_ALLOC(mean);
  memcpy(mean, out, c->x->cols * sizeof *mean);
  c->shift = mean;
  MN_TRY(over_columns(ctx, c, correction));
  c->part = SQUARE;
  MN_TRY(over_columns(ctx, c, out));
  for (size_t j = 0; j < c->x->cols; j++) {
    const double variance = (out[j] - correction[j] * correction[j] / n) / (n - ddof);
    out[j] = n > ddof ? (variance < 0 ? 0 : variance) : (double)NAN;
    if (root) out[j] = sqrt(out[j]);
  }
  return MN_OK;
}

static mn_status reduce_columns(mn_context *ctx, mn_reduction what, double ddof, const mn_matrix *x, double *out)
{
  struct columns c = { .part = what == MN_MIN || what == MN_MAX ? LEAST : SUM, .x = x };
  const size_t d = x->cols;
  c.sign = what == MN_MAX ? -1 : 1;
  c.blocks = mn_make_blocks(x->rows, COLUMN_BLOCK, MOST_COLUMN_BLOCKS);
  c.parts = MN_RAW(ctx, double, c.blocks.count, d);
  MN_CHECK_ALLOC(c.parts);
  c.shift = MN_NEW(ctx, double, d, 1);
  MN_CHECK_ALLOC(c.shift);
  MN_TRY(over_columns(ctx, &c, out));
  if (what == MN_SUM || c.part == LEAST) return MN_OK;
  for (size_t j = 0; j < d; j++) out[j] /= (double)x->rows;
  return what == MN_MEAN ? MN_OK : column_variances(ctx, &c, ddof, what == MN_STD, out);
}

mn_status mn_reduce(mn_context *ctx, mn_reduction what, mn_axis axis, double ddof, const mn_matrix *x, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = MN_OK;
  switch (axis) {
  case MN_WHOLE: status = reduce_run(ctx, what, ddof, x->rows * x->cols, x->at, out); break;
  case MN_EACH_ROW: status = reduce_rows(ctx, what, ddof, x, out); break;
  case MN_EACH_COLUMN:
    /* one column is one run, with all its lanes */
    status = x->cols == 1 ? reduce_run(ctx, what, ddof, x->rows, x->at, out) : reduce_columns(ctx, what, ddof, x, out);
    break;
  }
  mn_scratch_release(ctx, mark);
  return status;
}

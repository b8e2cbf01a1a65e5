#include "reduce.h"
#include "../core/clones.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

MN_VECTORIZE_BEGIN

enum { LANES = 16, BLOCK = 16384, MIN_PARALLEL = 100000, MAX_COLUMN_BLOCKS = 32, COLUMN_BLOCK = 2048 };

static double add_lanes(const double *lane)
{
  double sum[LANES / 2];
  for (int k = 0; k < LANES / 2; k++) sum[k] = lane[k] + lane[k + LANES / 2];
  for (int half = LANES / 4; half > 0; half /= 2)
    for (int k = 0; k < half; k++) sum[k] += sum[k + half];
  return sum[0];
}

/* Sums over one block, n <= BLOCK: of x_i - shift, of its square, of x_i y_i. */
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

static double nan_min(double a, double b)
{
  return a < b || a != a ? a : b; /* NaN if either is */
}

/* The minimum of sign * x, NaN if there is one. The maximum of x is minus the minimum with sign = -1. */
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
  double minimum = INFINITY;
  for (size_t k = 0; k < LANES; k++) minimum = nan_min(has_nan[k] > 0 ? (double)NAN : lane[k], minimum);
  for (; i < n; i++) minimum = nan_min(sign * x[i], minimum);
  return minimum;
}

typedef enum statistic { SUM, SQUARE, DOT, MINIMUM } statistic;

struct run {
  statistic statistic;
  size_t n;
  const double *x, *y;
  double shift; /* the sign for MINIMUM */
  mn_blocks blocks;
  double *parts;
};

static double reduce_block(const struct run *r, size_t block)
{
  const size_t begin = mn_block_begin(&r->blocks, block), n = mn_block_end(&r->blocks, block) - begin;
  switch (r->statistic) {
  case SUM: return block_sum(n, r->x + begin, r->shift);
  case SQUARE: return block_square(n, r->x + begin, r->shift);
  case DOT: return block_dot(n, r->x + begin, r->y + begin);
  case MINIMUM: return block_min(n, r->x + begin, r->shift);
  }
  return 0;
}

static double combine(const struct run *r, double a, double b)
{
  return r->statistic == MINIMUM ? nan_min(a, b) : a + b;
}

static double initial_value(const struct run *r)
{
  return r->statistic == MINIMUM ? (double)INFINITY : 0;
}

static double reduce_serial(struct run *r)
{
  r->blocks = mn_make_blocks(r->n, BLOCK, SIZE_MAX);
  double total = initial_value(r);
  for (size_t block = 0; block < r->blocks.count; block++) total = combine(r, total, reduce_block(r, block));
  return total;
}

static void run_task(void *work, size_t block, size_t worker)
{
  const struct run *r = work;
  (void)worker;
  r->parts[block] = reduce_block(r, block);
}

static mn_status reduce_parallel(mn_context *ctx, struct run *r, double *total)
{
  if (r->n < MIN_PARALLEL) {
    *total = reduce_serial(r);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  r->blocks = mn_make_blocks(r->n, BLOCK, SIZE_MAX);
  r->parts = MN_RAW(ctx, double, r->blocks.count, 1);
  MN_CHECK_ALLOC(r->parts);
  const mn_status status = mn_parallel(ctx, r->blocks.count, run_task, r);
  *total = initial_value(r);
  for (size_t block = 0; status == MN_OK && block < r->blocks.count; block++)
    *total = combine(r, *total, r->parts[block]);
  mn_scratch_release(ctx, mark);
  return status;
}

double mn_sum_values(size_t n, const double *x)
{
  struct run r = { .statistic = SUM, .n = n, .x = x };
  return reduce_serial(&r);
}

double mn_dot_values(size_t n, const double *x, const double *y)
{
  struct run r = { .statistic = DOT, .n = n, .x = x, .y = y };
  return reduce_serial(&r);
}

mn_status mn_dot(mn_context *ctx, size_t n, const double *x, const double *y, double *dot)
{
  struct run r = { .statistic = DOT, .n = n, .x = x, .y = y };
  return reduce_parallel(ctx, &r, dot);
}

mn_status mn_norm2(mn_context *ctx, size_t n, const double *x, double *norm)
{
  struct run r = { .statistic = SQUARE, .n = n, .x = x };
  double square, minimum, negated_max;
  MN_TRY(reduce_parallel(ctx, &r, &square));
  *norm = sqrt(square);
  const bool safe = square > 1e-290 && square < 1e300;
  if (safe || isnan(square)) return MN_OK;
  r = (struct run){ .statistic = MINIMUM, .n = n, .x = x, .shift = 1 };
  MN_TRY(reduce_parallel(ctx, &r, &minimum));
  r.shift = -1;
  MN_TRY(reduce_parallel(ctx, &r, &negated_max));
  const double scale = fmax(-minimum, -negated_max); /* the largest absolute value */
  if (!(scale > 0) || isinf(scale)) {
    *norm = n > 0 && scale > 0 ? scale : 0;
    return MN_OK;
  }
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (x[i] / scale) * (x[i] / scale);
  *norm = scale * sqrt(sum);
  return MN_OK;
}

/* Reduce one run of values; in parallel if ctx is given. */
static mn_status reduce_run(mn_context *ctx, mn_reduction what, double ddof, size_t n, const double *x, double *out)
{
  struct run r = { .statistic = what == MN_MIN || what == MN_MAX ? MINIMUM : SUM, .n = n, .x = x };
  double total, correction;
  if (r.statistic == MINIMUM) r.shift = what == MN_MIN ? 1 : -1;
  if (ctx)
    MN_TRY(reduce_parallel(ctx, &r, &total));
  else
    total = reduce_serial(&r);
  *out = what == MN_MAX ? -total : total;
  if (what == MN_SUM || r.statistic == MINIMUM) return MN_OK;
  *out = total / (double)n;
  if (what == MN_MEAN) return MN_OK;

  r.shift = *out;
  correction = total = 0;
  if (ctx) {
    MN_TRY(reduce_parallel(ctx, &r, &correction));
    r.statistic = SQUARE;
    MN_TRY(reduce_parallel(ctx, &r, &total));
  } else {
    correction = reduce_serial(&r);
    r.statistic = SQUARE;
    total = reduce_serial(&r);
  }
  const double variance = (total - correction * correction / (double)n) / ((double)n - ddof);
  *out = (double)n > ddof ? (variance < 0 ? 0 : variance) : (double)NAN;
  if (what == MN_STD) *out = sqrt(*out);
  return MN_OK;
}

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
  if (x->rows * x->cols >= MIN_PARALLEL) return mn_parallel(ctx, r.blocks.count, rows_task, &r);
  for (size_t block = 0; block < r.blocks.count; block++) rows_task(&r, block, 0);
  return MN_OK;
}

struct columns {
  statistic statistic;
  const mn_matrix *x;
  const double *shift; /* cols, or NULL */
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

static MN_CLONES(void, min_rows, (size_t n, size_t d, const double *restrict x, double sign, double *restrict minimum),
                 (n, d, x, sign, minimum))
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++) {
      const double value = sign * x[i * d + j];
      minimum[j] = ((value < minimum[j]) | (value != value))
                       ? value
                       : minimum[j]; /* a NaN stays: no comparison with it is true */
    }
}

static void columns_task(void *work, size_t block, size_t worker)
{
  const struct columns *c = work;
  const size_t begin = mn_block_begin(&c->blocks, block), n = mn_block_end(&c->blocks, block) - begin;
  const size_t d = c->x->cols;
  double *out = c->parts + block * d;
  (void)worker;
  for (size_t j = 0; j < d; j++) out[j] = c->statistic == MINIMUM ? (double)INFINITY : 0;
  switch (c->statistic) {
  case SUM: add_rows(n, d, mn_row(c->x, begin), c->shift, out); break;
  case SQUARE: add_squares(n, d, mn_row(c->x, begin), c->shift, out); break;
  case MINIMUM: min_rows(n, d, mn_row(c->x, begin), c->sign, out); break;
  case DOT: break;
  }
}

static mn_status reduce_columns_part(mn_context *ctx, struct columns *c, double *out)
{
  const size_t d = c->x->cols;
  if (c->x->rows * d >= MIN_PARALLEL)
    MN_TRY(mn_parallel(ctx, c->blocks.count, columns_task, c));
  else
    for (size_t block = 0; block < c->blocks.count; block++) columns_task(c, block, 0);
  if (c->statistic != MINIMUM) {
    mn_sum_blocks(c->blocks.count, d, c->parts, out);
    return MN_OK;
  }
  for (size_t j = 0; j < d; j++) {
    double minimum = INFINITY;
    for (size_t block = 0; block < c->blocks.count; block++) minimum = nan_min(c->parts[block * d + j], minimum);
    out[j] = c->sign * minimum;
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
  MN_TRY(reduce_columns_part(ctx, c, correction));
  c->statistic = SQUARE;
  MN_TRY(reduce_columns_part(ctx, c, out));
  for (size_t j = 0; j < c->x->cols; j++) {
    const double variance = (out[j] - correction[j] * correction[j] / n) / (n - ddof);
    out[j] = n > ddof ? (variance < 0 ? 0 : variance) : (double)NAN;
    if (root) out[j] = sqrt(out[j]);
  }
  return MN_OK;
}

static mn_status reduce_columns(mn_context *ctx, mn_reduction what, double ddof, const mn_matrix *x, double *out)
{
  struct columns c = { .statistic = what == MN_MIN || what == MN_MAX ? MINIMUM : SUM, .x = x };
  const size_t d = x->cols;
  c.sign = what == MN_MAX ? -1 : 1;
  c.blocks = mn_make_blocks(x->rows, COLUMN_BLOCK, MAX_COLUMN_BLOCKS);
  c.parts = MN_RAW(ctx, double, c.blocks.count, d);
  MN_CHECK_ALLOC(c.parts);
  c.shift = MN_NEW(ctx, double, d, 1);
  MN_CHECK_ALLOC(c.shift);
  MN_TRY(reduce_columns_part(ctx, &c, out));
  if (what == MN_SUM || c.statistic == MINIMUM) return MN_OK;
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
    /* a single column is reduced as one run, with all lanes */
    status = x->cols == 1 ? reduce_run(ctx, what, ddof, x->rows, x->at, out) : reduce_columns(ctx, what, ddof, x, out);
    break;
  }
  mn_scratch_release(ctx, mark);
  return status;
}

MN_VECTORIZE_END

/* Gram matrices in one read: rows are packed once, shifted on the way, and the packed panels serve as both operands.
 * Only tiles on or above the diagonal are computed. */
#include "product.h"
#include "../core/threads.h"
#include "gemm.h"
#include <math.h>
#include <string.h>

enum {
  PACKED_BYTES = 768 << 10, /* of the rows in work, for the second cache */
  MOST_DEPTH = 248,         /* not 256: panels a power of two apart fall on the same cache lines */
  LEAST_DEPTH = 96,
  ROWS_OF_CHUNK = 1024, /* no fewer, where there are as many */
  MOST_CHUNKS = 64,
  PARTS_BYTES = 16 << 20,
  ENOUGH_ITEMS = 16,
  WIDEST_BLOCK = 1024, /* columns */
  NARROWEST_BLOCK = 128,
  SAMPLE = 256 /* rows for the provisional mean */
};

/* Columns 0 .. width-1 are those of X, then Y, then the constant 1 where sums are wanted. */
struct gram {
  const mn_gemm_kernel *g;
  size_t n, p, q, width, padded; /* padded: width in whole panels */
  const double *x, *y, *w;
  size_t ldx, ldy, depth; /* depth: rows packed at a time */
  double *shift;          /* width                        */
  mn_blocks chunks;       /* of rows                      */
  mn_blocks cols;         /* panels of G in blocks        */
  size_t pairs;           /* of such blocks, the second not before the first */
  double *part;           /* chunks x padded x padded     */
  double *packed;         /* for each worker              */
  size_t packed_size;
  double *sum; /* width x width, upper triangle */
};

/* Columns from .. to-1 of Z: of X, of Y and the constant. `right` begins with the panel of `from`. */
static void pack_cols(const struct gram *s, size_t row, size_t k, size_t from, size_t to, double *right)
{
  static const double zero = 0, one = 1;
  const size_t nr = s->g->nr, x_end = s->p, y_end = s->p + s->q;
  if (to > s->width) memset(right + (to - from - nr) * k, 0, sizeof(double) * nr * k);
  if (from < x_end)
    s->g->pack_shifted(0, mn_least(to, x_end) - from, k, s->x + row * s->ldx + from, s->ldx, s->shift + from, right);
  if (to > x_end && from < y_end) {
    const size_t begin = from > x_end ? from : x_end;
    s->g->pack_shifted(begin - from, mn_least(to, y_end) - begin, k, s->y + row * s->ldy + (begin - x_end), s->ldy,
                       s->shift + begin, right);
  }
  if (to > y_end && s->width > y_end) s->g->pack_shifted(y_end - from, 1, k, &one, 0, &zero, right);
}

/* One block of G, or its upper triangle, and a bit below, if it lies on the diagonal. */
static void add_rows(const struct gram *s, size_t rows, size_t cols, bool diagonal, size_t k, const double *left,
                     const double *right, double beta, double *part)
{
  const size_t mr = s->g->mr, nr = s->g->nr;
  for (size_t j = 0; j < cols; j += nr)
    for (size_t i = 0; i < (diagonal ? j + nr : rows); i += mr)
      s->g->tile(k, left + i / nr * nr * k + i % nr, 1, nr, right + j * k, 1, beta, part + i * s->padded + j, s->padded,
                 mr, nr);
}

/* Pairs of blocks are numbered (0,0) (0,1) (1,1) (0,2) (1,2) (2,2) ... */
static void one_item(void *work, size_t item, size_t worker)
{
  const struct gram *s = work;
  const size_t chunk = item / s->pairs, end = mn_block_end(&s->chunks, chunk);
  size_t bi = item % s->pairs, bj = 0, nr = s->g->nr;
  while (bi > bj) bi -= ++bj;
  const size_t i = mn_block_begin(&s->cols, bi) * nr, i_end = mn_block_end(&s->cols, bi) * nr;
  const size_t j = mn_block_begin(&s->cols, bj) * nr, j_end = mn_block_end(&s->cols, bj) * nr;
  double *right = s->packed + worker * s->packed_size, *other = right + s->cols.size * nr * s->depth;
  double *part = s->part + (chunk * s->padded + i) * s->padded + j, beta = 0;
  for (size_t row = mn_block_begin(&s->chunks, chunk); row < end; row += s->depth, beta = 1) {
    const size_t k = mn_least(s->depth, end - row);
    double *left = bi == bj ? right : other;
    pack_cols(s, row, k, j, j_end, right);
    if (bi != bj) pack_cols(s, row, k, i, i_end, left);
    if (s->w) {
      s->g->weigh((i_end - i) / nr, k, left, s->w + row, other);
      left = other;
    }
    add_rows(s, i_end - i, j_end - j, bi == bj, k, left, right, beta, part);
  }
}

static void add_parts(void *work, size_t i, size_t worker)
{
  const struct gram *s = work;
  (void)worker;
  s->g->combine(s->chunks.count, s->padded * s->padded, s->width - i, s->part + i * s->padded + i, 0,
                s->sum + i * s->width + i);
}

/* As few blocks as give enough items: every block is packed once for each of its partners. */
static void plan(struct gram *s)
{
  const mn_gemm_kernel *g = s->g;
  s->padded = mn_round_up(s->width, g->nr);
  const double area = (double)s->padded * (double)s->padded, rows = (double)s->n;
  const double bytes = fmax(PARTS_BYTES, rows * (double)s->width * sizeof(double) / 4);
  s->chunks = mn_cut(s->n, ROWS_OF_CHUNK, (size_t)fmax(1, fmin(MOST_CHUNKS, bytes / (area * sizeof(double)))));
  const size_t panels = s->padded / g->nr;
  size_t side = (s->padded + WIDEST_BLOCK - 1) / WIDEST_BLOCK;
  while (s->chunks.count * side * (side + 1) / 2 < ENOUGH_ITEMS && s->padded / (side + 1) > NARROWEST_BLOCK) side++;
  s->cols = mn_cut(panels, (panels + side - 1) / side, panels);
  s->pairs = s->cols.count * (s->cols.count + 1) / 2;
  s->depth = PACKED_BYTES / (s->cols.size * g->nr * sizeof(double));
  s->depth = s->depth > MOST_DEPTH ? MOST_DEPTH : s->depth < LEAST_DEPTH ? LEAST_DEPTH : s->depth;
}

/* s->sum = the upper triangle of the Gram matrix about s->shift. */
static mn_status one_pass(mn_context *ctx, struct gram *s)
{
  MN_TRY(mn_parallel(ctx, s->chunks.count * s->pairs, one_item, s));
  return mn_parallel(ctx, s->width, add_parts, s);
}

static mn_status prepare(mn_context *ctx, struct gram *s)
{
  plan(s);
  s->packed_size = s->cols.size * s->g->nr * s->depth * (s->w || s->pairs > 1 ? 2 : 1);
  s->packed = MN_RAW(ctx, double, mn_threads(ctx), s->packed_size);
  MN_NEED(s->packed);
  s->part = mn_scratch_raw(ctx, sizeof(double) * s->padded, s->padded, s->chunks.count);
  MN_NEED(s->part);
  s->sum = MN_RAW(ctx, double, s->width, s->width);
  MN_NEED(s->sum);
  s->shift = MN_NEW(ctx, double, s->width, 1);
  MN_NEED(s->shift);
  return MN_OK;
}

/* Both halves of g from the upper one of sum, less total total' / weight. */
static void write_out(const struct gram *s, size_t width, const double *total, double weight, double *g, size_t ldg)
{
  for (size_t i = 0; i < width; i++)
    for (size_t j = i; j < width; j++) {
      double value = s->sum[i * s->width + j];
      if (total && weight != 0) value -= total[i * s->width] * (total[j * s->width] / weight);
      g[i * ldg + j] = g[j * ldg + i] = value;
    }
}

static void write_zeros(size_t rows, size_t cols, double *g, size_t ldg)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++) g[i * ldg + j] = 0;
}

mn_status mn_syrk(mn_context *ctx, size_t n, size_t p, const double *x, size_t ldx, const double *w,
                  const double *center, double *g, size_t ldg)
{
  if (p == 0) return MN_OK;
  if (n == 0) {
    write_zeros(p, p, g, ldg);
    return MN_OK;
  }
  struct gram s = { .g = mn_kernels()->f64, .n = n, .p = p, .width = p, .x = x, .w = w, .ldx = ldx };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(prepare(ctx, &s));
  if (center) memcpy(s.shift, center, sizeof(double) * p);
  MN_TRY(one_pass(ctx, &s));
  write_out(&s, p, NULL, 0, g, ldg);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The mean of some rows, spread over all: near enough to the mean for the correction to cost no digits. Taken about the
 * first of them, so that a constant column is met exactly. */
static void sample_mean(struct gram *s)
{
  const size_t rows = mn_least(s->n, SAMPLE), width = s->p + s->q;
  double weight = 0;
  for (size_t r = 0; r < rows && s->w; r++) weight += s->w[r * (s->n / rows)];
  const bool weighted = weight > 0;
  for (size_t r = 0; r < rows; r++) {
    const size_t i = r * (s->n / rows);
    const double share = weighted ? s->w[i] / weight : 1 / (double)rows;
    for (size_t j = 0; j < s->p; j++) s->shift[j] += share * (s->x[i * s->ldx + j] - s->x[j]);
    for (size_t j = 0; j < s->q; j++) s->shift[s->p + j] += share * (s->y[i * s->ldy + j] - s->y[j]);
  }
  for (size_t j = 0; j < width; j++) s->shift[j] += j < s->p ? s->x[j] : s->y[j - s->p];
}

/* Does taking the means off lose more than four bits of some column? */
static bool far_from_mean(const struct gram *s, const double *total, double weight)
{
  for (size_t j = 0; j < s->p + s->q; j++) {
    const double t = total[j * s->width];
    if (weight > 0 && t * t / weight > 0.9375 * s->sum[j * s->width + j]) return true;
  }
  return false;
}

static mn_status gram(mn_context *ctx, struct gram *s, bool centered, double *weight, double *mean, double *g,
                      size_t ldg)
{
  const size_t width = s->p + s->q;
  MN_TRY(prepare(ctx, s));
  const double *total = s->sum + width, *sum_w = total + width * s->width; /* the last column */
  if (centered) sample_mean(s);
  MN_TRY(one_pass(ctx, s));
  if (centered && far_from_mean(s, total, *sum_w)) {
    for (size_t j = 0; j < width; j++) s->shift[j] += total[j * s->width] / *sum_w;
    MN_TRY(one_pass(ctx, s));
  }
  write_out(s, width, centered ? total : NULL, *sum_w, g, ldg);
  for (size_t j = 0; mean && j < width; j++) mean[j] = *sum_w != 0 ? s->shift[j] + total[j * s->width] / *sum_w : 0;
  if (weight) *weight = *sum_w;
  return MN_OK;
}

mn_status mn_gram(mn_context *ctx, size_t n, size_t p, const double *x, size_t ldx, size_t q, const double *y,
                  size_t ldy, const double *w, bool centered, double *weight, double *mean, double *g, size_t ldg)
{
  if (n == 0) {
    write_zeros(p + q, p + q, g, ldg);
    if (mean) write_zeros(1, p + q, mean, p + q);
    if (weight) *weight = 0;
    return MN_OK;
  }
  struct gram s = {
    .g = mn_kernels()->f64, .n = n, .p = p, .q = q, .width = p + q + 1, .x = x, .y = y, .w = w, .ldx = ldx, .ldy = ldy
  };
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = gram(ctx, &s, centered, weight, mean, g, ldg);
  mn_scratch_release(ctx, mark);
  return status;
}

/* The radial basis function kernel: each block of products is turned into distances and exponentials while it is in the
 * cache. */
#include "product.h"
#include "../core/threads.h"
#include "gemm.h"
#include "screen.h"

enum { ROWS = 96, COLS = 384, SQUARE = 32 };

struct rbf {
  const mn_product_kernels *kernels;
  size_t m, n, d, ldo;
  bool same; /* X is Y */
  double gamma, *out, *origin;
  mn_blocks rows, cols;
  const double *x, *y;
  double *x_shifted, *y_shifted, *x_norm2, *y_norm2; /* relative to the common origin */
  char *work;
  size_t bytes;
};

static void shift_rows(const struct rbf *r, size_t begin, size_t end, const double *from, double *to, double *norm2)
{
  r->kernels->f64->convert(end - begin, r->d, from + begin * r->d, r->origin, 1, to + begin * r->d, norm2 + begin);
}

static void shift_x_task(void *work, size_t block, size_t worker)
{
  const struct rbf *r = work;
  (void)worker;
  shift_rows(r, mn_block_begin(&r->rows, block), mn_block_end(&r->rows, block), r->x, r->x_shifted, r->x_norm2);
}

static void shift_y_task(void *work, size_t block, size_t worker)
{
  const struct rbf *r = work;
  (void)worker;
  shift_rows(r, mn_block_begin(&r->cols, block), mn_block_end(&r->cols, block), r->y, r->y_shifted, r->y_norm2);
}

static void block_task(void *work, size_t block, size_t worker)
{
  const struct rbf *r = work;
  const size_t bi = block / r->cols.count, bj = block % r->cols.count;
  const size_t i = mn_block_begin(&r->rows, bi), i_end = mn_block_end(&r->rows, bi);
  const size_t j = mn_block_begin(&r->cols, bj), j_end = mn_block_end(&r->cols, bj);
  if (r->same && j_end <= i) return; /* entirely below the diagonal */
  double *out = r->out + i * r->ldo + j;
  mn_gemm_block(r->kernels->f64, i_end - i, j_end - j, r->d, 1, (mn_operand){ r->x_shifted + i * r->d, r->d, 1 },
                (mn_operand){ r->y_shifted + j * r->d, 1, r->d }, 0, out, r->ldo, r->work + worker * r->bytes);
  for (size_t row = i; row < i_end; row++)
    r->kernels->rbf_from_products(j_end - j, r->gamma, r->x_norm2[row], r->y_norm2 + j, out + (row - i) * r->ldo);
}

/* Copy the entries above the diagonal in these rows below it, in small squares, and set the diagonal to 1. Runs after
 * all blocks, because blocks that straddle the diagonal also write below it. */
static void mirror_rows(void *work, size_t block, size_t worker)
{
  const struct rbf *r = work;
  const size_t i = mn_block_begin(&r->rows, block), end = mn_block_end(&r->rows, block);
  (void)worker;
  for (size_t i0 = i; i0 < end; i0 += SQUARE)
    for (size_t j0 = i0; j0 < r->n; j0 += SQUARE)
      for (size_t j = j0; j < mn_min_size(j0 + SQUARE, r->n); j++)
        for (size_t row = i0; row < mn_min_size(mn_min_size(i0 + SQUARE, end), j); row++)
          r->out[j * r->ldo + row] = r->out[row * r->ldo + j];
  for (size_t row = i; row < end; row++) r->out[row * r->ldo + row] = 1;
}

static mn_status prepare(mn_context *ctx, struct rbf *r)
{
  r->origin = MN_RAW(ctx, double, r->d, 1);
  r->y_shifted = MN_RAW(ctx, double, r->n, r->d);
  r->y_norm2 = MN_RAW(ctx, double, r->n, 1);
  r->x_shifted = r->same ? r->y_shifted : MN_RAW(ctx, double, r->m, r->d);
  r->x_norm2 = r->same ? r->y_norm2 : MN_RAW(ctx, double, r->m, 1);
  r->bytes = mn_gemm_work_bytes(r->kernels->f64, ROWS, COLS, r->d);
  r->work = MN_RAW(ctx, char, mn_threads(ctx), r->bytes);
  if (!r->origin || !r->y_shifted || !r->y_norm2 || !r->x_shifted || !r->x_norm2 || !r->work) return MN_NO_MEMORY;
  mn_sample_mean(r->n, r->d, r->y, r->origin);
  MN_TRY(mn_parallel(ctx, r->cols.count, shift_y_task, r));
  return r->same ? MN_OK : mn_parallel(ctx, r->rows.count, shift_x_task, r);
}

mn_status mn_rbf(mn_context *ctx, size_t m, size_t n, size_t d, const double *x, const double *y, double gamma,
                 double *out, size_t ldo)
{
  struct rbf r = { .kernels = mn_kernels(),
                   .m = m,
                   .n = n,
                   .d = d,
                   .x = x,
                   .y = y,
                   .gamma = gamma,
                   .out = out,
                   .ldo = ldo,
                   .same = x == y && m == n };
  if (m == 0 || n == 0) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  r.rows = mn_make_blocks(m, ROWS, m);
  r.cols = mn_make_blocks(n, COLS, n);
  MN_TRY(prepare(ctx, &r));
  MN_TRY(mn_parallel(ctx, r.rows.count * r.cols.count, block_task, &r));
  if (r.same) MN_TRY(mn_parallel(ctx, r.rows.count, mirror_rows, &r));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The radial basis function kernel: a block of products, turned into distances and exponentials while it is in the
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
  double gamma, *out, *middle;
  mn_blocks rows, cols;
  const double *x, *y;
  double *x_moved, *y_moved, *x_norm2, *y_norm2; /* about the common origin */
  char *work;
  size_t bytes;
};

static void move_rows(const struct rbf *r, size_t begin, size_t end, const double *from, double *to, double *norm2)
{
  r->kernels->f64->convert(end - begin, r->d, from + begin * r->d, r->middle, 1, to + begin * r->d, norm2 + begin);
}

static void move_x(void *work, size_t block, size_t worker)
{
  const struct rbf *r = work;
  (void)worker;
  move_rows(r, mn_block_begin(&r->rows, block), mn_block_end(&r->rows, block), r->x, r->x_moved, r->x_norm2);
}

static void move_y(void *work, size_t block, size_t worker)
{
  const struct rbf *r = work;
  (void)worker;
  move_rows(r, mn_block_begin(&r->cols, block), mn_block_end(&r->cols, block), r->y, r->y_moved, r->y_norm2);
}

static void one_block(void *work, size_t block, size_t worker)
{
  const struct rbf *r = work;
  const size_t bi = block / r->cols.count, bj = block % r->cols.count;
  const size_t i = mn_block_begin(&r->rows, bi), i_end = mn_block_end(&r->rows, bi);
  const size_t j = mn_block_begin(&r->cols, bj), j_end = mn_block_end(&r->cols, bj);
  if (r->same && j_end <= i) return; /* all below the diagonal */
  double *out = r->out + i * r->ldo + j;
  mn_gemm_block(r->kernels->f64, i_end - i, j_end - j, r->d, 1, (mn_operand){ r->x_moved + i * r->d, r->d, 1 },
                (mn_operand){ r->y_moved + j * r->d, 1, r->d }, 0, out, r->ldo, r->work + worker * r->bytes);
  for (size_t row = i; row < i_end; row++)
    r->kernels->exp_distance(j_end - j, r->gamma, r->x_norm2[row], r->y_norm2 + j, out + (row - i) * r->ldo);
}

/* What lies above the diagonal in these rows is copied below it, in small squares; the diagonal is 1. After all blocks:
 * one that straddles the diagonal writes below it too. */
static void mirror_rows(void *work, size_t block, size_t worker)
{
  const struct rbf *r = work;
  const size_t i = mn_block_begin(&r->rows, block), end = mn_block_end(&r->rows, block);
  (void)worker;
  for (size_t i0 = i; i0 < end; i0 += SQUARE)
    for (size_t j0 = i0; j0 < r->n; j0 += SQUARE)
      for (size_t j = j0; j < mn_least(j0 + SQUARE, r->n); j++)
        for (size_t row = i0; row < mn_least(mn_least(i0 + SQUARE, end), j); row++)
          r->out[j * r->ldo + row] = r->out[row * r->ldo + j];
  for (size_t row = i; row < end; row++) r->out[row * r->ldo + row] = 1;
}

static mn_status prepare(mn_context *ctx, struct rbf *r)
{
  r->middle = MN_RAW(ctx, double, r->d, 1);
  r->y_moved = MN_RAW(ctx, double, r->n, r->d);
  r->y_norm2 = MN_RAW(ctx, double, r->n, 1);
  r->x_moved = r->same ? r->y_moved : MN_RAW(ctx, double, r->m, r->d);
  r->x_norm2 = r->same ? r->y_norm2 : MN_RAW(ctx, double, r->m, 1);
  r->bytes = mn_gemm_bytes(r->kernels->f64, ROWS, COLS, r->d);
  r->work = MN_RAW(ctx, char, mn_threads(ctx), r->bytes);
  if (!r->middle || !r->y_moved || !r->y_norm2 || !r->x_moved || !r->x_norm2 || !r->work) return MN_NO_MEMORY;
  mn_middle_of(r->n, r->d, r->y, r->middle);
  MN_TRY(mn_parallel(ctx, r->cols.count, move_y, r));
  return r->same ? MN_OK : mn_parallel(ctx, r->rows.count, move_x, r);
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
  MN_TRY(mn_parallel(ctx, r.rows.count * r.cols.count, one_block, &r));
  if (r.same) MN_TRY(mn_parallel(ctx, r.rows.count, mirror_rows, &r));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

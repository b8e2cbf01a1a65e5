#include "matvec.h"
#include "../core/clones.h"
#include "../core/threads.h"
#include "product.h"
#include "reduce.h"
#include <string.h>

MN_VECTORIZE_BEGIN

enum { BLOCK = 16384, MIN_PARALLEL = 100000, MAX_PARTS = 32 };

struct work {
  size_t rows, cols, step;
  const double *a, *v;
  double *out; /* rows; or blocks x rows */
  mn_blocks blocks;
};

static void dot_rows(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  (void)worker;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    w->out[i] = mn_dot_values(w->cols, w->a + i * w->step, w->v);
}

static MN_CLONES(void, add_scaled, (size_t n, double factor, const double *restrict x, double *restrict sum),
                 (n, factor, x, sum))
{
  for (size_t i = 0; i < n; i++) sum[i] += factor * x[i];
}

static void add_columns(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  double *out = w->out + block * w->rows;
  (void)worker;
  memset(out, 0, w->rows * sizeof *out);
  for (size_t j = mn_block_begin(&w->blocks, block); j < mn_block_end(&w->blocks, block); j++)
    add_scaled(w->rows, w->v[j], w->a + j * w->step, out);
}

static mn_status run(mn_context *ctx, struct work *w, mn_task task)
{
  if (w->rows * w->cols >= MIN_PARALLEL) return mn_parallel(ctx, w->blocks.count, task, w);
  for (size_t block = 0; block < w->blocks.count; block++) task(w, block, 0);
  return MN_OK;
}

static mn_status multiply_by_columns(mn_context *ctx, struct work *w, double *out)
{
  w->blocks = mn_make_blocks(w->cols, w->rows < BLOCK ? BLOCK / (w->rows + 1) + 1 : 1, MAX_PARTS);
  w->out = MN_RAW(ctx, double, w->blocks.count, w->rows);
  MN_CHECK_ALLOC(w->out);
  MN_TRY(run(ctx, w, add_columns));
  mn_sum_blocks(w->blocks.count, w->rows, w->out, out);
  return MN_OK;
}

/* A contiguous copy of a matrix that is strided in both directions. */
static const double *gather(mn_context *ctx, size_t rows, size_t cols, const double *a, size_t row_step,
                            size_t col_step)
{
  double *copy = MN_RAW(ctx, double, rows, cols);
  for (size_t i = 0; copy && i < rows; i++)
    for (size_t j = 0; j < cols; j++) copy[i * cols + j] = a[i * row_step + j * col_step];
  return copy;
}

static mn_status matvec(mn_context *ctx, size_t rows, size_t cols, const double *a, size_t row_step, size_t col_step,
                        const double *v, size_t v_step, double *out)
{
  struct work w = { .rows = rows, .cols = cols, .a = a, .v = v, .out = out, .step = row_step };
  if (v_step != 1) w.v = gather(ctx, 1, cols, v, 0, v_step);
  MN_CHECK_ALLOC(w.v);
  if (col_step != 1 && row_step == 1) {
    w.step = col_step;
    return multiply_by_columns(ctx, &w, out);
  }
  if (col_step != 1) {
    w.a = gather(ctx, rows, cols, a, row_step, col_step);
    w.step = cols;
    MN_CHECK_ALLOC(w.a);
  }
  w.blocks = mn_make_blocks(rows, cols < BLOCK ? BLOCK / (cols + 1) : 1, SIZE_MAX);
  return run(ctx, &w, dot_rows);
}

mn_status mn_matvec(mn_context *ctx, size_t rows, size_t cols, const double *a, size_t row_step, size_t col_step,
                    const double *v, size_t v_step, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = matvec(ctx, rows, cols, a, row_step, col_step, v, v_step, out);
  mn_scratch_release(ctx, mark);
  return status;
}

/* An operand as mn_gemm takes it: rows `ld` apart, or transposed with columns `ld` apart. */
struct operand {
  const double *at;
  size_t ld;
  bool transposed;
};

static mn_status prepare(mn_context *ctx, size_t rows, size_t cols, const double *a, size_t row_step, size_t col_step,
                         struct operand *o)
{
  *o = (struct operand){ .at = a, .ld = row_step };
  if (col_step == 1 && (row_step >= cols || rows <= 1)) {
    if (rows <= 1) o->ld = cols;
    return MN_OK;
  }
  if (row_step == 1 && (col_step >= rows || cols <= 1)) {
    o->transposed = true;
    o->ld = cols <= 1 ? rows : col_step;
    return MN_OK;
  }
  *o = (struct operand){ .at = gather(ctx, rows, cols, a, row_step, col_step), .ld = cols };
  MN_CHECK_ALLOC(o->at);
  return MN_OK;
}

mn_status mn_matmul(mn_context *ctx, size_t m, size_t n, size_t k, const double *a, size_t a_row, size_t a_col,
                    const double *b, size_t b_row, size_t b_col, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct operand left, right;
  mn_status status = prepare(ctx, m, k, a, a_row, a_col, &left);
  if (status == MN_OK) status = prepare(ctx, k, n, b, b_row, b_col, &right);
  if (status == MN_OK)
    status =
        mn_gemm(ctx, left.transposed, right.transposed, m, n, k, 1, left.at, left.ld, right.at, right.ld, 0, out, n);
  mn_scratch_release(ctx, mark);
  return status;
}

MN_VECTORIZE_END

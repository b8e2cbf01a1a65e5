/* Matrix times vector: limited by memory bandwidth, so A is read once, by all threads. */
#include "product.h"
#include "../core/threads.h"
#include "gemm.h"

enum {
  BLOCK_VALUES = 1 << 15, /* of A in a block: 256 KB */
  MAX_PARTS = 64
};

struct vector_product {
  const mn_product_kernels *kernels;
  size_t cols, lda;
  double alpha, beta;
  const double *a, *x;
  double *y, *part; /* part: partial sums of each block if A is transposed, else rows.size values for each worker */
  mn_blocks rows;
};

static void scale_add(const double *from, size_t size, double alpha, double beta, double *y)
{
  for (size_t i = 0; i < size; i++) y[i] = beta == 0 ? alpha * from[i] : beta * y[i] + alpha * from[i];
}

static void plain_block(void *work, size_t block, size_t worker)
{
  const struct vector_product *p = work;
  const size_t i = mn_block_begin(&p->rows, block), rows = mn_block_end(&p->rows, block) - i;
  double *sum = p->part + worker * p->rows.size;
  p->kernels->matrix_times_vector(rows, p->cols, p->a + i * p->lda, p->lda, p->x, sum);
  scale_add(sum, rows, p->alpha, p->beta, p->y + i);
}

static void transposed_block(void *work, size_t block, size_t worker)
{
  const struct vector_product *p = work;
  const size_t i = mn_block_begin(&p->rows, block), rows = mn_block_end(&p->rows, block) - i;
  double *sum = p->part + block * p->cols;
  (void)worker;
  for (size_t j = 0; j < p->cols; j++) sum[j] = 0;
  p->kernels->add_vector_times_matrix(rows, p->cols, p->a + i * p->lda, p->lda, p->x + i, sum);
}

static mn_status multiply(mn_context *ctx, struct vector_product *p, bool ta)
{
  const size_t parts = ta ? p->rows.count : mn_threads(ctx), width = ta ? p->cols : p->rows.size;
  p->part = MN_RAW(ctx, double, parts + 1, width);
  MN_CHECK_ALLOC(p->part);
  MN_TRY(mn_parallel(ctx, p->rows.count, ta ? transposed_block : plain_block, p));
  if (!ta) return MN_OK;
  double *sum = p->part + parts * width;
  mn_sum_blocks(parts, width, p->part, sum);
  scale_add(sum, width, p->alpha, p->beta, p->y);
  return MN_OK;
}

mn_status mn_gemv(mn_context *ctx, bool ta, size_t rows, size_t cols, double alpha, const double *a, size_t lda,
                  const double *x, double beta, double *y)
{
  struct vector_product p = {
    .kernels = mn_kernels(), .cols = cols, .lda = lda, .alpha = alpha, .beta = beta, .a = a, .x = x, .y = y
  };
  if (alpha == 0 || rows == 0 || cols == 0) {
    for (size_t i = 0; i < (ta ? cols : rows); i++) y[i] = beta == 0 ? 0 : beta * y[i];
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  p.rows = mn_make_blocks(rows, BLOCK_VALUES / (cols < BLOCK_VALUES ? cols : BLOCK_VALUES), ta ? MAX_PARTS : rows);
  MN_TRY(multiply(ctx, &p, ta));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

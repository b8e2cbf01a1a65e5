/* Parallel products: split C into blocks, or k into parts, and multiply each with gemm.c. */
#include "product.h"
#include "../core/threads.h"
#include "gemm.h"
#include <time.h>

enum {
  SMALL_PRODUCT = 1 << 18, /* multiplications done sooner than a thread wakes */
  SMALL_BLOCK = 1 << 20,   /* no block has many fewer multiplications */
  MIN_BLOCKS = 16,         /* keeps several threads busy to the end */
  MAX_PART = 1 << 16,      /* elements of C if k is split: 16 parts are 8 MB */
  MAX_PARTS = 16,
  MIN_PART = 1024 /* rows of k */
};

struct product {
  const mn_gemm_kernel *g;
  size_t m, n, k;
  double alpha, beta;
  mn_operand a, b;
  char *c;
  size_t ldc;
  bool swapped;                /* the parts hold C' */
  mn_blocks rows, cols, depth; /* how C and k are split */
  char *parts;                 /* depth.count x m x n  */
  char *work;                  /* bytes for each worker */
  size_t bytes;
};

const char *mn_product_variant(void)
{
  return mn_kernels()->name;
}

static mn_operand make_operand(const void *at, size_t ld, bool transposed)
{
  return transposed ? (mn_operand){ at, 1, ld } : (mn_operand){ at, ld, 1 };
}

/* Blocks of equal size, a multiple of `unit`, of at most `max_size` rounded up to it. */
static mn_blocks even_blocks(size_t n, size_t max_size, size_t unit)
{
  const size_t count = n > max_size ? (n + max_size - 1) / max_size : 1;
  const size_t size = n > 0 ? mn_round_up((n + count - 1) / count, unit) : unit;
  return (mn_blocks){ n, size, (n + size - 1) / size };
}

static void block_task(void *work, size_t block, size_t worker)
{
  const struct product *p = work;
  const size_t bi = block / p->cols.count, bj = block % p->cols.count;
  const size_t i = mn_block_begin(&p->rows, bi), j = mn_block_begin(&p->cols, bj);
  mn_gemm_block(p->g, mn_block_end(&p->rows, bi) - i, mn_block_end(&p->cols, bj) - j, p->k, p->alpha,
                mn_operand_block(p->g, p->a, i, 0), mn_operand_block(p->g, p->b, 0, j), p->beta,
                p->c + (i * p->ldc + j) * p->g->size, p->ldc, p->work + worker * p->bytes);
}

static void part_task(void *work, size_t part, size_t worker)
{
  const struct product *p = work;
  const size_t l = mn_block_begin(&p->depth, part);
  mn_gemm_block(p->g, p->m, p->n, mn_block_end(&p->depth, part) - l, p->alpha, mn_operand_block(p->g, p->a, 0, l),
                mn_operand_block(p->g, p->b, l, 0), 0, p->parts + part * p->m * p->n * p->g->size, p->n,
                p->work + worker * p->bytes);
}

static mn_status allocate_work(mn_context *ctx, struct product *p, size_t workers, size_t m, size_t n, size_t k)
{
  p->bytes = mn_gemm_work_bytes(p->g, m, n, k);
  p->work = MN_RAW(ctx, char, workers, p->bytes);
  MN_CHECK_ALLOC(p->work);
  return MN_OK;
}

/* Compute C' = B' A' if the rows of A' are long: panels of the right operand are wider, so A is read in longer runs. */
static void swap_operands(struct product *p)
{
  const mn_operand a = p->a, b = p->b;
  const size_t m = p->m;
  p->a = (mn_operand){ b.at, b.col, b.row };
  p->b = (mn_operand){ a.at, a.col, a.row };
  p->m = p->n;
  p->n = m;
  p->swapped = true;
}

/* Split k: for long, thin operands with a small C. */
static mn_status multiply_by_parts(mn_context *ctx, struct product *p)
{
  if (p->a.row == 1 && p->m > 2 * p->n) swap_operands(p);
  p->depth = even_blocks(p->k, mn_round_up(p->k / MAX_PARTS + 1, MIN_PART), 1);
  p->parts = mn_scratch_raw(ctx, p->g->size, p->depth.count, p->m * p->n);
  MN_CHECK_ALLOC(p->parts);
  MN_TRY(allocate_work(ctx, p, mn_threads(ctx), p->m, p->n, p->depth.size));
  MN_TRY(mn_parallel(ctx, p->depth.count, part_task, p));
  const size_t size = p->g->size, area = p->m * p->n;
  for (size_t i = 0; i < p->m; i++)
    for (size_t j = 0; j < (p->swapped ? p->n : 1); j++)
      p->g->sum_parts(p->depth.count, area, p->swapped ? 1 : p->n, p->parts + (i * p->n + j) * size, p->beta,
                      p->c + (p->swapped ? j * p->ldc + i : i * p->ldc) * size);
  return MN_OK;
}

/* Split C into blocks: large ones, since each packs its own operands, but enough for all threads. */
static mn_status multiply_by_blocks(mn_context *ctx, struct product *p)
{
  size_t rows = 512, cols = 1024;
  for (;;) {
    p->rows = even_blocks(p->m, rows, p->g->mr);
    p->cols = even_blocks(p->n, cols, p->g->nr);
    if (p->rows.count * p->cols.count >= MIN_BLOCKS) break;
    if (p->rows.size * p->cols.size / 2 < SMALL_BLOCK / (p->k + 1)) break;
    if (p->rows.size >= p->cols.size)
      rows = p->rows.size / 2;
    else
      cols = p->cols.size / 2;
    if (rows < p->g->mr || cols < p->g->nr) break;
  }
  MN_TRY(allocate_work(ctx, p, mn_threads(ctx), p->rows.size, p->cols.size, p->k));
  return mn_parallel(ctx, p->rows.count * p->cols.count, block_task, p);
}

static mn_status multiply_directly(mn_context *ctx, struct product *p)
{
  MN_TRY(allocate_work(ctx, p, 1, p->m, p->n, p->k));
  mn_gemm_block(p->g, p->m, p->n, p->k, p->alpha, p->a, p->b, p->beta, p->c, p->ldc, p->work);
  return MN_OK;
}

static mn_status multiply(mn_context *ctx, struct product *p)
{
  if (p->m == 0 || p->n == 0) return MN_OK;
  if (p->alpha == 0) p->k = 0;
  const mn_mark mark = mn_scratch_mark(ctx);
  const double area = (double)p->m * (double)p->n;
  mn_status status;
  if (area * (double)p->k <= SMALL_PRODUCT)
    status = multiply_directly(ctx, p);
  else if (area <= MAX_PART && p->k >= 4 * MIN_PART)
    status = multiply_by_parts(ctx, p);
  else
    status = multiply_by_blocks(ctx, p);
  mn_scratch_release(ctx, mark);
  return status;
}

mn_status mn_gemm(mn_context *ctx, bool ta, bool tb, size_t m, size_t n, size_t k, double alpha, const double *a,
                  size_t lda, const double *b, size_t ldb, double beta, double *c, size_t ldc)
{
  struct product p = { .g = mn_kernels()->f64,
                       .m = m,
                       .n = n,
                       .k = k,
                       .alpha = alpha,
                       .beta = beta,
                       .a = make_operand(a, lda, ta),
                       .b = make_operand(b, ldb, tb),
                       .c = (char *)c,
                       .ldc = ldc };
  return multiply(ctx, &p);
}

static mn_status gemm_f32(mn_context *ctx, bool ta, bool tb, size_t m, size_t n, size_t k, float alpha, const float *a,
                          size_t lda, const float *b, size_t ldb, float beta, float *c, size_t ldc)
{
  struct product p = { .g = mn_kernels()->f32,
                       .m = m,
                       .n = n,
                       .k = k,
                       .alpha = (double)alpha,
                       .beta = (double)beta,
                       .a = make_operand(a, lda, ta),
                       .b = make_operand(b, ldb, tb),
                       .c = (char *)c,
                       .ldc = ldc };
  return multiply(ctx, &p);
}

size_t mn_gemm_serial_bytes(size_t m, size_t n, size_t k)
{
  return mn_gemm_work_bytes(mn_kernels()->f64, m, n, k);
}

void mn_gemm_serial(bool ta, bool tb, size_t m, size_t n, size_t k, double alpha, const double *a, size_t lda,
                    const double *b, size_t ldb, double beta, double *c, size_t ldc, void *work)
{
  mn_gemm_block(mn_kernels()->f64, m, n, k, alpha, make_operand(a, lda, ta), make_operand(b, ldb, tb), beta, c, ldc,
                work);
}

static double seconds(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

mn_status mn_product_peak(mn_context *ctx, size_t order, bool single, double *gflops)
{
  enum { REPEATS = 5 };
  const mn_mark mark = mn_scratch_mark(ctx);
  void *values = mn_scratch_raw(ctx, sizeof(double), 3 * order, order); /* floats fill half of it */
  double *x = values, best = 0;
  float *f = values;
  const double work = 2e-9 * (double)order * (double)order * (double)order;
  MN_CHECK_ALLOC(x);
  for (size_t i = 0; i < 2 * order * order; i++)
    if (single)
      f[i] = (float)(i % 7);
    else
      x[i] = (double)(i % 7);
  const size_t b = order * order, c = 2 * b;
  for (size_t r = 0; r < REPEATS; r++) {
    const double begin = seconds();
    if (single)
      MN_TRY(gemm_f32(ctx, false, false, order, order, order, 1, f, order, f + b, order, 0, f + c, order));
    else
      MN_TRY(mn_gemm(ctx, false, false, order, order, order, 1, x, order, x + b, order, 0, x + c, order));
    const double time = seconds() - begin, rate = work / (time > 1e-9 ? time : 1e-9);
    if (rate > best) best = rate;
  }
  mn_scratch_release(ctx, mark);
  *gflops = best;
  return MN_OK;
}

#include "screen.h"
#include "../core/threads.h"
#include <math.h>

enum {
  SAMPLE = 256, /* rows from which the shift and the scale are computed */
  BLOCK = 384   /* rows converted by a task */
};

void mn_sample_mean(size_t n, size_t d, const double *x, double *mean)
{
  const size_t rows = mn_min_size(n, SAMPLE), ld = rows > 0 ? n / rows * d : d;
  for (size_t f = 0; f < d; f++) mean[f] = 0;
  for (size_t i = 1; i < rows; i++)
    for (size_t f = 0; f < d; f++) mean[f] += x[i * ld + f] - x[f];
  for (size_t f = 0; rows > 0 && f < d; f++) mean[f] = x[f] + mean[f] / (double)rows;
}

double mn_power_of_two_scale(size_t rows, size_t d, const double *x, size_t ld, const double *shift)
{
  double largest = 0;
  int exponent;
  for (size_t i = 0; i < rows; i++)
    for (size_t f = 0; f < d; f++) largest = fmax(largest, fabs(x[i * ld + f] - shift[f]));
  if (!(largest > 0 && largest <= DBL_MAX)) return 1;
  frexp(largest, &exponent);
  return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

/* Bound of the relative error: half a unit in the last place for each rounding of a term of the product
 * (multiplication, each addition within a block of k and between blocks, rounding of the operands, adding |y|^2 / 2), a
 * safety margin, a tenth for terms of higher order, and the float64 rounding of |x|^2, |y|^2 and of the distances
 * compared. */
static double error_bound(const mn_gemm_kernel *g, size_t d)
{
  const double unit = g->size == sizeof(float) ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
  const double roundings = (double)mn_min_size(d, g->kc) + (double)d / (double)g->kc + 12;
  return 1.1 * unit * roundings + DBL_EPSILON * ((double)d + 12);
}

struct preparation {
  const mn_gemm_kernel *g;
  const mn_screen *screen;
  size_t d;
  const double *rows;
  double *norm2;
  mn_blocks blocks;
  char *converted; /* for each worker */
};

static void prepare_block(void *work, size_t block, size_t worker)
{
  const struct preparation *p = work;
  const size_t i = mn_block_begin(&p->blocks, block), rows = mn_block_end(&p->blocks, block) - i;
  void *converted = p->converted + worker * p->blocks.size * p->d * p->g->size;
  p->g->convert(rows, p->d, p->rows + i * p->d, p->screen->shift, p->screen->scale, converted, p->norm2 + i);
  mn_gemm_pack(p->g, p->blocks.n, p->d, i, rows, (mn_operand){ converted, 1, p->d }, p->screen->packed);
}

mn_status mn_screen_init(mn_context *ctx, mn_screen *s, const mn_gemm_kernel *g, size_t n, size_t d, const double *rows,
                         bool shifted, double **norm2)
{
  s->shift = MN_NEW(ctx, double, d, 1);
  MN_CHECK_ALLOC(s->shift);
  *norm2 = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(*norm2);
  s->packed = mn_scratch_raw(ctx, mn_gemm_packed_bytes(g, n, d), 1, 1);
  MN_CHECK_ALLOC(s->packed);
  const size_t sample = mn_min_size(n, SAMPLE), ld = sample > 0 ? n / sample * d : d;
  if (shifted) mn_sample_mean(n, d, rows, s->shift);
  s->scale = mn_power_of_two_scale(sample, d, rows, ld, s->shift);
  s->error = error_bound(g, d);
  const mn_mark mark = mn_scratch_mark(ctx);
  struct preparation p = { .g = g, .screen = s, .d = d, .rows = rows, .norm2 = *norm2 };
  p.blocks = mn_make_blocks(n, BLOCK / g->nr * g->nr, n);
  p.converted = mn_scratch_raw(ctx, g->size * p.blocks.size, d, mn_threads(ctx));
  MN_CHECK_ALLOC(p.converted);
  MN_TRY(mn_parallel(ctx, p.blocks.count, prepare_block, &p));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

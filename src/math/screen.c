/* Rows made ready to be screened; see screen.h. */
#include "screen.h"
#include "../core/threads.h"
#include <math.h>

enum { SAMPLE = 256 }; /* rows that tell where the middle is, and how wide the rows lie about it */

/* About the first row, so that rows that are all the same become exact zeros. */
static void mean_of(size_t rows, size_t d, const double *x, size_t ld, double *mean)
{
  for (size_t i = 1; i < rows; i++)
    for (size_t f = 0; f < d; f++) mean[f] += x[i * ld + f] - x[f];
  for (size_t f = 0; f < d; f++) mean[f] = x[f] + mean[f] / (double)rows;
}

/* The power of two that brings the largest |value - shift| to between 1/2 and 1. */
static double scale_for(size_t rows, size_t d, const double *x, size_t ld, const double *shift)
{
  double largest = 0;
  int exponent;
  for (size_t i = 0; i < rows; i++)
    for (size_t f = 0; f < d; f++) largest = fmax(largest, fabs(x[i * ld + f] - shift[f]));
  if (!(largest > 0 && largest <= DBL_MAX)) return 1;
  frexp(largest, &exponent);
  return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

/* Half a unit in the last place for each rounding on the way of a term of the product: on multiplying, on each addition
 * in a block of k and of the blocks, on rounding the operands, on adding |y|^2 / 2. Some more to be safe, and a tenth
 * for the terms of higher order; then the float64 rounding of |x|^2, |y|^2 and of the distances that decide. */
static double error_bound(const mn_gemm_kernel *g, size_t d)
{
  const double unit = g->size == sizeof(float) ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
  const double roundings = (double)mn_least(d, g->kc) + (double)d / (double)g->kc + 12;
  return 1.1 * unit * roundings + DBL_EPSILON * ((double)d + 12);
}

mn_status mn_screen_init(mn_context *ctx, mn_screen *s, const mn_gemm_kernel *g, size_t n, size_t d, const double *rows,
                         double **norm2)
{
  s->shift = MN_NEW(ctx, double, d, 1);
  MN_NEED(s->shift);
  *norm2 = MN_RAW(ctx, double, n, 1);
  MN_NEED(*norm2);
  s->packed = MN_RAW(ctx, char, mn_packed_bytes(g, n, d), 1);
  MN_NEED(s->packed);
  const mn_mark mark = mn_scratch_mark(ctx);
  char *converted = mn_scratch_raw(ctx, g->size, n, d);
  MN_NEED(converted);
  const size_t sample = mn_least(n, SAMPLE), ld = sample > 0 ? n / sample * d : d;
  if (n > 0) mean_of(sample, d, rows, ld, s->shift);
  s->scale = scale_for(sample, d, rows, ld, s->shift);
  s->error = error_bound(g, d);
  g->convert(n, d, rows, s->shift, s->scale, converted, *norm2);
  mn_gemm_pack(g, n, d, (mn_operand){ converted, 1, d }, s->packed);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

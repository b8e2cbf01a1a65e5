#include "elementwise.h"
#include "../core/clones.h"
#include "../core/threads.h"
#include "elementwise_kernel.h"
#include <math.h>
#include <string.h>

MN_VECTORIZE_BEGIN

/* Apply an operation to n values of a row. Steps of 1 and 0 get loops of their own, which vectorize. */
#define DEFINE_BINARY(name, expression)                                                                                \
  static void name(size_t n, const double *a, size_t a_step, const double *b, size_t b_step, double *out)              \
  {                                                                                                                    \
    if (a_step == 1 && b_step == 1) {                                                                                  \
      for (size_t i = 0; i < n; i++) {                                                                                 \
        const double x = a[i], y = b[i];                                                                               \
        out[i] = (expression);                                                                                         \
      }                                                                                                                \
    } else if (a_step == 1 && b_step == 0) {                                                                           \
      const double y = *b;                                                                                             \
      for (size_t i = 0; i < n; i++) {                                                                                 \
        const double x = a[i];                                                                                         \
        out[i] = (expression);                                                                                         \
      }                                                                                                                \
    } else {                                                                                                           \
      for (size_t i = 0; i < n; i++) {                                                                                 \
        const double x = a[i * a_step], y = b[i * b_step];                                                             \
        out[i] = (expression);                                                                                         \
      }                                                                                                                \
    }                                                                                                                  \
  }

DEFINE_BINARY(run_add, x + y)
DEFINE_BINARY(run_sub, x - y)
DEFINE_BINARY(run_mul, x *y)
DEFINE_BINARY(run_div, x / y)
DEFINE_BINARY(run_pow, y == 2 ? x * x : pow(x, y))
DEFINE_BINARY(run_gt, x > y ? 1.0 : 0.0)
DEFINE_BINARY(run_ge, x >= y ? 1.0 : 0.0)
DEFINE_BINARY(run_lt, x < y ? 1.0 : 0.0)
DEFINE_BINARY(run_le, x <= y ? 1.0 : 0.0)
DEFINE_BINARY(run_eq, x == y ? 1.0 : 0.0)
DEFINE_BINARY(run_ne, x != y ? 1.0 : 0.0)
DEFINE_BINARY(run_minimum, x < y || x != x ? x : y)
DEFINE_BINARY(run_maximum, x > y || x != x ? x : y)

typedef void (*binary_run)(size_t, const double *, size_t, const double *, size_t, double *);

static const binary_run binary_runs[MN_BINARY_COUNT] = { run_add, run_sub,     run_mul,    run_div, run_pow,
                                                         run_gt,  run_ge,      run_lt,     run_le,  run_eq,
                                                         run_ne,  run_minimum, run_maximum };

#define DEFINE_UNARY(name, expression)                                                                                 \
  static void name(size_t n, const double *a, size_t step, double *out)                                                \
  {                                                                                                                    \
    if (step == 1) {                                                                                                   \
      for (size_t i = 0; i < n; i++) {                                                                                 \
        const double x = a[i];                                                                                         \
        out[i] = (expression);                                                                                         \
      }                                                                                                                \
      return;                                                                                                          \
    }                                                                                                                  \
    for (size_t i = 0; i < n; i++) {                                                                                   \
      const double x = a[i * step];                                                                                    \
      out[i] = (expression);                                                                                           \
    }                                                                                                                  \
  }

DEFINE_UNARY(each_neg, -x)
DEFINE_UNARY(each_abs, fabs(x))
DEFINE_UNARY(each_sign, x > 0 ? 1.0 : x < 0 ? -1.0 : x)
DEFINE_UNARY(each_sqrt, sqrt(x))
DEFINE_UNARY(each_square, x *x)
DEFINE_UNARY(each_reciprocal, 1 / x)
DEFINE_UNARY(each_floor, floor(x))
DEFINE_UNARY(each_ceil, ceil(x))
DEFINE_UNARY(each_round, round(x))
DEFINE_UNARY(each_isnan, x != x ? 1.0 : 0.0)
DEFINE_UNARY(each_isfinite, fabs(x) <= 0x1.fffffffffffffp1023 ? 1.0 : 0.0)
DEFINE_UNARY(each_log2, log2(x))
DEFINE_UNARY(each_log10, log10(x))
DEFINE_UNARY(each_tan, tan(x))
DEFINE_UNARY(each_asin, asin(x))
DEFINE_UNARY(each_acos, acos(x))
DEFINE_UNARY(each_atan, atan(x))
DEFINE_UNARY(each_sinh, sinh(x))
DEFINE_UNARY(each_cosh, cosh(x))
DEFINE_UNARY(each_erf, erf(x))

/* The kernels process full blocks: strided values are gathered, and the last block is padded. */
static void apply_kernel(void (*kernel)(size_t, const double *, double *), size_t n, const double *a, size_t step,
                         double *out)
{
  const size_t full = step == 1 ? n / MN_VECTOR_LANES : 0;
  kernel(full, a, out);
  for (size_t i = full * MN_VECTOR_LANES; i < n; i += MN_VECTOR_LANES) {
    double padded[MN_VECTOR_LANES] = { 0 };
    const size_t count = n - i < MN_VECTOR_LANES ? n - i : MN_VECTOR_LANES;
    for (size_t k = 0; k < count; k++) padded[k] = a[(i + k) * step];
    kernel(1, padded, padded);
    memcpy(out + i, padded, count * sizeof *out);
  }
}

#define DEFINE_WITH_KERNEL(name, kernel)                                                                               \
  static void name(size_t n, const double *a, size_t step, double *out)                                                \
  {                                                                                                                    \
    apply_kernel(kernel, n, a, step, out);                                                                             \
  }

DEFINE_WITH_KERNEL(each_exp, mn_kernel_exp)
DEFINE_WITH_KERNEL(each_expm1, mn_kernel_expm1)
DEFINE_WITH_KERNEL(each_log, mn_kernel_log)
DEFINE_WITH_KERNEL(each_log1p, mn_kernel_log1p)
DEFINE_WITH_KERNEL(each_sin, mn_kernel_sin)
DEFINE_WITH_KERNEL(each_cos, mn_kernel_cos)
DEFINE_WITH_KERNEL(each_tanh, mn_kernel_tanh)
DEFINE_WITH_KERNEL(each_sigmoid, mn_kernel_sigmoid)

typedef void (*unary_run)(size_t, const double *, size_t, double *);

static const unary_run unary_runs[MN_UNARY_COUNT] = {
  each_neg,   each_abs,   each_sign,  each_sqrt,     each_square, each_reciprocal, each_floor,
  each_ceil,  each_round, each_isnan, each_isfinite, each_exp,    each_expm1,      each_log,
  each_log1p, each_log2,  each_log10, each_sin,      each_cos,    each_tan,        each_asin,
  each_acos,  each_atan,  each_sinh,  each_cosh,     each_tanh,   each_sigmoid,    each_erf,
};

static void run_where(size_t n, mn_strided mask, mn_strided yes, mn_strided no, double *out)
{
  for (size_t j = 0; j < n; j++) {
    const double m = mask.at[j * mask.col_step];
    out[j] = m > 0 || m < 0 ? yes.at[j * yes.col_step] : no.at[j * no.col_step];
  }
}

enum { OPERANDS = 3, BLOCK = 16384, MIN_PARALLEL = 100000 };

struct work {
  size_t rows, cols, operands;
  mn_strided operand[OPERANDS];
  double *out;
  mn_blocks blocks; /* of rows, or of values if there is one row */
  binary_run binary;
  unary_run unary;
};

static void run_row(const struct work *w, size_t i, size_t j, size_t n)
{
  mn_strided o[OPERANDS];
  double *out = w->out + i * w->cols + j;
  for (size_t k = 0; k < w->operands; k++) {
    o[k] = w->operand[k];
    o[k].at += i * o[k].row_step + j * o[k].col_step;
  }
  if (w->binary)
    w->binary(n, o[0].at, o[0].col_step, o[1].at, o[1].col_step, out);
  else if (w->unary)
    w->unary(n, o[0].at, o[0].col_step, out);
  else
    run_where(n, o[0], o[1], o[2], out);
}

static void run_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  (void)worker;
  if (w->rows == 1) {
    run_row(w, 0, begin, end - begin);
    return;
  }
  for (size_t i = begin; i < end; i++) run_row(w, i, 0, w->cols);
}

/* Treat the matrix as one long row if every operand continues from row to row with the same step. */
static void flatten(struct work *w)
{
  for (size_t k = 0; k < w->operands; k++)
    if (w->operand[k].row_step != w->operand[k].col_step * w->cols) return;
  w->cols *= w->rows;
  w->rows = 1;
}

static mn_status run(mn_context *ctx, struct work *w)
{
  const size_t count = w->rows * w->cols;
  if (count == 0) return MN_OK;
  flatten(w);
  w->blocks =
      w->rows == 1 ? mn_make_blocks(w->cols, BLOCK, SIZE_MAX) : mn_make_blocks(w->rows, BLOCK / w->cols, SIZE_MAX);
  if (count >= MIN_PARALLEL) return mn_parallel(ctx, w->blocks.count, run_block, w);
  for (size_t block = 0; block < w->blocks.count; block++) run_block(w, block, 0);
  return MN_OK;
}

mn_status mn_elementwise_binary(mn_context *ctx, mn_binary_op op, size_t rows, size_t cols, mn_strided a, mn_strided b,
                                double *out)
{
  struct work w = {
    .rows = rows, .cols = cols, .operands = 2, .operand = { a, b }, .out = out, .binary = binary_runs[op]
  };
  return run(ctx, &w);
}

mn_status mn_elementwise_unary(mn_context *ctx, mn_unary_op function, size_t rows, size_t cols, mn_strided a,
                               double *out)
{
  struct work w = {
    .rows = rows, .cols = cols, .operands = 1, .operand = { a }, .out = out, .unary = unary_runs[function]
  };
  return run(ctx, &w);
}

mn_status mn_elementwise_where(mn_context *ctx, size_t rows, size_t cols, mn_strided mask, mn_strided yes,
                               mn_strided no, double *out)
{
  struct work w = { .rows = rows, .cols = cols, .operands = 3, .operand = { mask, yes, no }, .out = out };
  return run(ctx, &w);
}

MN_VECTORIZE_END

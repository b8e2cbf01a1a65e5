#include "csr_kernel.h"
#include "../core/clones.h"

typedef double lanes __attribute__((vector_size(64), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")

/* 8 width columns of a row of S B. */
INLINE void row_times(size_t values, const int32_t *col, const double *at, size_t n, const double *b, size_t width,
                      double *out)
{
  lanes sum[4] = { { 0 } };
  for (size_t e = 0; e < values; e++) {
    const lanes *row = (const lanes *)(b + (size_t)col[e] * n);
    UNROLL for (size_t h = 0; h < width; h++) sum[h] += at[e] * row[h];
  }
  UNROLL for (size_t h = 0; h < width; h++)((lanes *)out)[h] = sum[h];
}

MN_CLONES(void, mn_csr_multiply_rows,
          (size_t rows, const size_t *start, const int32_t *col, const double *at, size_t n, const double *b,
           double *out),
          (rows, start, col, at, n, b, out))
{
  for (size_t i = 0; i < rows; i++) {
    const size_t values = start[i + 1] - start[i];
    const int32_t *c = col + start[i];
    const double *a = at + start[i];
    double *to = out + i * n;
    size_t j = 0;
    for (; j + 32 <= n; j += 32) row_times(values, c, a, n, b + j, 4, to + j);
    if (n - j >= 24)
      row_times(values, c, a, n, b + j, 3, to + j);
    else if (n - j >= 16)
      row_times(values, c, a, n, b + j, 2, to + j);
    else if (n - j >= 8)
      row_times(values, c, a, n, b + j, 1, to + j);
    j = n / 8 * 8;
    for (size_t t = j; t < n; t++) to[t] = 0;
    for (size_t e = 0; j < n && e < values; e++)
      for (size_t t = j; t < n; t++) to[t] += a[e] * b[(size_t)c[e] * n + t];
  }
}

/* 8 width columns of S'B from one row. */
INLINE void add_row(size_t values, const int32_t *col, const double *at, size_t n, const double *b, size_t width,
                    double *out)
{
  lanes row[4];
  UNROLL for (size_t h = 0; h < width; h++) row[h] = ((const lanes *)b)[h];
  for (size_t e = 0; e < values; e++) {
    lanes *sum = (lanes *)(out + (size_t)col[e] * n);
    UNROLL for (size_t h = 0; h < width; h++) sum[h] += at[e] * row[h];
  }
}

MN_CLONES(void, mn_csr_add_transposed_rows,
          (size_t rows, const size_t *start, const int32_t *col, const double *at, size_t n, const double *b,
           double *out),
          (rows, start, col, at, n, b, out))
{
  for (size_t i = 0; i < rows; i++) {
    const size_t values = start[i + 1] - start[i];
    const int32_t *c = col + start[i];
    const double *a = at + start[i], *from = b + i * n;
    size_t j = 0;
    for (; j + 32 <= n; j += 32) add_row(values, c, a, n, from + j, 4, out + j);
    if (n - j >= 24)
      add_row(values, c, a, n, from + j, 3, out + j);
    else if (n - j >= 16)
      add_row(values, c, a, n, from + j, 2, out + j);
    else if (n - j >= 8)
      add_row(values, c, a, n, from + j, 1, out + j);
    j = n / 8 * 8;
    for (size_t e = 0; j < n && e < values; e++)
      for (size_t t = j; t < n; t++) out[(size_t)c[e] * n + t] += a[e] * from[t];
  }
}

#include "nmf_kernel.h"
#include "../core/clones.h"

typedef double lanes __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(64), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* Rows begin..begin+7 of a (n x ld) as columns of out (ld x 8); rows from n on are 0. */
INLINE void gather(size_t begin, size_t n, size_t k, size_t ld, const double *a, double shift, double *out)
{
  for (size_t t = 0; t < k; t++)
    for (size_t r = 0; r < 8; r++) out[t * 8 + r] = begin + r < n ? a[(begin + r) * ld + t] - shift : 0;
}

/* One step for coordinate t of eight rows; adds to their violations. */
INLINE void step(size_t t, size_t k, const double *g, const lanes *c, lanes *w, lanes *violation)
{
  lanes even = -c[t], odd = { 0 };
  size_t r = 0;
  for (; r + 1 < k; r += 2) {
    even += g[r] * w[r];
    odd += g[r + 1] * w[r + 1];
  }
  if (r < k) even += g[r] * w[r];
  const lanes gradient = even + odd, zero = { 0 };
  const mask negative = gradient < zero, counts = (w[t] > zero) | negative;
  const lanes size = (lanes)(((mask)gradient & ~negative) | ((mask)-gradient & negative));
  *violation += (lanes)((mask)size & counts);
  if (!(g[t] > 0)) return;
  const lanes next = w[t] - gradient / g[t];
  w[t] = (lanes)((mask)next & (next > zero));
}

MN_CLONES(double, mn_nmf_descend,
          (size_t rows, size_t k, size_t ld, const double *g, double l1, const double *c, double *w, double *buffer),
          (rows, k, ld, g, l1, c, w, buffer))
{
  double *turned = buffer + 8 * ld, sum = 0;
  for (size_t begin = 0; begin < rows; begin += 8) {
    lanes violation = { 0 };
    gather(begin, rows, k, ld, c, l1, buffer);
    gather(begin, rows, k, ld, w, 0, turned);
    for (size_t t = 0; t < k; t++) step(t, k, g + t * ld, (const lanes *)buffer, (lanes *)turned, &violation);
    for (size_t r = 0; r < 8 && begin + r < rows; r++) {
      sum += violation[r];
      for (size_t t = 0; t < k; t++) w[(begin + r) * ld + t] = turned[t * 8 + r];
    }
  }
  return sum;
}

MN_CLONES(void, mn_nmf_fit_values,
          (size_t rows, const size_t *start, const int32_t *col, size_t ld, const double *w, const double *h,
           double *fit),
          (rows, start, col, ld, w, h, fit))
{
  for (size_t i = 0; i < rows; i++)
    for (size_t e = start[i]; e < start[i + 1]; e++) {
      const double *a = w + i * ld, *b = h + (size_t)col[e] * ld;
      lanes sum = { 0 };
      for (size_t j = 0; j < ld; j += 8) sum += *(const lanes *)(a + j) * *(const lanes *)(b + j);
      fit[e] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

#include "columns_kernel.h"
#include <string.h>

#define EXPONENT UINT64_C(0x7ff0000000000000)
#define ONE UINT64_C(0x3ff0000000000000)

/* All ones for a finite value, 0 for NaN and infinity. Uses bits, because fast math may remove a comparison. */
static inline uint64_t finite_mask(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & EXPONENT) == EXPONENT ? 0 : ~UINT64_C(0);
}

static inline double masked(double x, uint64_t mask)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= mask;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline double one_or_zero(uint64_t mask)
{
  const uint64_t bits = ONE & mask;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

MN_CLONES(void, mn_sum_groups,
          (size_t groups, size_t width, const double *restrict x, double *restrict sum, double *restrict count),
          (groups, width, x, sum, count))
{
  for (size_t g = 0; g < groups; g++, x += width)
    for (size_t t = 0; t < width; t++) {
      const uint64_t mask = finite_mask(x[t]);
      sum[t] += masked(x[t], mask);
      count[t] += one_or_zero(mask);
    }
}

MN_CLONES(void, mn_square_groups,
          (size_t groups, size_t width, const double *restrict x, const double *restrict mean, double *restrict rest,
           double *restrict square),
          (groups, width, x, mean, rest, square))
{
  for (size_t g = 0; g < groups; g++, x += width)
    for (size_t t = 0; t < width; t++) {
      const double d = masked(x[t] - mean[t], finite_mask(x[t]));
      rest[t] += d;
      square[t] += d * d;
    }
}

MN_CLONES(void, mn_sum_weighted,
          (size_t rows, size_t cols, const double *restrict x, const double *restrict weight, double *restrict sum,
           double *restrict count),
          (rows, cols, x, weight, sum, count))
{
  for (size_t i = 0; i < rows; i++, x += cols)
    for (size_t j = 0; j < cols; j++) {
      const uint64_t mask = finite_mask(x[j]);
      sum[j] += weight[i] * masked(x[j], mask);
      count[j] += masked(weight[i], mask);
    }
}

MN_CLONES(void, mn_square_weighted,
          (size_t rows, size_t cols, const double *restrict x, const double *restrict weight,
           const double *restrict mean, double *restrict rest, double *restrict square),
          (rows, cols, x, weight, mean, rest, square))
{
  for (size_t i = 0; i < rows; i++, x += cols)
    for (size_t j = 0; j < cols; j++) {
      const double d = masked(x[j] - mean[j], finite_mask(x[j]));
      rest[j] += weight[i] * d;
      square[j] += weight[i] * d * d;
    }
}

/* x, or `bound` if x is masked out. */
static inline double select_or(double x, double bound, uint64_t mask)
{
  uint64_t a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &bound, sizeof b);
  a = (a & mask) | (b & ~mask);
  memcpy(&x, &a, sizeof x);
  return x;
}

MN_CLONES(void, mn_range_groups,
          (size_t groups, size_t width, const double *restrict x, double *restrict low, double *restrict high),
          (groups, width, x, low, high))
{
  for (size_t g = 0; g < groups; g++, x += width)
    for (size_t t = 0; t < width; t++) {
      const uint64_t mask = finite_mask(x[t]);
      const double a = select_or(x[t], low[t], mask), b = select_or(x[t], high[t], mask);
      low[t] = a < low[t] ? a : low[t];
      high[t] = b > high[t] ? b : high[t];
    }
}

MN_CLONES(double, mn_largest_absolute, (size_t n, const double *restrict x), (n, x))
{
  double largest = 0;
  for (size_t j = 0; j < n; j++) {
    const double size = x[j] < 0 ? -x[j] : x[j];
    largest = size > largest ? size : largest;
  }
  return largest;
}

MN_CLONES(void, mn_exceeds, (size_t n, const double *restrict x, double threshold, double *restrict out),
          (n, x, threshold, out))
{
  for (size_t j = 0; j < n; j++) out[j] = x[j] > threshold ? 1 : 0;
}

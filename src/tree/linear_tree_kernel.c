#include "linear_tree_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_linear_add_row, (size_t s, double w, const double *restrict u, double *restrict sums),
          (s, w, u, sums))
{
  for (size_t a = 0; a < s; a++) {
    const double wu = w * u[a];
    for (size_t b = a; b < s; b++) sums[a * s + b] += wu * u[b];
  }
}

/* The entry of a and b of an upper triangle. */
static inline __attribute__((always_inline)) double *entry(double *sums, size_t full, size_t a, size_t b)
{
  return a < b ? sums + a * full + b : sums + b * full + a;
}

MN_CLONES(void, mn_linear_fill_missing,
          (size_t s, size_t q, const uint32_t *restrict gap, const double *restrict sums,
           const double *restrict without, double *restrict buffer, double *restrict out),
          (s, q, gap, sums, without, buffer, out))
{
  const size_t full = s + q, p = s - 2;
  for (size_t i = 0; i < full * full; i++) buffer[i] = without ? sums[i] - without[i] : sums[i];
  for (size_t k = 0; k < q; k++) {
    const size_t j = gap[k], r = s + k;
    const double known = buffer[r * full + r], sum = *entry(buffer, full, j, r);
    const double present = known > 1e-12 * buffer[p * full + p]; /* otherwise the remaining weight is rounding error */
    const double mean = present > 0 ? sum / known : 0;
    const double own = buffer[j * full + j] - mean * sum;
    for (size_t t = 0; t < full; t++) {
      double *at = entry(buffer, full, j, t);
      *at = present * (*at - mean * *entry(buffer, full, r, t));
    }
    buffer[j * full + j] = present * own;
  }
  for (size_t i = 0; i < s; i++)
    for (size_t j = i; j < s; j++) out[i * s + j] = buffer[i * full + j];
}

/* For A in rows 0..p-1 of `a` (upper triangle, positive definite), r in their last column and A b = r: r'b + alpha
 * |b|^2. In place, with b in the column before the last. A column whose pivot is lost to rounding is left out. */
static inline __attribute__((always_inline)) double explained_squares(size_t s, size_t p, double alpha,
                                                                      double *restrict a)
{
  double explained = 0;
  for (size_t k = 0; k < p; k++) {
    const double *restrict row = a + k * s;
    if (!(row[k] > 0)) continue;
    const double inverse = 1 / row[k];
    explained += row[s - 1] * row[s - 1] * inverse;
    for (size_t i = k + 1; i < p; i++) {
      const double factor = row[i] * inverse;
      double *restrict below = a + i * s;
      for (size_t j = i; j < s; j++) below[j] -= factor * row[j];
    }
  }
  for (size_t k = p; k-- > 0;) {
    double *restrict row = a + k * s, sum = row[s - 1];
    for (size_t j = k + 1; j < p; j++) sum -= row[j] * a[j * s + p];
    const double b = row[k] > 0 ? sum / row[k] : 0;
    row[p] = b;
    explained += alpha * b * b;
  }
  return explained;
}

MN_CLONES(double, mn_linear_rss,
          (size_t s, double alpha, const double *restrict sums, const double *restrict without,
           double *restrict buffer),
          (s, alpha, sums, without, buffer))
{
  const size_t p = s - 2;
  for (size_t i = 0; i < s * s; i++) buffer[i] = without ? sums[i] - without[i] : sums[i];
  const double weight = buffer[p * s + p], y = buffer[p * s + p + 1] / weight;
  for (size_t i = 0; i < p; i++) { /* about the means */
    const double mean = buffer[i * s + p] / weight;
    for (size_t j = i; j < p; j++) buffer[i * s + j] -= mean * buffer[j * s + p];
    buffer[i * s + p + 1] -= mean * buffer[p * s + p + 1];
    buffer[i * s + i] += alpha;
  }
  const double square = buffer[(p + 1) * s + p + 1] - y * buffer[p * s + p + 1];
  return square - explained_squares(s, p, alpha, buffer);
}

#include "ordered.h"
#include "../core/clones.h"
#include <math.h>

MN_EXACT_BEGIN

enum { LANES = 16, ROWS = 8 };

static inline double add_lanes(const double *lane)
{
  double sum[LANES / 2];
  for (int l = 0; l < LANES / 2; l++) sum[l] = lane[l] + lane[l + LANES / 2];
  for (int half = LANES / 4; half > 0; half /= 2)
    for (int l = 0; l < half; l++) sum[l] += sum[l + half];
  return sum[0];
}

/* Define double `sum` as the ordered sum of `term`, an expression in j, over j < n. */
#define ORDERED_SUM(sum, n, term)                                                                                      \
  double sum = 0;                                                                                                      \
  const size_t full = (n) / LANES * LANES;                                                                             \
  if (full > 0) {                                                                                                      \
    double lane[LANES] = { 0 };                                                                                        \
    for (size_t at = 0; at < full; at += LANES)                                                                        \
      for (size_t l = 0; l < LANES; l++) {                                                                             \
        const size_t j = at + l;                                                                                       \
        lane[l] += (term);                                                                                             \
      }                                                                                                                \
    sum = add_lanes(lane);                                                                                             \
  }                                                                                                                    \
  for (size_t j = full; j < (n); j++) sum += (term)

MN_CLONES(double, mn_ordered_dot, (size_t n, const double *x, const double *y), (n, x, y))
{
  MN_EXACT
  ORDERED_SUM(sum, n, x[j] * y[j]);
  return sum;
}

MN_CLONES(double, mn_ordered_distance2, (size_t n, const double *x, const double *y), (n, x, y))
{
  MN_EXACT
  ORDERED_SUM(sum, n, (x[j] - y[j]) * (x[j] - y[j]));
  return sum;
}

MN_CLONES(double, mn_ordered_abs_sum, (size_t n, const double *x), (n, x))
{
  MN_EXACT
  ORDERED_SUM(sum, n, fabs(x[j]));
  return sum;
}

/* The dot product over the full groups of sixteen. */
static inline double dot_full_groups(size_t full, const double *x, const double *y)
{
  double lane[LANES] = { 0 };
  for (size_t at = 0; at < full; at += LANES)
    for (size_t l = 0; l < LANES; l++) lane[l] += x[at + l] * y[at + l];
  return add_lanes(lane);
}

/* Eight rows at a time for the terms added one after the other: each addition waits for the previous one of its row. */
MN_CLONES(void, mn_ordered_dots,
          (size_t n, size_t p, const double *restrict x, const double *restrict b, double start, double *restrict out,
           size_t step),
          (n, p, x, b, start, out, step))
{
  MN_EXACT
  const size_t full = p / LANES * LANES;
  size_t i = 0;
  for (; i + ROWS <= n; i += ROWS, x += ROWS * p) {
    double sum[ROWS] = { 0 };
    for (size_t r = 0; full > 0 && r < ROWS; r++) sum[r] = dot_full_groups(full, x + r * p, b);
    for (size_t j = full; j < p; j++)
      for (size_t r = 0; r < ROWS; r++) sum[r] += x[r * p + j] * b[j];
    for (size_t r = 0; r < ROWS; r++) out[(i + r) * step] = start + sum[r];
  }
  for (; i < n; i++, x += p) out[i * step] = start + mn_ordered_dot(p, x, b);
}

MN_CLONES(void, mn_ordered_distances2,
          (size_t n, size_t d, const double *restrict x, const double *restrict q, double *restrict out),
          (n, d, x, q, out))
{
  MN_EXACT
  for (size_t i = 0; i < n; i++, x += d) {
    ORDERED_SUM(sum, d, (x[j] - q[j]) * (x[j] - q[j]));
    out[i] = sum;
  }
}

MN_CLONES(void, mn_ordered_manhattan,
          (size_t n, size_t d, const double *restrict x, const double *restrict q, double *restrict out),
          (n, d, x, q, out))
{
  MN_EXACT
  for (size_t i = 0; i < n; i++, x += d) {
    ORDERED_SUM(sum, d, fabs(x[j] - q[j]));
    out[i] = sum;
  }
}

MN_CLONES(void, mn_ordered_gaussian,
          (size_t n, size_t p, size_t k, const double *restrict x, const double *restrict mean,
           const double *restrict scale, const double *restrict start, double *restrict out),
          (n, p, k, x, mean, scale, start, out))
{
  MN_EXACT
  for (size_t i = 0; i < n; i++, x += p)
    for (size_t c = 0; c < k; c++) {
      const double *from = mean + c * p, *by = scale + c * p;
      ORDERED_SUM(sum, p, (x[j] - from[j]) * (x[j] - from[j]) * by[j]);
      out[i * k + c] = start[c] - sum;
    }
}

MN_EXACT_END

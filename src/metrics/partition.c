#include "partition.h"
#include "../stats/argsort.h"
#include <float.h>
#include <math.h>

static void add_sizes(size_t n, const int32_t *code, const double *w, double *size)
{
  for (size_t i = 0; i < n; i++) size[code[i]] += w ? w[i] : 1;
}

/* Group rows by code: rows[start[c] .. start[c + 1] - 1] have code c, in order. start has size + 2 elements. */
static void group_rows(size_t n, const int32_t *code, size_t size, size_t *start, size_t *rows)
{
  for (size_t c = 0; c < size + 2; c++) start[c] = 0;
  for (size_t i = 0; i < n; i++) start[(size_t)code[i] + 2]++;
  for (size_t c = 2; c < size + 2; c++) start[c] += start[c - 1];
  for (size_t i = 0; i < n; i++) rows[start[(size_t)code[i] + 1]++] = i;
}

static double entropy(size_t size, const double *part, double total, size_t *parts, double *squares)
{
  double sum = 0;
  *parts = 0;
  *squares = 0;
  for (size_t c = 0; c < size; c++) {
    if (!(part[c] > 0)) continue;
    sum -= part[c] / total * log(part[c] / total);
    *squares += part[c] * part[c];
    ++*parts;
  }
  return *parts > 1 ? sum : 0;
}

/* The mutual information term of parts of weights `size` and `other` with common weight `both`. */
static double information_of(double both, double size, double other, double total)
{
  const double term = both / total * log(both * total / (size * other));
  return fabs(term) < DBL_EPSILON ? 0 : term;
}

mn_status mn_agree(mn_context *ctx, size_t n, const int32_t *a, size_t a_size, const int32_t *b, size_t b_size,
                   const double *w, mn_agreement *out)
{
  double *a_part = MN_NEW(ctx, double, a_size, 1), *b_part = MN_NEW(ctx, double, b_size, 1);
  double *both = MN_NEW(ctx, double, b_size, 1);
  size_t *start = MN_RAW(ctx, size_t, a_size + 2, 1), *rows = MN_RAW(ctx, size_t, n, 1);
  int32_t *touched = MN_RAW(ctx, int32_t, b_size, 1);
  MN_CHECK_ALLOC(a_part);
  MN_CHECK_ALLOC(b_part);
  MN_CHECK_ALLOC(both);
  MN_CHECK_ALLOC(start);
  MN_CHECK_ALLOC(rows);
  MN_CHECK_ALLOC(touched);
  add_sizes(n, a, w, a_part);
  add_sizes(n, b, w, b_part);
  group_rows(n, a, a_size, start, rows);
  *out = (mn_agreement){ 0 };
  for (size_t c = 0; c < a_size; c++) out->total += a_part[c];
  out->a_entropy = entropy(a_size, a_part, out->total, &out->a_parts, &out->a_cells);
  out->b_entropy = entropy(b_size, b_part, out->total, &out->b_parts, &out->b_cells);
  for (size_t c = 0; c < a_size; c++) {
    size_t count = 0;
    for (size_t i = start[c]; i < start[c + 1]; i++) {
      const int32_t other = b[rows[i]];
      const double weight = w ? w[rows[i]] : 1;
      if (both[other] == 0 && weight > 0) touched[count++] = other;
      both[other] += weight;
    }
    for (size_t t = 0; t < count; t++) {
      const double common = both[touched[t]];
      out->cells += common * common;
      out->information += information_of(common, a_part[c], b_part[touched[t]], out->total);
      both[touched[t]] = 0;
    }
  }
  if (!(out->information > 0) || out->a_parts < 2 || out->b_parts < 2) out->information = 0;
  return MN_OK;
}

/* --- expected by chance --- */

static const double negligible = 1e-25; /* relative to the mode: far below the rounding of the sum */

/* x / n log(n x / (a b)), 0 at 0 */
static double gain(double x, double a, double b, double n)
{
  return x > 0 ? x / n * log(n * x / (a * b)) : 0;
}

/* The expectation of `gain` if parts of sizes a and b of n rows have x rows in common by chance: P(x + 1) / P(x) =
 * (a - x)(b - x) / ((x + 1)(n - a - b + x + 1)). */
static double expected_gain(double a, double b, double n)
{
  const double low = fmax(0, a + b - n), high = fmin(a, b);
  const double mode = fmin(fmax(floor((a + 1) * (b + 1) / (n + 2)), low), high);
  double mass = 1, sum = gain(mode, a, b, n), p = 1;
  for (double x = mode; x < high && p > negligible; x++) {
    p *= (a - x) * (b - x) / ((x + 1) * (n - a - b + x + 1));
    mass += p;
    sum += p * gain(x + 1, a, b, n);
  }
  p = 1;
  for (double x = mode; x > low && p > negligible; x--) {
    p *= x * (n - a - b + x) / ((a - x + 1) * (b - x + 1));
    mass += p;
    sum += p * gain(x - 1, a, b, n);
  }
  return sum / mass;
}

/* The distinct sizes > 0 of the parts, ascending, and the number of parts of each size. */
static mn_status distinct_sizes(mn_context *ctx, size_t n, const int32_t *code, size_t parts, const double *w,
                                double **size, double **times, size_t *count)
{
  double *part = MN_NEW(ctx, double, parts, 1);
  size_t *order = MN_RAW(ctx, size_t, parts, 1);
  *size = MN_RAW(ctx, double, parts, 1);
  *times = MN_RAW(ctx, double, parts, 1);
  MN_CHECK_ALLOC(part);
  MN_CHECK_ALLOC(order);
  MN_CHECK_ALLOC(*size);
  MN_CHECK_ALLOC(*times);
  add_sizes(n, code, w, part);
  MN_TRY(mn_argsort(ctx, parts, part, 1, order));
  *count = 0;
  for (size_t c = 0; c < parts; c++) {
    const double value = part[order[c]];
    if (!(value > 0)) continue;
    if (*count == 0 || (*size)[*count - 1] != value) {
      (*size)[*count] = value;
      (*times)[(*count)++] = 0;
    }
    (*times)[*count - 1]++;
  }
  return MN_OK;
}

mn_status mn_expected_information(mn_context *ctx, size_t n, const int32_t *a, size_t a_size, const int32_t *b,
                                  size_t b_size, const double *w, double *expected)
{
  double *size[2], *times[2], total = 0;
  size_t count[2];
  MN_TRY(distinct_sizes(ctx, n, a, a_size, w, &size[0], &times[0], &count[0]));
  MN_TRY(distinct_sizes(ctx, n, b, b_size, w, &size[1], &times[1], &count[1]));
  for (size_t i = 0; i < count[0]; i++) total += size[0][i] * times[0][i];
  *expected = 0;
  for (size_t i = 0; i < count[0]; i++) {
    MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < count[1]; j++)
      *expected += times[0][i] * times[1][j] * expected_gain(size[0][i], size[1][j], total);
  }
  return MN_OK;
}

#include "probability.h"
#include "../stats/quantile.h"
#include <float.h>
#include <math.h>

static const double sum_tolerance = 1e-6; /* for probabilities that were stored as float32 or text */

mn_status mn_check_probabilities(mn_context *ctx, size_t n, size_t k, const double *p)
{
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t c = 0; c < k; c++) {
      const double value = p[i * k + c];
      sum += value;
      if (value >= 0 && value <= 1) continue;
      return k > 1 ? mn_fail(ctx, MN_BAD_DATA, "probabilities must be from 0 to 1, got %s in row %zu, column %zu",
                             mn_format_number(number, value), i + 1, c + 1)
                   : mn_fail(ctx, MN_BAD_DATA, "probabilities must be from 0 to 1, got %s in row %zu",
                             mn_format_number(number, value), i + 1);
    }
    if (k > 1 && !(fabs(sum - 1) <= sum_tolerance))
      return mn_fail(ctx, MN_BAD_DATA, "rows of probabilities must add up to 1, got %s in row %zu",
                     mn_format_number(number, sum), i + 1);
  }
  return MN_OK;
}

static double weight_of(const double *w, size_t i)
{
  return w ? w[i] : 1;
}

static double clip(double p)
{
  return p < DBL_EPSILON ? DBL_EPSILON : p > 1 - DBL_EPSILON ? 1 - DBL_EPSILON : p;
}

double mn_log_loss(size_t n, size_t k, const int32_t *code, const double *p, const double *w)
{
  double sum = 0, total = 0;
  for (size_t i = 0; i < n; i++) {
    const double own = k > 1 ? p[i * k + (size_t)code[i]] : code[i] == 1 ? p[i] : 1 - p[i];
    sum -= weight_of(w, i) * log(clip(own));
    total += weight_of(w, i);
  }
  return sum / total;
}

double mn_brier(size_t n, size_t k, const int32_t *code, const double *p, const double *w)
{
  double sum = 0, total = 0;
  for (size_t i = 0; i < n; i++) {
    double square = 0;
    for (size_t c = 0; c < k; c++) {
      const double truth = k > 1 ? code[i] == (int32_t)c : code[i] == 1;
      const double off = p[i * k + c] - truth;
      square += off * off;
    }
    sum += weight_of(w, i) * square;
    total += weight_of(w, i);
  }
  return sum / total;
}

double mn_top_hits(size_t n, size_t k, const int32_t *code, const double *score, const double *w, size_t top)
{
  double hits = 0;
  for (size_t i = 0; i < n; i++) {
    const double *row = score + i * k;
    const size_t own = (size_t)code[i];
    size_t above = 0;
    for (size_t c = 0; c < k; c++) above += row[c] > row[own] || (c < own && row[c] == row[own]);
    if (above < top) hits += weight_of(w, i);
  }
  return hits;
}

static double margin(size_t k, int32_t code, const double *row)
{
  if (k == 1) return code == 1 ? row[0] : -row[0];
  double other = -(double)INFINITY;
  for (size_t c = 0; c < k; c++)
    if (c != (size_t)code && row[c] > other) other = row[c];
  return row[code] - other;
}

double mn_hinge(size_t n, size_t k, const int32_t *code, const double *score, const double *w)
{
  double sum = 0, total = 0;
  for (size_t i = 0; i < n; i++) {
    const double loss = 1 - margin(k, code[i], score + i * k);
    if (loss > 0) sum += weight_of(w, i) * loss;
    total += weight_of(w, i);
  }
  return sum / total;
}

/* The inner edges of the bins. */
static mn_status set_edges(mn_context *ctx, size_t n, const double *p, const double *w, size_t bins, bool quantile,
                           double *edge)
{
  for (size_t b = 1; b < bins; b++) edge[b - 1] = (double)b / (double)bins;
  if (!quantile || bins == 1) return MN_OK;
  double *level = MN_RAW(ctx, double, bins, 1), *kept = MN_RAW(ctx, double, n, 2);
  MN_CHECK_ALLOC(level);
  MN_CHECK_ALLOC(kept);
  size_t rows = 0; /* mn_quantiles requires weights > 0 */
  for (size_t b = 1; b < bins; b++) level[b - 1] = edge[b - 1];
  for (size_t i = 0; i < n; i++) {
    if (!(weight_of(w, i) > 0)) continue;
    kept[rows] = p[i];
    kept[n + rows++] = weight_of(w, i);
  }
  return mn_quantiles(ctx, rows, kept, w ? kept + n : NULL, bins - 1, level, edge);
}

/* The first bin whose upper edge is not below p. */
static size_t bin_of(double p, size_t bins, const double *edge)
{
  size_t low = 0, high = bins - 1;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (edge[mid] < p)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

mn_status mn_calibration(mn_context *ctx, size_t n, const int32_t *code, const double *p, const double *w, size_t bins,
                         bool quantile, double *weight, double *p_sum, double *y_sum)
{
  double *edge = MN_RAW(ctx, double, bins, 1);
  MN_CHECK_ALLOC(edge);
  MN_TRY(set_edges(ctx, n, p, w, bins, quantile, edge));
  for (size_t b = 0; b < bins; b++) weight[b] = p_sum[b] = y_sum[b] = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t b = bin_of(p[i], bins, edge);
    weight[b] += weight_of(w, i);
    p_sum[b] += weight_of(w, i) * p[i];
    if (code[i] == 1) y_sum[b] += weight_of(w, i);
  }
  return MN_OK;
}

#include "mutual_information.h"
#include "../core/rng.h"
#include "../search/neighbor_index.h"
#include "../stats/argsort.h"
#include "../stats/special.h"
#include <math.h>
#include <string.h>

/* --- columns --- */

/* Values divided by their standard deviation, which does not overflow; unchanged if they are equal. */
static void scale(size_t n, const double *x, size_t step, mn_mi_column *column)
{
  double largest = 0, mean = 0, square = 0;
  column->constant = true;
  for (size_t i = 0; i < n; i++) {
    largest = fmax(largest, fabs(x[i * step]));
    if (x[i * step] < x[0] || x[i * step] > x[0]) column->constant = false;
  }
  const double unit = largest > 0 ? largest : 1;
  for (size_t i = 0; i < n; i++) {
    column->x[i] = x[i * step] / unit;
    mean += (column->x[i] - mean) / (double)(i + 1);
  }
  for (size_t i = 0; i < n; i++) square += (column->x[i] - mean) * (column->x[i] - mean);
  const double std = sqrt(square / (double)n);
  for (size_t i = 0; i < n && std > 0; i++) column->x[i] /= std;
}

static void add_noise(mn_mi_column *column, uint64_t stream)
{
  mn_rng rng = mn_stream(0, stream);
  double size = 0;
  for (size_t i = 0; i < column->n; i++) size += fabs(column->x[i]) / (double)column->n;
  for (size_t i = 0; i < column->n; i++) column->x[i] += 1e-10 * fmax(1, size) * mn_random_normal(&rng);
}

mn_status mn_mi_continuous(mn_context *ctx, size_t n, const double *x, size_t step, uint64_t stream,
                           mn_mi_column *column)
{
  *column = (mn_mi_column){ .n = n, .x = MN_RAW(ctx, double, n, 1), .sorted = MN_RAW(ctx, double, n, 1) };
  column->order = MN_RAW(ctx, size_t, n, 1);
  if (!column->x || !column->sorted || !column->order) return MN_NO_MEMORY;
  scale(n, x, step, column);
  add_noise(column, stream);
  MN_TRY(mn_argsort(ctx, n, column->x, 1, column->order));
  for (size_t i = 0; i < n; i++) column->sorted[i] = column->x[column->order[i]];
  return MN_OK;
}

static mn_status count_values(mn_context *ctx, mn_mi_column *column)
{
  size_t used = 0;
  column->count = MN_NEW(ctx, size_t, column->values, 1);
  MN_CHECK_ALLOC(column->count);
  for (size_t i = 0; i < column->n; i++) column->count[column->code[i]]++;
  for (size_t c = 0; c < column->values; c++) used += column->count[c] > 0;
  column->constant = used == 1;
  return MN_OK;
}

mn_status mn_mi_labels(mn_context *ctx, size_t n, const int32_t *code, size_t values, mn_mi_column *column)
{
  *column = (mn_mi_column){ .n = n, .values = values, .code = code };
  return count_values(ctx, column);
}

mn_status mn_mi_discrete(mn_context *ctx, size_t n, const double *x, size_t step, mn_mi_column *column)
{
  size_t *order = MN_RAW(ctx, size_t, n, 1), values = 0;
  int32_t *code = MN_RAW(ctx, int32_t, n, 1);
  if (!order || !code) return MN_NO_MEMORY;
  MN_TRY(mn_argsort(ctx, n, x, step, order));
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && x[order[i] * step] > x[order[i - 1] * step]) values++;
    code[order[i]] = (int32_t)values;
  }
  return mn_mi_labels(ctx, n, code, values + 1, column);
}

double *mn_mi_digamma(mn_context *ctx, size_t n)
{
  double *psi = MN_RAW(ctx, double, n + 1, 1);
  for (size_t i = 0; psi && i <= n; i++) psi[i] = i > 0 ? mn_digamma((double)i) : 0;
  return psi;
}

/* --- counts in one dimension --- */

/* Rows whose distance to value i of n sorted ones is less than `radius`, row i included if radius > 0. */
static size_t count_nearer(size_t n, const double *sorted, double value, double radius)
{
  size_t low = 0, high = n;
  while (low < high) { /* the first that is near enough */
    const size_t middle = low + (high - low) / 2;
    if (value - sorted[middle] < radius)
      high = middle;
    else
      low = middle + 1;
  }
  const size_t first = low;
  high = n;
  while (low < high) { /* the first that is too far again */
    const size_t middle = low + (high - low) / 2;
    if (sorted[middle] - value < radius)
      low = middle + 1;
    else
      high = middle;
  }
  return low - first;
}

/* Distance from each of n sorted values to its k-th neighbor: the k + 1 nearest are consecutive, and the first of them
 * moves up only. */
static void neighbor_radii(size_t n, const double *sorted, size_t k, double *radius)
{
  size_t first = 0;
  for (size_t i = 0; i < n; i++) {
    if (first + k < i) first = i - k;
    while (first < i && first + k + 1 < n && sorted[first + k + 1] - sorted[i] < sorted[i] - sorted[first]) first++;
    radius[i] = fmax(sorted[i] - sorted[first], sorted[first + k] - sorted[i]);
  }
}

/* --- estimates --- */

/* The rows in the order of their discrete value, those of each value in the order `rows`; NULL: as they are. start: of
 * each value. */
static size_t *group_rows(mn_context *ctx, const mn_mi_column *a, const size_t *rows, size_t **start)
{
  size_t *grouped = MN_RAW(ctx, size_t, a->n, 1), *end = MN_NEW(ctx, size_t, a->values + 1, 1);
  *start = MN_NEW(ctx, size_t, a->values + 1, 1);
  if (!grouped || !end || !*start) return NULL;
  for (size_t c = 0; c < a->values; c++) (*start)[c + 1] = end[c + 1] = (*start)[c] + a->count[c];
  for (size_t i = 0; i < a->n; i++) {
    const size_t row = rows ? rows[i] : i;
    grouped[end[a->code[row]]++] = row;
  }
  return grouped;
}

static mn_status of_discrete(mn_context *ctx, const mn_mi_column *a, const mn_mi_column *b, double *information)
{
  size_t *start, *rows = group_rows(ctx, a, NULL, &start), *pairs = MN_NEW(ctx, size_t, b->values, 1);
  if (!rows || !pairs) return MN_NO_MEMORY;
  const double n = (double)a->n;
  double sum = 0;
  for (size_t c = 0; c < a->values; c++) {
    for (size_t i = start[c]; i < start[c + 1]; i++) pairs[b->code[rows[i]]]++;
    for (size_t i = start[c]; i < start[c + 1]; i++) {
      const int32_t d = b->code[rows[i]];
      const double both = (double)pairs[d];
      if (both > 0) sum += both / n * log(both / (double)a->count[c] * (n / (double)b->count[d]));
      pairs[d] = 0;
    }
  }
  *information = sum;
  return MN_OK;
}

/* a is discrete, b continuous. Values of a that occur once carry no information and are omitted. */
static mn_status of_mixed(mn_context *ctx, const mn_mi_column *a, const mn_mi_column *b, size_t k,
                          const double *digamma, double *information)
{
  size_t *start, *rows = group_rows(ctx, a, b->order, &start), kept = 0;
  double *own = MN_RAW(ctx, double, b->n, 1), *radius = MN_RAW(ctx, double, b->n, 1), sum = 0;
  double *all = MN_RAW(ctx, double, b->n, 1);
  if (!rows || !own || !radius || !all) return MN_NO_MEMORY;
  for (size_t i = 0; i < b->n; i++)
    if (a->count[a->code[b->order[i]]] > 1) all[kept++] = b->sorted[i];
  for (size_t c = 0; c < a->values; c++) {
    const size_t n = a->count[c], near = k < n ? k : n - 1;
    if (n < 2) continue;
    for (size_t i = 0; i < n; i++) own[i] = b->x[rows[start[c] + i]];
    neighbor_radii(n, own, near, radius);
    for (size_t i = 0; i < n; i++) {
      const size_t m = count_nearer(kept, all, own[i], radius[i]);
      sum += digamma[near] - digamma[n] - digamma[m > 0 ? m : 1];
    }
  }
  *information = kept > 0 ? digamma[kept] + sum / (double)kept : 0;
  return MN_OK;
}

static mn_status of_continuous(mn_context *ctx, const mn_mi_column *a, const mn_mi_column *b, size_t k,
                               const double *digamma, double *information)
{
  const size_t n = a->n;
  double *plane = MN_RAW(ctx, double, n, 2), *distance = MN_RAW(ctx, double, n, k), sum = 0;
  int32_t *found = MN_RAW(ctx, int32_t, n, k);
  if (!plane || !distance || !found) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    plane[2 * i] = a->x[i];
    plane[2 * i + 1] = b->x[i];
  }
  const mn_points points = { .n = n, .d = 2, .x = plane };
  const mn_index_options options = {
    .metric = { .kind = MN_METRIC_CHEBYSHEV }, .algorithm = MN_INDEX_KD_TREE, .leaf_size = 30, .scratch = true
  };
  mn_neighbor_index index = { 0 };
  MN_TRY(mn_neighbor_index_init(ctx, "mutual information", &index, &points, options));
  MN_TRY(mn_neighbor_nearest(ctx, &index, &points, NULL, k, found, distance));
  for (size_t i = 0; i < n; i++) {
    const double radius = distance[i * k + k - 1];
    const size_t x = count_nearer(n, a->sorted, a->x[i], radius), y = count_nearer(n, b->sorted, b->x[i], radius);
    sum += digamma[x > 0 ? x : 1] + digamma[y > 0 ? y : 1]; /* n_x + 1: the row itself is counted */
  }
  *information = digamma[n] + digamma[k] - sum / (double)n;
  return MN_OK;
}

mn_status mn_mutual_information(mn_context *ctx, const mn_mi_column *a, const mn_mi_column *b, size_t k,
                                const double *digamma, double *information)
{
  const size_t near = k < a->n ? k : a->n - 1;
  *information = 0;
  if (a->constant || b->constant) return MN_OK;
  if (a->values > 0 && b->values > 0)
    MN_TRY(of_discrete(ctx, a, b, information));
  else if (a->values > 0)
    MN_TRY(of_mixed(ctx, a, b, near, digamma, information));
  else if (b->values > 0)
    MN_TRY(of_mixed(ctx, b, a, near, digamma, information));
  else
    MN_TRY(of_continuous(ctx, a, b, near, digamma, information));
  if (*information < 0) *information = 0;
  return MN_OK;
}

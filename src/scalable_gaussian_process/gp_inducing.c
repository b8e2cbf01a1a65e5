#include "gp_inducing.h"
#include "../cluster/lloyd.h"
#include "../core/hash.h"
#include "../core/rng.h"
#include "../stats/argsort.h"
#include <math.h>
#include <string.h>

enum { ROWS_PER_CENTER = 50, MAX_ROUNDS = 10 };

struct distinct {
  const double *x;
  size_t d;
  size_t *table; /* of row numbers + 1, by the hash of the row; 0: empty */
  size_t size;   /* a power of two                                       */
};

static uint64_t hash_row(const struct distinct *s, const double *row)
{
  uint64_t hash = s->d;
  for (size_t j = 0; j < s->d; j++) {
    const double value = row[j] + 0.0; /* -0 equals 0 */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = mn_hash_step(hash, bits);
  }
  return hash;
}

static bool same_row(const struct distinct *s, const double *a, const double *b)
{
  for (size_t j = 0; j < s->d; j++)
    if (a[j] < b[j] || a[j] > b[j]) return false;
  return true;
}

/* Whether no row with these values was added before; if so, add it. */
static bool add_row(struct distinct *s, size_t row)
{
  const double *x = s->x + row * s->d;
  size_t at = (size_t)hash_row(s, x) & (s->size - 1);
  while (s->table[at] > 0) {
    if (same_row(s, s->x + (s->table[at] - 1) * s->d, x)) return false;
    at = (at + 1) & (s->size - 1);
  }
  s->table[at] = row + 1;
  return true;
}

/* Copy the rows that differ, in the order of their first occurrence, to z, until there are more than m: then *count is
 * m + 1. x and z may be the same. */
static mn_status copy_distinct(mn_context *ctx, size_t n, size_t d, const double *x, size_t m, double *z, size_t *count)
{
  struct distinct s = { .x = z, .d = d, .size = 4 };
  while (s.size < 2 * (m + 2)) s.size *= 2;
  s.table = MN_NEW(ctx, size_t, s.size, 1);
  MN_CHECK_ALLOC(s.table);
  *count = 0;
  for (size_t i = 0; i < n && *count <= m; i++) {
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    memmove(z + *count * d, x + i * d, d * sizeof *z); /* z has m + 1 rows */
    *count += add_row(&s, *count);
  }
  return MN_OK;
}

/* Some of the rows, drawn without replacement with probabilities in proportion to their weights: those with the least
 * exponential variable of rate w_i. All if there are few. Efraimidis & Spirakis, Inf. Process. Lett. 97 (2006). */
static mn_status sample_rows(mn_context *ctx, const mn_data *data, size_t size, mn_rng *random, mn_data *out)
{
  const size_t n = data->rows, d = data->features;
  *out = *data;
  if (n <= size) return MN_OK;
  double *x = MN_RAW(ctx, double, size, d), *key = MN_RAW(ctx, double, n, 1);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  if (!x || !key || !order) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) key[i] = -log1p(-mn_random_uniform(random)) / mn_weight(data, i);
  MN_TRY(mn_argsort(ctx, n, key, 1, order));
  for (size_t i = 0; i < size; i++) memcpy(x + i * d, mn_row(&data->x, order[i]), d * sizeof *x);
  *out = (mn_data){ .x = { .at = x, .rows = size, .cols = d }, .rows = size, .features = d };
  return MN_OK;
}

/* Move the centers to the means of their rows, a few times. Centers without rows stay. */
static mn_status improve(mn_context *ctx, const mn_data *data, size_t k, double *centers)
{
  const size_t d = data->features;
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  double *sums = MN_RAW(ctx, double, k, d), *totals = MN_RAW(ctx, double, k, 1), before = INFINITY;
  if (!label || !sums || !totals) return MN_NO_MEMORY;
  for (size_t round = 0; round < MAX_ROUNDS; round++) {
    double inertia;
    MN_TRY(mn_kmeans_assign(ctx, data, k, centers, label, NULL, sums, totals, &inertia));
    if (!(inertia < before)) break;
    before = inertia;
    for (size_t c = 0; c < k; c++)
      for (size_t j = 0; totals[c] > 0 && j < d; j++) centers[c * d + j] = sums[c * d + j] / totals[c];
  }
  return MN_OK;
}

mn_status mn_gp_choose_inducing(mn_context *ctx, const mn_data *data, bool kmeans, int64_t seed, size_t m, double *z,
                                size_t *count)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t d = data->features;
  mn_rng random = mn_stream(seed, 0);
  double *rows = MN_RAW(ctx, double, m + 1, d);
  mn_data sample;
  MN_CHECK_ALLOC(rows);
  MN_TRY(copy_distinct(ctx, data->rows, d, data->x.at, m, rows, count));
  if (*count > m) {
    MN_TRY(sample_rows(ctx, data, kmeans ? ROWS_PER_CENTER * m : m, &random, &sample));
    if (kmeans) {
      const mn_kmeans_settings start = { .k = m, .init = MN_KMEANS_PLUS_PLUS, .n_init = 1, .seed = seed, .stream = 1 };
      MN_TRY(mn_kmeans_start(ctx, &start, &sample, 0, rows));
      MN_TRY(improve(ctx, &sample, m, rows));
    } else {
      memcpy(rows, sample.x.at, m * d * sizeof *rows);
    }
    double *found = MN_RAW(ctx, double, m + 1, d);
    MN_CHECK_ALLOC(found);
    MN_TRY(copy_distinct(ctx, m, d, rows, m, found, count));
    rows = found;
  }
  memcpy(z, rows, *count * d * sizeof *z);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_gp_column_scales(mn_context *ctx, const mn_kernel_rows *rows, const double **out)
{
  double *mean = MN_NEW(ctx, double, rows->d, 1), *scale = MN_NEW(ctx, double, rows->d, 1);
  if (!mean || !scale) return MN_NO_MEMORY;
  for (size_t i = 0; i < rows->n; i++)
    for (size_t j = 0; j < rows->d; j++) {
      const double x = rows->x[i * rows->d + j], apart = x - mean[j];
      mean[j] += apart / (double)(i + 1);
      scale[j] += apart * (x - mean[j]);
    }
  for (size_t j = 0; j < rows->d; j++) scale[j] = scale[j] > 0 ? sqrt(scale[j] / (double)rows->n) : 1;
  *out = scale;
  return MN_OK;
}

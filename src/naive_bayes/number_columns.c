#include "number_columns.h"
#include "../core/threads.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 15, MAX_BLOCKS = 64 };

/* Sums of one block or of several: seen, mean and sum of squares about the mean, each k x p. */
struct sums {
  double *seen, *mean, *square;
};

struct work {
  const mn_data *data;
  const bool *columns;
  double *part; /* blocks x 3 x k x p */
  mn_blocks blocks;
};

static struct sums sums_at(double *at, size_t size)
{
  return (struct sums){ .seen = at, .mean = at + size, .square = at + 2 * size };
}

/* One pass, by the updates of West, Communications of the ACM 22 (1979). */
static void moments_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const mn_data *d = w->data;
  const size_t p = d->features, size = d->classes * p;
  const struct sums s = sums_at(w->part + block * 3 * size, size);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&d->x, i), weight = mn_weight(d, i);
    for (size_t j = 0; j < p; j++) {
      const size_t at = (size_t)d->code[i] * p + j;
      if (!w->columns[j] || isnan(x[j])) continue;
      s.seen[at] += weight;
      const double delta = x[j] - s.mean[at], step = delta * weight / s.seen[at];
      s.mean[at] += step;
      s.square[at] += weight * delta * (delta - step);
    }
  }
}

/* Chan, Golub & LeVeque, The American Statistician 37 (1983). */
static void merge(double seen, double mean, double square, double *to_seen, double *to_mean, double *to_var)
{
  const double total = *to_seen + seen, delta = mean - *to_mean;
  if (!(seen > 0)) return;
  const double share = seen / total;
  *to_var = (*to_seen * *to_var + square + delta * delta * *to_seen * share) / total;
  *to_mean += delta * share;
  *to_seen = total;
}

mn_status mn_add_moments(mn_context *ctx, const mn_data *data, const bool *columns, mn_column_moments *t)
{
  const size_t k = data->classes, p = data->features, size = k * p;
  struct work w = { .data = data, .columns = columns };
  if (!t->seen.at) {
    MN_TRY(mn_matrix_init(ctx, &t->seen, k, p));
    MN_TRY(mn_matrix_init(ctx, &t->mean, k, p));
    MN_TRY(mn_matrix_init(ctx, &t->var, k, p));
  }
  const size_t most = data->rows / k / 12 + 1;
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / p + 1, most < MAX_BLOCKS ? most : MAX_BLOCKS);
  w.part = MN_NEW(ctx, double, w.blocks.count, 3 * size);
  MN_CHECK_ALLOC(w.part);
  MN_TRY(mn_parallel(ctx, w.blocks.count, moments_block, &w));
  for (size_t b = 0; b < w.blocks.count; b++) {
    const struct sums s = sums_at(w.part + b * 3 * size, size);
    for (size_t i = 0; i < size; i++)
      merge(s.seen[i], s.mean[i], s.square[i], &t->seen.at[i], &t->mean.at[i], &t->var.at[i]);
  }
  return MN_OK;
}

mn_number_moments mn_pool_moments(const mn_column_moments *t, size_t j, const double *w)
{
  mn_number_moments all = { 0 };
  for (size_t c = 0; c < t->seen.rows; c++) {
    const double seen = mn_row(&t->seen, c)[j] > 0 ? w[c] : 0;
    merge(seen, mn_row(&t->mean, c)[j], seen * mn_row(&t->var, c)[j], &all.seen, &all.mean, &all.var);
  }
  return all;
}

/* Values that grow; scratch of the size of all that can come. */
struct points {
  double *at, *weight;
  size_t size;
};

static void add_point(struct points *to, size_t first, double x, double weight)
{
  if (to->size > first && !(x > to->at[to->size - 1])) {
    to->weight[to->size - 1] += weight;
    return;
  }
  to->at[to->size] = x;
  to->weight[to->size++] = weight;
}

/* Append the values of column j in class c: `known` old ones and those of data, whose rows are ordered by value. */
static void merge_points(const mn_data *data, size_t j, int32_t c, const size_t *order, size_t known, const double *old,
                         const double *old_weight, struct points *to)
{
  const size_t first = to->size, n = data->rows;
  size_t v = 0;
  for (size_t i = 0; i < n; i++) {
    const double x = mn_row(&data->x, order[i])[j];
    if (data->code[order[i]] != c) continue;
    if (isnan(x)) break;
    for (; v < known && old[v] <= x; v++) add_point(to, first, old[v], old_weight[v]);
    add_point(to, first, x, mn_weight(data, order[i]));
  }
  for (; v < known; v++) add_point(to, first, old[v], old_weight[v]);
}

mn_status mn_add_points(mn_context *ctx, const mn_data *data, const bool *columns, mn_column_points *t)
{
  const size_t k = data->classes, p = data->features, n = data->rows;
  size_t capacity = t->at.size + 1, old = 0;
  for (size_t j = 0; j < p; j++) capacity += columns[j] ? n : 0;
  struct points to = { .at = MN_RAW(ctx, double, capacity, 1), .weight = MN_RAW(ctx, double, capacity, 1) };
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  if (!to.at || !to.weight || !order) return MN_NO_MEMORY;
  if (!t->count.at) MN_TRY(mn_matrix_init(ctx, &t->count, p, k));
  for (size_t j = 0; j < p; j++) {
    if (!columns[j]) continue;
    MN_TRY(mn_argsort(ctx, n, data->x.at + j, p, order));
    for (size_t c = 0; c < k; c++) {
      double *count = mn_row(&t->count, j) + c;
      const size_t known = (size_t)*count, first = to.size;
      merge_points(data, j, (int32_t)c, order, known, t->at.at + old, t->weight.at + old, &to);
      old += known;
      *count = (double)(to.size - first);
    }
  }
  MN_TRY(mn_vector_resize(ctx, &t->at, to.size));
  MN_TRY(mn_vector_resize(ctx, &t->weight, to.size));
  if (to.size == 0) return MN_OK;
  memcpy(t->at.at, to.at, to.size * sizeof *to.at);
  memcpy(t->weight.at, to.weight, to.size * sizeof *to.weight);
  return MN_OK;
}

mn_status mn_rule_of_thumb(mn_context *ctx, size_t n, const double *x, const double *weight, double *width)
{
  static const double levels[] = { 0.25, 0.75 };
  double total = 0, mean = 0, square = 0, quartile[2];
  const double unit = mn_weight_unit(n, weight);
  for (size_t i = 0; i < n; i++) {
    total += weight[i] / unit;
    const double delta = x[i] - mean, step = delta * (weight[i] / unit) / total;
    mean += step;
    square += weight[i] / unit * delta * (delta - step);
  }
  *width = 0;
  if (!(total > 1) || !(square > 0)) return MN_OK;
  MN_TRY(mn_quantiles(ctx, n, x, weight, 2, levels, quartile));
  const double deviation = sqrt(square / (total - 1)), spread = (quartile[1] - quartile[0]) / 1.34;
  *width = 0.9 * (spread > 0 ? fmin(deviation, spread) : deviation) * pow(total, -0.2);
  return MN_OK;
}

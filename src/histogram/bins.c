#include "bins.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "bins_kernel.h"
#include <math.h>
#include <string.h>

enum { MOST_SAMPLED = 200000, ROW_BLOCK = 256 };

/* What one thread sorts a column in. */
struct room {
  uint64_t *key, *other;
  double *weight, *other_weight;
};

struct work {
  const mn_data *data;
  mn_bins *bins;
  size_t most, sampled;
  const size_t *sample; /* NULL: all rows */
  struct room *room;    /* of each worker */
  mn_blocks blocks;
};

/* Rows at random, one from each of `n` strips of equal length. */
static size_t *sample_rows(mn_context *ctx, size_t rows, size_t n, int64_t seed)
{
  size_t *at = MN_RAW(ctx, size_t, n, 1);
  mn_rng rng = mn_stream(seed, 0);
  for (size_t i = 0; at && i < n; i++) {
    const size_t row = (size_t)(((double)i + mn_random_uniform(&rng)) * (double)rows / (double)n);
    at[i] = row < rows ? row : rows - 1;
  }
  return at;
}

/* The values of a column that are there, as keys with their weights, equal ones joined; how many. Without weights none
 * are carried through the sort, which halves what it moves. */
static size_t different_values(const struct work *w, size_t feature, const struct room *room, double *total)
{
  const mn_data *data = w->data;
  double *carried = data->weights ? room->weight : NULL;
  size_t n = 0, m = 0;
  for (size_t k = 0; k < w->sampled; k++) {
    const size_t row = w->sample ? w->sample[k] : k;
    const double x = mn_element(data, row, feature);
    if (isnan(x)) continue;
    if (carried) carried[n] = mn_weight(data, row);
    room->key[n++] = mn_key_of(x);
  }
  mn_sort_keys(n, room->key, room->other, carried, carried ? room->other_weight : NULL);
  *total = 0;
  for (size_t k = 0; k < n; k++) {
    const double weight = carried ? carried[k] : 1;
    *total += weight;
    if (m > 0 && room->key[m - 1] == room->key[k]) {
      room->weight[m - 1] += weight;
    } else {
      room->key[m] = room->key[k];
      room->weight[m++] = weight;
    }
  }
  return m;
}

/* Halfway, but below the upper one. */
static double between(uint64_t lower, uint64_t upper)
{
  const double a = mn_value_of(lower), b = mn_value_of(upper), middle = a + (b / 2 - a / 2);
  return middle < b && middle >= a ? middle : a;
}

/* Values that weigh a bin's share or more have a bin each, whatever the others do: their number and weight. What is
 * left for a bin of the others falls with each of them, which may make more of them. */
struct heavy {
  size_t n;
  double weight, least;
};

static struct heavy find_heavy(size_t n, const struct room *room, double total, size_t most)
{
  struct heavy h = { .least = total / (double)most };
  for (size_t before = SIZE_MAX; h.n != before && h.n < most;) {
    before = h.n;
    h.least = (total - h.weight) / (double)(most - h.n);
    h.n = 0;
    h.weight = 0;
    for (size_t k = 0; k < n; k++)
      if (room->weight[k] >= h.least) {
        h.n++;
        h.weight += room->weight[k];
      }
  }
  return h;
}

/* Each bin takes values until it has its share of the weight that was left when it began, heavy values left out. It
 * ends with a heavy value, or before one if it is half full. */
static size_t cut(size_t n, const struct room *room, double total, size_t most, double *edge)
{
  size_t edges = 0;
  if (n <= most) {
    for (; edges + 1 < n; edges++) edge[edges] = between(room->key[edges], room->key[edges + 1]);
    return edges;
  }
  struct heavy h = find_heavy(n, room, total, most);
  double passed = 0, begin = 0, next = h.n < most ? (total - h.weight) / (double)(most - h.n) : INFINITY;
  for (size_t k = 0; k + 1 < n && edges + 1 < most; k++) {
    const bool heavy = room->weight[k] >= h.least, before_heavy = room->weight[k + 1] >= h.least;
    passed += room->weight[k];
    if (heavy) {
      h.n--;
      h.weight -= room->weight[k];
    }
    if (!heavy && passed < next && !(before_heavy && passed - begin >= (next - begin) / 2)) continue;
    edge[edges++] = between(room->key[k], room->key[k + 1]);
    begin = passed;
    next = most - edges > h.n ? passed + (total - passed - h.weight) / (double)(most - edges - h.n) : INFINITY;
  }
  return edges;
}

static void make_edges(void *work, size_t feature, size_t worker)
{
  const struct work *w = work;
  double *edge = w->bins->edge + feature * MN_EDGE_CAPACITY, total;
  if (w->bins->categorical[feature]) return;
  const size_t n = different_values(w, feature, &w->room[worker], &total);
  const size_t edges = cut(n, &w->room[worker], total, w->most, edge);
  for (size_t k = edges; k < MN_EDGE_CAPACITY; k++) edge[k] = INFINITY;
  w->bins->count[feature] = (uint32_t)edges + 1;
}

static size_t half_of(size_t edges)
{
  size_t half = 1;
  while (2 * half - 1 < edges) half *= 2;
  return half;
}

/* A level that fit did not see, -1, is as good as missing. */
static void code_levels(size_t n, const double *x, size_t step, uint8_t missing, uint8_t *code)
{
  for (size_t i = 0; i < n; i++) {
    const double level = x[i * step];
    code[i] = level >= 0 && level < missing ? (uint8_t)level : missing;
  }
}

static uint8_t bin_of(const mn_bins *bins, size_t f, double x)
{
  uint8_t code;
  mn_bin_column(1, &x, 1, bins->edge + f * MN_EDGE_CAPACITY, half_of(bins->count[f] - 1), (uint8_t)bins->count[f],
                &code);
  return code;
}

/* What is not stored is 0. Sparse rows have no factors. */
static void code_sparse(const struct work *w, size_t begin, size_t end)
{
  const mn_bins *bins = w->bins;
  const mn_csr *s = w->data->sparse;
  for (size_t f = 0; f < bins->features; f++)
    memset(bins->column + f * bins->rows + begin, bin_of(bins, f, 0), end - begin);
  for (size_t i = begin; i < end; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      const size_t f = (size_t)s->col[e];
      bins->column[f * bins->rows + i] = bin_of(bins, f, s->at[e]);
    }
}

static void code_column(const struct work *w, size_t begin, size_t n, size_t f)
{
  const mn_bins *bins = w->bins;
  const double *x = mn_row(&w->data->x, begin) + f;
  uint8_t *column = bins->column + f * bins->rows + begin;
  const uint8_t missing = (uint8_t)bins->count[f];
  if (bins->categorical[f])
    code_levels(n, x, bins->features, missing, column);
  else
    mn_bin_column(n, x, bins->features, bins->edge + f * MN_EDGE_CAPACITY, half_of(bins->count[f] - 1), missing,
                  column);
}

static void make_codes(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const mn_bins *bins = w->bins;
  const size_t begin = mn_block_begin(&w->blocks, block), n = mn_block_end(&w->blocks, block) - begin;
  if (w->data->sparse) code_sparse(w, begin, begin + n);
  for (size_t f = 0; f < bins->features; f++) {
    const size_t group = f / MN_GROUP_COLUMNS, stride = bins->stride[group];
    uint8_t *code = bins->code[group] + begin * stride + f % MN_GROUP_COLUMNS;
    const uint8_t *column = bins->column + f * bins->rows + begin;
    if (!w->data->sparse) code_column(w, begin, n, f);
    for (size_t i = 0; i < n; i++) code[i * stride] = column[i];
  }
}

static mn_status take_levels(mn_context *ctx, const char *who, const mn_data *data, size_t most, mn_bins *bins)
{
  for (size_t f = 0; data->levels && f < bins->features; f++) {
    if (!data->levels[f]) continue;
    const size_t levels = mn_levels_size(data->levels[f]);
    if (levels > most)
      return mn_fail(
          ctx, MN_BAD_DATA,
          "%s: a factor in X must have at most max_bins = %zu levels, got %zu in column %zu; put rare levels "
          "together, or take GradientBoosting or a forest, which bear any number",
          who, most, levels, f + 1);
    bins->categorical[f] = true;
    bins->count[f] = levels > 0 ? (uint32_t)levels : 1;
  }
  return MN_OK;
}

static mn_status make_room(mn_context *ctx, struct work *w, size_t workers)
{
  w->room = MN_NEW(ctx, struct room, workers, 1);
  MN_CHECK_ALLOC(w->room);
  for (size_t k = 0; k < workers; k++) {
    struct room *room = &w->room[k];
    room->key = MN_RAW(ctx, uint64_t, w->sampled, 1);
    room->other = MN_RAW(ctx, uint64_t, w->sampled, 1);
    room->weight = MN_RAW(ctx, double, w->sampled, 1);
    room->other_weight = MN_RAW(ctx, double, w->sampled, 1);
    if (!room->key || !room->other || !room->weight || !room->other_weight) return MN_NO_MEMORY;
  }
  return MN_OK;
}

static mn_status find_edges(mn_context *ctx, struct work *w, int64_t seed)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t rows = w->data->rows, features = w->bins->features, threads = mn_threads(ctx);
  w->sampled = rows < MOST_SAMPLED ? rows : MOST_SAMPLED;
  if (w->sampled < rows) {
    w->sample = sample_rows(ctx, rows, w->sampled, seed);
    MN_CHECK_ALLOC(w->sample);
  }
  MN_TRY(make_room(ctx, w, threads < features ? threads : features));
  MN_TRY(mn_parallel(ctx, features, make_edges, w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status take_memory(mn_context *ctx, mn_bins *bins)
{
  const size_t features = bins->features;
  bins->edge = MN_RAW(ctx, double, features, MN_EDGE_CAPACITY);
  bins->count = MN_NEW(ctx, uint32_t, features, 1);
  bins->cell = MN_NEW(ctx, uint32_t, features + 1, 1);
  bins->categorical = MN_NEW(ctx, bool, features, 1);
  bins->code = MN_NEW(ctx, uint8_t *, bins->groups, 1);
  bins->stride = MN_NEW(ctx, uint32_t, bins->groups, 1);
  bins->column = MN_RAW(ctx, uint8_t, features, bins->rows + MN_BINS_PADDING);
  if (!bins->edge || !bins->count || !bins->cell || !bins->categorical || !bins->code || !bins->stride || !bins->column)
    return MN_NO_MEMORY;
  for (size_t g = 0; g < bins->groups; g++) {
    bins->stride[g] = 4;
    while (bins->stride[g] < mn_group_width(bins, g)) bins->stride[g] *= 2;
    bins->code[g] = MN_RAW(ctx, uint8_t, bins->rows, bins->stride[g]);
    MN_CHECK_ALLOC(bins->code[g]);
  }
  return MN_OK;
}

mn_status mn_bins_make(mn_context *ctx, const char *who, const mn_data *data, size_t most, int64_t seed, mn_bins *bins)
{
  *bins = (mn_bins){ .rows = data->rows,
                     .features = data->features,
                     .groups = (data->features - 1) / MN_GROUP_COLUMNS + 1 };
  struct work w = {
    .data = data, .bins = bins, .most = most, .blocks = mn_make_blocks(data->rows, ROW_BLOCK, SIZE_MAX)
  };
  MN_TRY(take_memory(ctx, bins));
  MN_TRY(take_levels(ctx, who, data, most, bins));
  MN_TRY(find_edges(ctx, &w, seed));
  for (size_t f = 0; f < bins->features; f++) bins->cell[f + 1] = bins->cell[f] + bins->count[f] + 1;
  return mn_parallel(ctx, w.blocks.count, make_codes, &w);
}

#include "bins.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "bins_kernel.h"
#include <math.h>
#include <string.h>

enum { MAX_SAMPLED_ROWS = 200000, ROW_BLOCK = 256 };

/* Memory of one thread for sorting a column. */
struct workspace {
  uint64_t *key, *other;
  double *weight, *other_weight;
};

struct work {
  const mn_data *data;
  mn_bins *bins;
  size_t max_bins, sampled;
  const size_t *sample; /* NULL: all rows */
  struct workspace *ws; /* of each worker */
  mn_blocks blocks;
};

/* Random rows, one from each of n strips of equal length. */
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

/* The distinct values of a column without missing ones, as sorted keys with their weights. Returns how many. Without
 * weights only the keys are sorted, which moves half as much. */
static size_t distinct_values(const struct work *w, size_t feature, const struct workspace *ws, double *total)
{
  const mn_data *data = w->data;
  double *weights = data->weights ? ws->weight : NULL;
  size_t n = 0, m = 0;
  for (size_t k = 0; k < w->sampled; k++) {
    const size_t row = w->sample ? w->sample[k] : k;
    const double x = mn_element(data, row, feature);
    if (isnan(x)) continue;
    if (weights) weights[n] = mn_weight(data, row);
    ws->key[n++] = mn_sort_key(x);
  }
  mn_sort_keys(n, ws->key, ws->other, weights, weights ? ws->other_weight : NULL);
  *total = 0;
  for (size_t k = 0; k < n; k++) {
    const double weight = weights ? weights[k] : 1;
    *total += weight;
    if (m > 0 && ws->key[m - 1] == ws->key[k]) {
      ws->weight[m - 1] += weight;
    } else {
      ws->key[m] = ws->key[k];
      ws->weight[m++] = weight;
    }
  }
  return m;
}

static double midpoint_below(uint64_t lower, uint64_t upper)
{
  return mn_midpoint_below(mn_sort_key_value(lower), mn_sort_key_value(upper));
}

/* Values with the weight of a bin or more get a bin of their own: their number, weight, and the smallest weight that
 * qualifies. Each of them reduces the weight left for the other bins, so that more values may qualify. */
struct heavy {
  size_t n;
  double weight, min_weight;
};

static struct heavy find_heavy(size_t n, const struct workspace *ws, double total, size_t max_bins)
{
  struct heavy h = { .min_weight = total / (double)max_bins };
  for (size_t before = SIZE_MAX; h.n != before && h.n < max_bins;) {
    before = h.n;
    h.min_weight = (total - h.weight) / (double)(max_bins - h.n);
    h.n = 0;
    h.weight = 0;
    for (size_t k = 0; k < n; k++)
      if (ws->weight[k] >= h.min_weight) {
        h.n++;
        h.weight += ws->weight[k];
      }
  }
  return h;
}

/* A bin takes values until it has its share of the weight that was left when it began, without heavy values. It ends
 * with a heavy value, or before one if it is at least half full. */
static size_t choose_edges(size_t n, const struct workspace *ws, double total, size_t max_bins, double *edge)
{
  size_t edges = 0;
  if (n <= max_bins) {
    for (; edges + 1 < n; edges++) edge[edges] = midpoint_below(ws->key[edges], ws->key[edges + 1]);
    return edges;
  }
  struct heavy h = find_heavy(n, ws, total, max_bins);
  double passed = 0, begin = 0, next = h.n < max_bins ? (total - h.weight) / (double)(max_bins - h.n) : INFINITY;
  for (size_t k = 0; k + 1 < n && edges + 1 < max_bins; k++) {
    const bool heavy = ws->weight[k] >= h.min_weight, before_heavy = ws->weight[k + 1] >= h.min_weight;
    passed += ws->weight[k];
    if (heavy) {
      h.n--;
      h.weight -= ws->weight[k];
    }
    if (!heavy && passed < next && !(before_heavy && passed - begin >= (next - begin) / 2)) continue;
    edge[edges++] = midpoint_below(ws->key[k], ws->key[k + 1]);
    begin = passed;
    next = max_bins - edges > h.n ? passed + (total - passed - h.weight) / (double)(max_bins - edges - h.n) : INFINITY;
  }
  return edges;
}

static void make_edges(void *work, size_t feature, size_t worker)
{
  const struct work *w = work;
  double *edge = w->bins->edge + feature * MN_EDGE_CAPACITY, total;
  if (w->bins->categorical[feature]) return;
  const size_t n = distinct_values(w, feature, &w->ws[worker], &total);
  const size_t edges = choose_edges(n, &w->ws[worker], total, w->max_bins, edge);
  for (size_t k = edges; k < MN_EDGE_CAPACITY; k++) edge[k] = INFINITY;
  w->bins->count[feature] = (uint32_t)edges + 1;
}

static size_t half_size(size_t edges)
{
  size_t half = 1;
  while (2 * half - 1 < edges) half *= 2;
  return half;
}

/* A level that was not seen in fit has code -1 and counts as missing. */
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
  mn_bin_column(1, &x, 1, bins->edge + f * MN_EDGE_CAPACITY, half_size(bins->count[f] - 1), (uint8_t)bins->count[f],
                &code);
  return code;
}

/* Values that are not stored are 0. Sparse rows have no factors. */
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
    mn_bin_column(n, x, bins->features, bins->edge + f * MN_EDGE_CAPACITY, half_size(bins->count[f] - 1), missing,
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

mn_status mn_bins_add_factors(mn_context *ctx, const char *who, const mn_data *data, size_t max_bins, mn_bins *bins)
{
  for (size_t f = 0; data->levels && f < bins->features; f++) {
    if (!data->levels[f]) continue;
    const size_t levels = mn_levels_size(data->levels[f]);
    if (levels > max_bins)
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: a factor in X must have at most max_bins = %zu levels, got %zu in column %zu; merge rare "
                     "levels, or use GradientBoosting or a forest, which accept any number",
                     who, max_bins, levels, f + 1);
    bins->categorical[f] = true;
    bins->count[f] = levels > 0 ? (uint32_t)levels : 1;
  }
  return MN_OK;
}

static mn_status make_workspaces(mn_context *ctx, struct work *w, size_t workers)
{
  w->ws = MN_NEW(ctx, struct workspace, workers, 1);
  MN_CHECK_ALLOC(w->ws);
  for (size_t k = 0; k < workers; k++) {
    struct workspace *ws = &w->ws[k];
    ws->key = MN_RAW(ctx, uint64_t, w->sampled, 1);
    ws->other = MN_RAW(ctx, uint64_t, w->sampled, 1);
    ws->weight = MN_RAW(ctx, double, w->sampled, 1);
    ws->other_weight = MN_RAW(ctx, double, w->sampled, 1);
    if (!ws->key || !ws->other || !ws->weight || !ws->other_weight) return MN_NO_MEMORY;
  }
  return MN_OK;
}

static mn_status find_edges(mn_context *ctx, struct work *w, int64_t seed)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t rows = w->data->rows, features = w->bins->features, threads = mn_threads(ctx);
  w->sampled = rows < MAX_SAMPLED_ROWS ? rows : MAX_SAMPLED_ROWS;
  if (w->sampled < rows) {
    w->sample = sample_rows(ctx, rows, w->sampled, seed);
    MN_CHECK_ALLOC(w->sample);
  }
  MN_TRY(make_workspaces(ctx, w, threads < features ? threads : features));
  MN_TRY(mn_parallel(ctx, features, make_edges, w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status alloc_bins(mn_context *ctx, mn_bins *bins)
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

mn_status mn_bins_make(mn_context *ctx, const char *who, const mn_data *data, size_t max_bins, int64_t seed,
                       mn_bins *bins)
{
  *bins = (mn_bins){ .rows = data->rows,
                     .features = data->features,
                     .groups = (data->features - 1) / MN_GROUP_COLUMNS + 1 };
  struct work w = {
    .data = data, .bins = bins, .max_bins = max_bins, .blocks = mn_make_blocks(data->rows, ROW_BLOCK, SIZE_MAX)
  };
  MN_TRY(alloc_bins(ctx, bins));
  MN_TRY(mn_bins_add_factors(ctx, who, data, max_bins, bins));
  MN_TRY(find_edges(ctx, &w, seed));
  for (size_t f = 0; f < bins->features; f++) bins->cell[f + 1] = bins->cell[f] + bins->count[f] + 1;
  return mn_parallel(ctx, w.blocks.count, make_codes, &w);
}

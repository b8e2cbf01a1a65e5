#include "quantized_columns.h"
#include "../core/threads.h"
#include "node_kernel.h"
#include <math.h>

enum { MAX_QUANTIZED = 65534, BLOCK = 256, SAMPLE = 1 << 13, LINE = 32 };

/* q = floor((x - min) * scale). It never decreases as x increases, whatever the rounding. */
static uint16_t quantize(const mn_tree_columns *c, size_t j, double x)
{
  return (uint16_t)((x - c->quantized_min[j]) * c->quantized_scale[j]);
}

/* Stride of a row, such that no row that fits into one cache line straddles two. */
static size_t row_width(size_t features)
{
  size_t width = 1;
  while (width < features && width < LINE) width *= 2;
  return width < features ? (features + LINE - 1) / LINE * LINE : width;
}

/* --- making --- */

struct work {
  mn_tree_columns *columns;
  uint32_t *count; /* workers x (MAX_QUANTIZED + 1) */
  mn_blocks blocks;
};

/* False if many values share a quantized value: too many rows would have to be looked up. */
static bool is_spread(const mn_tree_columns *c, size_t j, uint32_t *count)
{
  const size_t max_count = SAMPLE / 32, stride = c->rows / SAMPLE;
  memset(count, 0, (MAX_QUANTIZED + 1) * sizeof *count);
  for (size_t i = 0; i < SAMPLE; i++)
    if (++count[quantize(c, j, c->value[j][i * stride])] > max_count) return false;
  return true;
}

static void measure_column(void *work, size_t j, size_t worker)
{
  const struct work *w = work;
  mn_tree_columns *c = w->columns;
  double max;
  c->quantized_min[j] = c->quantized_scale[j] = 0;
  if (c->is_factor[j] || c->has_missing[j]) return;
  mn_min_max(c->rows, c->value[j], &c->quantized_min[j], &max);
  c->quantized_scale[j] = MAX_QUANTIZED / (max - c->quantized_min[j]);
  if (!(c->quantized_scale[j] > 0) || !isfinite(c->quantized_scale[j]) ||
      !is_spread(c, j, w->count + worker * (MAX_QUANTIZED + 1)))
    c->quantized_scale[j] = 0;
}

static void quantize_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const mn_tree_columns *c = w->columns;
  const size_t p = c->features, width = row_width(p);
  (void)worker;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    for (size_t j = 0; j < p; j++)
      c->quantized[i * width + j] = c->quantized_scale[j] > 0 ? quantize(c, j, mn_row(&c->data.x, i)[j]) : 0;
}

mn_status mn_quantize_columns(mn_context *ctx, mn_tree_columns *c)
{
  const size_t n = c->rows, p = c->features;
  struct work w = { .columns = c, .blocks = mn_make_blocks(n, 1 << 12, SIZE_MAX) };
  if (!c->data.x.at || n < SAMPLE) return MN_OK;
  c->quantized_min = MN_RAW(ctx, double, p, 2);
  uint16_t *quantized = MN_RAW(ctx, uint16_t, n, row_width(p));
  if (!c->quantized_min || !quantized) return MN_NO_MEMORY;
  c->quantized_scale = c->quantized_min + p;
  const mn_mark mark = mn_scratch_mark(ctx);
  w.count = MN_RAW(ctx, uint32_t, mn_threads(ctx), MAX_QUANTIZED + 1);
  MN_CHECK_ALLOC(w.count);
  MN_TRY(mn_parallel(ctx, p, measure_column, &w));
  mn_scratch_release(ctx, mark);
  c->quantized = quantized;
  return mn_parallel(ctx, w.blocks.count, quantize_block, &w);
}

/* --- use --- */

/* Some rows at a time: their cache lines are then still there for the second and further columns. */
void mn_gather_quantized(const mn_tree_columns *c, const uint32_t *feature, size_t count, const uint32_t *id, size_t n,
                         mn_search_workspace *ws)
{
  enum { ROWS = 128 };
  const size_t width = row_width(c->features);
  for (size_t begin = 0; begin < n; begin += ROWS) {
    const size_t end = n - begin < ROWS ? n : begin + ROWS;
    if (begin > 0 && begin % MN_CHUNK == 0 && !mn_task_should_continue(&ws->token)) return;
    for (size_t k = 0; k < count; k++) {
      const uint16_t *from = c->quantized + feature[k];
      uint16_t *to = ws->quantized.columns + k * ws->quantized.stride;
#pragma GCC unroll 4
      for (size_t i = begin; i < end; i++) to[i] = from[id[i] * width];
    }
  }
  for (size_t k = 0; k < count; k++)
    for (size_t i = n; i < mn_padded_rows(n); i++) ws->quantized.columns[k * ws->quantized.stride + i] = 0;
}

uint16_t *mn_gathered_quantized(const mn_tree_columns *c, size_t j, size_t k, const mn_search_workspace *ws)
{
  return c->quantized_scale[j] > 0 ? ws->quantized.columns + k * ws->quantized.stride : NULL;
}

/* Index of the first value q from i on; n if there is none. */
static size_t next_equal(const uint16_t *quantized, size_t n, size_t i, uint16_t q)
{
  for (; i < n; i++) {
    if (i % BLOCK == 0)
      while (n - i > BLOCK && !mn_has_quantized(BLOCK, quantized + i, q)) i += BLOCK;
    if (quantized[i] == q) return i;
  }
  return n;
}

bool mn_draw_quantized_threshold(const mn_tree_columns *c, size_t j, const uint32_t *id, size_t n, double u,
                                 uint16_t *quantized, double *threshold, uint16_t *last)
{
  const double *value = c->value[j];
  double low = INFINITY, high = -INFINITY;
  uint16_t min, max;
  mn_quantized_range(n, quantized, &min, &max);
  for (size_t i = 0; (i = next_equal(quantized, n, i, min)) < n; i++) low = fmin(low, value[id[i]]);
  for (size_t i = 0; (i = next_equal(quantized, n, i, max)) < n; i++) high = fmax(high, value[id[i]]);
  *threshold = mn_threshold_between(low, high, u);
  *last = quantize(c, j, *threshold);
  for (size_t i = 0; (i = next_equal(quantized, n, i, *last)) < n; i++)
    if (value[id[i]] > *threshold) quantized[i]++;
  return low < high;
}

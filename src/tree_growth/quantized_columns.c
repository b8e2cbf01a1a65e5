#include "quantized_columns.h"
#include "../core/threads.h"
#include "search_parts.h"
#include <math.h>

enum { STEPS = 65534, BLOCK = 256, SAMPLE = 1 << 13, LINE = 32 };

/* The step of a value among equal ones from the least value of the column to the largest. It never falls where the
 * value grows, whatever is rounded. */
static uint16_t step_of(const mn_tree_columns *c, size_t j, double x)
{
  return (uint16_t)((x - c->least[j]) * c->steps[j]);
}

/* Of a row: none that fits into one line of cache reaches into another. */
static size_t row_width(size_t features)
{
  size_t width = 1;
  while (width < features && width < LINE) width *= 2;
  return width < features ? (features + LINE - 1) / LINE * LINE : width;
}

/* --- making --- */

struct making {
  mn_tree_columns *columns;
  uint32_t *count; /* workers x (STEPS + 1) */
  mn_blocks blocks;
};

/* Of values that share their steps with many others too many would be looked up. */
static bool is_spread(const mn_tree_columns *c, size_t j, uint32_t *count)
{
  const size_t often = SAMPLE / 32, stride = c->rows / SAMPLE;
  memset(count, 0, (STEPS + 1) * sizeof *count);
  for (size_t i = 0; i < SAMPLE; i++)
    if (++count[step_of(c, j, c->value[j][i * stride])] > often) return false;
  return true;
}

static void measure_column(void *work, size_t j, size_t worker)
{
  const struct making *m = work;
  mn_tree_columns *c = m->columns;
  double largest;
  c->least[j] = c->steps[j] = 0;
  if (c->by_levels[j] || c->missing[j]) return;
  mn_min_max(c->rows, c->value[j], &c->least[j], &largest);
  c->steps[j] = STEPS / (largest - c->least[j]);
  if (!(c->steps[j] > 0) || !isfinite(c->steps[j]) || !is_spread(c, j, m->count + worker * (STEPS + 1)))
    c->steps[j] = 0;
}

static void take_steps(void *work, size_t block, size_t worker)
{
  const struct making *m = work;
  const mn_tree_columns *c = m->columns;
  const size_t p = c->features, width = row_width(p);
  (void)worker;
  for (size_t i = mn_block_begin(&m->blocks, block); i < mn_block_end(&m->blocks, block); i++)
    for (size_t j = 0; j < p; j++)
      c->coarse[i * width + j] = c->steps[j] > 0 ? step_of(c, j, mn_row(&c->data.x, i)[j]) : 0;
}

mn_status mn_quantize_columns(mn_context *ctx, mn_tree_columns *c)
{
  const size_t n = c->rows, p = c->features;
  struct making m = { .columns = c, .blocks = mn_make_blocks(n, 1 << 12, SIZE_MAX) };
  if (!c->data.x.at || n < SAMPLE) return MN_OK;
  c->least = MN_RAW(ctx, double, p, 2);
  uint16_t *coarse = MN_RAW(ctx, uint16_t, n, row_width(p));
  if (!c->least || !coarse) return MN_NO_MEMORY;
  c->steps = c->least + p;
  const mn_mark mark = mn_scratch_mark(ctx);
  m.count = MN_RAW(ctx, uint32_t, mn_threads(ctx), STEPS + 1);
  MN_CHECK_ALLOC(m.count);
  MN_TRY(mn_parallel(ctx, p, measure_column, &m));
  mn_scratch_release(ctx, mark);
  c->coarse = coarse;
  return mn_parallel(ctx, m.blocks.count, take_steps, &m);
}

/* --- use --- */

mn_status mn_coarse_room(mn_context *ctx, const mn_tree_columns *c, size_t rows, mn_search_workspace *b)
{
  b->step_room = mn_padded_rows(rows);
  if (!c->coarse) return MN_OK;
  b->steps = MN_RAW(ctx, uint16_t, MN_QUANTIZED_COLUMNS, b->step_room);
  MN_CHECK_ALLOC(b->steps);
  return MN_OK;
}

/* Some rows at a time: they are read once, and lie in the cache for the columns after the first. */
void mn_gather_quantized(const mn_tree_columns *c, const uint32_t *feature, size_t count, const uint32_t *id, size_t n,
                         mn_search_workspace *b)
{
  enum { AT_ONCE = 128 };
  const size_t width = row_width(c->features);
  for (size_t begin = 0; begin < n; begin += AT_ONCE) {
    const size_t end = n - begin < AT_ONCE ? n : begin + AT_ONCE;
    if (begin > 0 && begin % MN_CHUNK == 0 && !mn_task_should_continue(&b->token)) return;
    for (size_t k = 0; k < count; k++) {
      const uint16_t *from = c->coarse + feature[k];
      uint16_t *to = b->steps + k * b->step_room;
#pragma GCC unroll 4
      for (size_t i = begin; i < end; i++) to[i] = from[id[i] * width];
    }
  }
  for (size_t k = 0; k < count; k++)
    for (size_t i = n; i < mn_padded_rows(n); i++) b->steps[k * b->step_room + i] = 0;
}

uint16_t *mn_gathered_quantized(const mn_tree_columns *c, size_t j, size_t k, const mn_search_workspace *b)
{
  return c->steps[j] > 0 ? b->steps + k * b->step_room : NULL;
}

/* The next place from i on whose step is s; n: none. */
static size_t next_alike(const uint16_t *step, size_t n, size_t i, uint16_t s)
{
  for (; i < n; i++) {
    if (i % BLOCK == 0)
      while (n - i > BLOCK && !mn_has_quantized(BLOCK, step + i, s)) i += BLOCK;
    if (step[i] == s) return i;
  }
  return n;
}

bool mn_draw_quantized_threshold(const mn_tree_columns *c, size_t j, const uint32_t *id, size_t n, double u,
                                 uint16_t *step, double *cut, uint16_t *last)
{
  const double *value = c->value[j];
  double low = INFINITY, high = -INFINITY;
  uint16_t first, most;
  mn_quantized_range(n, step, &first, &most);
  for (size_t i = 0; (i = next_alike(step, n, i, first)) < n; i++) low = fmin(low, value[id[i]]);
  for (size_t i = 0; (i = next_alike(step, n, i, most)) < n; i++) high = fmax(high, value[id[i]]);
  *cut = mn_threshold_between(low, high, u);
  *last = step_of(c, j, *cut);
  for (size_t i = 0; (i = next_alike(step, n, i, *last)) < n; i++)
    if (value[id[i]] > *cut) step[i]++;
  return low < high;
}

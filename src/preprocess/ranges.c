#include "ranges.h"
#include "../core/threads.h"
#include "columns_kernel.h"
#include <math.h>

enum { BLOCK_VALUES = 1 << 16, MAX_BLOCKS = 64 };

struct work {
  const mn_matrix *x;
  size_t repeats;
  mn_blocks blocks;   /* of groups of rows            */
  double *low, *high; /* blocks x width of a group   */
};

static void range_of_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const size_t width = w->repeats * w->x->cols, begin = mn_block_begin(&w->blocks, block);
  mn_range_groups(mn_block_end(&w->blocks, block) - begin, width, w->x->at + begin * width, w->low + block * width,
                  w->high + block * width);
}

mn_status mn_extend_ranges(mn_context *ctx, const mn_matrix *x, double *low, double *high)
{
  const size_t cols = x->cols, repeats = mn_group_rows(cols), groups = x->rows / repeats, done = groups * repeats;
  struct work w = { .x = x,
                    .repeats = repeats,
                    .blocks = mn_make_blocks(groups, BLOCK_VALUES / (repeats * cols), MAX_BLOCKS) };
  const size_t parts = w.blocks.count * repeats;
  w.low = MN_RAW(ctx, double, parts, cols);
  w.high = MN_RAW(ctx, double, parts, cols);
  if (!w.low || !w.high) return MN_NO_MEMORY;
  for (size_t t = 0; t < parts * cols; t++) {
    w.low[t] = INFINITY;
    w.high[t] = -INFINITY;
  }
  MN_TRY(mn_parallel(ctx, w.blocks.count, range_of_block, &w));
  for (size_t t = 0; t < parts * cols; t++) {
    low[t % cols] = fmin(low[t % cols], w.low[t]);
    high[t % cols] = fmax(high[t % cols], w.high[t]);
  }
  mn_range_groups(x->rows - done, cols, x->at + done * cols, low, high);
  return MN_OK;
}

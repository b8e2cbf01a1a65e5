#include "rescale.h"
#include "../core/threads.h"
#include "columns_kernel.h"

enum { BLOCK_VALUES = 1 << 16 };

struct work {
  const mn_matrix *x;
  mn_matrix *out;
  const double *from, *by, *times, *to; /* repeated for a group of rows */
  size_t repeats;
  mn_blocks blocks; /* of groups */
};

static void rescale_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const size_t width = w->repeats * w->x->cols, begin = mn_block_begin(&w->blocks, block);
  mn_rescale_groups(mn_block_end(&w->blocks, block) - begin, width, w->x->at + begin * width, w->from, w->by, w->times,
                    w->to, w->out->at + begin * width);
}

static const double *repeat(mn_context *ctx, const double *value, double otherwise, size_t cols, size_t repeats)
{
  double *at = MN_RAW(ctx, double, repeats, cols);
  for (size_t t = 0; at && t < repeats * cols; t++) at[t] = value ? value[t % cols] : otherwise;
  return at;
}

mn_status mn_rescale(mn_context *ctx, const mn_matrix *x, struct mn_rescaling map, mn_matrix *out)
{
  const size_t cols = x->cols, repeats = mn_group_rows(cols), groups = x->rows / repeats, done = groups * repeats;
  struct work w = { .x = x, .out = out, .repeats = repeats };
  w.from = repeat(ctx, map.from, 0, cols, repeats);
  w.by = repeat(ctx, map.by, 1, cols, repeats);
  w.times = repeat(ctx, map.times, 1, cols, repeats);
  w.to = repeat(ctx, map.to, 0, cols, repeats);
  if (!w.from || !w.by || !w.times || !w.to) return MN_NO_MEMORY;
  const size_t block = BLOCK_VALUES / (repeats * cols);
  w.blocks = mn_cut(groups, block, SIZE_MAX);
  MN_TRY(mn_parallel(ctx, w.blocks.count, rescale_block, &w));
  mn_rescale_groups(x->rows - done, cols, x->at + done * cols, w.from, w.by, w.times, w.to, out->at + done * cols);
  return MN_OK;
}

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

MN_EXACT_BEGIN
/* out = (x - from[t]) / by[t] * times[t] + to[t] for groups of `width` values; NaN stays NaN. out may be x. */
static MN_CLONES(void, rescale_groups,
                 (size_t groups, size_t width, const double *x, const double *restrict from, const double *restrict by,
                  const double *restrict times, const double *restrict to, double *out),
                 (groups, width, x, from, by, times, to, out))
{
  MN_EXACT
  for (size_t g = 0; g < groups; g++, x += width, out += width) {
    MN_INDEPENDENT
    for (size_t t = 0; t < width; t++) {
      const double scaled = (x[t] - from[t]) / by[t];
      out[t] = scaled * times[t] + to[t];
    }
  }
}
MN_EXACT_END

static void rescale_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const size_t width = w->repeats * w->x->cols, begin = mn_block_begin(&w->blocks, block);
  rescale_groups(mn_block_end(&w->blocks, block) - begin, width, w->x->at + begin * width, w->from, w->by, w->times,
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
  w.blocks = mn_make_blocks(groups, block, SIZE_MAX);
  MN_TRY(mn_parallel(ctx, w.blocks.count, rescale_block, &w));
  rescale_groups(x->rows - done, cols, x->at + done * cols, w.from, w.by, w.times, w.to, out->at + done * cols);
  return MN_OK;
}

void mn_rescale_program(mn_program *program, size_t cols, struct mn_rescaling map)
{
  if (map.from) mn_program_reals(program, "from", cols, map.from);
  if (map.by) mn_program_reals(program, "by", cols, map.by);
  if (map.times) mn_program_reals(program, "times", cols, map.times);
  if (map.to) mn_program_reals(program, "to", cols, map.to);
  mn_program_code(program, "for j < features {");
  mn_program_code(program, map.from ? "out[j] = x[j] - from[j]" : "out[j] = x[j]");
  if (map.by) mn_program_code(program, "out[j] /= by[j]");
  if (map.times) mn_program_code(program, "out[j] *= times[j]");
  mn_program_code(program, map.to ? "out[j] += to[j] }" : "out[j] += 0.0 }"); /* makes 0 of -0, as above */
}

void mn_clip_program(mn_program *program, double low, double high)
{
  mn_program_real(program, "low", low);
  mn_program_real(program, "high", high);
  mn_program_code(program, "for j < features {"
                           "  if out[j] < low { out[j] = low }"
                           "  if out[j] > high { out[j] = high }"
                           "}");
}

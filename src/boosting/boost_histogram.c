#include "boost_histogram.h"
#include "../histogram/hist_narrow_kernel.h"
#include <string.h>

typedef struct mn_histogram_partial {
  int64_t *wide;    /* 2 x cells */
  uint64_t *narrow; /* cells; 0 if `held` is 0 */
  size_t held;      /* rows summed in `narrow`, at most MN_NARROW_ROWS */
  bool used;        /* whether `wide` holds sums */
} mn_histogram_partial;

static size_t cell_count(const mn_histogram_builder *builder)
{
  return builder->bins->cell[builder->bins->features];
}

mn_status mn_histogram_builder_make(mn_context *ctx, const mn_bins *bins, size_t blocks, mn_histogram_builder *builder)
{
  const size_t threads = mn_threads(ctx);
  *builder = (mn_histogram_builder){ .bins = bins, .workers = threads < blocks ? threads : blocks };
  builder->partial = MN_NEW(ctx, mn_histogram_partial, builder->workers, 1);
  MN_CHECK_ALLOC(builder->partial);
  for (size_t k = 0; blocks > 1 && k < builder->workers; k++) {
    mn_histogram_partial *partial = &builder->partial[k];
    partial->wide = MN_RAW(ctx, int64_t, cell_count(builder), 2);
    partial->narrow = MN_NEW(ctx, uint64_t, cell_count(builder), 1);
    if (!partial->wide || !partial->narrow) return MN_NO_MEMORY;
  }
  return MN_OK;
}

void mn_histogram_builder_begin(mn_histogram_builder *builder, const mn_boost_gradients *gradients, size_t blocks,
                                int64_t *hist)
{
  builder->gradients = gradients;
  builder->hist = hist;
  builder->direct = blocks == 1 && !gradients->narrow;
  if (builder->direct) memset(hist, 0, 2 * cell_count(builder) * sizeof *hist);
  for (size_t k = 0; k < builder->workers; k++) {
    builder->partial[k].used = false;
    builder->partial[k].held = 0;
  }
}

/* Where the wide builder of a worker are. */
static int64_t *wide_histogram(mn_histogram_builder *builder, mn_histogram_partial *partial)
{
  if (builder->direct) return builder->hist;
  if (!partial->used) memset(partial->wide, 0, 2 * cell_count(builder) * sizeof *partial->wide);
  partial->used = true;
  return partial->wide;
}

/* Make sure that n more rows can be summed in `narrow` without overflow. */
static void reserve_rows(mn_histogram_builder *builder, mn_histogram_partial *partial, size_t n)
{
  if (partial->held + n > MN_NARROW_ROWS) {
    mn_narrow_unpack(cell_count(builder), partial->narrow, builder->gradients->bits, wide_histogram(builder, partial));
    partial->held = 0;
  }
  partial->held += n;
}

void mn_histogram_builder_add(mn_histogram_builder *builder, size_t worker, size_t begin, size_t n,
                              const uint32_t *rows)
{
  const mn_bins *bins = builder->bins;
  mn_histogram_partial *partial = &builder->partial[worker];
  const bool narrow = builder->gradients->narrow;
  if (narrow) reserve_rows(builder, partial, n);
  for (size_t g = 0; g < bins->groups; g++) {
    const size_t stride = bins->stride[g], width = mn_group_width(bins, g);
    const uint8_t *code = bins->code[g] + begin * stride;
    const uint32_t *cell = bins->cell + g * MN_GROUP_COLUMNS;
    if (narrow)
      mn_narrow_add(n, rows, code, stride, width, cell, (const uint64_t *)builder->gradients->gh + begin,
                    partial->narrow);
    else
      mn_hist_add(n, rows, code, stride, width, cell, builder->gradients->gh + 2 * begin,
                  wide_histogram(builder, partial));
  }
}

void mn_histogram_builder_finish(mn_histogram_builder *builder, size_t first, size_t last)
{
  const size_t from = builder->bins->cell[first], n = builder->bins->cell[last] - from;
  int64_t *hist = builder->hist + 2 * from;
  bool initialized = builder->direct;
  for (size_t k = 0; k < builder->workers; k++) {
    if (!builder->partial[k].used) continue;
    if (initialized)
      mn_hist_merge(2 * n, hist, builder->partial[k].wide + 2 * from);
    else
      memcpy(hist, builder->partial[k].wide + 2 * from, 2 * n * sizeof *hist);
    initialized = true;
  }
  if (!initialized) memset(hist, 0, 2 * n * sizeof *hist);
  for (size_t k = 0; k < builder->workers; k++)
    if (builder->partial[k].held > 0)
      mn_narrow_unpack(n, builder->partial[k].narrow + from, builder->gradients->bits, hist);
}

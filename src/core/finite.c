#include "finite.h"
#include "finite_kernel.h"
#include "threads.h"

enum { FINITE_BLOCK = 1 << 16 };

struct search {
  const double *values;
  double bound; /* 0: instead of a bound, find what is not finite or has a sign */
  mn_blocks blocks;
  unsigned char *found; /* one flag for each block */
};

static void search_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  struct search *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  const double *values = w->values + begin;
  const bool good =
      w->bound > 0 ? mn_all_below(end - begin, values, w->bound) : mn_all_non_negative(end - begin, values);
  w->found[block] = !good;
}

static size_t find_from(size_t i, const double *values, double bound)
{
  while (fabs(values[i]) < bound) i++;
  return i;
}

mn_status mn_find_beyond(mn_context *ctx, size_t n, const double *values, double bound, size_t *first)
{
  *first = n;
  if (n <= FINITE_BLOCK) {
    if (!mn_all_below(n, values, bound)) *first = find_from(0, values, bound);
    return MN_OK;
  }
  struct search w = { .values = values, .bound = bound, .blocks = mn_make_blocks(n, FINITE_BLOCK, SIZE_MAX) };
  w.found = MN_NEW(ctx, unsigned char, w.blocks.count, 1);
  MN_CHECK_ALLOC(w.found);
  MN_TRY(mn_parallel(ctx, w.blocks.count, search_block, &w));
  for (size_t b = 0; b < w.blocks.count && *first == n; b++)
    if (w.found[b]) *first = find_from(mn_block_begin(&w.blocks, b), values, bound);
  return MN_OK;
}

mn_status mn_are_non_negative(mn_context *ctx, size_t n, const double *values, bool *all)
{
  struct search w = { .values = values, .blocks = mn_make_blocks(n, FINITE_BLOCK, SIZE_MAX) };
  w.found = MN_NEW(ctx, unsigned char, w.blocks.count + 1, 1);
  MN_CHECK_ALLOC(w.found);
  MN_TRY(mn_parallel(ctx, w.blocks.count, search_block, &w));
  *all = true;
  for (size_t b = 0; b < w.blocks.count; b++) *all = *all && !w.found[b];
  return MN_OK;
}

#include "finite.h"
#include "finite_kernel.h"
#include "threads.h"

enum { FINITE_BLOCK = 1 << 16 };

struct finite_work {
  const double *at;
  double bound;
  mn_blocks blocks;
  unsigned char *bad; /* one for each block */
};

static void finite_task(void *work, size_t block, size_t worker)
{
  (void)worker;
  struct finite_work *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  w->bad[block] = (unsigned char)!mn_all_below(end - begin, w->at + begin, w->bound);
}

static size_t find(size_t from, const double *at, double bound)
{
  while (fabs(at[from]) < bound) from++;
  return from;
}

mn_status mn_find_beyond(mn_context *ctx, size_t n, const double *at, double bound, size_t *first)
{
  *first = n;
  if (n <= FINITE_BLOCK) {
    if (!mn_all_below(n, at, bound)) *first = find(0, at, bound);
    return MN_OK;
  }
  struct finite_work w = { .at = at, .bound = bound, .blocks = mn_make_blocks(n, FINITE_BLOCK, SIZE_MAX) };
  w.bad = MN_NEW(ctx, unsigned char, w.blocks.count, 1);
  MN_CHECK_ALLOC(w.bad);
  MN_TRY(mn_parallel(ctx, w.blocks.count, finite_task, &w));
  for (size_t b = 0; b < w.blocks.count && *first == n; b++)
    if (w.bad[b]) *first = find(mn_block_begin(&w.blocks, b), at, bound);
  return MN_OK;
}

#include "gather.h"
#include "threads.h"

enum { BLOCK_VALUES = 1 << 15 };

struct gather {
  const mn_matrix *x;
  const size_t *rows;
  mn_matrix *out;
  mn_blocks blocks;
};

static void gather_block(void *work, size_t block, size_t worker)
{
  const struct gather *g = work;
  const size_t begin = mn_block_begin(&g->blocks, block), n = mn_block_end(&g->blocks, block) - begin;
  mn_matrix part = { .at = mn_row(g->out, begin), .rows = n, .cols = g->x->cols };
  (void)worker;
  mn_gather_rows(g->x, g->rows + begin, n, &part);
}

mn_status mn_gather_many_rows(mn_context *ctx, const mn_matrix *x, const size_t *rows, size_t n, mn_matrix *out)
{
  struct gather g = {
    .x = x, .rows = rows, .out = out, .blocks = mn_make_blocks(n, BLOCK_VALUES / (x->cols + 1) + 1, SIZE_MAX)
  };
  return mn_parallel(ctx, g.blocks.count, gather_block, &g);
}

#include "gp_factor.h"
#include "../core/threads.h"
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* Each task solves for BLOCK elements of x. It needs those of all tasks before it, which start in order: so one that is
 * waited for is running, or has ended. */
enum { BLOCK = 64, SPINS = 1000 };

static size_t blocks_of(size_t n)
{
  return n / BLOCK + (n % BLOCK > 0);
}

static void wait_for(const atomic_size_t *count, size_t least)
{
  for (size_t k = 0; atomic_load_explicit(count, memory_order_acquire) < least; k++)
    if (k > SPINS) sched_yield();
}

/* inv(L) b. A task begins with the columns of blocks that were solved long ago. */
enum { LATEST = 3 };

struct lower {
  size_t n;
  const double *l;
  double *x;
  atomic_size_t solved; /* blocks so far */
};

static void lower_task(void *work, size_t block, size_t worker)
{
  (void)worker;
  struct lower *s = work;
  const size_t early = block > LATEST ? block - LATEST : 0, row = block * BLOCK;
  mn_factor_tile tile = { .row = row, .row_end = row + BLOCK < s->n ? row + BLOCK : s->n, .column_end = early * BLOCK };
  wait_for(&s->solved, early);
  mn_packed_lower_tile(s->l, tile, s->x);
  for (size_t b = early; b <= block; b++) {
    wait_for(&s->solved, b < block ? b + 1 : block);
    tile.column = b * BLOCK;
    tile.column_end = tile.column + BLOCK;
    mn_packed_lower_tile(s->l, tile, s->x);
  }
  atomic_store_explicit(&s->solved, block + 1, memory_order_release);
}

mn_status mn_packed_lower_parallel(mn_context *ctx, size_t n, const double *l, double *b)
{
  struct lower s = { .n = n, .l = l, .x = b };
  return mn_parallel(ctx, blocks_of(n), lower_task, &s);
}

/* inv(L') b, from the last block to the first. */
struct upper {
  size_t n, blocks;
  const double *l;
  double *x, *sum[2];  /* sum: L' x of even and of odd tasks, since two run at the same time */
  atomic_size_t near;  /* tasks so far that have added to the columns of the next block */
  atomic_size_t ended; /* tasks so far that have added to all columns                   */
};

static void upper_task(void *work, size_t task, size_t worker)
{
  (void)worker;
  struct upper *s = work;
  const size_t begin = (s->blocks - 1 - task) * BLOCK, end = begin + BLOCK < s->n ? begin + BLOCK : s->n;
  const size_t next = begin > 0 ? begin - BLOCK : 0;
  mn_factor_tile tile = { .row = begin, .row_end = end, .column = next, .column_end = begin };
  wait_for(&s->near, task);
  wait_for(&s->ended, task > 0 ? task - 1 : 0);
  for (size_t i = begin; i < end; i++) s->x[i] -= s->sum[0][i] + s->sum[1][i];
  mn_packed_upper_corner(s->l, begin, end, s->x);
  mn_packed_upper_tile(s->l, tile, s->x, s->sum[task % 2]);
  atomic_store_explicit(&s->near, task + 1, memory_order_release);
  tile.column = 0;
  tile.column_end = next;
  mn_packed_upper_tile(s->l, tile, s->x, s->sum[task % 2]);
  wait_for(&s->ended, task);
  atomic_store_explicit(&s->ended, task + 1, memory_order_release);
}

mn_status mn_packed_upper_parallel(mn_context *ctx, size_t n, const double *l, double *b, double *sums)
{
  struct upper s = { .n = n, .blocks = blocks_of(n), .l = l, .x = b, .sum = { sums, sums + n } };
  memset(sums, 0, 2 * n * sizeof *sums);
  return mn_parallel(ctx, s.blocks, upper_task, &s);
}

/* Threads: one small pool per process, started on first use, forgotten in a forked child and started anew there. */
#ifndef MN_CORE_THREADS_H
#define MN_CORE_THREADS_H
#include "context.h"
#include <pthread.h>

/* One block of work. `worker` is below mn_threads(ctx) and no two tasks that run at once have the same: it picks
 * workspace, and must never influence a result. Tasks take no memory and touch no context. */
typedef void (*mn_task)(void *work, size_t block, size_t worker);

/* Run task(work, 0..blocks-1), over the threads of `ctx`; blocks are handed out in order. Returns when all are done.
 * MN_CANCELLED when the operation was cancelled: then some blocks have not run, and the results mean nothing.
 *
 * Results must not depend on the number of threads. So the number and size of blocks is chosen from the data alone,
 * and sums are made per block and then added in the order of the blocks (mn_sum_blocks). */
mn_status mn_parallel(mn_context *ctx, size_t blocks, mn_task task, void *work);

/* Who works on a task, or on an operation outside of one (worker 0, the calling thread). Without a context nobody asks.
 */
typedef struct mn_cancel_token {
  mn_context *ctx;
  size_t worker;
} mn_cancel_token;

/* Asked by long work now and then, on the thread that it runs on: false when the operation was cancelled. Then the work
 * is left as it is, and nobody will use it. */
bool mn_task_should_continue(const mn_cancel_token *token) __attribute__((cold));

/* A long loop in pieces, before each of which but the first it listens:
 *
 *     mn_chunk p = { 0 };
 *     while (mn_next_chunk(&token, n, &p))
 *       for (size_t i = p.begin; i < p.end; i++) ...
 *
 * Where the operation was cancelled, p.end < n afterwards. */
typedef struct mn_chunk {
  size_t begin, end;
} mn_chunk;

enum { MN_CHUNK = 1 << 13 };

static inline bool mn_next_chunk(const mn_cancel_token *token, size_t n, mn_chunk *p)
{
  if (p->end >= n || (p->end > 0 && !mn_task_should_continue(token))) return false;
  p->begin = p->end;
  p->end = n - p->begin < MN_CHUNK ? n : p->begin + MN_CHUNK;
  return true;
}

/* memcpy of a long array, which listens too. False: cancelled. */
bool mn_copy_cancellable(const mn_cancel_token *token, void *to, const void *from, size_t bytes);

/* A thread that gets no signals. False: the system has no more. */
bool mn_thread_start(pthread_t *thread, void *(*run)(void *), void *user);

/* How to cut `n` rows into blocks: of `size` rows each, the last one shorter. */
typedef struct mn_blocks {
  size_t n, size, count;
} mn_blocks;

/* Blocks of about `size` rows, but no more than `most` of them. Depends on the arguments only. */
mn_blocks mn_make_blocks(size_t n, size_t size, size_t most);
static inline size_t mn_block_begin(const mn_blocks *b, size_t block)
{
  return block * b->size;
}
static inline size_t mn_block_end(const mn_blocks *b, size_t block)
{
  const size_t end = (block + 1) * b->size;
  return end < b->n ? end : b->n;
}

/* sum[0..width-1] = sum over blocks of parts[block * width ...], in the order of the blocks. */
void mn_sum_blocks(size_t blocks, size_t width, const double *parts, double *sum);

#endif

/* Parallel loops over one pool of threads per process, which is started on first use and restarted in a forked child.
 */
#ifndef MN_CORE_THREADS_H
#define MN_CORE_THREADS_H
#include "context.h"
#include <pthread.h>

/* One block of work. `worker` < mn_threads(ctx) differs between tasks that run at the same time: it selects workspace
 * and must not influence the result. Tasks must not allocate or use a context; see worker_pool.h for those that do. */
typedef void (*mn_task)(void *work, size_t block, size_t worker);

/* Run task(work, b, ...) for b = 0..blocks-1 over the threads of `ctx` and return when all have ended. Blocks are
 * handed out in order. MN_CANCELLED: the operation was cancelled, some blocks have not run, and results are
 * meaningless.
 *
 * Results must not depend on the number of threads. So choose the number and size of blocks from the data alone, sum
 * within blocks, and add the sums in the order of the blocks (mn_sum_blocks). */
mn_status mn_parallel(mn_context *ctx, size_t blocks, mn_task task, void *work);

/* Cancel all parallel calls of contexts with this account and wait until no helper is in them; the callers must not
 * continue. For a progress callback that ends the program, before it frees what the calls are using. Cancel the
 * contexts first. */
void mn_parallel_abandon(mn_memory *memory);

/* How to split `n` rows into `count` blocks of `size` rows; the last one may be shorter. */
typedef struct mn_blocks {
  size_t n, size, count;
} mn_blocks;

/* Blocks of at least `size` rows, at most `max_blocks` of them. Depends on the arguments only. */
mn_blocks mn_make_blocks(size_t n, size_t size, size_t max_blocks);
static inline size_t mn_block_begin(const mn_blocks *b, size_t block)
{
  return block * b->size;
}
static inline size_t mn_block_end(const mn_blocks *b, size_t block)
{
  const size_t end = (block + 1) * b->size;
  return end < b->n ? end : b->n;
}

/* sum[0..width-1] = sum over blocks b of parts[b * width ...], in the order of the blocks. */
void mn_sum_blocks(size_t blocks, size_t width, const double *parts, double *sum);

/* Lets long work inside a task, or outside of tasks (then worker 0, the calling thread), ask whether it was cancelled.
 * ctx NULL: it never is. */
typedef struct mn_cancel_token {
  mn_context *ctx;
  size_t worker;
} mn_cancel_token;

/* To be called now and then, on the thread that does the work. False: cancelled; return without finishing, the results
 * are discarded. */
bool mn_task_should_continue(const mn_cancel_token *token);

/* A long loop in chunks of MN_CHUNK, with a check for cancellation between chunks:
 *
 *     mn_chunk c = { 0 };
 *     while (mn_next_chunk(&token, n, &c))
 *       for (size_t i = c.begin; i < c.end; i++) ...
 *
 * If the operation was cancelled, c.end < n afterwards. */
typedef struct mn_chunk {
  size_t begin, end;
} mn_chunk;

enum { MN_CHUNK = 1 << 13 };

static inline bool mn_next_chunk(const mn_cancel_token *token, size_t n, mn_chunk *c)
{
  if (c->end >= n || (c->end > 0 && !mn_task_should_continue(token))) return false;
  c->begin = c->end;
  c->end = n - c->begin < MN_CHUNK ? n : c->begin + MN_CHUNK;
  return true;
}

/* memcpy of a long array in chunks. False: cancelled. */
bool mn_copy_cancellable(const mn_cancel_token *token, void *to, const void *from, size_t bytes);

/* Keep the code loaded for threads that outlive the Lua state. */
void mn_threads_stay_loaded(void);

/* Start a thread that receives no signals. False: the system has no more threads. */
bool mn_thread_start(pthread_t *thread, void *(*run)(void *), void *user);

#endif

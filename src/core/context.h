/* The context: all state of a running operation. Every operation takes one. Two contexts share at most their memory
 * account, so two threads with a context each may work at the same time.
 *
 * A context provides scratch memory, keeps the text of the first error, says how many threads may work, reports
 * progress, and carries the request to stop or cancel. */
#ifndef MN_CORE_CONTEXT_H
#define MN_CORE_CONTEXT_H
#include "memory.h"
#include "status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mn_context mn_context;

/* A context that allocates from `memory`, which must outlive it. `threads` as in mn_set_threads. NULL: no memory. */
mn_context *mn_context_new(mn_memory *memory, size_t threads);
void mn_context_free(mn_context *ctx); /* NULL is allowed */
mn_memory *mn_context_memory(mn_context *ctx);

/* Threads that may work on one operation: 0 means as many as there are cores for this process, 1 means no threads. */
void mn_set_threads(mn_context *ctx, size_t threads);
size_t mn_threads(const mn_context *ctx);

/* A clock that never goes backward. */
double mn_seconds(void);

/* --- errors --- */

/* Set the error and return `status`, for use as: return mn_fail(...). The first error wins, because what failed first
 * is what the user needs to read. `format` as for printf; indices in messages are 1-based. */
mn_status mn_fail(mn_context *ctx, mn_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The first error since mn_clear; "" and MN_OK if there was none. */
const char *mn_error_text(const mn_context *ctx);
mn_status mn_error_status(const mn_context *ctx);

/* Put "where: " (a file name) before the error text, unless the text already begins with it. */
void mn_prefix_error(mn_context *ctx, const char *where);

/* Forget the error and any request to stop. Called when a user's operation begins. */
void mn_clear(mn_context *ctx);

/* Format a number for a message: integers up to 2^53 in full, NaN as "nan", others with at most 10 digits. Returns
 * `buffer`. */
enum { MN_NUMBER_SIZE = 32 };
const char *mn_format_number(char buffer[MN_NUMBER_SIZE], double value);

/* --- scratch memory --- */

/* rows * cols elements of `size` bytes, 64-byte aligned, which live until the running operation ends or until
 * mn_scratch_release of an earlier mark. NULL, with the error set, if there is no memory or the product overflows.
 * mn_scratch is zeroed, mn_scratch_raw is not. Only the calling thread may allocate: allocate what workers need before
 * mn_parallel. */
void *mn_scratch(mn_context *ctx, size_t size, size_t rows, size_t cols);
void *mn_scratch_raw(mn_context *ctx, size_t size, size_t rows, size_t cols);

/* A larger array: `capacity` elements of `size` bytes, the first `used` copied from `old`. The old array stays
 * allocated until the operation ends, so grow geometrically. NULL as for mn_scratch. */
void *mn_scratch_grow(mn_context *ctx, const void *old, size_t size, size_t used, size_t capacity);

#define MN_GROW(ctx, old, used, capacity) mn_scratch_grow((ctx), (old), sizeof *(old), (used), (capacity))
#define MN_NEW(ctx, type, rows, cols) ((type *)mn_scratch((ctx), sizeof(type), (rows), (cols)))
#define MN_RAW(ctx, type, rows, cols) ((type *)mn_scratch_raw((ctx), sizeof(type), (rows), (cols)))

/* Scratch is a stack: mn_scratch_release frees all that was allocated since the mark. */
typedef struct mn_mark {
  void *chunk;
  size_t used, peak;
} mn_mark;
mn_mark mn_scratch_mark(mn_context *ctx);
void mn_scratch_release(mn_context *ctx, mn_mark mark);

/* Release at the end of an iteration, and reserve the peak use of the iteration as one piece, so that the following
 * iterations need no allocator. `mark` moves behind the memory that makes this possible; continue with it, and release
 * it after the loop. */
mn_status mn_scratch_recycle(mn_context *ctx, mn_mark *mark);

/* --- progress, stop and cancel --- */

/* The answer of a progress callback: continue; stop and keep the result so far; or cancel, which is an error that
 * leaves the model unchanged. */
typedef enum mn_progress_reply { MN_CONTINUE, MN_STOP, MN_CANCEL } mn_progress_reply;

/* The state of a long operation. `objective` is NaN if there is none. */
typedef struct mn_progress {
  double done, total, objective;
} mn_progress;

/* Called from the calling thread only, while workers may be running; a callback that runs Lua must hold the memory
 * account (mn_memory_lock), since Lua calls its allocator directly. It is called for every iteration, so that what it
 * sees does not depend on the clock; between iterations, at most every 10 ms, it is called with `progress` NULL, which
 * only asks whether to continue. */
typedef mn_progress_reply (*mn_progress_callback)(void *user, const mn_progress *progress);
void mn_set_progress_callback(mn_context *ctx, mn_progress_callback callback, void *user);

/* Report one finished iteration. False: leave the loop; the entry point decides whether the result is kept. Calling
 * thread only. */
bool mn_report_progress(mn_context *ctx, double done, double total, double objective);

/* False once the callback has answered stop or cancel. */
bool mn_should_continue(const mn_context *ctx);

/* Following reports are those of part `part`, counted from 0, of `parts` equal parts (restarts, one-vs-rest problems),
 * so that progress increases over all of them. */
void mn_progress_part(mn_context *ctx, size_t part, size_t parts);

/* Call now and then in long loops without iterations to report. MN_CANCELLED: give up. */
mn_status mn_poll(mn_context *ctx);

/* True once the operation, or that of the parent context, was cancelled: results are discarded. */
bool mn_cancelled(const mn_context *ctx);

/* Cancel the operation that runs in `ctx`. May be called from any thread. */
void mn_cancel(mn_context *ctx);

/* Add a buffer of n numbers over the processes of a run on several machines, into the buffer of each. With one process,
 * the only case so far, there is nothing to add. */
mn_status mn_sum_across(mn_context *ctx, double *buffer, size_t n);

/* --- contexts for workers --- */

/* One context for each of n workers, contexts[0..n-1], which must be NULL before. They allocate from the account of
 * `parent` and are cancelled with it; contexts[0], for the calling thread, also asks its progress callback. If there
 * are fewer workers than threads, the rest of the threads work inside of each worker. To be freed on failure, too. */
mn_status mn_worker_contexts_new(mn_context *parent, size_t n, mn_context **contexts);
void mn_worker_contexts_free(size_t n, mn_context **contexts);

/* Copy the first error of the workers to their parent. */
mn_status mn_worker_contexts_status(mn_context *parent, size_t n, mn_context *const *contexts);

#endif

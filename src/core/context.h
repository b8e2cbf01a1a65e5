/* The context: all the state there is. Every operation takes one; two contexts never share anything but memory
 * accounts, so two threads with a context each may work at once.
 *
 * A context gives temporary memory (scratch), holds the text of the first error, says how many threads may help, and
 * carries progress outwards and the wish to stop inwards. */
#ifndef MN_CORE_CONTEXT_H
#define MN_CORE_CONTEXT_H
#include "memory.h"
#include "status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mn_context mn_context;

/* What the host answers when it is asked: go on, stop and keep what there is, or cancel (an error, the model as it
 * was). */
typedef enum mn_progress_reply { MN_CONTINUE, MN_STOP, MN_CANCEL } mn_progress_reply;

/* How far a long operation is. `objective` is NaN where there is none. */
typedef struct mn_progress {
  double done, total, objective;
} mn_progress;

/* Asked from the calling thread only, while others may be at work: who runs Lua here holds the account
 * (mn_memory_lock), for Lua calls its allocator by itself. Asked at every tick, so that what a function of the user
 * sees does not depend on the clock, and between ticks, with `progress` NULL, at most every 10 ms (a long parallel loop
 * only wants to know whether to go on). */
typedef mn_progress_reply (*mn_progress_callback)(void *user, const mn_progress *progress);

/* Of a clock that only goes forward. */
double mn_seconds(void);

/* A context over `memory`, which must outlive it. `threads` as in mn_set_threads. NULL when there is no memory. */
mn_context *mn_context_new(mn_memory *memory, size_t threads);

/* A context for one worker: the memory of `parent`, one thread, no watcher. Cancelled when the parent is. */
mn_context *mn_context_child(mn_context *parent);

/* The same for all of n workers, child[0..n-1], which are NULL before. The first, for the calling thread, listens to
 * what `parent` listens to; where there are fewer workers than threads, those left over help inside. To be freed on
 * failure, too. */
mn_status mn_context_new_children(mn_context *parent, size_t n, mn_context **child);

/* The first error of the children becomes that of their parent. */
mn_status mn_children_status(mn_context *parent, size_t n, mn_context *const *child);

void mn_context_free(mn_context *ctx);

mn_memory *mn_context_memory(mn_context *ctx);

/* Threads that may work on one operation: 0 means the cores this process may use, 1 means no threads at all. */
void mn_set_threads(mn_context *ctx, size_t threads);
size_t mn_threads(const mn_context *ctx);

void mn_set_progress_callback(mn_context *ctx, mn_progress_callback watcher, void *user);

/* Leave with a status and a text. The first text wins: what failed first is what the user needs to read. Format as
 * printf; indices in the text are 1-based. Returns `status`, so: return mn_fail(...). */
mn_status mn_fail(mn_context *ctx, mn_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The text of the first error since mn_clear, "" when there was none. */
const char *mn_error_text(const mn_context *ctx);
mn_status mn_error_status(const mn_context *ctx);

/* Put "where: " (a file) before the text of the error, unless it begins so already. */
void mn_prefix_error(mn_context *ctx, const char *where);

/* Forget the error and the wish to stop: called by the front door when an operation of the user begins. */
void mn_clear(mn_context *ctx);

/* A number for a message: whole numbers whole (up to 2^53), NaN as nan, else at most 10 digits. Returns `buffer`. */
enum { MN_NUMBER_SIZE = 32 };
const char *mn_format_number(char buffer[MN_NUMBER_SIZE], double value);

/* rows * cols elements of `size` bytes, 64-byte aligned, alive until the operation that is running ends (until
 * mn_release of an earlier mark). NULL, with the text set, when there is no memory or the product overflows.
 * mn_scratch is zeroed, mn_scratch_raw is not. Calling thread only: take what workers need before mn_parallel. */
void *mn_scratch(mn_context *ctx, size_t size, size_t rows, size_t cols);
void *mn_scratch_raw(mn_context *ctx, size_t size, size_t rows, size_t cols);

/* An array that grows: room for `room` elements of `size` bytes, of which the first `used` are those of `old`. That
 * stays where it is until the operation ends, so room is best doubled. NULL as of mn_scratch. */
void *mn_scratch_grow(mn_context *ctx, const void *old, size_t size, size_t used, size_t room);

#define MN_GROW(ctx, old, used, room) mn_scratch_grow((ctx), (old), sizeof *(old), (used), (room))
#define MN_NEW(ctx, type, rows, cols) ((type *)mn_scratch((ctx), sizeof(type), (rows), (cols)))
#define MN_RAW(ctx, type, rows, cols) ((type *)mn_scratch_raw((ctx), sizeof(type), (rows), (cols)))

/* Scratch is a stack: release gives back all that was taken since the mark. */
typedef struct mn_mark {
  void *chunk;
  size_t used, most;
} mn_mark;
mn_mark mn_scratch_mark(mn_context *ctx);
void mn_scratch_release(mn_context *ctx, mn_mark mark);

/* After a round of a loop: release, but what the round has held at most stays there in one piece, which the next rounds
 * find without asking the allocator. The mark moves to where that begins: the loop goes on with it, and releases it in
 * the end. */
mn_status mn_scratch_keep(mn_context *ctx, mn_mark *mark);

/* One round of a long loop is done. False: leave the loop; whether the result is kept or thrown away is decided by the
 * front door. Calling thread only. */
bool mn_report_progress(mn_context *ctx, double done, double total, double objective);

/* Neither "stop" nor "cancel" has been answered. */
bool mn_should_continue(const mn_context *ctx);

/* The ticks that follow are those of one of `parts` equal parts (restarts, classes against the rest), counted from 0:
 * so progress goes forward over all of them. */
void mn_progress_part(mn_context *ctx, size_t part, size_t parts);

/* Between the blocks of a long step: MN_CANCELLED when the operation is to be given up. */
mn_status mn_poll(mn_context *ctx);

/* True once the watcher has answered "cancel" (or the parent was cancelled): results are thrown away. */
bool mn_cancelled(const mn_context *ctx);

/* Ask from another thread that the operation running in `ctx` be cancelled. */
void mn_cancel(mn_context *ctx);

/* Add a buffer over the processes of a run on several machines. One process: nothing to do. */
mn_status mn_sum_across(mn_context *ctx, double *buffer, size_t n);

#endif

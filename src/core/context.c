#include "context.h"
#include "cpu.h"
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TEXT_SIZE = 512, FIRST_CHUNK = 16 << 10 };
static const double poll_interval = 0.01; /* seconds */

/* Scratch is a stack of chunks. The first one is kept between operations, so that a small operation needs no
 * allocator. */
struct chunk {
  struct chunk *below;
  size_t size, used;                   /* of bytes[]                                                         */
  size_t reserved_begin, reserved_end; /* requests that end at most at reserved_end cannot fail              */
  size_t below_used;                   /* used bytes of all chunks below                                     */
  char *bytes;
};

struct mn_context {
  mn_memory *memory;
  mn_context *parent;
  struct chunk *top;
  size_t peak; /* most bytes of scratch in use at once since the last mark */
  size_t threads;
  mn_progress_callback callback;
  void *callback_user;
  double polled_at; /* when the callback was last called between iterations */
  atomic_bool cancelled;
  bool stopped;
  size_t part, parts; /* see mn_progress_part */
  mn_status status;
  char text[TEXT_SIZE];
};

double mn_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

mn_context *mn_context_new(mn_memory *memory, size_t threads)
{
  mn_context *ctx = mn_alloc(memory, sizeof *ctx);
  if (!ctx) return NULL;
  memset(ctx, 0, sizeof *ctx);
  ctx->memory = memory;
  ctx->parts = 1;
  mn_set_threads(ctx, threads);
  return ctx;
}

static mn_context *new_worker_context(mn_context *parent)
{
  mn_context *ctx = mn_context_new(parent->memory, 1);
  if (ctx) ctx->parent = parent;
  return ctx;
}

static mn_progress_reply poll_parent(void *parent, const mn_progress *progress)
{
  (void)progress;
  return mn_poll(parent) == MN_OK ? MN_CONTINUE : MN_CANCEL;
}

mn_status mn_sum_across(mn_context *ctx, double *buffer, size_t n)
{
  (void)ctx;
  (void)buffer;
  (void)n;
  return MN_OK;
}

mn_status mn_worker_contexts_new(mn_context *parent, size_t n, mn_context **contexts)
{
  for (size_t i = 0; i < n; i++) {
    contexts[i] = new_worker_context(parent);
    if (!contexts[i]) return mn_fail(parent, MN_NO_MEMORY, "not enough memory for %zu workers", n);
    mn_set_threads(contexts[i], parent->threads / n > 1 ? parent->threads / n : 1);
  }
  if (n > 0) mn_set_progress_callback(contexts[0], poll_parent, parent);
  return MN_OK;
}

mn_status mn_worker_contexts_status(mn_context *parent, size_t n, mn_context *const *contexts)
{
  for (size_t i = 0; i < n; i++)
    if (contexts[i]->status != MN_OK) return mn_fail(parent, contexts[i]->status, "%s", contexts[i]->text);
  return MN_OK;
}

void mn_worker_contexts_free(size_t n, mn_context **contexts)
{
  for (size_t i = 0; i < n; i++) mn_context_free(contexts[i]);
}

void mn_context_free(mn_context *ctx)
{
  if (!ctx) return;
  while (ctx->top) {
    struct chunk *chunk = ctx->top;
    ctx->top = chunk->below;
    mn_free(ctx->memory, chunk);
  }
  mn_free(ctx->memory, ctx);
}

mn_memory *mn_context_memory(mn_context *ctx)
{
  return ctx->memory;
}

void mn_set_threads(mn_context *ctx, size_t threads)
{
  ctx->threads = threads > 0 ? threads : mn_cores();
}

size_t mn_threads(const mn_context *ctx)
{
  return ctx->threads;
}

void mn_set_progress_callback(mn_context *ctx, mn_progress_callback callback, void *user)
{
  ctx->callback = callback;
  ctx->callback_user = user;
}

mn_status mn_fail(mn_context *ctx, mn_status status, const char *format, ...)
{
  if (ctx->status != MN_OK) return status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(ctx->text, sizeof ctx->text, format, arguments);
  va_end(arguments);
  ctx->status = status;
  return status;
}

const char *mn_error_text(const mn_context *ctx)
{
  return ctx->text;
}

mn_status mn_error_status(const mn_context *ctx)
{
  return ctx->status;
}

void mn_prefix_error(mn_context *ctx, const char *where)
{
  char text[TEXT_SIZE];
  if (strncmp(ctx->text, where, strlen(where)) == 0) return;
  memcpy(text, ctx->text, sizeof text);
  snprintf(ctx->text, sizeof ctx->text, "%.250s: %.250s", where, text);
}

void mn_clear(mn_context *ctx)
{
  ctx->status = MN_OK;
  ctx->text[0] = '\0';
  ctx->stopped = false;
  ctx->part = 0;
  ctx->parts = 1;
  atomic_store(&ctx->cancelled, false);
}

const char *mn_format_number(char buffer[MN_NUMBER_SIZE], double value)
{
  if (isnan(value)) return "nan";
  if (isinf(value)) return value > 0 ? "inf" : "-inf";
  const bool whole = value == floor(value) && fabs(value) <= 0x1p53;
  if (whole)
    snprintf(buffer, MN_NUMBER_SIZE, "%.0f", value);
  else
    snprintf(buffer, MN_NUMBER_SIZE, "%.10g", value);
  return buffer;
}

static mn_status no_memory(mn_context *ctx, size_t size, size_t rows, size_t cols)
{
  return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu x %zu values of %zu bytes", rows, cols, size);
}

static size_t in_use(const mn_context *ctx)
{
  return ctx->top ? ctx->top->below_used + ctx->top->used : 0;
}

static struct chunk *push_chunk(mn_context *ctx, size_t size)
{
  enum { HEADER = 64 }; /* keeps bytes[] aligned */
  if (size > SIZE_MAX - HEADER) return NULL;
  char *block = mn_alloc(ctx->memory, HEADER + size);
  if (!block) return NULL;
  struct chunk *chunk = (struct chunk *)(void *)block;
  *chunk = (struct chunk){ .below = ctx->top, .size = size, .below_used = in_use(ctx), .bytes = block + HEADER };
  ctx->top = chunk;
  return chunk;
}

/* The top chunk, with `bytes` free; a new one if needed. NULL: no memory, or a test lets the request fail. */
static struct chunk *find_chunk(mn_context *ctx, size_t bytes)
{
  struct chunk *chunk = ctx->top;
  if (!chunk || chunk->size - chunk->used < bytes) return push_chunk(ctx, bytes > FIRST_CHUNK ? bytes : FIRST_CHUNK);
  return chunk->used + bytes > chunk->reserved_end && mn_memory_should_fail(ctx->memory) ? NULL : chunk;
}

void *mn_scratch_raw(mn_context *ctx, size_t size, size_t rows, size_t cols)
{
  size_t bytes;
  if (!mn_checked_size(size, rows, cols, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) {
    no_memory(ctx, size, rows, cols);
    return NULL;
  }
  bytes = (bytes + 63) & ~(size_t)63;
  struct chunk *chunk = find_chunk(ctx, bytes);
  if (!chunk) {
    no_memory(ctx, size, rows, cols);
    return NULL;
  }
  void *memory = chunk->bytes + chunk->used;
  chunk->used += bytes;
  if (ctx->peak < in_use(ctx)) ctx->peak = in_use(ctx);
  return memory;
}

void *mn_scratch(mn_context *ctx, size_t size, size_t rows, size_t cols)
{
  void *memory = mn_scratch_raw(ctx, size, rows, cols);
  if (memory) memset(memory, 0, size * rows * cols);
  return memory;
}

void *mn_scratch_grow(mn_context *ctx, const void *old, size_t size, size_t used, size_t capacity)
{
  void *grown = mn_scratch_raw(ctx, size, capacity, 1);
  if (grown && used > 0) memcpy(grown, old, used * size);
  return grown;
}

mn_mark mn_scratch_mark(mn_context *ctx)
{
  const mn_mark mark = { .chunk = ctx->top, .used = ctx->top ? ctx->top->used : 0, .peak = ctx->peak };
  ctx->peak = in_use(ctx);
  return mark;
}

void mn_scratch_release(mn_context *ctx, mn_mark mark)
{
  if (ctx->peak < mark.peak) ctx->peak = mark.peak;
  while (ctx->top != mark.chunk) {
    struct chunk *chunk = ctx->top;
    const bool first = !mark.chunk && !chunk->below && chunk->size == FIRST_CHUNK;
    if (first) {
      chunk->used = chunk->reserved_end = 0;
      return;
    }
    ctx->top = chunk->below;
    mn_free(ctx->memory, chunk);
  }
  if (!ctx->top) return;
  ctx->top->used = mark.used;
  if (mark.used < ctx->top->reserved_begin) ctx->top->reserved_end = 0;
}

mn_status mn_scratch_recycle(mn_context *ctx, mn_mark *mark)
{
  const size_t peak = ctx->peak;
  mn_scratch_release(ctx, *mark);
  const size_t bytes = peak - in_use(ctx);
  struct chunk *chunk = find_chunk(ctx, bytes);
  if (!chunk) return no_memory(ctx, 1, bytes, 1);
  if (chunk->reserved_end < chunk->used + bytes) {
    chunk->reserved_begin = chunk->used;
    chunk->reserved_end = chunk->used + bytes;
  }
  *mark = mn_scratch_mark(ctx);
  return MN_OK;
}

static void call_back(mn_context *ctx, const mn_progress *progress)
{
  switch (ctx->callback(ctx->callback_user, progress)) {
  case MN_CONTINUE: break;
  case MN_STOP: ctx->stopped = true; break;
  case MN_CANCEL: mn_cancel(ctx); break;
  }
}

bool mn_cancelled(const mn_context *ctx)
{
  for (; ctx; ctx = ctx->parent)
    if (atomic_load_explicit(&ctx->cancelled, memory_order_relaxed)) return true;
  return false;
}

void mn_cancel(mn_context *ctx)
{
  atomic_store(&ctx->cancelled, true);
}

bool mn_report_progress(mn_context *ctx, double done, double total, double objective)
{
  const mn_progress progress = { .done = (double)ctx->part * total + done,
                                 .total = (double)ctx->parts * total,
                                 .objective = objective };
  if (ctx->callback) call_back(ctx, &progress);
  return mn_should_continue(ctx);
}

bool mn_should_continue(const mn_context *ctx)
{
  return !ctx->stopped && !mn_cancelled(ctx);
}

void mn_progress_part(mn_context *ctx, size_t part, size_t parts)
{
  ctx->part = part;
  ctx->parts = parts;
}

mn_status mn_poll(mn_context *ctx)
{
  const double now = ctx->callback ? mn_seconds() : 0;
  if (ctx->callback && now - ctx->polled_at >= poll_interval) {
    ctx->polled_at = now;
    call_back(ctx, NULL);
  }
  return mn_cancelled(ctx) ? mn_fail(ctx, MN_CANCELLED, "cancelled") : MN_OK;
}

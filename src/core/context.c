#include "context.h"
#include "threads.h"
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TEXT_SIZE = 512, FIRST_CHUNK = 16 << 10 };
static const double ask_every = 0.01;

/* Scratch is a stack of chunks; the first one is kept between operations, so that a small operation asks the allocator
 * for nothing. */
struct chunk {
  struct chunk *below;
  size_t size, used;      /* of bytes[]                                                    */
  size_t keep_from, kept; /* no request that ends at most at `kept` fails, see mn_scratch_keep */
  size_t under;           /* used bytes of all chunks below                                */
  char *bytes;
};

struct mn_context {
  mn_memory *memory;
  mn_context *parent;
  struct chunk *top;
  size_t most; /* bytes of scratch in use at once since the last mark */
  size_t threads;
  mn_progress_callback watcher;
  void *watcher_user;
  double asked_at; /* when the watcher was last asked between ticks */
  atomic_bool cancelled;
  bool stopped;
  size_t part, parts; /* of the progress, see mn_progress_part */
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

mn_context *mn_context_child(mn_context *parent)
{
  mn_context *ctx = mn_context_new(parent->memory, 1);
  if (ctx) ctx->parent = parent;
  return ctx;
}

static mn_progress_reply listen_to(void *parent, const mn_progress *progress)
{
  (void)progress;
  return mn_poll(parent) == MN_OK ? MN_CONTINUE : MN_CANCEL;
}

mn_status mn_context_new_children(mn_context *parent, size_t n, mn_context **child)
{
  for (size_t i = 0; i < n; i++) {
    child[i] = mn_context_child(parent);
    if (!child[i]) return mn_fail(parent, MN_NO_MEMORY, "not enough memory for %zu workers", n);
    mn_set_threads(child[i], parent->threads / n > 1 ? parent->threads / n : 1);
  }
  if (n > 0) mn_set_progress_callback(child[0], listen_to, parent);
  return MN_OK;
}

mn_status mn_children_status(mn_context *parent, size_t n, mn_context *const *child)
{
  for (size_t i = 0; i < n; i++)
    if (child[i]->status != MN_OK) return mn_fail(parent, child[i]->status, "%s", child[i]->text);
  return MN_OK;
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

void mn_set_progress_callback(mn_context *ctx, mn_progress_callback watcher, void *user)
{
  ctx->watcher = watcher;
  ctx->watcher_user = user;
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
  return ctx->top ? ctx->top->under + ctx->top->used : 0;
}

static struct chunk *push_chunk(mn_context *ctx, size_t size)
{
  enum { HEADER = 64 }; /* keeps bytes[] aligned */
  if (size > SIZE_MAX - HEADER) return NULL;
  char *block = mn_alloc(ctx->memory, HEADER + size);
  if (!block) return NULL;
  struct chunk *chunk = (struct chunk *)(void *)block;
  *chunk = (struct chunk){ .below = ctx->top, .size = size, .under = in_use(ctx), .bytes = block + HEADER };
  ctx->top = chunk;
  return chunk;
}

/* A chunk on top that has room for so many bytes. NULL: there is no memory, or a test says so. */
static struct chunk *find_room(mn_context *ctx, size_t bytes)
{
  struct chunk *chunk = ctx->top;
  if (!chunk || chunk->size - chunk->used < bytes) return push_chunk(ctx, bytes > FIRST_CHUNK ? bytes : FIRST_CHUNK);
  return chunk->used + bytes > chunk->kept && mn_memory_must_fail(ctx->memory) ? NULL : chunk;
}

void *mn_scratch_raw(mn_context *ctx, size_t size, size_t rows, size_t cols)
{
  size_t bytes;
  if (!mn_checked_size(size, rows, cols, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) {
    no_memory(ctx, size, rows, cols);
    return NULL;
  }
  bytes = (bytes + 63) & ~(size_t)63;
  struct chunk *chunk = find_room(ctx, bytes);
  if (!chunk) {
    no_memory(ctx, size, rows, cols);
    return NULL;
  }
  void *taken = chunk->bytes + chunk->used;
  chunk->used += bytes;
  if (ctx->most < in_use(ctx)) ctx->most = in_use(ctx);
  return taken;
}

void *mn_scratch(mn_context *ctx, size_t size, size_t rows, size_t cols)
{
  void *taken = mn_scratch_raw(ctx, size, rows, cols);
  if (taken) memset(taken, 0, size * rows * cols);
  return taken;
}

void *mn_scratch_grow(mn_context *ctx, const void *old, size_t size, size_t used, size_t room)
{
  void *longer = mn_scratch_raw(ctx, size, room, 1);
  if (longer && used > 0) memcpy(longer, old, used * size);
  return longer;
}

mn_mark mn_scratch_mark(mn_context *ctx)
{
  const mn_mark mark = { .chunk = ctx->top, .used = ctx->top ? ctx->top->used : 0, .most = ctx->most };
  ctx->most = in_use(ctx);
  return mark;
}

void mn_scratch_release(mn_context *ctx, mn_mark mark)
{
  if (ctx->most < mark.most) ctx->most = mark.most;
  while (ctx->top != mark.chunk) {
    struct chunk *chunk = ctx->top;
    const bool first = !mark.chunk && !chunk->below && chunk->size == FIRST_CHUNK;
    if (first) {
      chunk->used = chunk->kept = 0;
      return;
    }
    ctx->top = chunk->below;
    mn_free(ctx->memory, chunk);
  }
  if (!ctx->top) return;
  ctx->top->used = mark.used;
  if (mark.used < ctx->top->keep_from) ctx->top->kept = 0;
}

mn_status mn_scratch_keep(mn_context *ctx, mn_mark *mark)
{
  const size_t most = ctx->most;
  mn_scratch_release(ctx, *mark);
  const size_t bytes = most - in_use(ctx);
  struct chunk *chunk = find_room(ctx, bytes);
  if (!chunk) return no_memory(ctx, 1, bytes, 1);
  if (chunk->kept < chunk->used + bytes) {
    chunk->keep_from = chunk->used;
    chunk->kept = chunk->used + bytes;
  }
  *mark = mn_scratch_mark(ctx);
  return MN_OK;
}

static void ask(mn_context *ctx, const mn_progress *progress)
{
  switch (ctx->watcher(ctx->watcher_user, progress)) {
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
  if (ctx->watcher) ask(ctx, &progress);
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
  const double now = ctx->watcher ? mn_seconds() : 0;
  if (ctx->watcher && now - ctx->asked_at >= ask_every) {
    ctx->asked_at = now;
    ask(ctx, NULL);
  }
  return mn_cancelled(ctx) ? mn_fail(ctx, MN_CANCELLED, "cancelled") : MN_OK;
}

mn_status mn_sum_across(mn_context *ctx, double *buffer, size_t n)
{
  (void)ctx;
  (void)buffer;
  (void)n;
  return MN_OK;
}

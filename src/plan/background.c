#include "background.h"
#include "../core/threads.h"
#include <math.h>
#include <time.h>
#include <unistd.h>

struct mn_background {
  mn_memory *memory; /* the account of all its memory, including this struct */
  mn_context *ctx;
  const mn_background_task *task;
  void *state;
  pid_t process;
  pthread_t thread;
  bool started, has_lock;
  mn_status status;
  pthread_mutex_t lock; /* protects the following */
  pthread_cond_t ended_changed;
  bool ended;
  mn_progress progress;
};

static mn_progress_reply store_progress(void *user, const mn_progress *progress)
{
  mn_background *b = user;
  if (!progress) return MN_CONTINUE;
  pthread_mutex_lock(&b->lock);
  b->progress = *progress;
  pthread_mutex_unlock(&b->lock);
  return MN_CONTINUE;
}

/* The thread. */
static void *run(void *user)
{
  mn_background *b = user;
  b->status = b->task->run(b->ctx, b->state);
  mn_scratch_release(b->ctx, (mn_mark){ 0 });
  pthread_mutex_lock(&b->lock);
  b->ended = true;
  pthread_cond_broadcast(&b->ended_changed);
  pthread_mutex_unlock(&b->lock);
  return NULL;
}

static mn_background *new_background(mn_context *ctx)
{
  mn_memory *memory = mn_memory_child(mn_context_memory(ctx));
  mn_background *b = memory ? mn_alloc(memory, sizeof *b) : NULL;
  if (b) {
    *b = (mn_background){ .memory = memory, .process = getpid(), .progress = { .total = NAN, .objective = NAN } };
    b->ctx = mn_context_new(memory, mn_threads(ctx));
    b->has_lock = pthread_mutex_init(&b->lock, NULL) == 0;
    if (b->ctx && b->has_lock && pthread_cond_init(&b->ended_changed, NULL) == 0) return b;
    mn_background_free(b);
  } else {
    mn_memory_free(memory);
  }
  mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a fit in the background");
  return NULL;
}

mn_status mn_background_start(mn_context *ctx, const mn_background_task *task, const void *given, mn_background **out)
{
  mn_background *b = new_background(ctx);
  if (!b) return MN_NO_MEMORY;
  mn_status status = MN_OK;
  b->task = task;
  b->state = task->copy(b->ctx, given);
  if (!b->state) {
    status = mn_fail(ctx, mn_error_status(b->ctx), "%s", mn_error_text(b->ctx));
  } else {
    mn_set_progress_callback(b->ctx, store_progress, b);
    b->started = mn_thread_start(&b->thread, run, b);
    if (!b->started)
      status = mn_fail(ctx, MN_NO_MEMORY, "the system could not start a thread for a fit in the background");
  }
  if (status == MN_OK)
    *out = b;
  else
    mn_background_free(b);
  return status;
}

const void *mn_background_state(const mn_background *b)
{
  return b->state;
}

bool mn_background_lost(const mn_background *b)
{
  return b->process != getpid();
}

static struct timespec in_milliseconds(int milliseconds)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t); /* the default clock of a condition variable */
  t.tv_nsec += milliseconds % 1000 * 1000000L;
  t.tv_sec += milliseconds / 1000 + t.tv_nsec / 1000000000L;
  t.tv_nsec %= 1000000000L;
  return t;
}

bool mn_background_finished(mn_background *b, int milliseconds)
{
  const struct timespec until = in_milliseconds(milliseconds);
  pthread_mutex_lock(&b->lock);
  if (!b->ended && milliseconds > 0) pthread_cond_timedwait(&b->ended_changed, &b->lock, &until);
  const bool ended = b->ended;
  pthread_mutex_unlock(&b->lock);
  return ended;
}

mn_progress mn_background_progress(mn_background *b)
{
  pthread_mutex_lock(&b->lock);
  const mn_progress progress = b->progress;
  pthread_mutex_unlock(&b->lock);
  return progress;
}

mn_status mn_background_status(const mn_background *b)
{
  return b->status;
}

const char *mn_background_text(const mn_background *b)
{
  return mn_error_text(b->ctx);
}

/* In a forked child nothing is freed: the thread does not exist, and may have held the locks. */
void mn_background_free(mn_background *b)
{
  if (!b || mn_background_lost(b)) return;
  mn_memory *memory = b->memory;
  if (b->started) {
    mn_cancel(b->ctx);
    pthread_join(b->thread, NULL);
    pthread_cond_destroy(&b->ended_changed);
  }
  if (b->has_lock) pthread_mutex_destroy(&b->lock);
  if (b->state) b->task->release(memory, b->state);
  mn_context_free(b->ctx);
  mn_free(memory, b);
  mn_memory_free(memory);
}

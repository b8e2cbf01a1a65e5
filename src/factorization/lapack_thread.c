#include "lapack_thread.h"
#include "../core/threads.h"
#include <stdlib.h>
#include <time.h>

enum { WAIT_MS = 10 };

/* The threads at work. The process must not end before they do: LAPACK frees its buffers then. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t ended; /* a thread has ended */
  size_t running;
  bool exit_handled;
} threads = { .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER };

struct run {
  mn_memory *memory; /* which also holds this struct */
  void (*call)(void *arrays);
  void *arrays;
  bool ended, abandoned; /* under the lock */
};

static void wait_for_all(void)
{
  pthread_mutex_lock(&threads.lock);
  while (threads.running > 0) pthread_cond_wait(&threads.ended, &threads.lock);
  pthread_mutex_unlock(&threads.lock);
}

/* In a forked child none of the threads exists. */
static void forget_all(void)
{
  pthread_mutex_init(&threads.lock, NULL);
  pthread_cond_init(&threads.ended, NULL);
  threads.running = 0;
}

static void *thread_main(void *user)
{
  struct run *run = user;
  run->call(run->arrays);
  pthread_mutex_lock(&threads.lock);
  mn_memory *const memory = run->abandoned ? run->memory : NULL;
  run->ended = true;
  pthread_mutex_unlock(&threads.lock);
  mn_memory_free(memory);
  pthread_mutex_lock(&threads.lock);
  threads.running--;
  pthread_cond_broadcast(&threads.ended);
  pthread_mutex_unlock(&threads.lock);
  return NULL;
}

static bool start(struct run *run)
{
  pthread_t thread;
  pthread_mutex_lock(&threads.lock);
  if (!threads.exit_handled)
    threads.exit_handled = atexit(wait_for_all) == 0 && pthread_atfork(NULL, NULL, forget_all) == 0;
  if (threads.running == 0) mn_threads_stay_loaded();
  const bool started = threads.exit_handled && mn_thread_start(&thread, thread_main, run);
  threads.running += started;
  pthread_mutex_unlock(&threads.lock);
  if (started) pthread_detach(thread);
  return started;
}

/* Under the lock. Wait until a thread ends, at most WAIT_MS. */
static void wait_shortly(void)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until); /* the default clock of a condition variable */
  until.tv_nsec += WAIT_MS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  pthread_cond_timedwait(&threads.ended, &threads.lock, &until);
}

static mn_status wait_for(mn_context *ctx, struct run *run)
{
  mn_status status = MN_OK;
  pthread_mutex_lock(&threads.lock);
  while (!run->ended && status == MN_OK) {
    wait_shortly();
    if (run->ended) break;
    pthread_mutex_unlock(&threads.lock); /* the progress callback may do anything */
    status = mn_poll(ctx);
    pthread_mutex_lock(&threads.lock);
  }
  run->abandoned = status != MN_OK && !run->ended;
  if (run->abandoned) mn_memory_orphan(run->memory); /* the parent account may be freed before the thread ends */
  const bool ended_too_late = status != MN_OK && run->ended;
  pthread_mutex_unlock(&threads.lock);
  if (ended_too_late) mn_memory_free(run->memory);
  return status;
}

mn_status mn_lapack_run(mn_context *ctx, mn_memory *memory, void (*call)(void *arrays), void *arrays)
{
  struct run *run = mn_alloc(memory, sizeof *run);
  if (!run) {
    mn_memory_free(memory);
    return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a thread");
  }
  *run = (struct run){ .memory = memory, .call = call, .arrays = arrays };
  if (start(run)) return wait_for(ctx, run);
  call(arrays); /* the system has no more threads */
  return MN_OK;
}

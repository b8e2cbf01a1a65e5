/* One pool per process. A parallel call posts itself on the list of open calls; idle workers take blocks from the first
 * one that wants help, the caller takes blocks too, and the caller leaves when all blocks are done. So several Lua
 * states in several threads share the same few workers, and nobody waits for a worker that is busy elsewhere.
 *
 * The pool is the one piece of state that belongs to the process rather than to a context: threads cannot be owned by a
 * Lua state without being started and stopped with each. A forked child has none of the workers: it forgets the pool
 * and starts anew (pthread_atfork). */
#include "threads.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { MOST_WORKERS = 256, LONGEST_WAIT_MS = 10, LOOKS = 2000 };

struct call {
  struct call *next;
  mn_task task;
  void *work;
  size_t blocks, helpers, most_helpers; /* helpers: joined so far, under the pool's lock */
  atomic_size_t inside;                 /* helpers at work now; changes under the lock   */
  atomic_size_t next_block;
  atomic_bool given_up;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wanted;   /* a call wants help    */
  pthread_cond_t finished; /* a helper left a call */
  struct call *open;
  atomic_size_t posted; /* calls so far */
  size_t workers;
  bool fork_handled;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER,
           .wanted = PTHREAD_COND_INITIALIZER,
           .finished = PTHREAD_COND_INITIALIZER };

bool mn_thread_start(pthread_t *thread, void *(*run)(void *), void *user)
{
  sigset_t all, before; /* signals are the host's: its own threads shall get them */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(thread, NULL, run, user) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

static void before_fork(void)
{
  pthread_mutex_lock(&pool.lock);
}

static void after_fork_parent(void)
{
  pthread_mutex_unlock(&pool.lock);
}

static void after_fork_child(void)
{
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.wanted, NULL);
  pthread_cond_init(&pool.finished, NULL);
  pool.open = NULL;
  pool.workers = 0;
}

static void run_blocks(struct call *call, size_t worker)
{
  while (!atomic_load_explicit(&call->given_up, memory_order_relaxed)) {
    const size_t block = atomic_fetch_add_explicit(&call->next_block, 1, memory_order_relaxed);
    if (block >= call->blocks) return;
    call->task(call->work, block, worker);
  }
}

/* The one with the fewest helpers: so several that are open at once share the pool. */
static struct call *call_wanting_help(void)
{
  struct call *best = NULL;
  for (struct call *call = pool.open; call; call = call->next)
    if (call->helpers < call->most_helpers && atomic_load(&call->next_block) < call->blocks &&
        (!best || call->inside <= best->inside))
      best = call; /* of equal ones the oldest, which stands last */
  return best;
}

static void pause_briefly(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
  __asm__ volatile("yield");
#endif
}

/* Calls often follow each other within microseconds, while to sleep and to be woken takes tens of them: so a worker
 * that has just worked looks around for about as long before it sleeps. */
static void look_for_call(size_t seen)
{
  for (size_t k = 0; k < LOOKS && atomic_load_explicit(&pool.posted, memory_order_relaxed) == seen; k++)
    pause_briefly();
}

static void *worker_main(void *unused)
{
  (void)unused;
  bool worked = false;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    struct call *call = call_wanting_help();
    if (!call && worked) {
      const size_t seen = atomic_load_explicit(&pool.posted, memory_order_relaxed);
      pthread_mutex_unlock(&pool.lock);
      look_for_call(seen);
      pthread_mutex_lock(&pool.lock);
      worked = false;
      continue;
    }
    if (!call) {
      pthread_cond_wait(&pool.wanted, &pool.lock);
      continue;
    }
    worked = true;
    const size_t worker = ++call->helpers; /* the caller is worker 0 */
    call->inside++;
    pthread_mutex_unlock(&pool.lock);
    run_blocks(call, worker);
    pthread_mutex_lock(&pool.lock);
    if (atomic_fetch_sub(&call->inside, 1) == 1) pthread_cond_broadcast(&pool.finished);
  }
  return NULL;
}

/* Workers live as long as the process, a closing Lua state unloads its libraries: the code under them must stay. (In a
 * program that holds us itself the call fails, and nothing is to be done.) */
static void stay_loaded(void)
{
  Dl_info here;
  if (dladdr(&pool, &here) != 0 && here.dli_fname)
    (void)dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Under the lock. Fewer threads than wanted is no error: the caller works anyway. */
static void start_workers(size_t wanted)
{
  if (!pool.fork_handled) pool.fork_handled = pthread_atfork(before_fork, after_fork_parent, after_fork_child) == 0;
  if (!pool.fork_handled || pool.workers >= wanted) return;
  if (pool.workers == 0) stay_loaded();
  while (pool.workers < wanted && pool.workers < MOST_WORKERS) {
    pthread_t thread;
    if (!mn_thread_start(&thread, worker_main, NULL)) break;
    pthread_detach(thread);
    pool.workers++;
  }
}

static void post(struct call *call)
{
  pthread_mutex_lock(&pool.lock);
  start_workers(call->most_helpers);
  call->next = pool.open;
  pool.open = call;
  atomic_fetch_add_explicit(&pool.posted, 1, memory_order_relaxed);
  pthread_cond_broadcast(&pool.wanted);
  pthread_mutex_unlock(&pool.lock);
}

/* Under the lock: wait for a helper to leave a call, for a while. */
static void wait_a_while(void)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until); /* that of the condition, by default */
  until.tv_nsec += LONGEST_WAIT_MS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  pthread_cond_timedwait(&pool.finished, &pool.lock, &until);
}

/* As look_for_call: the last helper is often at its last block. */
static void look_for_end(const struct call *call)
{
  for (size_t k = 0; k < LOOKS && atomic_load_explicit(&call->inside, memory_order_relaxed) > 0; k++) pause_briefly();
}

/* No helper may be inside when the call, which lives on the caller's stack, goes away. What helpers still do may be
 * long (a whole fit), so the caller goes on asking whether to give up. */
static mn_status withdraw(mn_context *ctx, struct call *call, mn_status status)
{
  pthread_mutex_lock(&pool.lock);
  struct call **link = &pool.open;
  while (*link != call) link = &(*link)->next;
  *link = call->next;
  pthread_mutex_unlock(&pool.lock);
  look_for_end(call);
  pthread_mutex_lock(&pool.lock);
  while (call->inside > 0) {
    wait_a_while();
    if (status != MN_OK || call->inside == 0) continue;
    pthread_mutex_unlock(&pool.lock); /* the question may lead to anything */
    status = mn_poll(ctx);
    if (status != MN_OK) atomic_store(&call->given_up, true);
    pthread_mutex_lock(&pool.lock);
  }
  pthread_mutex_unlock(&pool.lock);
  return status;
}

static mn_status take_blocks(mn_context *ctx, struct call *call)
{
  for (;;) {
    const size_t block = atomic_fetch_add_explicit(&call->next_block, 1, memory_order_relaxed);
    if (block >= call->blocks) return MN_OK;
    call->task(call->work, block, 0);
    MN_TRY(mn_poll(ctx));
  }
}

/* What this thread holds of the account would keep the helpers from taking memory. */
static mn_status run_with_helpers(mn_context *ctx, struct call *call)
{
  mn_memory *memory = mn_context_memory(ctx);
  const size_t held = mn_memory_suspend_lock(memory);
  post(call);
  mn_status status = take_blocks(ctx, call);
  if (status != MN_OK) atomic_store(&call->given_up, true);
  status = withdraw(ctx, call, status);
  mn_memory_resume_lock(memory, held);
  return status == MN_OK && mn_cancelled(ctx) ? mn_poll(ctx) : status; /* a helper may have heard of it alone */
}

mn_status mn_parallel(mn_context *ctx, size_t blocks, mn_task task, void *work)
{
  const size_t threads = mn_threads(ctx) < blocks ? mn_threads(ctx) : blocks;
  struct call call = { .task = task, .work = work, .blocks = blocks, .most_helpers = threads > 0 ? threads - 1 : 0 };
  return call.most_helpers > 0 ? run_with_helpers(ctx, &call) : take_blocks(ctx, &call);
}

/* Worker 0 is the calling thread, which alone may ask the watcher. */
bool mn_task_should_continue(const mn_cancel_token *l)
{
  if (!l->ctx) return true;
  return l->worker == 0 ? mn_poll(l->ctx) == MN_OK : !mn_cancelled(l->ctx);
}

bool mn_copy_cancellable(const mn_cancel_token *token, void *to, const void *from, size_t bytes)
{
  const size_t line = 64, lines = bytes / line;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, lines, &p))
    memcpy((char *)to + line * p.begin, (const char *)from + line * p.begin, line * (p.end - p.begin));
  if (p.end < lines) return false;
  if (bytes % line > 0) memcpy((char *)to + line * lines, (const char *)from + line * lines, bytes % line);
  return true;
}

mn_blocks mn_make_blocks(size_t n, size_t size, size_t most)
{
  if (size == 0) size = 1;
  if (most == 0) most = 1;
  const size_t least = n / most + (n % most > 0);
  if (size < least) size = least;
  return (mn_blocks){ .n = n, .size = size, .count = n / size + (n % size > 0) };
}

void mn_sum_blocks(size_t blocks, size_t width, const double *parts, double *sum)
{
  memset(sum, 0, width * sizeof *sum);
  for (size_t b = 0; b < blocks; b++)
    for (size_t i = 0; i < width; i++) sum[i] += parts[b * width + i];
}

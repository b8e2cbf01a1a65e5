/* One pool per process. A parallel call adds itself to the list of open calls; idle workers join the call with the
 * fewest helpers, the caller runs blocks too, and returns when all blocks are done. So Lua states in several threads
 * share the workers, and no caller waits for a worker that is busy elsewhere.
 *
 * The pool is the only state that belongs to the process instead of a context: threads of a Lua state would have to be
 * started and stopped with it. A forked child has no workers: it forgets the pool and starts a new one
 * (pthread_atfork). */
#include "threads.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { MAX_WORKERS = 256, MAX_WAIT_MS = 10, SPINS = 2000 };

struct call {
  struct call *next;
  const mn_memory *memory; /* of the caller */
  mn_task task;
  void *work;
  size_t blocks, helpers, max_helpers; /* helpers: joined so far; under the lock of the pool */
  atomic_size_t active;                /* helpers at work now; changes under the lock        */
  atomic_size_t next_block;
  atomic_bool cancelled;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t posted_call; /* a call was added to the list */
  pthread_cond_t helper_left; /* a helper left a call         */
  struct call *open;
  atomic_size_t posted; /* calls so far */
  size_t workers;
  bool fork_handled;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER,
           .posted_call = PTHREAD_COND_INITIALIZER,
           .helper_left = PTHREAD_COND_INITIALIZER };

bool mn_thread_start(pthread_t *thread, void *(*run)(void *), void *user)
{
  sigset_t all, before; /* signals are for the threads of the host */
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
  pthread_cond_init(&pool.posted_call, NULL);
  pthread_cond_init(&pool.helper_left, NULL);
  pool.open = NULL;
  pool.workers = 0;
}

static void run_blocks(struct call *call, size_t worker)
{
  while (!atomic_load_explicit(&call->cancelled, memory_order_relaxed)) {
    const size_t block = atomic_fetch_add_explicit(&call->next_block, 1, memory_order_relaxed);
    if (block >= call->blocks) return;
    call->task(call->work, block, worker);
  }
}

/* The open call with the fewest helpers, so that several calls share the pool; ties are broken by the oldest call. */
static struct call *find_call(void)
{
  struct call *best = NULL;
  for (struct call *call = pool.open; call; call = call->next)
    if (call->helpers < call->max_helpers && !atomic_load(&call->cancelled) &&
        atomic_load(&call->next_block) < call->blocks && (!best || call->active <= best->active))
      best = call; /* the list begins with the newest */
  return best;
}

static void cpu_pause(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
  __asm__ volatile("yield");
#endif
}

/* Calls often follow each other within microseconds, but falling asleep and waking up takes tens of them: so a worker
 * that has just worked spins for about as long before it sleeps. */
static void spin_for_call(size_t seen)
{
  for (size_t k = 0; k < SPINS && atomic_load_explicit(&pool.posted, memory_order_relaxed) == seen; k++) cpu_pause();
}

static void *worker_main(void *unused)
{
  (void)unused;
  bool worked = false;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    struct call *call = find_call();
    if (!call && worked) {
      const size_t seen = atomic_load_explicit(&pool.posted, memory_order_relaxed);
      pthread_mutex_unlock(&pool.lock);
      spin_for_call(seen);
      pthread_mutex_lock(&pool.lock);
      worked = false;
      continue;
    }
    if (!call) {
      pthread_cond_wait(&pool.posted_call, &pool.lock);
      continue;
    }
    worked = true;
    const size_t worker = ++call->helpers; /* the caller is worker 0 */
    call->active++;
    pthread_mutex_unlock(&pool.lock);
    run_blocks(call, worker);
    pthread_mutex_lock(&pool.lock);
    if (atomic_fetch_sub(&call->active, 1) == 1) pthread_cond_broadcast(&pool.helper_left);
  }
  return NULL;
}

/* A closing Lua state unloads its libraries, but workers live as long as the process: their code must stay loaded. (In
 * a statically linked program the call fails, and is not needed.) */
void mn_threads_stay_loaded(void)
{
  Dl_info here;
  if (dladdr(&pool, &here) != 0 && here.dli_fname)
    (void)dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Under the lock. Fewer threads than wanted are not an error, since the caller works, too. */
static void start_workers(size_t wanted)
{
  if (!pool.fork_handled) pool.fork_handled = pthread_atfork(before_fork, after_fork_parent, after_fork_child) == 0;
  if (!pool.fork_handled || pool.workers >= wanted) return;
  if (pool.workers == 0) mn_threads_stay_loaded();
  while (pool.workers < wanted && pool.workers < MAX_WORKERS) {
    pthread_t thread;
    if (!mn_thread_start(&thread, worker_main, NULL)) break;
    pthread_detach(thread);
    pool.workers++;
  }
}

static void post(struct call *call)
{
  pthread_mutex_lock(&pool.lock);
  start_workers(call->max_helpers);
  call->next = pool.open;
  pool.open = call;
  atomic_fetch_add_explicit(&pool.posted, 1, memory_order_relaxed);
  pthread_cond_broadcast(&pool.posted_call);
  pthread_mutex_unlock(&pool.lock);
}

/* Under the lock. Wait until a helper leaves a call, at most MAX_WAIT_MS. */
static void wait_for_helper(void)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until); /* the default clock of a condition variable */
  until.tv_nsec += MAX_WAIT_MS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  pthread_cond_timedwait(&pool.helper_left, &pool.lock, &until);
}

/* As spin_for_call: often only the last blocks of helpers are missing. */
static void spin_for_helpers(const struct call *call)
{
  for (size_t k = 0; k < SPINS && atomic_load_explicit(&call->active, memory_order_relaxed) > 0; k++) cpu_pause();
}

/* Under the lock. */
static void remove_call(const struct call *call)
{
  struct call **link = &pool.open;
  while (*link && *link != call) link = &(*link)->next;
  if (*link) *link = call->next;
}

/* Wait for the helpers of a call without blocks left, since it lives on the caller's stack, and close it. Blocks of
 * helpers may take long (a whole fit), so the caller keeps checking for cancellation. */
static mn_status close_call(mn_context *ctx, struct call *call, mn_status status)
{
  spin_for_helpers(call);
  pthread_mutex_lock(&pool.lock);
  while (call->active > 0) {
    wait_for_helper();
    if (status != MN_OK || call->active == 0) continue;
    pthread_mutex_unlock(&pool.lock); /* the progress callback may do anything */
    status = mn_poll(ctx);
    if (status != MN_OK) atomic_store(&call->cancelled, true);
    pthread_mutex_lock(&pool.lock);
  }
  remove_call(call);
  pthread_mutex_unlock(&pool.lock);
  return status;
}

/* Under the lock. A call of this account in which helpers are at work (or any call), or NULL. */
static struct call *find_call_of(const mn_memory *memory, bool with_helpers)
{
  struct call *call = pool.open;
  while (call && !(call->memory == memory && (!with_helpers || call->active > 0))) call = call->next;
  return call;
}

void mn_parallel_abandon(mn_memory *memory)
{
  const size_t held = mn_memory_suspend_lock(memory); /* helpers may be waiting for it */
  pthread_mutex_lock(&pool.lock);
  for (struct call *call = pool.open; call; call = call->next)
    if (call->memory == memory) atomic_store(&call->cancelled, true);
  while (find_call_of(memory, true)) wait_for_helper();
  for (struct call *call = find_call_of(memory, false); call; call = find_call_of(memory, false)) remove_call(call);
  pthread_mutex_unlock(&pool.lock);
  mn_memory_resume_lock(memory, held);
}

static mn_status run_as_caller(mn_context *ctx, struct call *call)
{
  for (;;) {
    const size_t block = atomic_fetch_add_explicit(&call->next_block, 1, memory_order_relaxed);
    if (block >= call->blocks) return MN_OK;
    call->task(call->work, block, 0);
    MN_TRY(mn_poll(ctx));
  }
}

/* If this thread kept the account locked, helpers could not allocate. */
static mn_status run_with_helpers(mn_context *ctx, struct call *call)
{
  mn_memory *memory = mn_context_memory(ctx);
  const size_t held = mn_memory_suspend_lock(memory);
  post(call);
  mn_status status = run_as_caller(ctx, call);
  if (status != MN_OK) atomic_store(&call->cancelled, true);
  status = close_call(ctx, call, status);
  mn_memory_resume_lock(memory, held);
  return status == MN_OK && mn_cancelled(ctx) ? mn_poll(ctx)
                                              : status; /* cancelled from another thread after the last poll */
}

mn_status mn_parallel(mn_context *ctx, size_t blocks, mn_task task, void *work)
{
  const size_t threads = mn_threads(ctx) < blocks ? mn_threads(ctx) : blocks;
  struct call call = { .memory = mn_context_memory(ctx),
                       .task = task,
                       .work = work,
                       .blocks = blocks,
                       .max_helpers = threads > 0 ? threads - 1 : 0 };
  return call.max_helpers > 0 ? run_with_helpers(ctx, &call) : run_as_caller(ctx, &call);
}

/* Only worker 0, the calling thread, may call the progress callback. */
bool mn_task_should_continue(const mn_cancel_token *token)
{
  if (!token->ctx) return true;
  return token->worker == 0 ? mn_poll(token->ctx) == MN_OK : !mn_cancelled(token->ctx);
}

bool mn_copy_cancellable(const mn_cancel_token *token, void *to, const void *from, size_t bytes)
{
  const size_t line = 64, lines = bytes / line;
  mn_chunk c = { 0 };
  while (mn_next_chunk(token, lines, &c))
    memcpy((char *)to + line * c.begin, (const char *)from + line * c.begin, line * (c.end - c.begin));
  if (c.end < lines) return false;
  if (bytes % line > 0) memcpy((char *)to + line * lines, (const char *)from + line * lines, bytes % line);
  return true;
}

mn_blocks mn_make_blocks(size_t n, size_t size, size_t max_blocks)
{
  if (size == 0) size = 1;
  if (max_blocks == 0) max_blocks = 1;
  const size_t min_size = n / max_blocks + (n % max_blocks > 0);
  if (size < min_size) size = min_size;
  return (mn_blocks){ .n = n, .size = size, .count = n / size + (n % size > 0) };
}

void mn_sum_blocks(size_t blocks, size_t width, const double *parts, double *sum)
{
  memset(sum, 0, width * sizeof *sum);
  for (size_t b = 0; b < blocks; b++)
    for (size_t i = 0; i < width; i++) sum[i] += parts[b * width + i];
}

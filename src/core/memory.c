#include "memory.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { ALIGNMENT = 64, PAGE = 4096, LARGE = 4 << 20 };

struct block;

struct mn_memory {
  mn_allocator allocator;
  void *user;
  mn_memory *parent;    /* whose limit counts, too; or NULL */
  pthread_mutex_t lock; /* the allocator of a Lua state need not be thread-safe */
  atomic_uintptr_t owner;
  size_t depth; /* how often the owner holds the lock */
  struct block *held;
  /* Counted without the lock: the thread of a child account charges the parent, whose lock may be held for a long
   * time, or forever in a forked process. */
  atomic_size_t live, blocks, peak, limit;
  atomic_llong fail_after, failures; /* fail_after < 0: off; failures < 0: all requests fail */
};

/* Lies directly before the aligned bytes that it describes. All blocks form a list: objects that a user's finalizers
 * create while a Lua state closes are never finalized, and are freed with the account. */
struct block {
  void *raw;
  size_t raw_size;
  struct block *next, **link; /* link: what points to this one */
};

enum { OVERHEAD = sizeof(struct block) + ALIGNMENT };

static void *standard_allocator(void *user, void *old, size_t old_size, size_t size)
{
  (void)user;
  (void)old_size;
  if (size > 0) return realloc(old, size);
  free(old);
  return NULL;
}

mn_memory *mn_memory_new(mn_allocator allocator, void *user)
{
  if (!allocator) allocator = standard_allocator;
  mn_memory *memory = allocator(user, NULL, 0, sizeof *memory);
  if (!memory) return NULL;
  *memory = (mn_memory){ .allocator = allocator, .user = user };
  atomic_init(&memory->fail_after, -1);
  if (pthread_mutex_init(&memory->lock, NULL) == 0) return memory;
  allocator(user, memory, sizeof *memory, 0);
  return NULL;
}

mn_memory *mn_memory_child(mn_memory *parent)
{
  mn_memory *memory = mn_memory_new(NULL, NULL);
  if (memory) memory->parent = parent;
  return memory;
}

/* Recursive. Comparing the owner without the lock is safe, since only this thread can have stored its own id. (A
 * recursive mutex could not be unlocked in a forked process, where the thread has another id.) */
static void lock(mn_memory *memory)
{
  const uintptr_t self = (uintptr_t)pthread_self();
  if (atomic_load_explicit(&memory->owner, memory_order_relaxed) != self) {
    pthread_mutex_lock(&memory->lock);
    atomic_store_explicit(&memory->owner, self, memory_order_relaxed);
  }
  memory->depth++;
}

static void unlock(mn_memory *memory)
{
  if (--memory->depth > 0) return;
  atomic_store_explicit(&memory->owner, 0, memory_order_relaxed);
  pthread_mutex_unlock(&memory->lock);
}

void mn_memory_lock(mn_memory *memory)
{
  lock(memory);
}

void mn_memory_unlock(mn_memory *memory)
{
  unlock(memory);
}

size_t mn_memory_suspend_lock(mn_memory *memory)
{
  if (atomic_load_explicit(&memory->owner, memory_order_relaxed) != (uintptr_t)pthread_self()) return 0;
  const size_t depth = memory->depth;
  memory->depth = 1;
  unlock(memory);
  return depth;
}

void mn_memory_resume_lock(mn_memory *memory, size_t depth)
{
  if (depth == 0) return;
  lock(memory);
  memory->depth = depth;
}

void mn_memory_free(mn_memory *memory)
{
  if (!memory) return;
  while (memory->held) mn_free(memory, memory->held + 1);
  pthread_mutex_destroy(&memory->lock);
  memory->allocator(memory->user, memory, sizeof *memory, 0);
}

/* Decrement a count that is > 0; returns its value before. */
static long long count_down(atomic_llong *count)
{
  long long left = atomic_load(count);
  while (left > 0)
    if (atomic_compare_exchange_weak(count, &left, left - 1)) break;
  return left;
}

/* Whether a test lets this request fail. */
static bool should_fail(mn_memory *memory)
{
  if (atomic_load_explicit(&memory->fail_after, memory_order_relaxed) < 0) return false;
  return count_down(&memory->fail_after) == 0 && count_down(&memory->failures) != 0;
}

static void uncharge(mn_memory *memory, size_t bytes, size_t blocks)
{
  for (; memory; memory = memory->parent) {
    atomic_fetch_sub(&memory->live, bytes);
    atomic_fetch_sub(&memory->blocks, blocks);
  }
}

/* Add to the counts, unless the limit forbids it. */
static bool charge_one(mn_memory *memory, size_t bytes, size_t blocks)
{
  if (should_fail(memory)) return false;
  const size_t limit = atomic_load(&memory->limit);
  size_t live = atomic_load(&memory->live);
  do {
    if (limit > 0 && (live > limit || bytes > limit - live)) return false;
  } while (!atomic_compare_exchange_weak(&memory->live, &live, live + bytes));
  atomic_fetch_add(&memory->blocks, blocks);
  size_t peak = atomic_load(&memory->peak);
  while (live + bytes > peak)
    if (atomic_compare_exchange_weak(&memory->peak, &peak, live + bytes)) break;
  return true;
}

static bool charge(mn_memory *memory, size_t bytes, size_t blocks)
{
  if (memory->parent && !charge(memory->parent, bytes, blocks)) return false;
  if (charge_one(memory, bytes, blocks)) return true;
  uncharge(memory->parent, bytes, blocks);
  return false;
}

/* Bytes from the begin of a raw block to its aligned bytes. */
static size_t bytes_before(const char *raw)
{
  const uintptr_t first = (uintptr_t)raw + sizeof(struct block);
  return sizeof(struct block) + (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
}

/* Under the lock. Put a raw block into the list; returns its aligned bytes. */
static void *add_block(mn_memory *memory, char *raw, size_t raw_size)
{
  char *aligned = raw + bytes_before(raw);
  struct block *block = (struct block *)(void *)aligned - 1;
  *block = (struct block){ .raw = raw, .raw_size = raw_size, .next = memory->held, .link = &memory->held };
  if (block->next) block->next->link = &block->next;
  memory->held = block;
  return aligned;
}

static struct block remove_block(void *pointer)
{
  const struct block block = ((struct block *)pointer)[-1];
  *block.link = block.next;
  if (block.next) block.next->link = block.link;
  return block;
}

/* The first write to fresh memory is expensive: 250 ms for 160 MB in pages of 4 KB, 60 ms in huge pages. This is a hint
 * that the system may ignore. */
static void prefer_huge_pages(char *at, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (size < LARGE) return;
  /* All pages of a mapping: realloc copies one whose pages differ in advice, and moves others without touching them. */
  const size_t before = (uintptr_t)at % PAGE;
  (void)madvise(at - before, (before + size + PAGE - 1) / PAGE * PAGE, MADV_HUGEPAGE);
#else
  (void)at;
  (void)size;
#endif
}

void *mn_alloc(mn_memory *memory, size_t size)
{
  if (size > (size_t)PTRDIFF_MAX - OVERHEAD) return NULL;
  const size_t raw_size = size + OVERHEAD;
  if (!charge(memory, raw_size, 1)) return NULL;
  lock(memory);
  char *raw = memory->allocator(memory->user, NULL, 0, raw_size);
  void *aligned = raw ? add_block(memory, raw, raw_size) : NULL;
  unlock(memory);
  if (!raw) uncharge(memory, raw_size, 1);
  if (raw) prefer_huge_pages(raw, raw_size);
  return aligned;
}

/* Under the lock. If the block moves, its bytes may have to move within it to stay aligned. */
static void *reallocate(mn_memory *memory, void *pointer, size_t raw_size)
{
  const struct block block = remove_block(pointer);
  const size_t before = bytes_before(block.raw), common = raw_size < block.raw_size ? raw_size : block.raw_size;
  char *raw = memory->allocator(memory->user, block.raw, block.raw_size, raw_size);
  if (!raw) return add_block(memory, block.raw, block.raw_size);
  if (bytes_before(raw) != before) memmove(raw + bytes_before(raw), raw + before, common - OVERHEAD);
  return add_block(memory, raw, raw_size);
}

void *mn_realloc(mn_memory *memory, void *pointer, size_t size)
{
  const size_t old = ((struct block *)pointer)[-1].raw_size;
  if (size > (size_t)PTRDIFF_MAX - OVERHEAD) return NULL;
  const size_t raw_size = size + OVERHEAD, more = raw_size > old ? raw_size - old : 0;
  if (more > 0 && !charge(memory, more, 0)) return NULL;
  lock(memory);
  void *aligned = reallocate(memory, pointer, raw_size);
  const struct block block = ((struct block *)aligned)[-1];
  unlock(memory);
  if (block.raw_size < raw_size) { /* no memory: the block is unchanged */
    uncharge(memory, more, 0);
    return NULL;
  }
  uncharge(memory, old + more - block.raw_size, 0);
  prefer_huge_pages(block.raw, block.raw_size);
  return aligned;
}

void mn_free(mn_memory *memory, void *pointer)
{
  if (!pointer) return;
  lock(memory);
  const struct block block = remove_block(pointer);
  memory->allocator(memory->user, block.raw, block.raw_size, 0);
  unlock(memory);
  uncharge(memory, block.raw_size, 1);
}

bool mn_checked_size(size_t size, size_t rows, size_t cols, size_t *bytes)
{
  return !__builtin_mul_overflow(rows, cols, bytes) && !__builtin_mul_overflow(*bytes, size, bytes) &&
         *bytes <= (size_t)PTRDIFF_MAX;
}

void mn_memory_orphan(mn_memory *memory)
{
  uncharge(memory->parent, atomic_load(&memory->live), atomic_load(&memory->blocks));
  memory->parent = NULL;
}

mn_memory_use mn_memory_usage(const mn_memory *memory)
{
  mn_memory *m = (mn_memory *)memory; /* before C17 atomic_load takes no const pointer */
  return (mn_memory_use){ .live = atomic_load(&m->live),
                          .blocks = atomic_load(&m->blocks),
                          .peak = atomic_load(&m->peak),
                          .limit = atomic_load(&m->limit) };
}

void mn_memory_reset_peak(mn_memory *memory)
{
  atomic_store(&memory->peak, atomic_load(&memory->live));
}

void mn_memory_limit(mn_memory *memory, size_t bytes)
{
  atomic_store(&memory->limit, bytes);
}

int64_t mn_memory_fail_after(mn_memory *memory, int64_t n, int64_t times)
{
  const int64_t left = atomic_exchange(&memory->failures, times);
  atomic_store(&memory->fail_after, n);
  return left;
}

bool mn_memory_should_fail(mn_memory *memory)
{
  for (; memory; memory = memory->parent)
    if (should_fail(memory)) return true;
  return false;
}

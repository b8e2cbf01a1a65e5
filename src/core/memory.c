#include "memory.h"
#include <pthread.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { ALIGNMENT = 64, PAGE = 4096, LARGE = 4 << 20 };

struct block;

struct mn_memory {
  mn_allocator allocator;
  void *user;
  pthread_mutex_t lock; /* the allocator of a Lua state is not safe to call from two threads */
  mn_memory_use use;
  int64_t fail_after; /* < 0: off */
  struct block *held;
};

/* Stands right below the aligned bytes it describes. All blocks held form a list: what finalisers of the user still
 * make while a Lua state closes is never finalised, and goes with the account. */
struct block {
  void *raw;
  size_t raw_size;
  struct block *next, **link; /* link: what points to this one */
};

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
  *memory = (mn_memory){ .allocator = allocator, .user = user, .fail_after = -1 };
  if (pthread_mutex_init(&memory->lock, NULL) == 0) return memory;
  allocator(user, memory, sizeof *memory, 0);
  return NULL;
}

void mn_memory_free(mn_memory *memory)
{
  if (!memory) return;
  while (memory->held) mn_give(memory, memory->held + 1);
  pthread_mutex_destroy(&memory->lock);
  memory->allocator(memory->user, memory, sizeof *memory, 0);
}

static bool may_take(mn_memory *memory, size_t raw_size)
{
  if (memory->fail_after == 0) return false;
  if (memory->fail_after > 0) memory->fail_after--;
  return memory->use.limit == 0 ||
         (memory->use.live <= memory->use.limit && raw_size <= memory->use.limit - memory->use.live);
}

/* Under the lock. The aligned bytes in the new block. */
static void *add_block(mn_memory *memory, char *raw, size_t raw_size)
{
  const uintptr_t first = (uintptr_t)raw + sizeof(struct block);
  char *aligned = raw + sizeof(struct block) + (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
  struct block *block = (struct block *)(void *)aligned - 1;
  *block = (struct block){ .raw = raw, .raw_size = raw_size, .next = memory->held, .link = &memory->held };
  if (block->next) block->next->link = &block->next;
  memory->held = block;
  memory->use.live += raw_size;
  memory->use.blocks++;
  if (memory->use.live > memory->use.peak) memory->use.peak = memory->use.live;
  return aligned;
}

/* The first touch of a large block costs more than what is then done with it when each page faults by itself (160 MB:
 * 250 ms against 60 ms with huge pages). A hint: where it is not heeded, nothing is lost. */
static void prefer_huge_pages(char *at, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (size < LARGE) return;
  const size_t skip = (PAGE - (uintptr_t)at % PAGE) % PAGE;
  (void)madvise(at + skip, (size - skip) / PAGE * PAGE, MADV_HUGEPAGE);
#else
  (void)at;
  (void)size;
#endif
}

void *mn_take(mn_memory *memory, size_t size)
{
  const size_t overhead = sizeof(struct block) + ALIGNMENT;
  if (size > (size_t)PTRDIFF_MAX - overhead) return NULL;
  const size_t raw_size = size + overhead;
  pthread_mutex_lock(&memory->lock);
  char *raw = may_take(memory, raw_size) ? memory->allocator(memory->user, NULL, 0, raw_size) : NULL;
  void *aligned = raw ? add_block(memory, raw, raw_size) : NULL;
  pthread_mutex_unlock(&memory->lock);
  if (raw) prefer_huge_pages(raw, raw_size);
  return aligned;
}

void mn_give(mn_memory *memory, void *pointer)
{
  if (!pointer) return;
  pthread_mutex_lock(&memory->lock);
  const struct block block = ((struct block *)pointer)[-1];
  *block.link = block.next;
  if (block.next) block.next->link = block.link;
  memory->allocator(memory->user, block.raw, block.raw_size, 0);
  memory->use.live -= block.raw_size;
  memory->use.blocks--;
  pthread_mutex_unlock(&memory->lock);
}

bool mn_size(size_t size, size_t rows, size_t cols, size_t *bytes)
{
  return !__builtin_mul_overflow(rows, cols, bytes) && !__builtin_mul_overflow(*bytes, size, bytes) &&
         *bytes <= (size_t)PTRDIFF_MAX;
}

mn_memory_use mn_memory_usage(const mn_memory *memory)
{
  pthread_mutex_t *lock = (pthread_mutex_t *)&memory->lock; /* locking changes nothing a reader can see */
  pthread_mutex_lock(lock);
  const mn_memory_use use = memory->use;
  pthread_mutex_unlock(lock);
  return use;
}

void mn_memory_reset_peak(mn_memory *memory)
{
  pthread_mutex_lock(&memory->lock);
  memory->use.peak = memory->use.live;
  pthread_mutex_unlock(&memory->lock);
}

void mn_memory_limit(mn_memory *memory, size_t bytes)
{
  pthread_mutex_lock(&memory->lock);
  memory->use.limit = bytes;
  pthread_mutex_unlock(&memory->lock);
}

void mn_memory_fail_after(mn_memory *memory, int64_t n)
{
  pthread_mutex_lock(&memory->lock);
  memory->fail_after = n;
  pthread_mutex_unlock(&memory->lock);
}

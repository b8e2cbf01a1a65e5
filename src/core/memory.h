/* Counted memory. All lasting and temporary memory of one Lua state (or one host) is taken from one account: it can be
 * limited, its live bytes are known, and a test can make the n-th request fail. Safe to use from several threads. */
#ifndef MN_CORE_MEMORY_H
#define MN_CORE_MEMORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mn_memory mn_memory;

/* The form of lua_Alloc: size 0 frees, NULL asks anew. */
typedef void *(*mn_allocator)(void *user, void *old, size_t old_size, size_t size);

/* An account over an allocator (NULL: malloc). NULL when there is no memory. */
mn_memory *mn_memory_new(mn_allocator allocator, void *user);
/* An account of its own over malloc whose blocks count against the limit of `parent`, which must outlive it: for a
 * thread that works beside the one of `parent`. NULL when there is no memory. */
mn_memory *mn_memory_child(mn_memory *parent);
/* Frees what is still held of it, too. */
void mn_memory_free(mn_memory *memory);

/* `size` bytes, 64-byte aligned, not cleared. NULL when the allocator, the limit or a test says no. Never NULL for
 * size 0. */
void *mn_alloc(mn_memory *memory, size_t size);

/* What mn_alloc gave, with its bytes as far as they fit, in `size` bytes, here or elsewhere: large blocks seldom need
 * to be copied. NULL when there is no memory, and nothing has changed; never when it gets shorter. */
void *mn_realloc(mn_memory *memory, void *pointer, size_t size);

/* Give back what mn_alloc gave. NULL is allowed. */
void mn_free(mn_memory *memory, void *pointer);

/* The allocator of a Lua state may be one that two threads must not be in at once. Those who take and give through the
 * account are one at a time. But Lua calls its allocator without us; so the thread that lets Lua run while others may
 * be at work holds the account meanwhile (the same thread may take and give, and hold it again).
 *
 * mn_parallel lets go of it as long as it runs, for it waits for the others: between pause, which returns how often
 * this thread held the account, and resume. */
void mn_memory_lock(mn_memory *memory);
void mn_memory_unlock(mn_memory *memory);
size_t mn_memory_suspend_lock(mn_memory *memory);
void mn_memory_resume_lock(mn_memory *memory, size_t depth);

/* rows * cols * size into *bytes; false when it overflows (or exceeds PTRDIFF_MAX). */
bool mn_checked_size(size_t size, size_t rows, size_t cols, size_t *bytes);

typedef struct mn_memory_use {
  size_t live;   /* bytes held now                       */
  size_t blocks; /* blocks held now                      */
  size_t peak;   /* most bytes held since mn_memory_reset_peak */
  size_t limit;  /* 0: none                              */
} mn_memory_use;

mn_memory_use mn_memory_usage(const mn_memory *memory);
void mn_memory_reset_peak(mn_memory *memory);
void mn_memory_limit(mn_memory *memory, size_t bytes);

/* The next `n` requests succeed, the `times` after them fail (times < 0: all); n < 0 switches this off. How many
 * of the failures asked for before are still to come. */
int64_t mn_memory_fail_after(mn_memory *memory, int64_t n, int64_t times);

/* For requests that are served from what was taken before (scratch): a test wants this one to fail. */
bool mn_memory_should_fail(mn_memory *memory);

#endif

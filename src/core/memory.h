/* Counted memory. All memory of one Lua state, or of one host, comes from one account: it can be limited, the number
 * of bytes in use is known, and a test can make the n-th request fail. Safe to use from several threads. */
#ifndef MN_CORE_MEMORY_H
#define MN_CORE_MEMORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mn_memory mn_memory;

/* As lua_Alloc: size 0 frees, `old` NULL allocates. */
typedef void *(*mn_allocator)(void *user, void *old, size_t old_size, size_t size);

/* An account over an allocator (NULL: malloc). NULL: no memory. */
mn_memory *mn_memory_new(mn_allocator allocator, void *user);

/* A separate account over malloc whose blocks also count against the limit of `parent`, which must outlive it: for a
 * thread that runs at the same time as the owner of `parent`. NULL: no memory. */
mn_memory *mn_memory_child(mn_memory *parent);

/* Make a child account independent of its parent, which then need not outlive it. Not while another thread allocates
 * from it. */
void mn_memory_orphan(mn_memory *memory);

/* Free the account and all blocks that are still allocated from it. */
void mn_memory_free(mn_memory *memory);

/* `size` bytes, 64-byte aligned, not zeroed. NULL if the allocator, the limit or a test refuses; never NULL for size 0
 * otherwise. */
void *mn_alloc(mn_memory *memory, size_t size);

/* Change the size of a block; as many bytes as fit are preserved, and large blocks are rarely copied. NULL: no memory,
 * and the block is unchanged. Shrinking never fails. */
void *mn_realloc(mn_memory *memory, void *pointer, size_t size);

/* NULL is allowed. */
void mn_free(mn_memory *memory, void *pointer);

/* The allocator of a Lua state need not be thread-safe. Calls through the account are serialized, but Lua also calls
 * its allocator directly; so a thread that runs Lua while workers may be active holds the account locked. The lock is
 * recursive.
 *
 * mn_parallel suspends the lock while it waits for workers: mn_memory_suspend_lock returns how often this thread held
 * it, and mn_memory_resume_lock restores that. */
void mn_memory_lock(mn_memory *memory);
void mn_memory_unlock(mn_memory *memory);
size_t mn_memory_suspend_lock(mn_memory *memory);
void mn_memory_resume_lock(mn_memory *memory, size_t depth);

/* *bytes = rows * cols * size; false if that overflows or exceeds PTRDIFF_MAX. */
bool mn_checked_size(size_t size, size_t rows, size_t cols, size_t *bytes);

typedef struct mn_memory_use {
  size_t live;   /* bytes allocated now                                 */
  size_t blocks; /* blocks allocated now                                */
  size_t peak;   /* most bytes allocated since mn_memory_reset_peak     */
  size_t limit;  /* most bytes that may be allocated; 0: no limit       */
} mn_memory_use;

mn_memory_use mn_memory_usage(const mn_memory *memory);
void mn_memory_reset_peak(mn_memory *memory);
void mn_memory_limit(mn_memory *memory, size_t bytes);

/* For tests: the next `n` requests succeed and the `times` after them fail (times < 0: all); n < 0 ends this. Returns
 * how many of the failures requested before have not yet happened. */
int64_t mn_memory_fail_after(mn_memory *memory, int64_t n, int64_t times);

/* Counts as a request of mn_memory_fail_after, for requests that are served without the allocator (scratch). True: let
 * it fail. */
bool mn_memory_should_fail(mn_memory *memory);

#endif

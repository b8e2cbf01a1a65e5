/* Parallel items of work that allocate, which tasks of mn_parallel must not: each worker has a context of its own. */
#ifndef MN_CORE_WORKER_POOL_H
#define MN_CORE_WORKER_POOL_H
#include "threads.h"

/* One item. `ctx` is the context of the worker; its scratch lives until all items are done. The result must depend on
 * `item` only, not on `worker`. */
typedef mn_status (*mn_pool_task)(mn_context *ctx, void *work, size_t item, size_t worker);

/* The number of workers for `items` items: allocate this many workspaces before mn_pool_run. */
size_t mn_pool_size(const mn_context *ctx, size_t items);

/* Run all items, in any order. Reports progress, can be cancelled, and returns the error of the first worker that
 * failed. */
mn_status mn_pool_run(mn_context *ctx, size_t items, mn_pool_task task, void *work);

#endif

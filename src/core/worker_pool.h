/* Items of work that take memory, as tasks of mn_parallel may not: each worker has a context of its own. */
#ifndef MN_CORE_WORKER_POOL_H
#define MN_CORE_WORKER_POOL_H
#include "threads.h"

/* One item. `ctx` is that of the worker, of which no two at once have the same number; its scratch lives until all
 * items are done. What an item gives must follow from its number alone. */
typedef mn_status (*mn_pool_task)(mn_context *ctx, void *work, size_t item, size_t worker);

/* How many workers so many items have; rooms are laid for them beforehand. */
size_t mn_pool_size(const mn_context *ctx, size_t items);

/* All items, in any order. Tells the progress, listens, and passes on what the first worker that failed said. */
mn_status mn_pool_run(mn_context *ctx, size_t items, mn_pool_task task, void *work);

#endif

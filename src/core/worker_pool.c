#include "worker_pool.h"
#include <math.h>
#include <stdatomic.h>

struct crew {
  mn_context *caller, **child; /* workers */
  size_t items;
  mn_pool_task task;
  void *work;
  atomic_size_t done;
};

size_t mn_pool_size(const mn_context *ctx, size_t items)
{
  const size_t threads = mn_threads(ctx);
  return threads < items ? threads : items;
}

static void run_item(void *work, size_t item, size_t worker)
{
  struct crew *c = work;
  mn_context *ctx = c->child[worker];
  if (mn_error_status(ctx) != MN_OK || c->task(ctx, c->work, item, worker) != MN_OK) return; /* it keeps why */
  const size_t done = atomic_fetch_add(&c->done, 1) + 1;
  if (worker == 0) (void)mn_report_progress(c->caller, (double)done, (double)c->items, (double)NAN);
}

mn_status mn_pool_run(mn_context *ctx, size_t items, mn_pool_task task, void *work)
{
  const size_t workers = mn_pool_size(ctx, items);
  struct crew c = { .caller = ctx, .items = items, .task = task, .work = work };
  c.child = MN_NEW(ctx, mn_context *, workers, 1);
  MN_CHECK_ALLOC(c.child);
  mn_status status = mn_worker_contexts_new(ctx, workers, c.child);
  if (status == MN_OK) status = mn_parallel(ctx, items, run_item, &c);
  if (status == MN_OK) status = mn_worker_contexts_status(ctx, workers, c.child);
  mn_worker_contexts_free(workers, c.child);
  return status;
}

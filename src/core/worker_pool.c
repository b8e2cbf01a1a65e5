#include "worker_pool.h"
#include <math.h>
#include <stdatomic.h>

struct run {
  mn_context *caller, **worker; /* contexts: of the caller, of each worker */
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
  struct run *r = work;
  mn_context *ctx = r->worker[worker];
  if (mn_error_status(ctx) != MN_OK || r->task(ctx, r->work, item, worker) != MN_OK) return;
  const size_t done = atomic_fetch_add(&r->done, 1) + 1;
  if (worker == 0) (void)mn_report_progress(r->caller, (double)done, (double)r->items, (double)NAN);
}

mn_status mn_pool_run(mn_context *ctx, size_t items, mn_pool_task task, void *work)
{
  const size_t workers = mn_pool_size(ctx, items);
  struct run r = { .caller = ctx, .items = items, .task = task, .work = work };
  r.worker = MN_NEW(ctx, mn_context *, workers, 1);
  MN_CHECK_ALLOC(r.worker);
  mn_status status = mn_worker_contexts_new(ctx, workers, r.worker);
  if (status == MN_OK) status = mn_parallel(ctx, items, run_item, &r);
  if (status == MN_OK) status = mn_worker_contexts_status(ctx, workers, r.worker);
  mn_worker_contexts_free(workers, r.worker);
  return status;
}

#include "crew.h"
#include <math.h>
#include <stdatomic.h>

struct crew {
  mn_context *caller, **child; /* workers */
  size_t workers, trees;
  mn_tree_maker make;
  void *work;
  atomic_size_t done;
};

size_t mn_crew_size(const mn_context *ctx, size_t trees)
{
  const size_t threads = mn_threads(ctx);
  return threads < trees ? threads : trees;
}

static void crew_task(void *work, size_t tree, size_t worker)
{
  struct crew *c = work;
  mn_context *ctx = c->child[worker];
  if (mn_error_status(ctx) != MN_OK || c->make(ctx, c->work, tree, worker) != MN_OK) return; /* it keeps why */
  const size_t done = atomic_fetch_add(&c->done, 1) + 1;
  if (worker == 0) (void)mn_tick(c->caller, (double)done, (double)c->trees, (double)NAN);
}

/* The calling thread's trees listen to what its own context listens to. */
static mn_answer listen(void *user, const mn_progress *progress)
{
  (void)progress;
  return mn_poll(user) == MN_OK ? MN_GO_ON : MN_CANCEL;
}

static mn_status run(mn_context *ctx, const char *who, struct crew *c)
{
  const size_t share = mn_threads(ctx) / c->workers;
  for (size_t i = 0; i < c->workers; i++) {
    c->child[i] = mn_context_child(ctx);
    if (!c->child[i]) return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory for %zu workers", who, c->workers);
    mn_set_threads(c->child[i], share > 1 ? share : 1);
  }
  mn_set_watcher(c->child[0], listen, ctx);
  MN_TRY(mn_parallel(ctx, c->trees, crew_task, c));
  for (size_t i = 0; i < c->workers; i++)
    if (mn_error_status(c->child[i]) != MN_OK)
      return mn_fail(ctx, mn_error_status(c->child[i]), "%s", mn_error_text(c->child[i]));
  return MN_OK;
}

mn_status mn_crew_run(mn_context *ctx, const char *who, size_t trees, mn_tree_maker make, void *work)
{
  struct crew c = { .caller = ctx, .workers = mn_crew_size(ctx, trees), .trees = trees, .make = make, .work = work };
  c.child = MN_NEW(ctx, mn_context *, c.workers, 1);
  MN_NEED(c.child);
  const mn_status status = run(ctx, who, &c);
  for (size_t i = 0; i < c.workers; i++) mn_context_free(c.child[i]);
  return status;
}

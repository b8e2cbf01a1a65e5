#include "em.h"
#include "../core/worker_pool.h"
#include <string.h>

static bool in_threads(const mn_em *em)
{
  return em->starts > 1 && em->starts_in_threads;
}

/* Record an iteration. In the contexts of workers there is no progress to report. */
static bool record(mn_context *ctx, const mn_em *em, mn_report *report, double objective)
{
  if (!in_threads(em)) return mn_round(ctx, report, em->max_iter, objective);
  return mn_record_round(ctx, report, objective) && mn_poll(ctx) == MN_OK && mn_should_continue(ctx);
}

mn_status mn_em_iterate(mn_context *ctx, const mn_em *em, void *workspace, double objective, double *state,
                        mn_report *report, bool *degenerate)
{
  double *before = MN_RAW(ctx, double, em->state_size, 1);
  bool proceed = true;
  MN_CHECK_ALLOC(before);
  mn_mark mark = mn_scratch_mark(ctx);
  report->converged = *degenerate = false;
  while (proceed && !report->converged && report->n_iter < em->max_iter) {
    double now;
    memcpy(before, state, em->state_size * sizeof *state);
    MN_TRY(em->maximize(ctx, em->problem, workspace, state, degenerate));
    if (*degenerate) return mn_error_status(ctx);
    MN_TRY(em->expect(ctx, em->problem, workspace, state, &now));
    *degenerate = isnan(now);
    if (*degenerate) return mn_error_status(ctx);
    MN_TRY(mn_scratch_recycle(ctx, &mark));
    report->change = (objective - now) / em->scale;
    report->converged = !(report->change > em->tol);
    if (!(now <= objective)) {
      memcpy(state, before, em->state_size * sizeof *state);
      report->change = 0;
      now = objective;
    }
    objective = now;
    proceed = record(ctx, em, report, now);
  }
  mn_scratch_release(ctx, mark);
  return mn_error_status(ctx);
}

/* Starts that run one after the other, or in threads, before the best so far is kept. */
enum { GROUP = 64 };

struct runs {
  const mn_em *em;
  size_t first, count; /* of the group                           */
  double *states;      /* count x state_size                     */
  mn_report *reports;  /* count                                  */
  bool *degenerate;    /* count                                  */
  void **workspaces;   /* workers                                */
  double *state;       /* out: that of the best start, and its   */
  mn_report *report;   /* report; n_iter 0: there is none so far */
};

static mn_status run_start(mn_context *ctx, void *work, size_t index, size_t worker)
{
  const struct runs *r = work;
  const mn_em *em = r->em;
  double *state = r->states + index * em->state_size, objective;
  if (!r->workspaces[worker] && em->make_workspace)
    MN_TRY(em->make_workspace(ctx, em->problem, &r->workspaces[worker]));
  const mn_mark mark = mn_scratch_mark(ctx);
  void *workspace = r->workspaces[worker];
  MN_TRY(em->start(ctx, em->problem, workspace, r->first + index, state, &objective));
  MN_TRY(mn_em_iterate(ctx, em, workspace, objective, state, &r->reports[index], &r->degenerate[index]));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Keep the start with the smallest objective of the group, if it is less than that of earlier groups, and free the
 * reports of the others. One that was stopped early has no report. */
static void keep_best(mn_memory *memory, const struct runs *r, mn_status status)
{
  for (size_t i = 0; i < r->count; i++) {
    mn_report *report = &r->reports[i];
    const bool ran = status == MN_OK && !r->degenerate[i] && report->n_iter > 0;
    if (ran && (r->report->n_iter == 0 || report->objective < r->report->objective)) {
      mn_vector_free(memory, &r->report->trace);
      *r->report = *report;
      memcpy(r->state, r->states + i * r->em->state_size, r->em->state_size * sizeof *r->state);
    } else {
      mn_vector_free(memory, &report->trace);
    }
  }
}

static mn_status run_in_turn(mn_context *ctx, struct runs *r)
{
  for (size_t i = 0; i < r->count && (r->first + i == 0 || mn_should_continue(ctx)); i++) {
    mn_progress_part(ctx, r->first + i, r->em->starts);
    MN_TRY(run_start(ctx, r, i, 0));
  }
  return MN_OK;
}

/* The workspaces are in the memory of workers, which ends with the group. */
static mn_status run_in_threads(mn_context *ctx, struct runs *r)
{
  const size_t groups = (r->em->starts - 1) / GROUP + 1;
  memset(r->workspaces, 0, mn_pool_size(ctx, r->count) * sizeof *r->workspaces);
  if (groups > 1) mn_progress_part(ctx, r->first / GROUP, groups);
  return mn_pool_run(ctx, r->count, run_start, r);
}

static mn_status run_group(mn_context *ctx, struct runs *r)
{
  for (size_t i = 0; i < r->count; i++) {
    r->reports[i] = (mn_report){ .advice = r->em->advice };
    r->degenerate[i] = false;
  }
  const mn_status status = in_threads(r->em) ? run_in_threads(ctx, r) : run_in_turn(ctx, r);
  keep_best(mn_context_memory(ctx), r, status);
  return status;
}

mn_status mn_em_fit(mn_context *ctx, const mn_em *em, double *state, mn_report *report)
{
  const size_t most = em->starts < GROUP ? em->starts : GROUP;
  mn_report best = { .advice = em->advice };
  struct runs r = { .em = em, .state = state, .report = &best };
  r.states = MN_NEW(ctx, double, most, em->state_size);
  r.reports = MN_NEW(ctx, mn_report, most, 1);
  r.degenerate = MN_NEW(ctx, bool, most, 1);
  r.workspaces = MN_NEW(ctx, void *, mn_pool_size(ctx, most), 1);
  if (!r.states || !r.reports || !r.degenerate || !r.workspaces) return MN_NO_MEMORY;
  mn_status status = MN_OK;
  for (; status == MN_OK && r.first < em->starts && (r.first == 0 || mn_should_continue(ctx)); r.first += r.count) {
    r.count = em->starts - r.first < most ? em->starts - r.first : most;
    status = run_group(ctx, &r);
  }
  if (status != MN_OK) {
    mn_vector_free(mn_context_memory(ctx), &best.trace);
    return status;
  }
  if (best.n_iter == 0) return em->fail(ctx, em->problem, 0);
  mn_vector_free(mn_context_memory(ctx), &report->trace);
  *report = best;
  if (in_threads(em)) (void)mn_report_progress(ctx, (double)em->starts, (double)em->starts, report->objective);
  return MN_OK;
}

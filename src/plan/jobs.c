#include "jobs.h"
#include "../core/threads.h"
#include "../model/table.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct work {
  const mn_input *input;
  mn_job *jobs;
  mn_context **worker; /* one for each thread that may take part */
  mn_context *caller;
  size_t n;
  atomic_size_t done;
};

static mn_status gather_target(mn_context *ctx, const mn_target *y, const size_t *row, size_t n, mn_target *out)
{
  *out = *y;
  if (y->kind == MN_TARGET_REALS) {
    out->reals = (mn_matrix){ .at = MN_RAW(ctx, double, n, y->reals.cols), .rows = n, .cols = y->reals.cols };
    MN_CHECK_ALLOC(out->reals.at);
    mn_gather_rows(&y->reals, row, n, &out->reals);
  } else if (y->kind == MN_TARGET_LABELS) {
    out->labels.code = MN_RAW(ctx, int32_t, n, 1);
    MN_CHECK_ALLOC(out->labels.code);
    out->labels.size = n;
    for (size_t i = 0; i < n; i++) out->labels.code[i] = y->labels.code[row[i]];
  }
  return MN_OK;
}

static bool are_all_rows(const mn_input *from, const size_t *row, size_t n)
{
  if (n != from->x.rows) return false;
  for (size_t i = 0; i < n; i++)
    if (row[i] != i) return false;
  return true;
}

static mn_status gather_input(mn_context *ctx, const mn_input *from, const size_t *row, size_t n, mn_input *out)
{
  if (are_all_rows(from, row, n)) {
    *out = *from;
    return MN_OK;
  }
  *out = (mn_input){ 0 };
  MN_TRY(mn_table_rows(ctx, &from->x, row, n, &out->x));
  MN_TRY(gather_target(ctx, &from->y, row, n, &out->y));
  if (!from->weights) return MN_OK;
  double *weights = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(weights);
  for (size_t i = 0; i < n; i++) weights[i] = from->weights[row[i]];
  out->weights = weights;
  out->n_weights = n;
  return MN_OK;
}

static mn_status apply_all(mn_context *ctx, const mn_plan *plan, const mn_job *job, const mn_table *x, mn_matrix *out)
{
  const mn_estimator *final = mn_plan_final(plan);
  const mn_input input = { .x = *x };
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
    if (!job->want[a]) continue;
    if (!final || !mn_supports_action(final, a))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no %s", final ? final->class->name : "the plan", mn_action_name(a));
    MN_TRY(mn_matrix_init(ctx, &out[a], x->rows, mn_width(final, a)));
    MN_TRY(mn_plan_apply(ctx, plan, a, &input, &out[a]));
  }
  return MN_OK;
}

/* A fit without advice stops after a number of rounds by design. */
static bool has_converged(const mn_estimator *model)
{
  const mn_report *r = &model->report;
  return !(model->class->capabilities & MN_ITERATE) || r->converged || !r->advice;
}

static bool all_converged(const mn_plan *plan)
{
  if (!plan) return true;
  if (plan->model && !has_converged(plan->model)) return false;
  for (size_t p = 0; p < plan->parts; p++)
    if (!all_converged(plan->part[p].plan)) return false;
  return true;
}

static void store_model_info(mn_job *job, const mn_plan *plan)
{
  const mn_estimator *final = mn_plan_final(plan);
  job->converged = all_converged(plan);
  if (!final) return;
  job->class = final->class;
  job->classes = mn_levels_retain(final->classes);
  job->one_target = final->one_target;
}

static mn_status fit_and_apply(mn_context *ctx, const mn_input *input, mn_job *job, mn_plan *plan)
{
  mn_input train, test;
  MN_TRY(gather_input(ctx, input, job->train, job->n_train, &train));
  const double begin = mn_seconds();
  MN_TRY(mn_plan_fit(ctx, plan, &train));
  const double fitted = mn_seconds();
  job->fit_seconds = fitted - begin;
  store_model_info(job, plan);
  if (job->n_test > 0) {
    MN_TRY(gather_input(ctx, input, job->test, job->n_test, &test));
    MN_TRY(apply_all(ctx, plan, job, &test.x, job->on_test));
  }
  if (job->also_train) MN_TRY(apply_all(ctx, plan, job, &train.x, job->on_train));
  job->score_seconds = mn_seconds() - fitted;
  return MN_OK;
}

static void free_results(mn_memory *memory, mn_job *job)
{
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
    mn_matrix_free(memory, &job->on_test[a]);
    mn_matrix_free(memory, &job->on_train[a]);
  }
  mn_levels_release(memory, job->classes);
  job->classes = NULL;
  mn_plan_free(memory, job->fitted);
  job->fitted = NULL;
}

static void run_job(void *user, size_t block, size_t worker)
{
  struct work *w = user;
  mn_job *job = &w->jobs[block];
  mn_context *ctx = w->worker[worker];
  mn_clear(ctx);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_plan *plan = mn_plan_clone(ctx, job->plan);
  mn_input input = *w->input;
  if (job->y) input.y = *job->y;
  job->status = plan ? fit_and_apply(ctx, &input, job, plan) : MN_NO_MEMORY;
  if (job->keep && job->status == MN_OK)
    job->fitted = plan;
  else
    mn_plan_free(mn_context_memory(ctx), plan);
  mn_scratch_release(ctx, mark);
  if (job->status != MN_OK) {
    snprintf(job->text, sizeof job->text, "%.*s", (int)sizeof job->text - 1, mn_error_text(ctx));
    free_results(mn_context_memory(ctx), job);
  }
  const size_t done = atomic_fetch_add(&w->done, 1) + 1;
  if (worker == 0) mn_report_progress(w->caller, (double)done, (double)w->n, (double)NAN);
}

mn_status mn_jobs_run(mn_context *ctx, const mn_input *input, mn_job *jobs, size_t n)
{
  const size_t threads = mn_threads(ctx), workers = threads < n ? threads : n;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct work w = {
    .input = input, .jobs = jobs, .caller = ctx, .n = n, .worker = MN_NEW(ctx, mn_context *, workers, 1)
  };
  MN_CHECK_ALLOC(w.worker);
  mn_status status = mn_worker_contexts_new(ctx, workers, w.worker);
  if (status == MN_OK) status = mn_parallel(ctx, n, run_job, &w);
  mn_worker_contexts_free(workers, w.worker);
  mn_scratch_release(ctx, mark);
  for (size_t i = 0; status == MN_OK && i < n; i++)
    if (jobs[i].status == MN_NO_MEMORY) status = mn_fail(ctx, MN_NO_MEMORY, "%s", jobs[i].text);
  return status;
}

void mn_jobs_free(mn_memory *memory, mn_job *jobs, size_t n)
{
  for (size_t i = 0; i < n; i++) free_results(memory, &jobs[i]);
}

#include "jobs.h"
#include "../core/finite.h"
#include "../core/threads.h"
#include "../model/table.h"
#include "job_rows.h"
#include "joint_fits.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* What a thread reuses from job to job. */
struct worker {
  mn_context *ctx;
  mn_subset train, test;
  bool ready;
  mn_mark base; /* behind the arrays of the subsets */
};

struct work {
  const mn_input *input;
  mn_job *jobs;
  const size_t *sequence; /* the order in which jobs run: those with the same rows follow each other */
  mn_joint_fit *joint;    /* for each job: its model, if it was fitted with others */
  struct worker *worker;  /* one for each thread that may take part */
  mn_context *caller;
  size_t n;
  bool copies_train, copies_test; /* whether a job needs the arrays of a subset */
  atomic_size_t done;
};

static mn_status alloc_outputs(mn_context *ctx, const mn_plan *plan, const mn_job *job, size_t rows, mn_matrix *out)
{
  const mn_estimator *final = mn_plan_final(plan);
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
    if (!job->want[a]) continue;
    if (!final || !mn_supports_action(final, a))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no %s", final ? final->class->name : "the plan", mn_action_name(a));
    MN_TRY(mn_matrix_init(ctx, &out[a], rows, mn_width(final, a)));
  }
  return MN_OK;
}

/* Outputs for the rows of x, from row `first` of `out` on. */
static mn_status apply_all(mn_context *ctx, const mn_plan *plan, const mn_job *job, const mn_table *x, size_t first,
                           const mn_matrix *out)
{
  const mn_input input = { .x = *x };
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
    if (!job->want[a]) continue;
    mn_matrix part = { .at = mn_row(&out[a], first), .rows = x->rows, .cols = out[a].cols };
    MN_TRY(mn_plan_apply(ctx, plan, a, &input, &part));
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

/* Of precomputed values, with a column for each row of the data, the columns of the training rows. */
static mn_status select_columns(mn_context *ctx, const mn_input *all, const mn_job *job, mn_table *x)
{
  const mn_table given = *x;
  if (all->x.rows != all->x.cols)
    return mn_fail(
        ctx, MN_BAD_DATA,
        "%s: subsets of precomputed values require a square X, a row and a column for each sample, got %zu x "
        "%zu",
        mn_plan_name(job->plan), all->x.rows, all->x.cols);
  int32_t *column = MN_RAW(ctx, int32_t, job->n_train, 1);
  MN_CHECK_ALLOC(column);
  for (size_t i = 0; i < job->n_train; i++) column[i] = (int32_t)job->train[i];
  return mn_table_columns(ctx, &given, column, job->n_train, x);
}

/* Fit the plan, or move the model into it that was fitted together with those of other jobs. */
static mn_status fit_plan(mn_context *ctx, mn_plan *plan, const mn_input *train, mn_joint_fit *joint, double *seconds)
{
  const double begin = mn_seconds();
  if (joint->model) {
    mn_estimator_free(mn_context_memory(ctx), plan->model);
    plan->model = joint->model;
    joint->model = NULL;
    *seconds = joint->seconds;
    return MN_OK;
  }
  MN_TRY(mn_plan_fit(ctx, plan, train));
  *seconds = mn_seconds() - begin;
  return MN_OK;
}

/* The number of test rows that are read at a time. Those of a model that predicts each row by itself are few enough to
 * stay in the cache for all actions. */
static size_t rows_at_once(const mn_input *input, const mn_job *job, const mn_estimator *joint)
{
  enum { VALUES = 1 << 17, MULTIPLE = 16 }; /* a multiple keeps the alignment of rows */
  const bool by_row = joint && joint->n_targets == 1;
  const size_t rows = VALUES / (input->x.cols + 1) / MULTIPLE * MULTIPLE + MULTIPLE;
  return by_row && rows < job->n_test ? rows : job->n_test;
}

static mn_status test(struct worker *w, const mn_input *input, mn_job *job, const mn_plan *plan, size_t at_once)
{
  mn_context *ctx = w->ctx;
  const mn_target none = { 0 };
  MN_TRY(alloc_outputs(ctx, plan, job, job->n_test, job->on_test));
  for (size_t first = 0; first < job->n_test; first += at_once) {
    const size_t n = job->n_test - first < at_once ? job->n_test - first : at_once;
    MN_TRY(mn_subset_read(ctx, &w->test, input, &none, job->test + first, n));
    mn_table x = w->test.input.x;
    if (mn_plan_needs_square_x(plan) && !x.sparse) MN_TRY(select_columns(ctx, input, job, &x));
    MN_TRY(apply_all(ctx, plan, job, &x, first, job->on_test));
  }
  return MN_OK;
}

static mn_status fit_and_apply(struct worker *w, const mn_input *input, mn_job *job, mn_plan *plan, mn_joint_fit *joint)
{
  mn_context *ctx = w->ctx;
  const mn_target *y = job->y ? job->y : &input->y;
  const size_t at_once = rows_at_once(input, job, joint->model);
  mn_input train = { 0 };
  if (!joint->model || job->also_train) {
    MN_TRY(mn_subset_read(ctx, &w->train, input, y, job->train, job->n_train));
    train = w->train.input;
    if (mn_plan_needs_square_x(plan) && !input->x.sparse) MN_TRY(select_columns(ctx, input, job, &train.x));
  }
  MN_TRY(fit_plan(ctx, plan, &train, joint, &job->fit_seconds));
  const double fitted = mn_seconds();
  store_model_info(job, plan);
  if (job->n_test > 0) MN_TRY(test(w, input, job, plan, at_once));
  if (job->also_train) {
    MN_TRY(alloc_outputs(ctx, plan, job, job->n_train, job->on_train));
    MN_TRY(apply_all(ctx, plan, job, &train.x, 0, job->on_train));
  }
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

static mn_status prepare_worker(struct worker *w, const struct work *work)
{
  if (w->ready) return MN_OK;
  if (work->copies_train) MN_TRY(mn_subset_reserve(w->ctx, &w->train, work->input));
  if (work->copies_test) MN_TRY(mn_subset_reserve(w->ctx, &w->test, work->input));
  w->base = mn_scratch_mark(w->ctx);
  w->ready = true;
  return MN_OK;
}

static mn_status try_job(const struct work *work, struct worker *w, size_t at)
{
  mn_job *job = &work->jobs[at];
  MN_TRY(prepare_worker(w, work));
  mn_plan *plan = mn_plan_clone(w->ctx, job->plan);
  if (!plan) return MN_NO_MEMORY;
  const mn_status status = fit_and_apply(w, work->input, job, plan, &work->joint[at]);
  if (job->keep && status == MN_OK)
    job->fitted = plan;
  else
    mn_plan_free(mn_context_memory(w->ctx), plan);
  return status;
}

static void run_job(void *user, size_t block, size_t worker)
{
  struct work *work = user;
  struct worker *w = &work->worker[worker];
  mn_job *job = &work->jobs[work->sequence[block]];
  mn_clear(w->ctx);
  job->status = try_job(work, w, work->sequence[block]);
  if (job->status != MN_OK) {
    snprintf(job->text, sizeof job->text, "%.*s", (int)sizeof job->text - 1, mn_error_text(w->ctx));
    free_results(mn_context_memory(w->ctx), job);
  }
  job->done = !mn_cancelled(w->ctx);
  if (w->ready) mn_scratch_release(w->ctx, w->base);
  const size_t done = atomic_fetch_add(&work->done, 1) + 1;
  if (worker == 0) mn_report_progress(work->caller, (double)done, (double)work->n, (double)NAN);
}

/* --- all jobs --- */

struct place {
  const size_t *train;
  size_t job;
};

static int compare_places(const void *a, const void *b)
{
  const struct place *x = a, *y = b;
  if (x->train != y->train) return (uintptr_t)x->train < (uintptr_t)y->train ? -1 : 1;
  return x->job < y->job ? -1 : 1;
}

static mn_status make_sequence(mn_context *ctx, const mn_job *jobs, size_t n, size_t *sequence)
{
  struct place *places = MN_RAW(ctx, struct place, n, 1);
  MN_CHECK_ALLOC(places);
  for (size_t i = 0; i < n; i++) places[i] = (struct place){ jobs[i].train, i };
  qsort(places, n, sizeof *places, compare_places);
  for (size_t i = 0; i < n; i++) sequence[i] = places[i].job;
  return MN_OK;
}

/* Which arrays the workers need, and for how many rows. */
static void measure(struct work *work, mn_subset *train, mn_subset *test)
{
  const mn_job *last = NULL;
  for (size_t i = 0; i < work->n; i++) {
    const mn_job *job = &work->jobs[work->sequence[i]];
    if (last && last->train == job->train && last->test == job->test) continue;
    last = job;
    const mn_estimator *joint = work->joint[work->sequence[i]].model;
    const size_t at_once = rows_at_once(work->input, job, joint);
    const bool reads = !joint || job->also_train;
    if (reads && mn_subset_needs_copy(work->input, job->train, job->n_train)) {
      work->copies_train = true;
      if (job->n_train > train->max_rows) train->max_rows = job->n_train;
    }
    if (job->n_test > 0 && mn_subset_needs_copy(work->input, job->test, job->n_test)) {
      work->copies_test = true;
      if (at_once > test->max_rows) test->max_rows = at_once;
    }
  }
}

/* A job for each thread at a time; a single job that is left over gets all threads. */
static mn_status run_jobs(mn_context *ctx, struct work *work, size_t workers)
{
  const bool one_left = workers > 1 && work->n % workers == 1;
  MN_TRY(mn_parallel(ctx, work->n - one_left, run_job, work));
  if (one_left && !mn_cancelled(ctx)) {
    mn_set_threads(work->worker[0].ctx, mn_threads(ctx));
    run_job(work, work->n - 1, 0);
  }
  return mn_poll(ctx);
}

/* Fit the models that can be fitted together, with all threads, before the jobs. */
static mn_status fit_jointly(mn_context *ctx, mn_context *worker, struct work *work)
{
  const size_t threads = mn_threads(worker);
  mn_set_threads(worker, mn_threads(ctx));
  const mn_status status = mn_fit_jointly(worker, work->input, work->jobs, work->n, work->joint);
  mn_set_threads(worker, threads);
  return status == MN_OK ? MN_OK : mn_fail(ctx, status, "%s", mn_error_text(worker));
}

static mn_status run_all(mn_context *ctx, struct work *work, size_t workers)
{
  size_t *sequence = MN_RAW(ctx, size_t, work->n, 1);
  mn_context **contexts = MN_NEW(ctx, mn_context *, workers, 1);
  mn_subset train = { 0 }, test = { 0 };
  work->worker = MN_NEW(ctx, struct worker, workers, 1);
  work->joint = MN_NEW(ctx, mn_joint_fit, work->n, 1);
  if (!sequence || !contexts || !work->worker || !work->joint) return MN_NO_MEMORY;
  MN_TRY(make_sequence(ctx, work->jobs, work->n, sequence));
  work->sequence = sequence;
  mn_status status = mn_worker_contexts_new(ctx, workers, contexts);
  if (status == MN_OK && work->n > 1) status = fit_jointly(ctx, contexts[0], work);
  measure(work, &train, &test);
  for (size_t i = 0; i < workers; i++)
    work->worker[i] = (struct worker){ .ctx = contexts[i], .train = train, .test = test };
  if (status == MN_OK) status = run_jobs(ctx, work, workers);
  mn_joint_fits_free(mn_context_memory(ctx), work->joint, work->n);
  mn_worker_contexts_free(workers, contexts);
  return status;
}

/* Whether X needs no more checks in the jobs, which read its rows or copies of them. */
static mn_status check_once(mn_context *ctx, mn_table *x)
{
  const size_t values = x->dense.rows * x->dense.cols;
  size_t beyond;
  if (x->sparse || x->levels || values == 0) return MN_OK;
  MN_TRY(mn_find_beyond(ctx, values, x->dense.at, MN_MODERATE, &beyond));
  if (beyond == values) x->moderate = x->dense.at;
  return MN_OK;
}

mn_status mn_jobs_run(mn_context *ctx, const mn_input *given, mn_job *jobs, size_t n)
{
  mn_input input = *given;
  const size_t threads = mn_threads(ctx);
  const mn_mark mark = mn_scratch_mark(ctx);
  struct work work = { .input = &input, .jobs = jobs, .caller = ctx, .n = n };
  mn_status status = check_once(ctx, &input.x);
  if (status == MN_OK) status = run_all(ctx, &work, threads < n ? threads : n);
  mn_scratch_release(ctx, mark);
  for (size_t i = 0; status == MN_OK && i < n; i++)
    if (jobs[i].status == MN_NO_MEMORY) status = mn_fail(ctx, MN_NO_MEMORY, "%s", jobs[i].text);
  return status;
}

void mn_jobs_free(mn_memory *memory, mn_job *jobs, size_t n)
{
  for (size_t i = 0; i < n; i++) free_results(memory, &jobs[i]);
}

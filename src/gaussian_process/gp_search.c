#include "gp_search.h"
#include "../core/rng.h"
#include "../core/worker_pool.h"
#include "../optim/bounded_bfgs.h"
#include <math.h>
#include <string.h>

/* Searches run in parallel if the workspaces of all workers take at most this. */
static const size_t max_parallel_bytes = (size_t)1 << 28;

struct objective {
  mn_context *ctx;
  const mn_gp_target *target;
  const mn_gp_search *search;
  void *workspace;
  mn_mark mark; /* of the scratch memory of an evaluation */
  bool marked;
};

/* Minus the log likelihood. An error is left in the context. */
static double evaluate(void *problem, const double *theta, double *gradient)
{
  struct objective *o = problem;
  double value = (double)NAN;
  if (!o->marked) o->mark = mn_scratch_mark(o->ctx);
  o->marked = true;
  mn_status status = mn_poll(o->ctx);
  if (status == MN_OK) status = o->target->evaluate(o->ctx, o->workspace, theta, &value, gradient);
  if (status == MN_OK) status = mn_scratch_recycle(o->ctx, &o->mark);
  for (size_t j = 0; j < o->target->k; j++) gradient[j] = -gradient[j];
  return status == MN_OK ? -value : (double)NAN;
}

static bool note(void *problem, double objective)
{
  const struct objective *o = problem;
  return o->search->note(o->search->user, -objective);
}

struct searches {
  const mn_gp_target *target;
  const mn_gp_search *search;
  double *theta; /* (restarts + 1) x k, in and out */
  mn_lbfgs_report *report;
};

static mn_status run_one(mn_context *ctx, void *work, size_t run, size_t worker)
{
  (void)worker;
  const struct searches *s = work;
  const mn_gp_search *search = s->search;
  struct objective o = { .ctx = ctx, .target = s->target, .search = search };
  const mn_bounded_options options = { .low = search->low,
                                       .high = search->high,
                                       .max_iter = search->max_iter,
                                       .gradient_tolerance = search->tol,
                                       .objective_tolerance = search->tol * 1e-4,
                                       .note = search->note && search->restarts == 0 ? note : NULL };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(s->target->prepare(ctx, s->target->problem, &o.workspace));
  MN_TRY(mn_bounded_bfgs(ctx, s->target->k, s->theta + run * s->target->k, evaluate, &o, &options, &s->report[run]));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The start of run `run` > 0: uniform between the bounds, which are logarithms; given where they are infinite. */
static void random_start(const mn_gp_search *search, size_t run, size_t k, const double *given, double *theta)
{
  mn_rng random = mn_stream(search->seed, run);
  for (size_t j = 0; j < k; j++) {
    const double low = search->low[j], high = search->high[j], u = mn_random_uniform(&random);
    theta[j] = isfinite(low) && isfinite(high) ? low + u * (high - low) : given[j];
  }
}

static mn_status run_all(mn_context *ctx, struct searches *s)
{
  const size_t runs = s->search->restarts + 1, workers = mn_pool_size(ctx, runs);
  if (runs > 1 && s->target->workspace_bytes <= max_parallel_bytes / workers) return mn_pool_run(ctx, runs, run_one, s);
  for (size_t run = 0; run < runs && mn_should_continue(ctx); run++) {
    if (runs > 1) mn_progress_part(ctx, run, runs);
    MN_TRY(run_one(ctx, s, run, 0));
  }
  return MN_OK;
}

void mn_gp_report_search(const mn_gp_search *search, mn_report *report)
{
  report->n_iter = (int64_t)search->n_iter;
  report->converged = search->converged;
  report->change = search->change;
}

mn_status mn_gp_maximize(mn_context *ctx, const mn_gp_target *target, mn_gp_search *search, double *theta)
{
  const size_t k = target->k, runs = search->restarts + 1;
  struct searches s = { .target = target,
                        .search = search,
                        .theta = MN_RAW(ctx, double, runs, k),
                        .report = MN_NEW(ctx, mn_lbfgs_report, runs, 1) };
  if (!s.theta || !s.report) return MN_NO_MEMORY;
  memcpy(s.theta, theta, k * sizeof *theta);
  for (size_t run = 1; run < runs; run++) random_start(search, run, k, theta, s.theta + run * k);
  for (size_t run = 0; run < runs; run++) s.report[run].objective = INFINITY;
  MN_TRY(run_all(ctx, &s));
  search->value = -INFINITY;
  for (size_t run = 0; run < runs; run++) {
    const mn_lbfgs_report *report = &s.report[run];
    search->n_iter += report->n_iter;
    if (!(-report->objective > search->value)) continue;
    search->value = -report->objective;
    search->converged = report->converged;
    search->change = report->gradient_norm;
    memcpy(theta, s.theta + run * k, k * sizeof *theta);
  }
  return MN_OK;
}

mn_status mn_gp_maximize_kernel(mn_context *ctx, const mn_gp_target *target, mn_gp_search *search, mn_kernel *kernel)
{
  double *low = MN_RAW(ctx, double, target->k, 1), *high = MN_RAW(ctx, double, target->k, 1),
         *theta = MN_RAW(ctx, double, target->k, 1);
  if (!low || !high || !theta) return MN_NO_MEMORY;
  mn_kernel_bounds(kernel, low, high);
  mn_kernel_theta(kernel, theta);
  search->low = low;
  search->high = high;
  MN_TRY(mn_gp_maximize(ctx, target, search, theta));
  mn_kernel_set_theta(kernel, theta);
  return MN_OK;
}

bool mn_gp_note_round(void *rounds, double log_likelihood)
{
  const mn_gp_rounds *r = rounds;
  return mn_round(r->ctx, r->report, r->max_iter, -log_likelihood);
}

const char *const mn_gp_optimizers[] = { "bfgs", "none", NULL };

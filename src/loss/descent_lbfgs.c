/* Linear models by limited-memory BFGS; with an L1 penalty by OWL-QN (lbfgs.h). */
#include "../optim/lbfgs.h"
#include "descent.h"
#include <math.h>

struct task {
  mn_context *ctx;
  mn_descent *d;
};

static double value(void *problem, const double *u, double *gradient)
{
  const struct task *t = problem;
  double sum;
  return mn_descent_evaluate(t->ctx, t->d, u, &sum, gradient) == MN_OK ? sum : (double)NAN;
}

static bool note(void *problem, double objective)
{
  const struct task *t = problem;
  return t->d->progress(t->d->user, objective);
}

mn_status mn_descent_solve_lbfgs(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *end)
{
  struct task task = { .ctx = ctx, .d = d };
  double *l1 = NULL;
  if (d->l1 > 0) {
    l1 = MN_NEW(ctx, double, d->p + 1, 1);
    MN_CHECK_ALLOC(l1);
    for (size_t j = 0; j < d->p; j++) l1[j] = d->l1 / d->scale[j];
  }
  const mn_lbfgs_options options = {
    .max_iter = (size_t)d->max_iter, .gradient_tolerance = d->subgradient_tol, .l1 = l1, .note = note
  };
  mn_lbfgs_report report;
  MN_TRY(mn_lbfgs(ctx, d->p + 1, u, value, &task, &options, &report));
  *end = (mn_descent_result){ .converged = report.converged,
                              .objective = report.objective,
                              .max_subgradient = report.gradient_norm };
  return MN_OK;
}

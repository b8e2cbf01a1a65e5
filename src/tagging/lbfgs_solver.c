#include "../optim/lbfgs.h"
#include "solve.h"

struct problem {
  mn_context *ctx;
  const mn_tag_training *t;
  mn_likelihood *o;
};

mn_status mn_penalized_value(mn_context *ctx, mn_likelihood *o, const double *w, double *value, double *gradient)
{
  const mn_tag_training *t = o->t;
  MN_TRY(mn_likelihood_evaluate(ctx, o, w, value, gradient));
  double penalty = 0;
  for (size_t j = 0; j < t->n; j++) {
    penalty += t->l2[j] * w[j] * w[j];
    gradient[j] += 2 * t->l2[j] * w[j];
  }
  *value += penalty;
  return MN_OK;
}

static double evaluate(void *problem, const double *w, double *gradient)
{
  struct problem *p = problem;
  double value;
  if (mn_penalized_value(p->ctx, p->o, w, &value, gradient) != MN_OK) return (double)NAN;
  return value;
}

static bool note(void *problem, double objective)
{
  struct problem *p = problem;
  return mn_round(p->ctx, &p->t->model->base.report, p->t->model->max_iter, objective);
}

mn_status mn_tagger_lbfgs(mn_context *ctx, const mn_tag_training *t, mn_likelihood *o, double *w)
{
  struct problem p = { .ctx = ctx, .t = t, .o = o };
  mn_report *r = &t->model->base.report;
  const mn_lbfgs_options options = {
    .max_iter = (size_t)t->model->max_iter, .objective_tolerance = t->model->tol, .l1 = t->l1, .note = note
  };
  mn_lbfgs_report report;
  MN_TRY(mn_lbfgs(ctx, t->n, w, evaluate, &p, &options, &report));
  r->converged = report.converged;
  r->objective = report.objective;
  r->change = report.gradient_norm;
  r->advice = "increase max_iter or the penalties";
  if (r->n_iter == 0) r->n_iter = 1;
  return MN_OK;
}

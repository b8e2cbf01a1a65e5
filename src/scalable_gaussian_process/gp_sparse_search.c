#include "gp_sparse_search.h"
#include "../kernel/prior.h"
#include "gp_inducing.h"
#include <math.h>
#include <string.h>

/* The variables: log-hyperparameters, then the inducing inputs in units of the standard deviations of the columns. */
struct target {
  const mn_kernel *kernel;
  const mn_sparse_problem *problem;
  size_t m, thetas;
  const double *z;
  const double *scale; /* columns */
  bool learned;
};

struct workspace {
  const struct target *target;
  mn_kernel kernel;
  mn_sparse_state state;
  double *z, *gz; /* m x d */
};

static mn_status prepare(mn_context *ctx, const void *problem, void **out)
{
  const struct target *t = problem;
  const size_t d = t->problem->rows.d;
  struct workspace *w = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(w);
  w->target = t;
  w->z = MN_RAW(ctx, double, t->m, d);
  w->gz = MN_RAW(ctx, double, t->m, d);
  if (!w->z || !w->gz) return MN_NO_MEMORY;
  memcpy(w->z, t->z, t->m * d * sizeof *w->z);
  const mn_kernel_rows z = { .n = t->m, .d = d, .x = w->z };
  MN_TRY(mn_sparse_new(ctx, t->problem, &z, &w->state));
  *out = w;
  return mn_kernel_scratch_copy(ctx, t->kernel, &w->kernel);
}

static mn_status evaluate(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient)
{
  struct workspace *w = workspace;
  const struct target *t = w->target;
  const size_t d = t->problem->rows.d, size = t->learned ? t->m * d : 0;
  mn_kernel_set_theta(&w->kernel, theta);
  for (size_t e = 0; e < size; e++) w->z[e] = theta[t->thetas + e] * t->scale[e % d];
  MN_TRY(mn_sparse_evaluate(ctx, &w->kernel, t->problem, &w->state));
  *value = w->state.log_likelihood;
  if (!isfinite(*value)) return MN_OK;
  MN_TRY(mn_sparse_gradient(ctx, &w->kernel, t->problem, &w->state, gradient, t->learned ? w->gz : NULL));
  mn_kernel_add_priors(&w->kernel, value, gradient);
  for (size_t e = 0; e < size; e++) gradient[t->thetas + e] = w->gz[e] * t->scale[e % d];
  return MN_OK;
}

mn_status mn_sparse_optimize(mn_context *ctx, mn_kernel *kernel, const mn_sparse_problem *p, size_t m, double *z,
                             bool learned, mn_gp_search *search)
{
  const size_t thetas = mn_kernel_free_count(kernel), d = p->rows.d, size = learned ? m * d : 0;
  double *low = MN_RAW(ctx, double, thetas + size, 1), *high = MN_RAW(ctx, double, thetas + size, 1),
         *theta = MN_RAW(ctx, double, thetas + size, 1);
  const double *scale;
  if (!low || !high || !theta) return MN_NO_MEMORY;
  MN_TRY(mn_gp_column_scales(ctx, &p->rows, &scale));
  mn_kernel_bounds(kernel, low, high);
  mn_kernel_theta(kernel, theta);
  for (size_t e = 0; e < size; e++) {
    low[thetas + e] = -INFINITY;
    high[thetas + e] = INFINITY;
    theta[thetas + e] = z[e] / scale[e % d];
  }
  const struct target problem = {
    .kernel = kernel, .problem = p, .m = m, .thetas = thetas, .z = z, .scale = scale, .learned = learned
  };
  const size_t block = mn_sparse_block_rows(m);
  const mn_gp_target target = { .k = thetas + size,
                                .problem = &problem,
                                .workspace_bytes = m * (8 * m + 4 * block) * sizeof(double),
                                .prepare = prepare,
                                .evaluate = evaluate };
  search->low = low;
  search->high = high;
  MN_TRY(mn_gp_maximize(ctx, &target, search, theta));
  mn_kernel_set_theta(kernel, theta);
  for (size_t e = 0; e < size; e++) z[e] = theta[thetas + e] * scale[e % d];
  return MN_OK;
}

#include "gp_latent.h"
#include "../kernel/prior.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "gp_expectation.h"
#include "gp_regression.h"
#include <float.h>
#include <math.h>
#include <string.h>

static mn_status multiply(mn_context *ctx, size_t n, const double *k, const double *v, double *out)
{
  return mn_gemm(ctx, false, false, n, 1, n, 1, k, n, v, 1, 0, out, 1);
}

/* --- Laplace --- */

struct laplace {
  const mn_gp_latent *problem;
  mn_gp_posterior *p;
  size_t n;
  double *slope, *b, *step_a, *step_f; /* n each */
  double objective;                    /* log p(y | f) - a' f / 2 */
};

static double objective_of(const struct laplace *s, const double *a, const double *f)
{
  double value = 0;
  for (size_t i = 0; i < s->n; i++)
    value += mn_gp_likelihood_terms(&s->problem->likelihood, s->problem->y[i], s->problem->offset + f[i]).value -
             a[i] * f[i] / 2;
  return value;
}

/* The Newton step from a to b - W^(1/2) inv(B) W^(1/2) K b with b = W f + slope; W as at f. */
static mn_status newton_step(mn_context *ctx, const mn_gp_latent *problem, struct laplace *s)
{
  mn_gp_posterior *p = s->p;
  const size_t n = s->n;
  for (size_t i = 0; i < n; i++) {
    const mn_gp_terms t = mn_gp_likelihood_terms(&problem->likelihood, problem->y[i], problem->offset + p->f[i]);
    p->root[i] = sqrt(t.precision);
    s->slope[i] = t.slope;
    s->b[i] = t.precision * p->f[i] + t.slope;
  }
  MN_TRY(mn_gp_latent_factor(ctx, problem->who, n, p->k, p->root, p->l));
  MN_TRY(multiply(ctx, n, p->k, s->b, s->step_a));
  for (size_t i = 0; i < n; i++) s->step_a[i] *= p->root[i];
  MN_TRY(mn_chol_apply(ctx, n, 1, p->l, s->step_a));
  for (size_t i = 0; i < n; i++) s->step_a[i] = s->b[i] - p->root[i] * s->step_a[i] - p->a[i];
  return multiply(ctx, n, p->k, s->step_a, s->step_f);
}

/* Take the step, or the longest of its halves, quarters, ... that does not decrease the objective by more than its
 * rounding error: near the mode the last step gains less than that. *gain: by how much. */
static void line_search(struct laplace *s, double *trial_a, double *trial_f, double *gain)
{
  mn_gp_posterior *p = s->p;
  const double rounding = 1e-14 * (1 + fabs(s->objective));
  *gain = 0;
  for (double length = 1; length > 1e-10; length /= 2) {
    for (size_t i = 0; i < s->n; i++) {
      trial_a[i] = p->a[i] + length * s->step_a[i];
      trial_f[i] = p->f[i] + length * s->step_f[i];
    }
    const double value = objective_of(s, trial_a, trial_f);
    if (!(value > s->objective - rounding)) continue;
    *gain = value - s->objective;
    s->objective = value;
    memcpy(p->a, trial_a, s->n * sizeof *trial_a);
    memcpy(p->f, trial_f, s->n * sizeof *trial_f);
    return;
  }
}

/* L and the root of W at the mode, and a = the slope there to rounding. */
static mn_status finish(mn_context *ctx, const mn_gp_latent *problem, struct laplace *s)
{
  mn_gp_posterior *p = s->p;
  MN_TRY(newton_step(ctx, problem, s));
  p->log_likelihood = s->objective - mn_chol_logdet(s->n, p->l) / 2;
  return MN_OK;
}

/* a of an earlier solution at other hyperparameters, if that is better than 0. */
static mn_status choose_start(mn_context *ctx, struct laplace *s)
{
  mn_gp_posterior *p = s->p;
  MN_TRY(multiply(ctx, s->n, p->k, p->a, p->f));
  s->objective = objective_of(s, p->a, p->f);
  memset(s->b, 0, s->n * sizeof *s->b);
  const double at_zero = objective_of(s, s->b, s->b);
  if (s->objective > at_zero) return MN_OK;
  s->objective = at_zero;
  memset(p->a, 0, s->n * sizeof *p->a);
  memset(p->f, 0, s->n * sizeof *p->f);
  return MN_OK;
}

static mn_status find_mode(mn_context *ctx, const mn_gp_latent *problem, mn_gp_posterior *p)
{
  enum { MAX_STEPS = 200 };
  const size_t n = problem->rows.n;
  /* A Newton step gains about the square of what the one before it did; those for Student are not Newton steps. */
  const double enough = problem->likelihood.family == MN_GP_STUDENT ? 1e-14 : 1e-10;
  double *space = MN_RAW(ctx, double, n, 6), gain = INFINITY;
  MN_CHECK_ALLOC(space);
  struct laplace s = {
    .problem = problem, .p = p, .n = n, .slope = space, .b = space + n, .step_a = space + 2 * n, .step_f = space + 3 * n
  };
  MN_TRY(choose_start(ctx, &s));
  for (size_t step = 0; step < MAX_STEPS && gain > enough * (1 + fabs(s.objective)); step++) {
    MN_TRY(mn_poll(ctx));
    MN_TRY(newton_step(ctx, problem, &s));
    line_search(&s, space + 4 * n, space + 5 * n, &gain);
  }
  p->converged = gain <= 1e-8 * (1 + fabs(s.objective));
  return finish(ctx, problem, &s);
}

mn_status mn_gp_latent_solve(mn_context *ctx, const mn_kernel *kernel, const mn_gp_latent *problem, mn_gp_posterior *p)
{
  const size_t n = problem->rows.n;
  double trace = 0;
  p->log_likelihood = (double)NAN;
  MN_TRY(mn_kernel_matrix(ctx, kernel, &problem->rows, p->k, n));
  for (size_t i = 0; i < n; i++) trace += p->k[i * n + i];
  if (!isfinite(trace)) return MN_OK;
  return problem->inference == MN_GP_EP ? mn_gp_expectation_propagation(ctx, problem, p) : find_mode(ctx, problem, p);
}

/* --- gradients --- */

/* r = W^(1/2) inv(B) W^(1/2), n x n. */
static mn_status precision_matrix(mn_context *ctx, size_t n, const mn_gp_posterior *p, double *r)
{
  memcpy(r, p->l, n * n * sizeof *r);
  MN_TRY(mn_chol_inverse(ctx, n, r));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) r[i * n + j] *= p->root[i] * p->root[j];
  return MN_OK;
}

/* z = (I - R K) s with s_i the derivative of -log |B| / 2 by f_i: the posterior variance of f_i is
 * (1 - inv(B)_ii) / W_i = (W_i - R_ii) / W_i^2. */
static mn_status through_mode(mn_context *ctx, const mn_gp_latent *problem, const mn_gp_posterior *p, const double *r,
                              double *z)
{
  const size_t n = problem->rows.n;
  double *s = MN_RAW(ctx, double, n, 2), *product = s + n;
  MN_CHECK_ALLOC(s);
  for (size_t i = 0; i < n; i++) {
    const mn_gp_terms t = mn_gp_likelihood_terms(&problem->likelihood, problem->y[i], problem->offset + p->f[i]);
    const double w = p->root[i] * p->root[i];
    s[i] = w > 0 ? -0.5 * (1 - r[i * n + i] / w) * t.relative_slope : 0;
  }
  MN_TRY(multiply(ctx, n, p->k, s, product));
  MN_TRY(multiply(ctx, n, r, product, z));
  for (size_t i = 0; i < n; i++) z[i] = s[i] - z[i];
  return MN_OK;
}

/* By log(scale) of Student: sum_i d log p / d log(scale) + the posterior variances times W. */
static double scale_gradient(const mn_gp_latent *problem, const mn_gp_posterior *p, const double *r)
{
  const size_t n = problem->rows.n;
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    const mn_gp_terms t = mn_gp_likelihood_terms(&problem->likelihood, problem->y[i], problem->offset + p->f[i]);
    sum += t.by_scale + 1 - r[i * n + i] / (p->root[i] * p->root[i]);
  }
  return sum;
}

mn_status mn_gp_latent_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_gp_latent *problem,
                                const mn_gp_posterior *p, double *gradient)
{
  const size_t n = problem->rows.n, k = mn_kernel_free_count(kernel);
  double *m = p->work, *z = MN_NEW(ctx, double, n, 1);
  MN_CHECK_ALLOC(z);
  MN_TRY(precision_matrix(ctx, n, p, m));
  if (problem->inference == MN_GP_LAPLACE) MN_TRY(through_mode(ctx, problem, p, m, z));
  if (problem->likelihood.family == MN_GP_STUDENT) gradient[k] = scale_gradient(problem, p, m);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      m[i * n + j] = 0.5 * (p->a[i] * p->a[j] - m[i * n + j] + z[i] * p->a[j] + p->a[i] * z[j]);
  return mn_kernel_gradient_dot(ctx, kernel, &problem->rows, m, n, gradient);
}

/* --- search --- */

struct target {
  const mn_kernel *kernel;
  const mn_gp_latent *problem;
};

struct workspace {
  mn_kernel kernel;
  mn_gp_latent problem; /* copies whose hyperparameters change */
  mn_gp_posterior posterior;
};

static mn_status prepare(mn_context *ctx, const void *problem, void **out)
{
  const struct target *t = problem;
  struct workspace *w = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(w);
  w->problem = *t->problem;
  *out = w;
  MN_TRY(mn_gp_posterior_new(ctx, t->problem->rows.n, &w->posterior));
  return mn_kernel_scratch_copy(ctx, t->kernel, &w->kernel);
}

static void set_theta(mn_kernel *kernel, mn_gp_latent *problem, const double *theta)
{
  mn_kernel_set_theta(kernel, theta);
  if (problem->likelihood.family == MN_GP_STUDENT) problem->likelihood.scale = exp(theta[mn_kernel_free_count(kernel)]);
}

static mn_status evaluate(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient)
{
  struct workspace *w = workspace;
  set_theta(&w->kernel, &w->problem, theta);
  MN_TRY(mn_gp_latent_solve(ctx, &w->kernel, &w->problem, &w->posterior));
  *value = w->posterior.log_likelihood;
  if (!isfinite(*value)) return MN_OK;
  MN_TRY(mn_gp_latent_gradient(ctx, &w->kernel, &w->problem, &w->posterior, gradient));
  mn_kernel_add_priors(&w->kernel, value, gradient);
  return MN_OK;
}

mn_status mn_gp_latent_optimize(mn_context *ctx, mn_kernel *kernel, mn_gp_latent *problem, mn_gp_search *search)
{
  const size_t free_count = mn_kernel_free_count(kernel), n = problem->rows.n;
  const bool student = problem->likelihood.family == MN_GP_STUDENT;
  const size_t k = free_count + (student ? 1 : 0);
  double *low = MN_RAW(ctx, double, k + 1, 1), *high = MN_RAW(ctx, double, k + 1, 1),
         *theta = MN_RAW(ctx, double, k + 1, 1);
  if (!low || !high || !theta) return MN_NO_MEMORY;
  if (k == 0) return MN_OK;
  mn_kernel_bounds(kernel, low, high);
  mn_kernel_theta(kernel, theta);
  theta[free_count] = log(problem->likelihood.scale);
  low[free_count] = theta[free_count] - log(1e5);
  high[free_count] = theta[free_count] + log(1e5);
  const struct target both = { .kernel = kernel, .problem = problem };
  const mn_gp_target target = {
    .k = k, .problem = &both, .workspace_bytes = 3 * n * n * sizeof(double), .prepare = prepare, .evaluate = evaluate
  };
  search->low = low;
  search->high = high;
  MN_TRY(mn_gp_maximize(ctx, &target, search, theta));
  set_theta(kernel, problem, theta);
  return MN_OK;
}

/* --- predictions --- */

mn_status mn_gp_latent_moments(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *stored, const double *a,
                               const double *root, const double *l, const mn_kernel_rows *x, double *mean,
                               double *variance)
{
  enum { BLOCK_ROWS = 256 };
  const size_t n = stored->n;
  for (size_t begin = 0; begin < x->n; begin += BLOCK_ROWS) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t rows = x->n - begin < BLOCK_ROWS ? x->n - begin : BLOCK_ROWS;
    const mn_kernel_rows part = { .n = rows, .d = x->d, .x = x->x + begin * x->d };
    double *v = MN_RAW(ctx, double, n, rows);
    MN_CHECK_ALLOC(v);
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_kernel_cross(ctx, kernel, stored, &part, v, rows));
    MN_TRY(mn_gemm(ctx, true, false, rows, 1, n, 1, v, rows, a, 1, 0, mean + begin, 1));
    if (variance) {
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < rows; j++) v[i * rows + j] *= root[i];
      MN_TRY(mn_chol_lower(ctx, n, rows, l, v));
      MN_TRY(mn_gp_function_variances(ctx, kernel, &part, variance + begin));
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < rows; j++) variance[begin + j] -= v[i * rows + j] * v[i * rows + j];
      for (size_t j = 0; j < rows; j++) variance[begin + j] = fmax(variance[begin + j], 0);
    }
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

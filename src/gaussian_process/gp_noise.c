#include "gp_noise.h"
#include "../kernel/prior.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "gp_posterior.h"
#include <math.h>
#include <string.h>

static const char *const who = "GaussianProcessRegressor";

/* Buffers of a search. l is that of the last evaluation, from which the next one begins. */
struct workspace {
  mn_kernel kernel, noise_kernel; /* copies whose hyperparameters change */
  mn_gp_problem problem;
  mn_gp_solution solution;
  size_t n;
  double offset;
  double *k;                                                 /* n x n: K_g                                    */
  double *l_b, *work;                                        /* n x n: the factor of B = I + l^1/2 K_g l^1/2  */
  double *lambda, *trial, *target, *root, *r, *shifted, *mu; /* n each                                        */
  double *m, *g, *direction;                                 /* n x n, n x n, n: of find_direction            */
  double bound;
};

/* --- the bound at given l --- */

/* diag(S) in s->mu: the column sums of squares of inv(L_B) l^(1/2) K_g are taken from the diagonal of K_g. */
static mn_status find_variances(mn_context *ctx, struct workspace *s, const double *lambda)
{
  const size_t n = s->n;
  for (size_t i = 0; i < n; i++) s->root[i] = sqrt(lambda[i]);
  MN_TRY(mn_gp_latent_factor(ctx, who, n, s->k, s->root, s->l_b));
  for (size_t i = 0; i < n; i++) {
    s->mu[i] = s->k[i * n + i];
    for (size_t j = 0; j < n; j++) s->work[i * n + j] = s->root[i] * s->k[i * n + j];
  }
  MN_TRY(mn_chol_lower(ctx, n, n, s->l_b, s->work));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) s->mu[j] -= s->work[i * n + j] * s->work[i * n + j];
  return MN_OK;
}

/* F at lambda; and r, the factors and the solution that belong to it. */
static mn_status evaluate_bound(mn_context *ctx, struct workspace *s, const double *lambda, double *bound)
{
  const size_t n = s->n;
  const double half = (double)s->problem.q / 2;
  double trace = 0, overlap = 0, square = 0;
  MN_TRY(find_variances(ctx, s, lambda));
  for (size_t i = 0; i < n; i++) s->shifted[i] = lambda[i] - half;
  MN_TRY(mn_gemm(ctx, false, false, n, 1, n, 1, s->k, n, s->shifted, 1, 0, s->r, 1));
  for (size_t i = 0; i < n; i++) {
    trace += s->mu[i];
    overlap += s->mu[i] * lambda[i];
    square += s->shifted[i] * s->r[i];
    s->r[i] = exp(fmin(s->offset + s->r[i] - s->mu[i] / 2, 600));
  }
  s->problem.row_noise = s->r;
  MN_TRY(mn_gp_solve(ctx, &s->kernel, &s->problem, &s->solution));
  *bound = s->solution.log_likelihood - half * trace / 2 - (square - overlap + mn_chol_logdet(n, s->l_b)) / 2;
  return MN_OK;
}

/* The value of l at which F would be stationary, were r to stay: q / 2 + r_i (|c_i|^2 - q inv(A)_ii) / 2. */
static mn_status find_target(mn_context *ctx, struct workspace *s)
{
  const size_t n = s->n, q = s->problem.q;
  MN_TRY(mn_chol_inverse_lower(ctx, n, s->solution.l, s->work));
  for (size_t i = 0; i < n; i++) {
    double square = 0;
    for (size_t t = 0; t < q; t++) square += s->solution.c[i * q + t] * s->solution.c[i * q + t];
    s->target[i] = fmax((double)q / 2 + s->r[i] * (square - (double)q * s->work[i * n + i]) / 2, 0);
  }
  return MN_OK;
}

/* The direction inv(I + G M) d with d = target - l, in s->direction: Newton's method for l = target(l), with
 *
 *     M = K_g + S o S / 2, so that d log r = M dl,   G = r r' o inv(A) o inv(A) / 2, so that on average d target = -G d
 * log r
 *
 * o is the elementwise product. The gradient of F is M d, so F grows along this direction. With M = L L' it is
 * d - G L inv(I + L' G L) L' d. s->work holds inv(A). */
static mn_status find_direction(mn_context *ctx, struct workspace *s)
{
  const size_t n = s->n;
  double *m = s->m, *g = s->g, *d = s->direction, trace = 0;
  size_t minor;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) m[i * n + j] = s->root[i] * s->k[i * n + j];
  MN_TRY(mn_chol_lower(ctx, n, n, s->l_b, m));
  MN_TRY(mn_syrk(ctx, n, n, m, n, NULL, NULL, g, n));
  for (size_t i = 0; i < n * n; i++) m[i] = s->k[i] + (s->k[i] - g[i]) * (s->k[i] - g[i]) / 2;
  for (size_t i = 0; i < n; i++) trace += m[i * n + i];
  for (size_t i = 0; i < n; i++) m[i * n + i] += 1e-9 * trace / (double)n;
  MN_TRY(mn_chol_try(ctx, n, m, NULL, &minor));
  for (size_t i = 0; i < n; i++) d[i] = s->target[i] - s->lambda[i];
  if (minor > 0) return MN_OK;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) s->work[i * n + j] *= s->work[i * n + j] * s->r[i] * s->r[j] / 2;
  MN_TRY(mn_gemm(ctx, false, false, n, n, n, 1, s->work, n, m, n, 0, g, n)); /* G L */
  MN_TRY(mn_gemm(ctx, true, false, n, n, n, 1, m, n, g, n, 0, s->work, n));
  for (size_t i = 0; i < n; i++) s->work[i * n + i] += 1;
  MN_TRY(mn_gemm(ctx, true, false, n, 1, n, 1, m, n, d, 1, 0, s->trial, 1));
  MN_TRY(mn_chol_try(ctx, n, s->work, NULL, &minor));
  if (minor > 0) return MN_OK;
  MN_TRY(mn_chol_apply(ctx, n, 1, s->work, s->trial));
  return mn_gemm(ctx, false, false, n, 1, n, -1, g, n, s->trial, 1, 1, d, 1);
}

/* Move l in the direction, half as far after each failure. *change: what was left before; 0: nothing increases F. */
static mn_status step(mn_context *ctx, struct workspace *s, double *change)
{
  const size_t n = s->n;
  MN_TRY(find_target(ctx, s));
  *change = 0;
  for (size_t i = 0; i < n; i++) *change = fmax(*change, fabs(s->target[i] - s->lambda[i]) / (1 + s->lambda[i]));
  MN_TRY(find_direction(ctx, s));
  for (double length = 1; length > 1e-6; length /= 2) {
    double bound;
    for (size_t i = 0; i < n; i++) s->trial[i] = fmax(s->lambda[i] + length * s->direction[i], 0);
    MN_TRY(evaluate_bound(ctx, s, s->trial, &bound));
    if (!(bound >= s->bound - 1e-13 * (1 + fabs(s->bound)))) continue;
    s->bound = bound;
    memcpy(s->lambda, s->trial, n * sizeof *s->lambda);
    return MN_OK;
  }
  *change = 0;
  return evaluate_bound(ctx, s, s->lambda, &s->bound);
}

/* The largest F over l. */
static mn_status solve(mn_context *ctx, struct workspace *s)
{
  enum { MAX_STEPS = 200 };
  const mn_kernel_rows *rows = &s->problem.rows;
  double change = INFINITY, gain = INFINITY;
  MN_TRY(mn_kernel_matrix(ctx, &s->noise_kernel, rows, s->k, s->n));
  MN_TRY(evaluate_bound(ctx, s, s->lambda, &s->bound));
  for (size_t i = 0; i < s->n && !isfinite(s->bound); i++) s->lambda[i] = (double)s->problem.q / 2;
  if (!isfinite(s->bound)) MN_TRY(evaluate_bound(ctx, s, s->lambda, &s->bound));
  for (size_t i = 0; i < MAX_STEPS && change > 1e-7 && isfinite(s->bound); i++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const double before = s->bound;
    MN_TRY(mn_poll(ctx));
    MN_TRY(step(ctx, s, &change));
    mn_scratch_release(ctx, mark);
    if (fmax(gain, s->bound - before) < 1e-12 * (1 + fabs(before))) break;
    gain = s->bound - before;
  }
  return MN_OK;
}

/* --- search --- */

struct target {
  const mn_kernel *kernel, *noise_kernel;
  const mn_gp_problem *problem;
};

static mn_status prepare(mn_context *ctx, const void *problem, void **out)
{
  const struct target *t = problem;
  const size_t n = t->problem->rows.n;
  struct workspace *s = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(s);
  *out = s;
  s->problem = *t->problem;
  s->n = n;
  double **const squares[] = { &s->k, &s->l_b, &s->work, &s->m, &s->g },
                 **const vectors[] = { &s->lambda, &s->trial,   &s->target, &s->root,
                                       &s->r,      &s->shifted, &s->mu,     &s->direction };
  for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) MN_CHECK_ALLOC(*squares[i] = MN_RAW(ctx, double, n, n));
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) MN_CHECK_ALLOC(*vectors[i] = MN_RAW(ctx, double, n, 1));
  for (size_t i = 0; i < n; i++) s->lambda[i] = (double)t->problem->q / 2;
  MN_TRY(mn_gp_solution_new(ctx, t->problem, &s->solution));
  MN_TRY(mn_kernel_scratch_copy(ctx, t->kernel, &s->kernel));
  return mn_kernel_scratch_copy(ctx, t->noise_kernel, &s->noise_kernel);
}

/* theta: hyperparameters of the kernel, of the noise kernel, and the offset. */
static void set_theta(struct workspace *s, const double *theta)
{
  const size_t k = mn_kernel_free_count(&s->kernel), k_noise = mn_kernel_free_count(&s->noise_kernel);
  mn_kernel_set_theta(&s->kernel, theta);
  mn_kernel_set_theta(&s->noise_kernel, theta + k);
  s->offset = theta[k + k_noise];
}

/* At the best l its derivatives do not enter, and those by the noise kernel are those of the likelihood of data with
 * the solution l - q / 2 and the precision l^(1/2) inv(B) l^(1/2). */
static mn_status evaluate(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient)
{
  struct workspace *s = workspace;
  const size_t n = s->n, k = mn_kernel_free_count(&s->kernel), k_noise = mn_kernel_free_count(&s->noise_kernel);
  set_theta(s, theta);
  MN_TRY(solve(ctx, s));
  *value = s->bound;
  if (!isfinite(s->bound)) return MN_OK;
  MN_TRY(mn_gp_gradient(ctx, &s->kernel, &s->problem, &s->solution, s->work, gradient));
  MN_TRY(mn_chol_inverse_lower(ctx, n, s->l_b, s->work));
  gradient[k + k_noise] = 0;
  for (size_t i = 0; i < n; i++) {
    gradient[k + k_noise] += s->shifted[i];
    for (size_t j = 0; j <= i; j++)
      s->work[i * n + j] = (s->shifted[i] * s->shifted[j] - s->root[i] * s->root[j] * s->work[i * n + j]) / 2;
  }
  MN_TRY(mn_kernel_gradient_dot(ctx, &s->noise_kernel, &s->problem.rows, s->work, n, gradient + k));
  mn_kernel_add_priors(&s->kernel, value, gradient);
  mn_kernel_add_priors(&s->noise_kernel, value, gradient + k);
  return MN_OK;
}

/* The variance of y about 0, from which the search for the offset begins. */
static double mean_square(const mn_gp_problem *p)
{
  double sum = 0;
  for (size_t i = 0; i < p->rows.n * p->q; i++) sum += p->y[i] * p->y[i] / (double)(p->rows.n * p->q);
  return fmax(sum, 1e-12);
}

static mn_status keep(mn_context *ctx, const struct target *t, const double *theta, mn_gp_noise *out)
{
  struct workspace *s;
  void *workspace;
  MN_TRY(prepare(ctx, t, &workspace));
  s = workspace;
  set_theta(s, theta);
  MN_TRY(solve(ctx, s));
  memcpy(out->coefficient, s->shifted, s->n * sizeof *s->shifted);
  memcpy(out->root, s->root, s->n * sizeof *s->root);
  memcpy(out->row_noise, s->r, s->n * sizeof *s->r);
  out->offset = s->offset;
  out->bound = s->bound;
  return MN_OK;
}

mn_status mn_gp_noise_fit(mn_context *ctx, mn_kernel *kernel, mn_kernel *noise_kernel, const mn_gp_problem *problem,
                          bool free, mn_gp_search *search, mn_gp_noise *out)
{
  const size_t n = problem->rows.n, k = mn_kernel_free_count(kernel), k_noise = mn_kernel_free_count(noise_kernel),
               all = k + k_noise;
  double *low = MN_RAW(ctx, double, all + 1, 3), *high = low + all + 1, *theta = high + all + 1;
  MN_CHECK_ALLOC(low);
  const struct target both = { .kernel = kernel, .noise_kernel = noise_kernel, .problem = problem };
  const mn_gp_target target = { .k = all + 1,
                                .problem = &both,
                                .workspace_bytes = 6 * n * n * sizeof(double),
                                .prepare = prepare,
                                .evaluate = evaluate };
  mn_kernel_bounds(kernel, low, high);
  mn_kernel_bounds(noise_kernel, low + k, high + k);
  mn_kernel_theta(kernel, theta);
  mn_kernel_theta(noise_kernel, theta + k);
  for (size_t j = 0; j < all && !free; j++) low[j] = high[j] = theta[j];
  const double level = log(mean_square(problem));
  low[all] = level - 20;
  high[all] = level + 3;
  theta[all] = fmin(fmax(out->offset, low[all]), high[all]);
  search->low = low;
  search->high = high;
  MN_TRY(mn_gp_maximize(ctx, &target, search, theta));
  mn_kernel_set_theta(kernel, theta);
  mn_kernel_set_theta(noise_kernel, theta + k);
  return keep(ctx, &both, theta, out);
}

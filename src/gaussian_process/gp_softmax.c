#include "gp_softmax.h"
#include "../kernel/prior.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "gp_posterior.h"
#include <math.h>
#include <string.h>

mn_status mn_gp_softmax_new(mn_context *ctx, const mn_gp_softmax *problem, mn_gp_softmax_posterior *p)
{
  const size_t n = problem->rows.n, classes = problem->classes;
  *p = (mn_gp_softmax_posterior){ .log_likelihood = (double)NAN };
  double **const vectors[] = { &p->f, &p->root, &p->b, &p->c, &p->trial },
                 **const squares[] = { &p->k, &p->m, &p->work }, **const stacks[] = { &p->l, &p->e };
  MN_CHECK_ALLOC(p->a = MN_NEW(ctx, double, n, classes));
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    MN_CHECK_ALLOC(*vectors[i] = MN_RAW(ctx, double, n, classes));
  for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) MN_CHECK_ALLOC(*squares[i] = MN_RAW(ctx, double, n, n));
  for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
    MN_CHECK_ALLOC(*stacks[i] = MN_RAW(ctx, double, n *classes, n));
  return MN_OK;
}

/* --- the mode --- */

/* sum_i f_(y_i)i - logsumexp_c f_ci - a'f / 2 */
static double objective_of(const mn_gp_softmax *problem, const double *a, const double *f)
{
  const size_t n = problem->rows.n;
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double largest = -INFINITY, total = 0;
    for (size_t c = 0; c < problem->classes; c++) largest = fmax(largest, f[c * n + i]);
    for (size_t c = 0; c < problem->classes; c++) {
      total += exp(f[c * n + i] - largest);
      sum -= a[c * n + i] * f[c * n + i] / 2;
    }
    /* cppcheck-suppress invalidFunctionArg ; the largest term is 1 */
    sum += f[(size_t)problem->code[i] * n + i] - largest - log(total);
  }
  return sum;
}

/* The square roots of the probabilities at f. */
static void find_roots(const mn_gp_softmax *problem, const double *f, double *root)
{
  const size_t n = problem->rows.n;
  for (size_t i = 0; i < n; i++) {
    double largest = -INFINITY, total = 0;
    for (size_t c = 0; c < problem->classes; c++) largest = fmax(largest, f[c * n + i]);
    for (size_t c = 0; c < problem->classes; c++) total += exp(f[c * n + i] - largest);
    for (size_t c = 0; c < problem->classes; c++) root[c * n + i] = sqrt(exp(f[c * n + i] - largest) / total);
  }
}

mn_status mn_gp_softmax_factor(mn_context *ctx, const char *who, size_t n, size_t classes, const double *k,
                               const double *root, double *l, double *e, double *m)
{
  size_t minor;
  memset(m, 0, n * n * sizeof *m);
  for (size_t c = 0; c < classes; c++) {
    double *own_l = l + c * n * n, *own_e = e + c * n * n;
    const double *r = root + c * n;
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_gp_latent_factor(ctx, who, n, k, r, own_l));
    memcpy(own_e, own_l, n * n * sizeof *own_e);
    MN_TRY(mn_chol_inverse(ctx, n, own_e));
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        own_e[i * n + j] *= r[i] * r[j];
        m[i * n + j] += own_e[i * n + j];
      }
  }
  MN_TRY(mn_chol_try(ctx, n, m, NULL, &minor));
  return minor == 0 ? MN_OK
                    : mn_fail(ctx, MN_SINGULAR,
                              "%s: the probabilities of the classes reach 0; lower the bounds of the "
                              "kernel's constant",
                              who);
}

/* out = G v for v of C x n: E_c v_c - E_c inv(M M') sum_b E_b v_b. */
static mn_status apply_g(mn_context *ctx, size_t n, size_t classes, const mn_gp_softmax_posterior *p, const double *v,
                         double *out)
{
  double *sum = MN_NEW(ctx, double, n, 1);
  MN_CHECK_ALLOC(sum);
  for (size_t c = 0; c < classes; c++) {
    MN_TRY(mn_gemm(ctx, false, false, n, 1, n, 1, p->e + c * n * n, n, v + c * n, 1, 0, out + c * n, 1));
    for (size_t i = 0; i < n; i++) sum[i] += out[c * n + i];
  }
  MN_TRY(mn_chol_apply(ctx, n, 1, p->m, sum));
  for (size_t c = 0; c < classes; c++)
    MN_TRY(mn_gemm(ctx, false, false, n, 1, n, -1, p->e + c * n * n, n, sum, 1, 1, out + c * n, 1));
  return MN_OK;
}

/* The Newton step from a to b - G K b with b = W f + y - pi, in p->b; factors as at f. */
static mn_status newton_step(mn_context *ctx, const mn_gp_softmax *problem, mn_gp_softmax_posterior *p)
{
  const size_t n = problem->rows.n, classes = problem->classes;
  find_roots(problem, p->f, p->root);
  MN_TRY(mn_gp_softmax_factor(ctx, problem->who, n, classes, p->k, p->root, p->l, p->e, p->m));
  for (size_t i = 0; i < n; i++) {
    double mean = 0;
    for (size_t c = 0; c < classes; c++) mean += p->root[c * n + i] * p->root[c * n + i] * p->f[c * n + i];
    for (size_t c = 0; c < classes; c++) {
      const double pi = p->root[c * n + i] * p->root[c * n + i];
      p->b[c * n + i] = pi * (p->f[c * n + i] - mean) - pi + ((size_t)problem->code[i] == c ? 1 : 0);
    }
  }
  MN_TRY(mn_gemm(ctx, false, false, classes, n, n, 1, p->b, n, p->k, n, 0, p->trial, n));
  MN_TRY(apply_g(ctx, n, classes, p, p->trial, p->c));
  for (size_t i = 0; i < n * classes; i++) p->b[i] -= p->c[i] + p->a[i];
  return MN_OK;
}

/* Take the step p->b, or the longest of its halves, quarters, ... that does not decrease the objective. */
static mn_status move(mn_context *ctx, const mn_gp_softmax *problem, mn_gp_softmax_posterior *p, double *objective,
                      double *gain)
{
  const size_t n = problem->rows.n, size = n * problem->classes;
  const double rounding = 1e-14 * (1 + fabs(*objective));
  *gain = 0;
  MN_TRY(mn_gemm(ctx, false, false, problem->classes, n, n, 1, p->b, n, p->k, n, 0, p->c, n));
  for (double length = 1; length > 1e-10; length /= 2) {
    double *a = p->trial, *f = p->e; /* the next step computes E again */
    for (size_t i = 0; i < size; i++) {
      a[i] = p->a[i] + length * p->b[i];
      f[i] = p->f[i] + length * p->c[i];
    }
    const double value = objective_of(problem, a, f);
    if (!(value > *objective - rounding)) continue;
    *gain = value - *objective;
    *objective = value;
    memcpy(p->a, a, size * sizeof *a);
    memcpy(p->f, f, size * sizeof *f);
    return MN_OK;
  }
  return MN_OK;
}

/* f of a, if that is better than 0. */
static mn_status choose_start(mn_context *ctx, const mn_gp_softmax *problem, mn_gp_softmax_posterior *p,
                              double *objective)
{
  const size_t n = problem->rows.n, size = n * problem->classes;
  MN_TRY(mn_gemm(ctx, false, false, problem->classes, n, n, 1, p->a, n, p->k, n, 0, p->f, n));
  *objective = objective_of(problem, p->a, p->f);
  const double at_zero = -(double)n * log((double)problem->classes);
  if (*objective > at_zero) return MN_OK;
  *objective = at_zero;
  memset(p->a, 0, size * sizeof *p->a);
  memset(p->f, 0, size * sizeof *p->f);
  return MN_OK;
}

mn_status mn_gp_softmax_solve(mn_context *ctx, const mn_kernel *kernel, const mn_gp_softmax *problem,
                              mn_gp_softmax_posterior *p)
{
  enum { MAX_STEPS = 200 };
  static const double enough = 1e-10; /* a Newton step gains about the square of what the one before it did */
  const size_t n = problem->rows.n;
  double objective, gain = INFINITY, trace = 0;
  p->log_likelihood = (double)NAN;
  MN_TRY(mn_kernel_matrix(ctx, kernel, &problem->rows, p->k, n));
  for (size_t i = 0; i < n; i++) trace += p->k[i * n + i];
  if (!isfinite(trace)) return MN_OK;
  MN_TRY(choose_start(ctx, problem, p, &objective));
  for (size_t step = 0; step < MAX_STEPS && gain > enough * (1 + fabs(objective)); step++) {
    MN_TRY(newton_step(ctx, problem, p));
    MN_TRY(move(ctx, problem, p, &objective, &gain));
  }
  p->converged = gain <= 1e-8 * (1 + fabs(objective));
  MN_TRY(newton_step(ctx, problem, p)); /* factors at the mode */
  p->log_likelihood = objective - mn_chol_logdet(n, p->m) / 2;
  for (size_t c = 0; c < problem->classes; c++) p->log_likelihood -= mn_chol_logdet(n, p->l + c * n * n) / 2;
  return MN_OK;
}

/* --- gradients --- */

/* p->trial = the derivative of -log |B| / 2 by f. The posterior covariance S_i of the C functions at row i has the
 * elements [a = b] (K - K E_a K)_ii + (V_a' V_b)_ii with V_c = inv(M) E_c K, and
 *
 *     sum_ab S_ab dW_ab / df_c = pi_c (S_cc - sum_a S_aa pi_a - 2 (S pi)_c + 2 pi' S pi) */
static mn_status determinant_slope(mn_context *ctx, const mn_gp_softmax *problem, mn_gp_softmax_posterior *p)
{
  const size_t n = problem->rows.n, classes = problem->classes;
  double *v = MN_RAW(ctx, double, n *classes, n), *own = p->b; /* own: (K - K E_c K)_ii, C x n */
  double *s = MN_RAW(ctx, double, classes, classes + 2);
  if (!v || !s) return MN_NO_MEMORY;
  double *product = s + classes * classes, *pi = product + classes;
  for (size_t c = 0; c < classes; c++) {
    double *vc = v + c * n * n;
    MN_TRY(mn_gemm(ctx, false, false, n, n, n, 1, p->e + c * n * n, n, p->k, n, 0, vc, n));
    for (size_t i = 0; i < n; i++) {
      own[c * n + i] = p->k[i * n + i];
      for (size_t j = 0; j < n; j++) own[c * n + i] -= p->k[i * n + j] * vc[j * n + i];
    }
    MN_TRY(mn_chol_lower(ctx, n, n, p->m, vc));
  }
  for (size_t i = 0; i < n; i++) {
    double quadratic = 0, trace = 0;
    memset(s, 0, classes * classes * sizeof *s);
    for (size_t a = 0; a < classes; a++)
      for (size_t b = 0; b <= a; b++) {
        for (size_t j = 0; j < n; j++) s[a * classes + b] += v[(a * n + j) * n + i] * v[(b * n + j) * n + i];
        s[b * classes + a] = s[a * classes + b];
      }
    for (size_t a = 0; a < classes; a++) {
      s[a * classes + a] += own[a * n + i];
      pi[a] = p->root[a * n + i] * p->root[a * n + i];
      trace += s[a * classes + a] * pi[a];
    }
    for (size_t a = 0; a < classes; a++) {
      product[a] = 0;
      for (size_t b = 0; b < classes; b++) product[a] += s[a * classes + b] * pi[b];
      quadratic += pi[a] * product[a];
    }
    for (size_t c = 0; c < classes; c++)
      p->trial[c * n + i] = -pi[c] / 2 * (s[c * classes + c] - trace - 2 * product[c] + 2 * quadratic);
  }
  return MN_OK;
}

/* tr of dK with: 1/2 sum_c (a a' - G_cc + z a' + a z'), z = (I - G K) s with s of determinant_slope. */
mn_status mn_gp_softmax_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_gp_softmax *problem,
                                 mn_gp_softmax_posterior *p, double *gradient)
{
  const size_t n = problem->rows.n, classes = problem->classes;
  double *weights = p->work, *e = MN_RAW(ctx, double, n, n), *square = MN_RAW(ctx, double, n, n);
  if (!e || !square) return MN_NO_MEMORY;
  MN_TRY(determinant_slope(ctx, problem, p));
  MN_TRY(mn_gemm(ctx, false, false, classes, n, n, 1, p->trial, n, p->k, n, 0, p->b, n));
  MN_TRY(apply_g(ctx, n, classes, p, p->b, p->c));
  memset(weights, 0, n * n * sizeof *weights);
  for (size_t c = 0; c < classes; c++) {
    const double *a = p->a + c * n, *own = p->e + c * n * n;
    double *z = p->trial + c * n;
    for (size_t i = 0; i < n; i++) z[i] -= p->c[c * n + i];
    memcpy(e, own, n * n * sizeof *e);
    MN_TRY(mn_chol_lower(ctx, n, n, p->m, e));
    MN_TRY(mn_syrk(ctx, n, n, e, n, NULL, NULL, square, n));
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++)
        weights[i * n + j] += (a[i] * a[j] - own[i * n + j] + square[i * n + j] + z[i] * a[j] + a[i] * z[j]) / 2;
  }
  return mn_kernel_gradient_dot(ctx, kernel, &problem->rows, weights, n, gradient);
}

/* --- search --- */

struct target {
  const mn_kernel *kernel;
  const mn_gp_softmax *problem;
};

struct workspace {
  mn_kernel kernel; /* a copy whose hyperparameters change */
  const mn_gp_softmax *problem;
  mn_gp_softmax_posterior posterior;
};

static mn_status prepare(mn_context *ctx, const void *problem, void **out)
{
  const struct target *t = problem;
  struct workspace *w = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(w);
  *out = w;
  w->problem = t->problem;
  MN_TRY(mn_gp_softmax_new(ctx, t->problem, &w->posterior));
  return mn_kernel_scratch_copy(ctx, t->kernel, &w->kernel);
}

static mn_status evaluate(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient)
{
  struct workspace *w = workspace;
  mn_kernel_set_theta(&w->kernel, theta);
  MN_TRY(mn_gp_softmax_solve(ctx, &w->kernel, w->problem, &w->posterior));
  *value = w->posterior.log_likelihood;
  if (!isfinite(*value)) return MN_OK;
  MN_TRY(mn_gp_softmax_gradient(ctx, &w->kernel, w->problem, &w->posterior, gradient));
  mn_kernel_add_priors(&w->kernel, value, gradient);
  return MN_OK;
}

mn_status mn_gp_softmax_optimize(mn_context *ctx, mn_kernel *kernel, const mn_gp_softmax *problem, mn_gp_search *search)
{
  const size_t k = mn_kernel_free_count(kernel), n = problem->rows.n;
  double *low = MN_RAW(ctx, double, k + 1, 3), *high = low + k, *theta = high + k;
  const struct target both = { .kernel = kernel, .problem = problem };
  const mn_gp_target target = { .k = k,
                                .problem = &both,
                                .workspace_bytes = (3 * problem->classes + 5) * n * n * sizeof(double),
                                .prepare = prepare,
                                .evaluate = evaluate };
  MN_CHECK_ALLOC(low);
  if (k == 0) return MN_OK;
  mn_kernel_bounds(kernel, low, high);
  mn_kernel_theta(kernel, theta);
  search->low = low;
  search->high = high;
  MN_TRY(mn_gp_maximize(ctx, &target, search, theta));
  mn_kernel_set_theta(kernel, theta);
  return MN_OK;
}

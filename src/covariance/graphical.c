#include "graphical.h"
#include "../factorization/lapack.h"
#include <string.h>

mn_status mn_graphical_init(mn_context *ctx, mn_graphical *g)
{
  const size_t p = g->p;
  g->w = MN_RAW(ctx, double, p, p);
  g->precision = MN_NEW(ctx, double, p, p);
  g->coef = MN_NEW(ctx, double, p, p);
  g->residual = MN_RAW(ctx, double, p, 1);
  if (!g->w || !g->precision || !g->coef || !g->residual) return MN_NO_MEMORY;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) g->w[i * p + j] = g->s[i * p + j] * (i == j ? 1 : 0.95);
  for (size_t j = 0; j < p; j++)
    if (!(g->s[j * p + j] > 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: column %zu of X is constant; remove it", g->who, j + 1);
  return MN_OK;
}

/* One sweep of coordinate descent for column j. residual: s_j - W b. Returns the largest change of an element of W b.
 */
static double sweep_column(const mn_graphical *g, size_t j, double *b)
{
  const size_t p = g->p;
  double largest = 0, *residual = g->residual;
  for (size_t k = 0; k < p; k++) {
    const double *w = g->w + k * p, old = b[k], z = residual[k] + w[k] * old;
    if (k == j) continue;
    b[k] = copysign(fmax(fabs(z) - g->alpha, 0), z) / w[k];
    const double step = b[k] - old;
    if (step == 0) continue;
    for (size_t i = 0; i < p; i++) residual[i] -= step * w[i];
    largest = fmax(largest, fabs(step) * w[k]);
  }
  return largest;
}

/* The lasso of column j, then row and column j of W and of the precision. */
static void solve_column(const mn_graphical *g, size_t j)
{
  enum { MAX_SWEEPS = 100 };
  const size_t p = g->p;
  double *b = g->coef + j * p, *residual = g->residual, fitted = 0;
  memcpy(residual, g->s + j * p, p * sizeof *residual);
  for (size_t k = 0; k < p; k++)
    for (size_t i = 0; b[k] != 0 && i < p; i++) residual[i] -= g->w[k * p + i] * b[k];
  for (int sweep = 0; sweep < MAX_SWEEPS && sweep_column(g, j, b) > g->enet_tol * g->alpha;) sweep++;
  for (size_t k = 0; k < p; k++) {
    if (k == j) continue;
    g->w[j * p + k] = g->w[k * p + j] = g->s[j * p + k] - residual[k];
    fitted += g->w[j * p + k] * b[k];
  }
  const double diagonal = 1 / (g->w[j * p + j] - fitted);
  for (size_t k = 0; k < p; k++) g->precision[j * p + k] = g->precision[k * p + j] = -b[k] * diagonal;
  g->precision[j * p + j] = diagonal;
}

/* Objective and duality gap. A precision that is not positive definite, as early sweeps may give, has the objective
 * infinity. */
static mn_status evaluate(mn_context *ctx, mn_graphical *g)
{
  const size_t p = g->p;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *chol = MN_RAW(ctx, double, p, p), trace = 0, size = 0;
  size_t minor;
  MN_CHECK_ALLOC(chol);
  memcpy(chol, g->precision, p * p * sizeof *chol);
  MN_TRY(mn_chol_try(ctx, p, chol, NULL, &minor));
  for (size_t i = 0; i < p * p; i++) {
    trace += g->s[i] * g->precision[i];
    size += i % (p + 1) ? fabs(g->precision[i]) : 0;
  }
  g->log_det = minor > 0 ? -INFINITY : mn_chol_logdet(p, chol);
  g->objective = trace + g->alpha * size - g->log_det;
  g->gap = minor > 0 ? INFINITY : trace + g->alpha * size - (double)p;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Without a penalty the precision is the inverse. */
static mn_status invert(mn_context *ctx, mn_graphical *g)
{
  double rcond;
  size_t minor;
  memcpy(g->w, g->s, g->p * g->p * sizeof *g->w);
  memcpy(g->precision, g->s, g->p * g->p * sizeof *g->w);
  MN_TRY(mn_chol_try(ctx, g->p, g->precision, &rcond, &minor));
  if (minor > 0 || rcond < DBL_EPSILON)
    return mn_fail(ctx, MN_SINGULAR, "%s: the covariance is singular; use alpha > 0", g->who);
  return mn_chol_inverse(ctx, g->p, g->precision);
}

mn_status mn_graphical_solve(mn_context *ctx, mn_graphical *g, mn_report *report)
{
  bool proceed = true, converged = false;
  for (int64_t i = 0; proceed && !converged && i < g->max_iter; i++) {
    if (g->alpha == 0) MN_TRY(invert(ctx, g));
    for (size_t j = 0; g->alpha > 0 && j < g->p; j++) {
      solve_column(g, j);
      MN_TRY(mn_poll(ctx));
    }
    MN_TRY(evaluate(ctx, g));
    converged = fabs(g->gap) < g->tol || g->alpha == 0;
    if (report) proceed = mn_round(ctx, report, g->max_iter, g->objective);
  }
  if (report) {
    report->converged = converged;
    report->change = fabs(g->gap);
  }
  return mn_error_status(ctx);
}

/* The objective of kernel interaction regression and its derivatives, in time linear in the number of columns. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "interaction.h"
#include <string.h>

mn_status mn_interaction_posterior_init(mn_context *ctx, size_t n, mn_interaction_posterior *f)
{
  f->s = MN_RAW(ctx, double, n, n);
  f->q = MN_RAW(ctx, double, n, n);
  f->factor = MN_RAW(ctx, double, n, n);
  f->ones = MN_RAW(ctx, double, n, 1);
  f->py = MN_RAW(ctx, double, n, 1);
  return f->s && f->q && f->factor && f->ones && f->py ? MN_OK : MN_NO_MEMORY;
}

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* out = V V' with v_ij = sqrt(u_j) z_ij, or u_j z_ij^2 if squared. */
static mn_status inner_products(mn_context *ctx, size_t n, size_t k, const double *z, const double *u, bool squared,
                                double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *v = MN_RAW(ctx, double, n, k);
  MN_CHECK_ALLOC(v);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < k; j++) {
      const double x = z[i * k + j];
      v[i * k + j] = squared ? u[j] * x * x : sqrt(u[j]) * x;
    }
  MN_TRY(mn_gemm(ctx, false, true, n, n, k, 1, v, k, v, k, 0, out, n));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_interaction_posterior_compute(mn_context *ctx, const mn_interaction_rows *rows, size_t k, const double *z,
                                           const double *u, double omega, mn_interaction_posterior *f, size_t *minor)
{
  const size_t n = rows->n;
  const double half = omega * omega / 2, *root = rows->root;
  MN_TRY(inner_products(ctx, n, k, z, u, false, f->s));
  if (!rows->squares) MN_TRY(inner_products(ctx, n, k, z, u, true, f->q));
  for (size_t a = 0; a < n; a++) {
    for (size_t b = 0; b < n; b++) {
      const double s = f->s[a * n + b], q = rows->squares ? 0 : f->q[a * n + b];
      f->factor[a * n + b] = root[a] * root[b] * (s + half * (s * s - q));
    }
    f->factor[a * n + a] += 1;
  }
  MN_TRY(mn_chol_try(ctx, n, f->factor, NULL, minor));
  if (*minor > 0) return MN_OK;
  memcpy(f->ones, root, n * sizeof *root);
  memcpy(f->py, rows->y, n * sizeof *root);
  MN_TRY(mn_chol_apply(ctx, n, 1, f->factor, f->ones));
  MN_TRY(mn_chol_apply(ctx, n, 1, f->factor, f->py));
  f->total = dot(n, root, f->ones);
  f->intercept = dot(n, root, f->py) / f->total;
  for (size_t a = 0; a < n; a++) f->py[a] -= f->intercept * f->ones[a];
  f->ypy = fmax(dot(n, rows->y, f->py), 0);
  return MN_OK;
}

mn_status mn_interaction_problem_init(mn_context *ctx, mn_interaction_problem *p)
{
  const size_t n = p->rows.n, effects = mn_interaction_count_effects(&p->rows, p->rows.p),
               q = effects < n ? effects : n;
  p->ctx = ctx;
  p->few_effects = effects < n;
  p->effects.column = MN_RAW(ctx, size_t, p->rows.p, 1);
  p->effects.gram = MN_RAW(ctx, double, q + 1, q + 1);
  p->effects.mean = MN_RAW(ctx, double, q + 1, 1);
  p->f.py = MN_RAW(ctx, double, n, 1);
  if (!p->effects.column || !p->effects.gram || !p->effects.mean || !p->f.py) return MN_NO_MEMORY;
  if (p->few_effects) return MN_OK;
  p->gradient = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(p->gradient);
  return mn_interaction_posterior_init(ctx, n, &p->f);
}

/* Copy the columns of a state: n x k. */
static double *gather_columns(mn_context *ctx, const mn_interaction_rows *rows, const mn_interaction_state *s)
{
  double *z = MN_RAW(ctx, double, rows->n, s->k);
  for (size_t i = 0; z && i < rows->n; i++)
    for (size_t j = 0; j < s->k; j++) z[i * s->k + j] = rows->z[i * rows->p + s->column[j]];
  return z;
}

/* p->gradient = D (P - freedom / (y' P y + floor) (P y)(P y)') D; on entry it holds P. */
static void finish_gradient(mn_interaction_problem *p)
{
  const size_t n = p->rows.n;
  const double *root = p->rows.root, *py = p->f.py;
  const double scale = p->freedom / (p->f.ypy + p->floor);
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      p->gradient[a * n + b] = root[a] * root[b] * (p->gradient[a * n + b] - scale * py[a] * py[b]);
}

/* p->gradient, with P computed from the factor of B. */
static mn_status compute_gradient(mn_interaction_problem *p)
{
  const size_t n = p->rows.n;
  const mn_interaction_posterior *f = &p->f;
  memcpy(p->gradient, f->factor, n * n * sizeof *p->gradient);
  MN_TRY(mn_chol_inverse(p->ctx, n, p->gradient));
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) p->gradient[a * n + b] -= f->ones[a] * f->ones[b] / f->total;
  finish_gradient(p);
  return MN_OK;
}

/* The penalties on u and omega; their derivatives are added. */
static double penalties(const mn_interaction_problem *p, const mn_interaction_state *s, double *d_u,
                        double *d_log_omega)
{
  const double square = exp(2 * s->log_omega);
  double sum_u = 0, sum = s->log_omega * s->log_omega / 8, slope_sum = 0;
  for (size_t j = 0; j < s->k; j++) sum_u += s->u[j];
  for (size_t j = 0; j < s->k; j++) {
    const double v = s->u[j] * (1 + square * (sum_u - s->u[j]));
    sum += log1p(p->rho * v);
    slope_sum += p->rho * s->u[j] / (1 + p->rho * v);
  }
  if (!d_u) return sum;
  *d_log_omega += s->log_omega / 4;
  for (size_t j = 0; j < s->k; j++) {
    const double others = sum_u - s->u[j], slope = p->rho / (1 + p->rho * s->u[j] * (1 + square * others));
    d_u[j] += slope * (1 + square * others) + square * (slope_sum - slope * s->u[j]);
    *d_log_omega += 2 * square * slope * s->u[j] * others;
  }
  return sum;
}

/* out[j] = sum_ab h_ab v_aj v_bj for the k columns of v (n x k). */
static mn_status quadratic_forms(mn_context *ctx, size_t n, size_t k, const double *h, const double *v, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *product = MN_RAW(ctx, double, n, k);
  MN_CHECK_ALLOC(product);
  MN_TRY(mn_gemm(ctx, false, false, n, k, n, 1, h, n, v, k, 0, product, k));
  memset(out, 0, k * sizeof *out);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < k; j++) out[j] += v[i * k + j] * product[i * k + j];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* gradient o (1 + omega^2 s), elementwise: the derivative with respect to s. */
static double *kernel_gradient(mn_interaction_problem *p, double square)
{
  const size_t n = p->rows.n;
  double *h = MN_RAW(p->ctx, double, n, n);
  for (size_t i = 0; h && i < n * n; i++) h[i] = p->gradient[i] * (1 + square * p->f.s[i]);
  return h;
}

static mn_status compute_derivatives(mn_interaction_problem *p, const mn_interaction_state *s, const double *z,
                                     double *d_u, double *d_log_omega)
{
  const size_t n = p->rows.n, k = s->k;
  const double square = exp(2 * s->log_omega);
  MN_TRY(compute_gradient(p));
  double *h = kernel_gradient(p, square), *z2 = MN_RAW(p->ctx, double, n, k), *form = MN_RAW(p->ctx, double, k, 1);
  if (!h || !z2 || !form) return MN_NO_MEMORY;
  MN_TRY(quadratic_forms(p->ctx, n, k, h, z, d_u));
  memset(form, 0, k * sizeof *form);
  for (size_t i = 0; i < n * k; i++) z2[i] = z[i] * z[i];
  if (!p->rows.squares) MN_TRY(quadratic_forms(p->ctx, n, k, p->gradient, z2, form));
  for (size_t j = 0; j < k; j++) d_u[j] = (d_u[j] - square * s->u[j] * form[j]) / 2;
  *d_log_omega = 0;
  for (size_t i = 0; i < n * n; i++) {
    const double square_sum = p->f.s[i] * p->f.s[i] - (p->rows.squares ? 0 : p->f.q[i]);
    *d_log_omega += p->gradient[i] * square / 2 * square_sum;
  }
  return MN_OK;
}

static mn_status evaluate_kernel(mn_interaction_problem *p, const mn_interaction_state *s, double *d_u,
                                 double *d_log_omega, double *likelihood)
{
  const mn_mark mark = mn_scratch_mark(p->ctx);
  const double *z = gather_columns(p->ctx, &p->rows, s);
  size_t minor;
  MN_CHECK_ALLOC(z);
  *likelihood = INFINITY;
  MN_TRY(mn_interaction_posterior_compute(p->ctx, &p->rows, s->k, z, s->u, exp(s->log_omega), &p->f, &minor));
  if (minor == 0) {
    if (d_u) MN_TRY(compute_derivatives(p, s, z, d_u, d_log_omega));
    *likelihood = p->freedom * log(p->f.ypy + p->floor) + mn_chol_logdet(p->rows.n, p->f.factor) + log(p->f.total);
  }
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

static bool has_few_effects(const mn_interaction_problem *p, const mn_interaction_state *s)
{
  return mn_interaction_count_effects(&p->rows, s->k) < p->rows.n;
}

mn_status mn_interaction_evaluate(mn_interaction_problem *p, mn_interaction_state *s, double *d_u, double *d_log_omega)
{
  double likelihood;
  if (has_few_effects(p, s))
    MN_TRY(mn_interaction_evaluate_effects(p, s, d_u, d_log_omega, &likelihood));
  else
    MN_TRY(evaluate_kernel(p, s, d_u, d_log_omega, &likelihood));
  s->objective = isfinite(likelihood) ? likelihood / 2 + penalties(p, s, d_u, d_log_omega) : INFINITY;
  return mn_poll(p->ctx);
}

mn_status mn_interaction_update(mn_interaction_problem *p, mn_interaction_state *s, bool gradient)
{
  MN_TRY(mn_interaction_evaluate(p, s, NULL, NULL));
  gradient = gradient && !p->few_effects;
  if (has_few_effects(p, s)) {
    MN_TRY(mn_interaction_projection(p, s, gradient ? p->gradient : NULL));
    if (gradient) finish_gradient(p);
  } else if (gradient) {
    MN_TRY(compute_gradient(p));
  }
  return mn_poll(p->ctx);
}

/* sum_ab gradient_ab m_ab z_aj z_bj / 2 for all columns j, m = main + sum_i pair_i z_i z_i'. */
static mn_status scores_by_kernel(mn_interaction_problem *p, double main, const double *pair, double *score)
{
  const mn_mark mark = mn_scratch_mark(p->ctx);
  const size_t n = p->rows.n;
  size_t k = 0;
  mn_interaction_state chosen;
  double *m = MN_RAW(p->ctx, double, n, n);
  MN_CHECK_ALLOC(m);
  MN_TRY(mn_interaction_state_init(p->ctx, p->rows.p, &chosen));
  for (size_t i = 0; i < p->rows.p; i++) {
    if (pair[i] == 0) continue;
    chosen.column[k] = i;
    chosen.u[k++] = pair[i];
  }
  chosen.k = k;
  const double *z = gather_columns(p->ctx, &p->rows, &chosen);
  MN_CHECK_ALLOC(z);
  MN_TRY(inner_products(p->ctx, n, k, z, chosen.u, false, m));
  MN_TRY(mn_poll(p->ctx));
  for (size_t i = 0; i < n * n; i++) m[i] = p->gradient[i] * (main + m[i]) / 2;
  MN_TRY(quadratic_forms(p->ctx, n, p->rows.p, m, p->rows.z, score));
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

mn_status mn_interaction_scores(mn_interaction_problem *p, const mn_interaction_state *s, double main,
                                const double *pair, double *score)
{
  if (p->few_effects)
    MN_TRY(mn_interaction_scores_by_effects(p, s, main, pair, score));
  else
    MN_TRY(scores_by_kernel(p, main, pair, score));
  for (size_t j = 0; j < p->rows.p; j++)
    if (!p->varies[j]) score[j] = INFINITY;
  for (size_t j = 0; j < s->k; j++) score[s->column[j]] = INFINITY;
  return mn_poll(p->ctx);
}

mn_status mn_interaction_entry_derivatives(mn_interaction_problem *p, const mn_interaction_state *s, double *pair,
                                           double *d_u)
{
  const double square = exp(2 * s->log_omega);
  double sum_u = 0, slope_sum = 0;
  memset(pair, 0, p->rows.p * sizeof *pair);
  for (size_t j = 0; j < s->k; j++) {
    pair[s->column[j]] = square * s->u[j];
    sum_u += s->u[j];
  }
  MN_TRY(mn_interaction_scores(p, s, 1, pair, d_u));
  for (size_t j = 0; j < s->k; j++)
    slope_sum += p->rho * s->u[j] / (1 + p->rho * s->u[j] * (1 + square * (sum_u - s->u[j])));
  for (size_t j = 0; j < p->rows.p; j++) d_u[j] += p->rho * (1 + square * sum_u) + square * slope_sum;
  return MN_OK;
}

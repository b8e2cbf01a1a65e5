/* The evidence of kernel interaction regression and its derivatives, in time linear in the number of columns. */
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "interaction.h"
#include <string.h>

mn_status mn_interaction_room(mn_context *ctx, size_t n, mn_interaction_posterior *f)
{
  f->s = MN_RAW(ctx, double, n, n);
  f->q = MN_RAW(ctx, double, n, n);
  f->factor = MN_RAW(ctx, double, n, n);
  f->ones = MN_RAW(ctx, double, n, 1);
  f->answer = MN_RAW(ctx, double, n, 1);
  return f->s && f->q && f->factor && f->ones && f->answer ? MN_OK : MN_NO_MEMORY;
}

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* out = sum_j (scale_j z_aj^power)(scale_j z_bj^power), of all pairs of rows. */
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

mn_status mn_interaction_condition(mn_context *ctx, const mn_interaction_rows *rows, size_t k, const double *z,
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
  memcpy(f->answer, rows->y, n * sizeof *root);
  MN_TRY(mn_chol_apply(ctx, n, 1, f->factor, f->ones));
  MN_TRY(mn_chol_apply(ctx, n, 1, f->factor, f->answer));
  f->total = dot(n, root, f->ones);
  f->constant = dot(n, root, f->answer) / f->total;
  for (size_t a = 0; a < n; a++) f->answer[a] -= f->constant * f->ones[a];
  f->rest = fmax(dot(n, rows->y, f->answer), 0);
  return MN_OK;
}

mn_status mn_interaction_prepare(mn_context *ctx, mn_interaction_problem *p)
{
  const size_t n = p->rows.n, all = mn_interaction_count(&p->rows, p->rows.p), q = all < n ? all : n;
  p->ctx = ctx;
  p->tall = all < n;
  p->effects.at = MN_RAW(ctx, size_t, p->rows.p, 1);
  p->effects.gram = MN_RAW(ctx, double, q + 1, q + 1);
  p->effects.mean = MN_RAW(ctx, double, q + 1, 1);
  p->f.answer = MN_RAW(ctx, double, n, 1);
  if (!p->effects.at || !p->effects.gram || !p->effects.mean || !p->f.answer) return MN_NO_MEMORY;
  if (p->tall) return MN_OK;
  p->slope = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(p->slope);
  return mn_interaction_room(ctx, n, &p->f);
}

/* The columns of a state side by side: n x k. */
static double *columns_of(mn_context *ctx, const mn_interaction_rows *rows, const mn_interaction_state *s)
{
  double *z = MN_RAW(ctx, double, rows->n, s->k);
  for (size_t i = 0; z && i < rows->n; i++)
    for (size_t j = 0; j < s->k; j++) z[i * s->k + j] = rows->z[i * rows->p + s->at[j]];
  return z;
}

/* From P in p->slope: D (P - freedom / rest (P y)(P y)') D. */
static void finish_slope(mn_interaction_problem *p)
{
  const size_t n = p->rows.n;
  const double *root = p->rows.root, *answer = p->f.answer;
  const double share = p->freedom / (p->f.rest + p->floor);
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      p->slope[a * n + b] = root[a] * root[b] * (p->slope[a * n + b] - share * answer[a] * answer[b]);
}

/* P from the factor of B. */
static mn_status find_slope(mn_interaction_problem *p)
{
  const size_t n = p->rows.n;
  const mn_interaction_posterior *f = &p->f;
  memcpy(p->slope, f->factor, n * n * sizeof *p->slope);
  MN_TRY(mn_chol_inverse(p->ctx, n, p->slope));
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) p->slope[a * n + b] -= f->ones[a] * f->ones[b] / f->total;
  finish_slope(p);
  return MN_OK;
}

/* What holds u and omega down; its derivatives are added. */
static double priors(const mn_interaction_problem *p, const mn_interaction_state *s, double *by_u, double *by_omega)
{
  const double square = exp(2 * s->log_omega);
  double all = 0, sum = s->log_omega * s->log_omega / 8, pushes = 0;
  for (size_t j = 0; j < s->k; j++) all += s->u[j];
  for (size_t j = 0; j < s->k; j++) {
    const double v = s->u[j] * (1 + square * (all - s->u[j]));
    sum += log1p(p->rho * v);
    pushes += p->rho * s->u[j] / (1 + p->rho * v);
  }
  if (!by_u) return sum;
  *by_omega += s->log_omega / 4;
  for (size_t j = 0; j < s->k; j++) {
    const double others = all - s->u[j], push = p->rho / (1 + p->rho * s->u[j] * (1 + square * others));
    by_u[j] += push * (1 + square * others) + square * (pushes - push * s->u[j]);
    *by_omega += 2 * square * push * s->u[j] * others;
  }
  return sum;
}

/* out[j] = sum_ab h_ab v_aj v_bj for the k columns of v (n x k). */
static mn_status forms(mn_context *ctx, size_t n, size_t k, const double *h, const double *v, double *out)
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

/* slope o (1 + omega^2 s): what slope becomes on the way to the u. */
static double *through_kernel(mn_interaction_problem *p, double square)
{
  const size_t n = p->rows.n;
  double *h = MN_RAW(p->ctx, double, n, n);
  for (size_t i = 0; h && i < n * n; i++) h[i] = p->slope[i] * (1 + square * p->f.s[i]);
  return h;
}

static mn_status derive(mn_interaction_problem *p, const mn_interaction_state *s, const double *z, double *by_u,
                        double *by_omega)
{
  const size_t n = p->rows.n, k = s->k;
  const double square = exp(2 * s->log_omega);
  MN_TRY(find_slope(p));
  double *h = through_kernel(p, square), *z2 = MN_RAW(p->ctx, double, n, k), *form = MN_RAW(p->ctx, double, k, 1);
  if (!h || !z2 || !form) return MN_NO_MEMORY;
  MN_TRY(forms(p->ctx, n, k, h, z, by_u));
  memset(form, 0, k * sizeof *form);
  for (size_t i = 0; i < n * k; i++) z2[i] = z[i] * z[i];
  if (!p->rows.squares) MN_TRY(forms(p->ctx, n, k, p->slope, z2, form));
  for (size_t j = 0; j < k; j++) by_u[j] = (by_u[j] - square * s->u[j] * form[j]) / 2;
  *by_omega = 0;
  for (size_t i = 0; i < n * n; i++) {
    const double both = p->f.s[i] * p->f.s[i] - (p->rows.squares ? 0 : p->f.q[i]);
    *by_omega += p->slope[i] * square / 2 * both;
  }
  return MN_OK;
}

static mn_status by_kernel(mn_interaction_problem *p, const mn_interaction_state *s, double *by_u, double *by_omega,
                           double *likelihood)
{
  const mn_mark mark = mn_scratch_mark(p->ctx);
  const double *z = columns_of(p->ctx, &p->rows, s);
  size_t minor;
  MN_CHECK_ALLOC(z);
  *likelihood = INFINITY;
  MN_TRY(mn_interaction_condition(p->ctx, &p->rows, s->k, z, s->u, exp(s->log_omega), &p->f, &minor));
  if (minor == 0) {
    if (by_u) MN_TRY(derive(p, s, z, by_u, by_omega));
    *likelihood = p->freedom * log(p->f.rest + p->floor) + mn_chol_logdet(p->rows.n, p->f.factor) + log(p->f.total);
  }
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

static bool has_few_effects(const mn_interaction_problem *p, const mn_interaction_state *s)
{
  return mn_interaction_count(&p->rows, s->k) < p->rows.n;
}

mn_status mn_interaction_evaluate(mn_interaction_problem *p, mn_interaction_state *s, double *by_u, double *by_omega)
{
  double likelihood;
  if (has_few_effects(p, s))
    MN_TRY(mn_interaction_by_effects(p, s, by_u, by_omega, &likelihood));
  else
    MN_TRY(by_kernel(p, s, by_u, by_omega, &likelihood));
  s->objective = isfinite(likelihood) ? likelihood / 2 + priors(p, s, by_u, by_omega) : INFINITY;
  return mn_poll(p->ctx);
}

mn_status mn_interaction_look(mn_interaction_problem *p, mn_interaction_state *s, bool slope)
{
  MN_TRY(mn_interaction_evaluate(p, s, NULL, NULL));
  slope = slope && !p->tall;
  if (has_few_effects(p, s)) {
    MN_TRY(mn_interaction_project(p, s, slope ? p->slope : NULL));
    if (slope) finish_slope(p);
  } else if (slope) {
    MN_TRY(find_slope(p));
  }
  return mn_poll(p->ctx);
}

/* sum_ab slope_ab m_ab z_aj z_bj / 2 for all columns, m = alone + sum_i with_i z_i z_i'. */
static mn_status scores_by_kernel(mn_interaction_problem *p, double alone, const double *with, double *score)
{
  const mn_mark mark = mn_scratch_mark(p->ctx);
  const size_t n = p->rows.n;
  size_t k = 0;
  mn_interaction_state chosen;
  double *m = MN_RAW(p->ctx, double, n, n);
  MN_CHECK_ALLOC(m);
  MN_TRY(mn_interaction_state_make(p->ctx, p->rows.p, &chosen));
  for (size_t i = 0; i < p->rows.p; i++) {
    if (with[i] == 0) continue;
    chosen.at[k] = i;
    chosen.u[k++] = with[i];
  }
  chosen.k = k;
  const double *z = columns_of(p->ctx, &p->rows, &chosen);
  MN_CHECK_ALLOC(z);
  MN_TRY(inner_products(p->ctx, n, k, z, chosen.u, false, m));
  MN_TRY(mn_poll(p->ctx));
  for (size_t i = 0; i < n * n; i++) m[i] = p->slope[i] * (alone + m[i]) / 2;
  MN_TRY(forms(p->ctx, n, p->rows.p, m, p->rows.z, score));
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

mn_status mn_interaction_scores(mn_interaction_problem *p, const mn_interaction_state *s, double alone,
                                const double *with, double *score)
{
  if (p->tall)
    MN_TRY(mn_interaction_scores_by_effects(p, s, alone, with, score));
  else
    MN_TRY(scores_by_kernel(p, alone, with, score));
  for (size_t j = 0; j < p->rows.p; j++)
    if (!p->varies[j]) score[j] = INFINITY;
  for (size_t j = 0; j < s->k; j++) score[s->at[j]] = INFINITY;
  return mn_poll(p->ctx);
}

mn_status mn_interaction_entering(mn_interaction_problem *p, const mn_interaction_state *s, double *with, double *by_u)
{
  const double square = exp(2 * s->log_omega);
  double all = 0, pushes = 0;
  memset(with, 0, p->rows.p * sizeof *with);
  for (size_t j = 0; j < s->k; j++) {
    with[s->at[j]] = square * s->u[j];
    all += s->u[j];
  }
  MN_TRY(mn_interaction_scores(p, s, 1, with, by_u));
  for (size_t j = 0; j < s->k; j++)
    pushes += p->rho * s->u[j] / (1 + p->rho * s->u[j] * (1 + square * (all - s->u[j])));
  for (size_t j = 0; j < p->rows.p; j++) by_u[j] += p->rho * (1 + square * all) + square * pushes;
  return MN_OK;
}

/* Piecewise linear losses by an interior-point method.
 *
 * Each loss here is a sum of one or two terms max(lo r, hi r), r = t - (x b + c); an L1 penalty adds such a term for
 * each coefficient. With lo <= g <= hi for each term, the dual of F is
 *
 *     maximize sum_k t_k g_k - |X'g|^2 / (2 l2),      sum of g over the rows = 0 with an intercept;
 *
 * without an L2 penalty X'g = 0 instead. At the minimum X'g = l2 b. Mehrotra's predictor-corrector method (SIAM J.
 * Optim. 2, 1992) for quadratic programs with bounded variables, as Ferris & Munson (SIAM J. Optim. 13, 2003) apply it
 * to support vector machines: one Gram matrix of the columns per round. */
#include "../linalg/csr.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "descent.h"
#include "../glm/glm_design.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_STALLED = 5, MAX_ATTEMPTS = 12 };
static const double wall_factor = 0.9995,
                    rounding_gap =
                        1e-7; /* share of the step to the boundary; relative gap that may be due to rounding */

struct interior_problem {
  mn_descent *d;
  double *scaled;             /* dense X, centered and scaled; NULL: sparse, not centered */
  size_t n, p, copies, terms; /* copies: terms of a row, one block of n each; then those of the coefficients */
  double *t, *lo, *width;     /* terms: width is hi - lo; 0 where a row has no weight and is left out */
  double *x, *s, *z, *w;      /* terms: g - lo, hi - g and the multipliers of both bounds */
  double *dx, *dz, *dw, *q, *h;
  double *b, c, *db, dc; /* p: coefficients times the scales, like u */
  double *raw;           /* p: unscaled coefficients, for sparse X */
  double *rb, rc;        /* p: X'g - l2 b, and sum of g: both 0 at the solution */
  double *row, *curve;   /* n */
  double *gram, *mean, total;
  mn_glm_problem design;
};

static void set_term(struct interior_problem *g, size_t k, double target, double lo, double hi)
{
  g->t[k] = target;
  g->lo[k] = lo;
  g->width[k] = hi - lo;
}

static void init_row(struct interior_problem *g, size_t i)
{
  const mn_piecewise_term corner = mn_descent_piecewise_term(g->d, i);
  if (g->copies == 1) {
    set_term(g, i, corner.target, corner.lo, corner.hi);
    return;
  }
  set_term(g, i, corner.target - corner.tube, 0, corner.hi);
  set_term(g, g->n + i, corner.target + corner.tube, corner.lo, 0);
}

static mn_status scale_rows(mn_context *ctx, struct interior_problem *g)
{
  g->scaled = MN_RAW(ctx, double, g->n, g->p);
  MN_CHECK_ALLOC(g->scaled);
  for (size_t i = 0; i < g->n; i++)
    for (size_t j = 0; j < g->p; j++)
      g->scaled[i * g->p + j] = (mn_row(&g->d->data->x, i)[j] - g->d->mean[j]) / g->d->scale[j];
  return MN_OK;
}

static mn_status init_problem(mn_context *ctx, mn_descent *d, struct interior_problem *g)
{
  const size_t n = d->n, p = d->p, copies = d->loss == &mn_linear_losses[MN_LOSS_EPSILON_INSENSITIVE] ? 2 : 1;
  const size_t terms = copies * n + (d->l1 > 0 ? p : 0);
  *g = (struct interior_problem){ .d = d, .n = n, .p = p, .copies = copies, .terms = terms };
  double *penalty_dual = MN_NEW(ctx, double, terms, 12), *row_buffer = MN_NEW(ctx, double, n, 2);
  double *column_buffer = MN_NEW(ctx, double, p + 1, 5);
  g->gram = MN_RAW(ctx, double, p, p);
  if (!penalty_dual || !row_buffer || !column_buffer || !g->gram) return MN_NO_MEMORY;
  double **parts[] = { &g->t, &g->lo, &g->width, &g->x, &g->s, &g->z, &g->w, &g->dx, &g->dz, &g->dw, &g->q, &g->h };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = penalty_dual + k * terms;
  g->row = row_buffer;
  g->curve = row_buffer + n;
  double **columns[] = { &g->b, &g->db, &g->rb, &g->mean, &g->raw };
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) *columns[k] = column_buffer + k * (p + 1);
  if (!d->data->sparse) MN_TRY(scale_rows(ctx, g));
  g->design =
      (mn_glm_problem){ .n = n, .p = p, .x = g->scaled, .sparse = d->data->sparse, .fit_intercept = d->fit_intercept };
  for (size_t i = 0; i < n; i++) init_row(g, i);
  for (size_t j = 0; j < p && d->l1 > 0; j++) set_term(g, copies * n + j, 0, -d->l1 / d->scale[j], d->l1 / d->scale[j]);
  return MN_OK;
}

/* Convert between b, c and u (descent.h). */
static void load_coefficients(struct interior_problem *g, const double *u)
{
  const mn_descent *d = g->d;
  memcpy(g->b, u, g->p * sizeof *u);
  g->c = u[g->p] / d->scale[g->p];
  for (size_t j = 0; j < g->p && !g->scaled; j++) g->c -= d->mean[j] * u[j] / d->scale[j];
}

static void store_coefficients(const struct interior_problem *g, double *u)
{
  const mn_descent *d = g->d;
  double c = g->c;
  memcpy(u, g->b, g->p * sizeof *u);
  for (size_t j = 0; j < g->p && !g->scaled; j++) c += d->mean[j] * u[j] / d->scale[j];
  u[g->p] = c * d->scale[g->p];
}

static double l2_of(const struct interior_problem *g, size_t j)
{
  return g->d->l2 / g->d->scale[j] / g->d->scale[j];
}

/* out_k = x_k b + c for the terms of rows, b_j for those of coefficients */
static mn_status compute_scores(mn_context *ctx, struct interior_problem *g, const double *b, double c, double *out)
{
  double *z = g->d->z;
  for (size_t j = 0; j < g->p; j++) g->raw[j] = b[j] / g->d->scale[j];
  for (size_t i = 0; i < g->n; i++) z[i] = c;
  if (g->scaled)
    MN_TRY(mn_gemv(ctx, false, g->n, g->p, 1, g->scaled, g->p, b, 1, z));
  else
    MN_TRY(mn_descent_compute_scores(ctx, g->d, g->raw, c));
  for (size_t f = 0; f < g->copies; f++) memcpy(out + f * g->n, z, g->n * sizeof *out);
  if (g->d->l1 > 0) memcpy(out + g->copies * g->n, b, g->p * sizeof *out);
  return MN_OK;
}

/* The transpose of compute_scores: *sum over the rows of v, out over the columns. */
static mn_status multiply_transposed(mn_context *ctx, struct interior_problem *g, const double *v, double *out,
                                     double *sum)
{
  *sum = 0;
  for (size_t i = 0; i < g->n; i++) {
    g->row[i] = v[i] + (g->copies > 1 ? v[g->n + i] : 0);
    *sum += g->row[i];
  }
  if (!g->d->fit_intercept) *sum = 0;
  if (g->scaled)
    MN_TRY(mn_gemv(ctx, true, g->n, g->p, 1, g->scaled, g->p, g->row, 0, out));
  else
    MN_TRY(mn_csr_multiply_transposed(ctx, g->d->data->sparse, 1, g->row, out));
  for (size_t j = 0; j < g->p && !g->scaled; j++) out[j] /= g->d->scale[j];
  for (size_t j = 0; j < g->p && g->d->l1 > 0; j++) out[j] += v[g->copies * g->n + j];
  return MN_OK;
}

/* Weights q of the terms, and the Gram matrix with them, penalties included. */
static mn_status compute_gram(mn_context *ctx, struct interior_problem *g)
{
  const size_t p = g->p, n = g->n;
  const mn_descent *d = g->d;
  for (size_t k = 0; k < g->terms; k++)
    g->q[k] = g->width[k] > 0 ? g->x[k] * g->s[k] / (g->z[k] * g->s[k] + g->w[k] * g->x[k]) : 0;
  for (size_t i = 0; i < n; i++) g->curve[i] = g->q[i] + (g->copies > 1 ? g->q[n + i] : 0);
  MN_TRY(mn_glm_gram(ctx, &g->design, NULL, g->curve, &g->total, g->mean, g->gram));
  for (size_t i = 0; i < p; i++) {
    const double scale = g->scaled ? 1 : d->scale[i];
    g->mean[i] = d->fit_intercept ? g->mean[i] / scale : 0;
    for (size_t j = 0; j < p && !g->scaled; j++) g->gram[i * p + j] /= scale * d->scale[j];
    g->gram[i * p + i] += l2_of(g, i) + (d->l1 > 0 ? g->q[g->copies * n + i] : 0);
  }
  return MN_OK;
}

/* Cholesky factor of the Gram matrix scaled to unit diagonal, with a small multiple of the identity added where columns
 * are collinear. *solved is false where numbers leave their range. */
static mn_status factor(mn_context *ctx, struct interior_problem *g, double *length, double *l, bool *solved)
{
  const size_t p = g->p;
  size_t minor = 1;
  double jitter = 0;
  MN_TRY(compute_gram(ctx, g));
  for (size_t j = 0; j < p; j++) length[j] = g->gram[j * p + j] > 0 ? sqrt(g->gram[j * p + j]) : INFINITY;
  for (int attempt = 0; minor > 0 && attempt < MAX_ATTEMPTS; attempt++) {
    for (size_t i = 0; i < p; i++)
      for (size_t j = 0; j < p; j++) l[i * p + j] = i == j ? 1 + jitter : g->gram[i * p + j] / length[i] / length[j];
    MN_TRY(mn_chol_try(ctx, p, l, NULL, &minor));
    jitter = jitter > 0 ? 100 * jitter : 1e-14;
  }
  *solved = minor == 0;
  return MN_OK;
}

/* Solve for db, dc and dx, given h. */
static mn_status solve_step(mn_context *ctx, struct interior_problem *g, const double *length, const double *l,
                            double *work)
{
  const size_t p = g->p;
  double sum;
  for (size_t k = 0; k < g->terms; k++) work[k] = g->q[k] * g->h[k];
  MN_TRY(multiply_transposed(ctx, g, work, g->db, &sum));
  sum += g->rc;
  const bool has_intercept = g->d->fit_intercept && g->total > 0;
  for (size_t j = 0; j < p; j++) g->db[j] = (g->db[j] + g->rb[j] - (has_intercept ? g->mean[j] * sum : 0)) / length[j];
  if (p > 0) MN_TRY(mn_chol_apply(ctx, p, 1, l, g->db));
  g->dc = has_intercept ? sum / g->total : 0;
  for (size_t j = 0; j < p; j++) {
    g->db[j] /= length[j];
    if (has_intercept) g->dc -= g->mean[j] * g->db[j];
  }
  MN_TRY(compute_scores(ctx, g, g->db, g->dc, work));
  for (size_t k = 0; k < g->terms; k++) g->dx[k] = g->q[k] * (g->h[k] - work[k]);
  return MN_OK;
}

/* Set h from the residual of t - score = w - z, for this mu and, when correct, the predictor's products; dz and dw hold
 * their constant parts until complete_step. */
static void set_right_side(struct interior_problem *g, const double *residual, double mu, bool correct)
{
  for (size_t k = 0; k < g->terms; k++) {
    if (!(g->width[k] > 0)) continue;
    const double xz = correct ? g->dx[k] * g->dz[k] : 0, sw = correct ? -g->dx[k] * g->dw[k] : 0;
    g->h[k] = (mu - xz) / g->x[k] - g->z[k] - (mu - sw) / g->s[k] + g->w[k] + residual[k];
    g->dz[k] = (mu - xz) / g->x[k] - g->z[k];
    g->dw[k] = (mu - sw) / g->s[k] - g->w[k];
  }
}

static void complete_step(struct interior_problem *g)
{
  for (size_t k = 0; k < g->terms; k++) {
    if (!(g->width[k] > 0)) continue;
    g->dz[k] -= g->z[k] / g->x[k] * g->dx[k];
    g->dw[k] += g->w[k] / g->s[k] * g->dx[k];
  }
}

/* Longest steps within the bounds; with an L2 penalty both sides take the same. */
static void step_lengths(const struct interior_problem *g, double *primal, double *dual)
{
  double a = 1e-20, b = 1e-20;
  for (size_t k = 0; k < g->terms; k++) {
    if (!(g->width[k] > 0)) continue;
    a = fmax(a, fmax(-g->dx[k] / g->x[k], g->dx[k] / g->s[k]));
    b = fmax(b, fmax(-g->dz[k] / g->z[k], -g->dw[k] / g->w[k]));
  }
  *primal = fmin(1, wall_factor / a);
  *dual = fmin(1, wall_factor / b);
  if (g->d->l2 > 0) *primal = *dual = fmin(*primal, *dual);
}

static double complementarity(const struct interior_problem *g, double primal, double dual)
{
  double sum = 0;
  for (size_t k = 0; k < g->terms; k++)
    sum += (g->x[k] + primal * g->dx[k]) * (g->z[k] + dual * g->dz[k]) +
           (g->s[k] - primal * g->dx[k]) * (g->w[k] + dual * g->dw[k]);
  return sum;
}

static void apply_steps(struct interior_problem *g, double primal, double dual)
{
  for (size_t k = 0; k < g->terms; k++) {
    if (!(g->width[k] > 0)) continue;
    g->x[k] += primal * g->dx[k];
    g->s[k] -= primal * g->dx[k];
    g->z[k] += dual * g->dz[k];
    g->w[k] += dual * g->dw[k];
  }
  for (size_t j = 0; j < g->p; j++) g->b[j] += dual * g->db[j];
  g->c += dual * g->dc;
}

/* Residuals of both equations: rb, rc, and t - score - w + z. */
static mn_status compute_residuals(mn_context *ctx, struct interior_problem *g, double *residual, double *work)
{
  for (size_t k = 0; k < g->terms; k++) work[k] = g->lo[k] + (g->width[k] > 0 ? g->x[k] : 0);
  MN_TRY(multiply_transposed(ctx, g, work, g->rb, &g->rc));
  for (size_t j = 0; j < g->p; j++) g->rb[j] -= l2_of(g, j) * g->b[j];
  MN_TRY(compute_scores(ctx, g, g->b, g->c, residual));
  for (size_t k = 0; k < g->terms; k++) residual[k] = g->t[k] - residual[k] - g->w[k] + g->z[k];
  return MN_OK;
}

static mn_status iterate(mn_context *ctx, struct interior_problem *g, double *residual, double *length, double *l,
                         double *work, bool *solved)
{
  double primal, dual;
  MN_TRY(factor(ctx, g, length, l, solved));
  if (!*solved) return MN_OK;
  MN_TRY(mn_poll(ctx));
  set_right_side(g, residual, 0, false);
  MN_TRY(solve_step(ctx, g, length, l, work));
  complete_step(g);
  step_lengths(g, &primal, &dual);
  const double now = complementarity(g, 0, 0), share = complementarity(g, primal, dual) / now;
  MN_TRY(mn_poll(ctx));
  set_right_side(g, residual, now * share * share * share / (2 * (double)g->terms), true);
  MN_TRY(solve_step(ctx, g, length, l, work));
  complete_step(g);
  step_lengths(g, &primal, &dual);
  apply_steps(g, primal, dual);
  MN_TRY(mn_poll(ctx));
  return compute_residuals(ctx, g, residual, work);
}

static mn_status start(mn_context *ctx, struct interior_problem *g, const double *u, double *residual)
{
  double largest = 0;
  load_coefficients(g, u);
  MN_TRY(compute_scores(ctx, g, g->b, g->c, residual));
  for (size_t k = 0; k < g->terms; k++) largest = fmax(largest, fabs(g->t[k] - residual[k]));
  if (!(largest > 0)) largest = DBL_MIN;
  for (size_t k = 0; k < g->terms; k++) {
    const double r = g->t[k] - residual[k];
    if (!(g->width[k] > 0)) continue;
    g->x[k] = g->s[k] = g->width[k] / 2;
    g->w[k] = fmax(r, 0) + largest;
    g->z[k] = fmax(-r, 0) + largest;
  }
  return MN_OK;
}

/* F at b and c, whose scores are in d->z, and the dual at g: -INFINITY while g is infeasible. */
static mn_status evaluate(mn_context *ctx, struct interior_problem *g, double *primal, double *dual)
{
  static const double feasible_tol = 1e-9, exact = 1e-13;
  mn_descent *d = g->d;
  double slope, square = 0, sum = 0, penalty_dual = 0;
  bool feasible = fabs(g->rc) <= feasible_tol;
  MN_TRY(mn_descent_compute_loss(ctx, d, primal, &slope));
  for (size_t j = 0; j < g->p; j++) {
    const double violation = fabs(g->rb[j]), l2 = l2_of(g, j), b = g->b[j];
    const double size = (sqrt(d->variance[j]) + (g->scaled ? 0 : fabs(d->mean[j]))) / d->scale[j];
    square += l2 * b * b;
    sum += fabs(b) / d->scale[j];
    penalty_dual += l2 / 2 * b * b + violation * fabs(b) +
                    (l2 > 0 && violation > exact * size ? violation * violation / (2 * l2) : 0);
    feasible = feasible && (l2 > 0 || violation <= feasible_tol * size);
  }
  *primal += d->l1 * sum + square / 2;
  *dual = -penalty_dual - fabs(g->rc * g->c);
  for (size_t k = 0; k < g->terms; k++) *dual += g->t[k] * (g->lo[k] + (g->width[k] > 0 ? g->x[k] : 0));
  if (!feasible) *dual = -INFINITY;
  return MN_OK;
}

/* Coefficients that an L1 penalty sets to 0 come out tiny: set them to 0 where that does not raise F. */
static mn_status zero_small_coefficients(mn_context *ctx, struct interior_problem *g, double *u, double *work,
                                         mn_descent_result *end)
{
  static const double relative_zero = 1e-6;
  mn_descent *d = g->d;
  double largest = 0, primal, dual;
  load_coefficients(g, u);
  for (size_t j = 0; j < g->p; j++) largest = fmax(largest, fabs(u[j]));
  for (size_t j = 0; j < g->p; j++)
    if (fabs(u[j]) < relative_zero * largest) g->b[j] = 0;
  MN_TRY(compute_scores(ctx, g, g->b, g->c, work));
  MN_TRY(evaluate(ctx, g, &primal, &dual));
  if (!(primal <= end->objective + 1e-12 * d->start_value)) return MN_OK;
  end->objective = fmin(end->objective, primal);
  store_coefficients(g, u);
  return MN_OK;
}

mn_status mn_descent_solve_interior(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *end)
{
  struct interior_problem g;
  MN_TRY(init_problem(ctx, d, &g));
  double *residual = MN_RAW(ctx, double, g.terms, 1), *work = MN_RAW(ctx, double, g.terms, 1);
  double *length = MN_RAW(ctx, double, g.p, 1), *l = MN_RAW(ctx, double, g.p, g.p);
  if (!residual || !work || !length || !l) return MN_NO_MEMORY;
  const double gap_tol = d->tol * d->tol * d->start_value;
  double best_gap = INFINITY, best_dual = -INFINITY;
  int stalled = 0;
  bool keep_going = true;
  end->objective = d->start_value;
  end->converged = false;
  MN_TRY(start(ctx, &g, u, residual));
  MN_TRY(compute_residuals(ctx, &g, residual, work));
  for (int64_t round = 0; keep_going && !end->converged && round < d->max_iter; round++) {
    double primal, dual;
    MN_TRY(iterate(ctx, &g, residual, length, l, work, &keep_going));
    if (!keep_going) {
      end->converged = best_gap <= rounding_gap * d->start_value;
      break;
    }
    MN_TRY(evaluate(ctx, &g, &primal, &dual));
    if (primal < end->objective) {
      end->objective = primal;
      store_coefficients(&g, u);
    }
    best_dual = fmax(best_dual, dual);
    const double gap = fmax(end->objective - best_dual, 0);
    stalled = gap < 0.9 * best_gap ? 0 : stalled + 1;
    best_gap = fmin(best_gap, gap);
    end->converged = gap <= gap_tol || (stalled >= MAX_STALLED && gap <= rounding_gap * d->start_value);
    keep_going = d->progress(d->user, end->objective);
  }
  if (d->l1 > 0 && end->objective < d->start_value) MN_TRY(zero_small_coefficients(ctx, &g, u, work, end));
  end->duality_gap = best_gap;
  end->max_subgradient = sqrt(best_gap);
  return MN_OK;
}

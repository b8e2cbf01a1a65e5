/* Losses with corners, to the minimum: an interior-point method.
 *
 * Each loss here is the sum of one or two terms max(lo r, hi r), r = t - (x b + c); an L1 penalty is such a term for
 * each weight. With g between lo and hi for each term, the dual of F is
 *
 *     maximise sum_k t_k g_k - |X'g|^2 / (2 l2),      sum of g over the rows = 0 with a constant;
 *
 * without an L2 penalty X'g = 0 instead. At the minimum X'g = l2 b. Mehrotra's predictor and corrector (SIAM J. Optim.
 * 2, 1992) for quadratic programmes of bounded variables, as Ferris & Munson (SIAM J. Optim. 13, 2003) have it for
 * support vector machines: one Gram matrix of the columns a round. */
#include "../linalg/csr.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "descent.h"
#include "../glm/glm_design.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STALLED = 5, MOST_ATTEMPTS = 12 };
static const double shorten = 0.9995, rounding = 1e-7; /* of a step to the wall; a gap that may be due to it */

struct programme {
  mn_descent *d;
  double *own;               /* dense X about its means, over the scales; NULL: sparse, not about them  */
  size_t n, p, folds, terms; /* folds: terms of a row, fold by fold; behind them those of the weights */
  double *t, *lo, *room;     /* terms: room is hi - lo; 0 where a row has no weight: left out         */
  double *x, *s, *z, *w;     /* terms: g - lo, hi - g and the multipliers of both bounds                */
  double *dx, *dz, *dw, *q, *h;
  double *b, c, *db, dc; /* p: weights times the scales, as u has them */
  double *raw;           /* p: of sparse X: weights as they are        */
  double *rb, rc;        /* p: X'g - l2 b, sum of g: 0 at the end */
  double *row, *curve;   /* n */
  double *gram, *mean, total;
  mn_glm_problem design;
};

/* --- the terms --- */

static void set_term(struct programme *g, size_t k, double target, double lo, double hi)
{
  g->t[k] = target;
  g->lo[k] = lo;
  g->room[k] = hi - lo;
}

static void pose_row(struct programme *g, size_t i)
{
  const mn_corner corner = mn_descent_corner(g->d, i);
  if (g->folds == 1) {
    set_term(g, i, corner.target, corner.lo, corner.hi);
    return;
  }
  set_term(g, i, corner.target - corner.tube, 0, corner.hi);
  set_term(g, g->n + i, corner.target + corner.tube, corner.lo, 0);
}

static mn_status take_rows(mn_context *ctx, struct programme *g)
{
  g->own = MN_RAW(ctx, double, g->n, g->p);
  MN_CHECK_ALLOC(g->own);
  for (size_t i = 0; i < g->n; i++)
    for (size_t j = 0; j < g->p; j++)
      g->own[i * g->p + j] = (mn_row(&g->d->data->x, i)[j] - g->d->mean[j]) / g->d->scale[j];
  return MN_OK;
}

static mn_status make(mn_context *ctx, mn_descent *d, struct programme *g)
{
  const size_t n = d->n, p = d->p, folds = d->loss == &mn_linear_losses[MN_LOSS_EPSILON_INSENSITIVE] ? 2 : 1;
  const size_t terms = folds * n + (d->l1 > 0 ? p : 0);
  *g = (struct programme){ .d = d, .n = n, .p = p, .folds = folds, .terms = terms };
  double *at = MN_NEW(ctx, double, terms, 12), *of_rows = MN_NEW(ctx, double, n, 2);
  double *of_columns = MN_NEW(ctx, double, p + 1, 5);
  g->gram = MN_RAW(ctx, double, p, p);
  if (!at || !of_rows || !of_columns || !g->gram) return MN_NO_MEMORY;
  double **parts[] = { &g->t, &g->lo, &g->room, &g->x, &g->s, &g->z, &g->w, &g->dx, &g->dz, &g->dw, &g->q, &g->h };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = at + k * terms;
  g->row = of_rows;
  g->curve = of_rows + n;
  double **columns[] = { &g->b, &g->db, &g->rb, &g->mean, &g->raw };
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) *columns[k] = of_columns + k * (p + 1);
  if (!d->data->sparse) MN_TRY(take_rows(ctx, g));
  g->design =
      (mn_glm_problem){ .n = n, .p = p, .x = g->own, .sparse = d->data->sparse, .fit_intercept = d->fit_intercept };
  for (size_t i = 0; i < n; i++) pose_row(g, i);
  for (size_t j = 0; j < p && d->l1 > 0; j++) set_term(g, folds * n + j, 0, -d->l1 / d->scale[j], d->l1 / d->scale[j]);
  return MN_OK;
}

/* Between the weights in use and u, in which the solvers of descent.h meet. */
static void begin_at(struct programme *g, const double *u)
{
  const mn_descent *d = g->d;
  memcpy(g->b, u, g->p * sizeof *u);
  g->c = u[g->p] / d->scale[g->p];
  for (size_t j = 0; j < g->p && !g->own; j++) g->c -= d->mean[j] * u[j] / d->scale[j];
}

static void keep(const struct programme *g, double *u)
{
  const mn_descent *d = g->d;
  double c = g->c;
  memcpy(u, g->b, g->p * sizeof *u);
  for (size_t j = 0; j < g->p && !g->own; j++) c += d->mean[j] * u[j] / d->scale[j];
  u[g->p] = c * d->scale[g->p];
}

static double l2_of(const struct programme *g, size_t j)
{
  return g->d->l2 / g->d->scale[j] / g->d->scale[j];
}

/* out_k = x_k b + c of the rows, the weight itself of its own term. */
static mn_status scores(mn_context *ctx, struct programme *g, const double *b, double c, double *out)
{
  double *z = g->d->z;
  for (size_t j = 0; j < g->p; j++) g->raw[j] = b[j] / g->d->scale[j];
  for (size_t i = 0; i < g->n; i++) z[i] = c;
  if (g->own)
    MN_TRY(mn_gemv(ctx, false, g->n, g->p, 1, g->own, g->p, b, 1, z));
  else
    MN_TRY(mn_descent_scores(ctx, g->d, g->raw, c));
  for (size_t f = 0; f < g->folds; f++) memcpy(out + f * g->n, z, g->n * sizeof *out);
  if (g->d->l1 > 0) memcpy(out + g->folds * g->n, b, g->p * sizeof *out);
  return MN_OK;
}

/* The other way: *sum of the rows' v, and over the columns. */
static mn_status turned(mn_context *ctx, struct programme *g, const double *v, double *out, double *sum)
{
  *sum = 0;
  for (size_t i = 0; i < g->n; i++) {
    g->row[i] = v[i] + (g->folds > 1 ? v[g->n + i] : 0);
    *sum += g->row[i];
  }
  if (!g->d->fit_intercept) *sum = 0;
  if (g->own)
    MN_TRY(mn_gemv(ctx, true, g->n, g->p, 1, g->own, g->p, g->row, 0, out));
  else
    MN_TRY(mn_csr_multiply_transposed(ctx, g->d->data->sparse, 1, g->row, out));
  for (size_t j = 0; j < g->p && !g->own; j++) out[j] /= g->d->scale[j];
  for (size_t j = 0; j < g->p && g->d->l1 > 0; j++) out[j] += v[g->folds * g->n + j];
  return MN_OK;
}

/* --- the equations of a round --- */

/* Weights q of the terms, and the Gram matrix with them, penalties included. */
static mn_status weigh(mn_context *ctx, struct programme *g)
{
  const size_t p = g->p, n = g->n;
  const mn_descent *d = g->d;
  for (size_t k = 0; k < g->terms; k++)
    g->q[k] = g->room[k] > 0 ? g->x[k] * g->s[k] / (g->z[k] * g->s[k] + g->w[k] * g->x[k]) : 0;
  for (size_t i = 0; i < n; i++) g->curve[i] = g->q[i] + (g->folds > 1 ? g->q[n + i] : 0);
  MN_TRY(mn_glm_gram(ctx, &g->design, NULL, g->curve, &g->total, g->mean, g->gram));
  for (size_t i = 0; i < p; i++) {
    const double scale = g->own ? 1 : d->scale[i];
    g->mean[i] = d->fit_intercept ? g->mean[i] / scale : 0;
    for (size_t j = 0; j < p && !g->own; j++) g->gram[i * p + j] /= scale * d->scale[j];
    g->gram[i * p + i] += l2_of(g, i) + (d->l1 > 0 ? g->q[g->folds * n + i] : 0);
  }
  return MN_OK;
}

/* The Cholesky factor of that matrix in units of the columns' lengths, helped by a little of the identity where columns
 * determine each other. *solved is false where numbers have come to the end of their range. */
static mn_status factor(mn_context *ctx, struct programme *g, double *length, double *l, bool *solved)
{
  const size_t p = g->p;
  size_t minor = 1;
  double jitter = 0;
  MN_TRY(weigh(ctx, g));
  for (size_t j = 0; j < p; j++) length[j] = g->gram[j * p + j] > 0 ? sqrt(g->gram[j * p + j]) : INFINITY;
  for (int attempt = 0; minor > 0 && attempt < MOST_ATTEMPTS; attempt++) {
    for (size_t i = 0; i < p; i++)
      for (size_t j = 0; j < p; j++) l[i * p + j] = i == j ? 1 + jitter : g->gram[i * p + j] / length[i] / length[j];
    MN_TRY(mn_chol_try(ctx, p, l, NULL, &minor));
    jitter = jitter > 0 ? 100 * jitter : 1e-14;
  }
  *solved = minor == 0;
  return MN_OK;
}

/* db, dc and with them dx from h, and what that does to z and w; mu, and whether the predictor's products count. */
static mn_status find_step(mn_context *ctx, struct programme *g, const double *length, const double *l, double *work)
{
  const size_t p = g->p;
  double sum;
  for (size_t k = 0; k < g->terms; k++) work[k] = g->q[k] * g->h[k];
  MN_TRY(turned(ctx, g, work, g->db, &sum));
  sum += g->rc;
  const bool constant = g->d->fit_intercept && g->total > 0;
  for (size_t j = 0; j < p; j++) g->db[j] = (g->db[j] + g->rb[j] - (constant ? g->mean[j] * sum : 0)) / length[j];
  if (p > 0) MN_TRY(mn_chol_apply(ctx, p, 1, l, g->db));
  g->dc = constant ? sum / g->total : 0;
  for (size_t j = 0; j < p; j++) {
    g->db[j] /= length[j];
    if (constant) g->dc -= g->mean[j] * g->db[j];
  }
  MN_TRY(scores(ctx, g, g->db, g->dc, work));
  for (size_t k = 0; k < g->terms; k++) g->dx[k] = g->q[k] * (g->h[k] - work[k]);
  return MN_OK;
}

/* h from what r = w - z lacks (`off`), for this mu and the predictor's products, if any; then, after the step, dz and
 * dw. */
static void aim(struct programme *g, const double *off, double mu, bool correct)
{
  for (size_t k = 0; k < g->terms; k++) {
    if (!(g->room[k] > 0)) continue;
    const double xz = correct ? g->dx[k] * g->dz[k] : 0, sw = correct ? -g->dx[k] * g->dw[k] : 0;
    g->h[k] = (mu - xz) / g->x[k] - g->z[k] - (mu - sw) / g->s[k] + g->w[k] + off[k];
    g->dz[k] = (mu - xz) / g->x[k] - g->z[k];
    g->dw[k] = (mu - sw) / g->s[k] - g->w[k];
  }
}

static void follow(struct programme *g)
{
  for (size_t k = 0; k < g->terms; k++) {
    if (!(g->room[k] > 0)) continue;
    g->dz[k] -= g->z[k] / g->x[k] * g->dx[k];
    g->dw[k] += g->w[k] / g->s[k] * g->dx[k];
  }
}

/* How far the step may go; with an L2 penalty both sides of the dual go as far. */
static void lengths(const struct programme *g, double *primal, double *dual)
{
  double a = 1e-20, b = 1e-20;
  for (size_t k = 0; k < g->terms; k++) {
    if (!(g->room[k] > 0)) continue;
    a = fmax(a, fmax(-g->dx[k] / g->x[k], g->dx[k] / g->s[k]));
    b = fmax(b, fmax(-g->dz[k] / g->z[k], -g->dw[k] / g->w[k]));
  }
  *primal = fmin(1, shorten / a);
  *dual = fmin(1, shorten / b);
  if (g->d->l2 > 0) *primal = *dual = fmin(*primal, *dual);
}

static double products(const struct programme *g, double primal, double dual)
{
  double sum = 0;
  for (size_t k = 0; k < g->terms; k++)
    sum += (g->x[k] + primal * g->dx[k]) * (g->z[k] + dual * g->dz[k]) +
           (g->s[k] - primal * g->dx[k]) * (g->w[k] + dual * g->dw[k]);
  return sum;
}

static void move(struct programme *g, double primal, double dual)
{
  for (size_t k = 0; k < g->terms; k++) {
    if (!(g->room[k] > 0)) continue;
    g->x[k] += primal * g->dx[k];
    g->s[k] -= primal * g->dx[k];
    g->z[k] += dual * g->dz[k];
    g->w[k] += dual * g->dw[k];
  }
  for (size_t j = 0; j < g->p; j++) g->b[j] += dual * g->db[j];
  g->c += dual * g->dc;
}

/* What is left of both equations: rb, rc, and t - score - w + z into off. */
static mn_status look(mn_context *ctx, struct programme *g, double *off, double *work)
{
  for (size_t k = 0; k < g->terms; k++) work[k] = g->lo[k] + (g->room[k] > 0 ? g->x[k] : 0);
  MN_TRY(turned(ctx, g, work, g->rb, &g->rc));
  for (size_t j = 0; j < g->p; j++) g->rb[j] -= l2_of(g, j) * g->b[j];
  MN_TRY(scores(ctx, g, g->b, g->c, off));
  for (size_t k = 0; k < g->terms; k++) off[k] = g->t[k] - off[k] - g->w[k] + g->z[k];
  return MN_OK;
}

static mn_status take_step(mn_context *ctx, struct programme *g, double *off, double *length, double *l, double *work,
                           bool *taken)
{
  double primal, dual;
  MN_TRY(factor(ctx, g, length, l, taken));
  if (!*taken) return MN_OK;
  MN_TRY(mn_poll(ctx));
  aim(g, off, 0, false);
  MN_TRY(find_step(ctx, g, length, l, work));
  follow(g);
  lengths(g, &primal, &dual);
  const double now = products(g, 0, 0), share = products(g, primal, dual) / now;
  MN_TRY(mn_poll(ctx));
  aim(g, off, now * share * share * share / (2 * (double)g->terms), true);
  MN_TRY(find_step(ctx, g, length, l, work));
  follow(g);
  lengths(g, &primal, &dual);
  move(g, primal, dual);
  MN_TRY(mn_poll(ctx));
  return look(ctx, g, off, work);
}

/* --- from start to end --- */

static mn_status start(mn_context *ctx, struct programme *g, const double *u, double *off)
{
  double typical = 0;
  begin_at(g, u);
  MN_TRY(scores(ctx, g, g->b, g->c, off));
  for (size_t k = 0; k < g->terms; k++) typical = fmax(typical, fabs(g->t[k] - off[k]));
  if (!(typical > 0)) typical = DBL_MIN;
  for (size_t k = 0; k < g->terms; k++) {
    const double r = g->t[k] - off[k];
    if (!(g->room[k] > 0)) continue;
    g->x[k] = g->s[k] = g->room[k] / 2;
    g->w[k] = fmax(r, 0) + typical;
    g->z[k] = fmax(-r, 0) + typical;
  }
  return MN_OK;
}

/* F at b and c, whose scores are in d->z, and the dual at g: -INFINITY while it does not meet its constraints. */
static mn_status value(mn_context *ctx, struct programme *g, double *primal, double *dual)
{
  static const double met = 1e-9, exact = 1e-13;
  mn_descent *d = g->d;
  double slope, square = 0, sum = 0, at = 0;
  bool meets = fabs(g->rc) <= met;
  MN_TRY(mn_descent_lose(ctx, d, primal, &slope));
  for (size_t j = 0; j < g->p; j++) {
    const double left = fabs(g->rb[j]), l2 = l2_of(g, j), b = g->b[j];
    const double size = (sqrt(d->spread[j]) + (g->own ? 0 : fabs(d->mean[j]))) / d->scale[j];
    square += l2 * b * b;
    sum += fabs(b) / d->scale[j];
    at += l2 / 2 * b * b + left * fabs(b) + (l2 > 0 && left > exact * size ? left * left / (2 * l2) : 0);
    meets = meets && (l2 > 0 || left <= met * size);
  }
  *primal += d->l1 * sum + square / 2;
  *dual = -at - fabs(g->rc * g->c);
  for (size_t k = 0; k < g->terms; k++) *dual += g->t[k] * (g->lo[k] + (g->room[k] > 0 ? g->x[k] : 0));
  if (!meets) *dual = -INFINITY;
  return MN_OK;
}

/* An L1 penalty wants weights of 0, which come out as something very small: they are 0 if that costs nothing. */
static mn_status clean(mn_context *ctx, struct programme *g, double *u, double *work, mn_descent_end *end)
{
  static const double small = 1e-6;
  mn_descent *d = g->d;
  double largest = 0, primal, dual;
  begin_at(g, u);
  for (size_t j = 0; j < g->p; j++) largest = fmax(largest, fabs(u[j]));
  for (size_t j = 0; j < g->p; j++)
    if (fabs(u[j]) < small * largest) g->b[j] = 0;
  MN_TRY(scores(ctx, g, g->b, g->c, work));
  MN_TRY(value(ctx, g, &primal, &dual));
  if (!(primal <= end->objective + 1e-12 * d->begin)) return MN_OK;
  end->objective = fmin(end->objective, primal);
  keep(g, u);
  return MN_OK;
}

mn_status mn_descent_by_interior(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end)
{
  struct programme g;
  MN_TRY(make(ctx, d, &g));
  double *off = MN_RAW(ctx, double, g.terms, 1), *work = MN_RAW(ctx, double, g.terms, 1);
  double *length = MN_RAW(ctx, double, g.p, 1), *l = MN_RAW(ctx, double, g.p, g.p);
  if (!off || !work || !length || !l) return MN_NO_MEMORY;
  const double wanted = d->tol * d->tol * d->begin;
  double least = INFINITY, highest = -INFINITY;
  int stalled = 0;
  bool go_on = true;
  end->objective = d->begin;
  end->converged = false;
  MN_TRY(start(ctx, &g, u, off));
  MN_TRY(look(ctx, &g, off, work));
  for (int64_t round = 0; go_on && !end->converged && round < d->max_iter; round++) {
    double primal, dual;
    MN_TRY(take_step(ctx, &g, off, length, l, work, &go_on));
    if (!go_on) {
      end->converged = least <= rounding * d->begin;
      break;
    }
    MN_TRY(value(ctx, &g, &primal, &dual));
    if (primal < end->objective) {
      end->objective = primal;
      keep(&g, u);
    }
    highest = fmax(highest, dual);
    const double gap = fmax(end->objective - highest, 0);
    stalled = gap < 0.9 * least ? 0 : stalled + 1;
    least = fmin(least, gap);
    end->converged = gap <= wanted || (stalled >= MOST_STALLED && gap <= rounding * d->begin);
    go_on = d->note(d->user, end->objective);
  }
  if (d->l1 > 0 && end->objective < d->begin) MN_TRY(clean(ctx, &g, u, work, end));
  end->duality_gap = least;
  end->steepest = sqrt(least);
  return MN_OK;
}

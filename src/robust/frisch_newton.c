#include "frisch_newton.h"
#include "../linalg/lapack.h"
#include "../stats/argsort.h"
#include "../linalg/product.h"
#include "quantile_kernel.h"
#include <string.h>

static const double shorten = 0.9995; /* of the step to the wall */

enum {
  MOST_STALLED = 5, /* rounds without a smaller gap: rounding, if it is small already */
  POLL_EVERY = 4096 /* rows                                                           */
};

/* The programme in columns about their means, of length 1: [1 X], and a row for each penalised weight. */
struct programme {
  size_t n, p;          /* rows with those of the penalty; columns with the constant */
  double *x, *y;        /* n x p, n */
  double *u, *tau;      /* n: weights and quantiles of the rows */
  double *mean, *scale; /* features */
  bool constant;
  size_t rows, features;
  double weight, units; /* of the rows that came */
};

static mn_status scale_columns(mn_context *ctx, const mn_data *data, struct programme *g)
{
  const size_t p = data->features;
  g->mean = MN_NEW(ctx, double, p, 1);
  g->scale = MN_NEW(ctx, double, p, 1);
  if (!g->mean || !g->scale) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    const double w = mn_weight(data, i), *x = mn_row(&data->x, i);
    g->weight += w;
    for (size_t j = 0; j < p && g->constant; j++) g->mean[j] += w / g->weight * (x[j] - g->mean[j]);
  }
  for (size_t i = 0; i < data->rows; i++) {
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    const double *x = mn_row(&data->x, i);
    for (size_t j = 0; j < p; j++) g->scale[j] = fmax(g->scale[j], fabs(x[j] - g->mean[j]));
  }
  for (size_t j = 0; j < p; j++)
    if (!(g->scale[j] > 1e-13 * fabs(g->mean[j]))) g->scale[j] = 0; /* constant but for rounding: its weight is 0 */
  return MN_OK;
}

/* The weights, penalties among them, in units of a power of two in which their products neither over- nor underflow. */
static void scale_weights(struct programme *g)
{
  double largest = 0;
  int exponent;
  for (size_t i = 0; i < g->n; i++) largest = fmax(largest, g->u[i]);
  frexp(largest, &exponent);
  for (size_t i = 0; i < g->n; i++) g->units += g->u[i] = ldexp(g->u[i], -exponent);
  g->weight = ldexp(g->weight, -exponent);
}

static mn_status pose(mn_context *ctx, const mn_data *data, double quantile, double l1, bool constant,
                      struct programme *g)
{
  const size_t p = data->features, extra = l1 > 0 ? p : 0;
  *g = (struct programme){
    .n = data->rows + extra, .p = p + constant, .constant = constant, .rows = data->rows, .features = p
  };
  MN_TRY(scale_columns(ctx, data, g));
  g->x = MN_RAW(ctx, double, g->n, g->p);
  g->y = MN_NEW(ctx, double, g->n, 1);
  g->u = MN_NEW(ctx, double, g->n, 1);
  g->tau = MN_NEW(ctx, double, g->n, 1);
  if (!g->x || !g->y || !g->u || !g->tau) return MN_NO_MEMORY;
  memset(g->x + data->rows * g->p, 0, extra * g->p * sizeof *g->x);
  for (size_t i = 0; i < data->rows; i++) {
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    double *to = g->x + i * g->p;
    if (constant) *to++ = 1;
    for (size_t j = 0; j < p; j++) to[j] = g->scale[j] > 0 ? (mn_row(&data->x, i)[j] - g->mean[j]) / g->scale[j] : 0;
    g->y[i] = data->y.at[i];
    g->u[i] = mn_weight(data, i);
    g->tau[i] = quantile;
  }
  for (size_t j = 0; j < extra; j++) { /* l1 |b| = 2 l1 rho(0 - b) at the median */
    const size_t i = data->rows + j;
    g->x[i * g->p + constant + j] = g->scale[j] > 0 ? 1 / g->scale[j] : 0;
    g->u[i] = 2 * l1;
    g->tau[i] = 0.5;
  }
  scale_weights(g);
  return MN_OK;
}

static double objective(const struct programme *g, const double *residual)
{
  double sum = 0;
  for (size_t i = 0; i < g->n; i++) sum += g->u[i] * residual[i] * (g->tau[i] - (residual[i] < 0 ? 1 : 0));
  return sum;
}

static mn_status residuals(mn_context *ctx, const struct programme *g, const double *beta, double *residual)
{
  memcpy(residual, g->y, g->n * sizeof *residual);
  return mn_gemv(ctx, false, g->n, g->p, -1, g->x, g->p, beta, 1, residual);
}

/* L L' = X' Q X, helped by a little of the identity where columns determine each other. */
static mn_status factor(mn_context *ctx, const struct programme *g, const double *q, double *l)
{
  const size_t p = g->p;
  size_t minor = 1;
  double largest = 0, jitter = 0;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *gram = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(gram);
  MN_TRY(mn_syrk(ctx, g->n, p, g->x, p, q, NULL, gram, p));
  for (size_t j = 0; j < p; j++) largest = fmax(largest, gram[j * p + j]);
  for (int attempt = 0; minor > 0 && attempt < 12; attempt++) {
    memcpy(l, gram, p * p * sizeof *l);
    for (size_t j = 0; j < p; j++) l[j * p + j] += jitter + (gram[j * p + j] > 0 ? 0 : fmax(largest, DBL_MIN));
    MN_TRY(mn_chol_try(ctx, p, l, NULL, &minor));
    jitter = jitter > 0 ? 100 * jitter : 1e-14 * fmax(largest, DBL_MIN);
  }
  mn_scratch_release(ctx, mark);
  if (minor > 0) return mn_fail(ctx, MN_SINGULAR, "QuantileRegressor: the columns of X determine each other");
  return MN_OK;
}

/* dy = inv(L L') X' t, and a = X dy. */
static mn_status direction(mn_context *ctx, const struct programme *g, const double *l, const double *t, double *dy,
                           double *a)
{
  MN_TRY(mn_gemv(ctx, true, g->n, g->p, 1, g->x, g->p, t, 0, dy));
  MN_TRY(mn_chol_apply(ctx, g->p, 1, l, dy));
  return mn_gemv(ctx, false, g->n, g->p, 1, g->x, g->p, dy, 0, a);
}

static void step_lengths(const mn_dual *d, double *primal, double *dual)
{
  mn_dual_bounds(d, primal, dual);
  *primal = fmin(shorten * *primal, 1);
  *dual = fmin(shorten * *dual, 1);
}

/* One predictor and, unless that may be taken in full, one corrector. beta is minus the multipliers of X'x. */
static mn_status step(mn_context *ctx, const struct programme *g, mn_dual *d, double *l, double *dy, double *a,
                      double *beta)
{
  double primal, dual;
  mn_dual_weights(d);
  MN_TRY(factor(ctx, g, d->v, l));
  MN_TRY(direction(ctx, g, l, d->t, dy, a));
  mn_dual_predict(d, a);
  step_lengths(d, &primal, &dual);
  if (primal < 1 || dual < 1) {
    const double now = mn_dual_gap(d, 0, 0), then = mn_dual_gap(d, primal, dual), share = then / now;
    const double mu = now * share * share * share / (2 * g->units);
    mn_dual_target(d, mu);
    MN_TRY(direction(ctx, g, l, d->t, dy, a));
    mn_dual_correct(d, a, mu);
    step_lengths(d, &primal, &dual);
  }
  mn_dual_move(d, primal, dual);
  for (size_t j = 0; j < g->p; j++) beta[j] -= dual * dy[j];
  return MN_OK;
}

static mn_status begin(mn_context *ctx, const struct programme *g, mn_dual *d, double *beta, double *residual)
{
  const size_t n = g->n;
  double *at = MN_RAW(ctx, double, 12, n), *l = MN_RAW(ctx, double, g->p, g->p), typical = 0;
  if (!at || !l) return MN_NO_MEMORY;
  double **parts[] = { &d->x, &d->s, &d->z, &d->w, &d->dx, &d->dz, &d->dw, &d->q, &d->v, &d->t, &d->xz, &d->sw };
  *d = (mn_dual){ .n = n, .u = g->u };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = at + k * n;
  for (size_t i = 0; i < n; i++) d->t[i] = g->u[i] * g->y[i];
  MN_TRY(factor(ctx, g, g->u, l));
  MN_TRY(direction(ctx, g, l, d->t, beta, residual));
  MN_TRY(residuals(ctx, g, beta, residual));
  for (size_t i = 0; i < n; i++) typical += g->u[i] / g->units * fabs(residual[i]);
  if (!(typical > 0)) typical = DBL_MIN;
  for (size_t i = 0; i < n; i++) {
    const double r = -residual[i]; /* z - w = c - A'y with c = -y */
    d->x[i] = 1 - g->tau[i];
    d->s[i] = g->tau[i];
    d->z[i] = fmax(r, 0) + 1e-3 * typical;
    d->w[i] = fmax(-r, 0) + 1e-3 * typical;
  }
  return MN_OK;
}

/* Of the rows in this order, the first p that do not depend on those before: their places. Fewer when not found soon.
 */
static mn_status independent_rows(mn_context *ctx, const struct programme *g, const size_t *order, size_t *row,
                                  size_t *found)
{
  enum { PATIENCE = 64 };
  const size_t p = g->p;
  double *basis = MN_RAW(ctx, double, p, p), *v = MN_RAW(ctx, double, p, 1);
  if (!basis || !v) return MN_NO_MEMORY;
  *found = 0;
  for (size_t i = 0; i < g->n && i < PATIENCE * p && *found < p; i++) {
    double before = 0, after = 0;
    memcpy(v, g->x + order[i] * p, p * sizeof *v);
    for (size_t j = 0; j < p; j++) before += v[j] * v[j];
    for (size_t k = 0; k < *found; k++) {
      double dot = 0;
      for (size_t j = 0; j < p; j++) dot += basis[k * p + j] * v[j];
      for (size_t j = 0; j < p; j++) v[j] -= dot * basis[k * p + j];
    }
    for (size_t j = 0; j < p; j++) after += v[j] * v[j];
    if (!(after > 1e-12 * before)) continue;
    for (size_t j = 0; j < p; j++) basis[*found * p + j] = v[j] / sqrt(after);
    row[(*found)++] = order[i];
  }
  return MN_OK;
}

/* The p rows of the smallest residuals, fitted exactly: the vertex, if the answer is near one. */
static mn_status to_vertex(mn_context *ctx, const struct programme *g, double *beta, double *residual)
{
  const size_t p = g->p;
  double *size = MN_RAW(ctx, double, g->n, 1), *x = MN_RAW(ctx, double, p, p), *y = MN_RAW(ctx, double, p, 1);
  double *b = MN_RAW(ctx, double, p, 1);
  size_t *order = MN_RAW(ctx, size_t, g->n, 1), *row = MN_RAW(ctx, size_t, p, 1), found;
  if (!size || !x || !y || !b || !order || !row) return MN_NO_MEMORY;
  const double value = objective(g, residual);
  for (size_t i = 0; i < g->n; i++) size[i] = fabs(residual[i]);
  MN_TRY(mn_argsort(ctx, g->n, size, 1, order));
  MN_TRY(independent_rows(ctx, g, order, row, &found));
  if (found < p) return MN_OK;
  for (size_t i = 0; i < p; i++) {
    memcpy(x + i * p, g->x + row[i] * p, p * sizeof *x);
    y[i] = g->y[row[i]];
  }
  const mn_rows rows = { .n = p, .p = p, .m = 1, .x = x, .y = y };
  MN_TRY(mn_least_squares(ctx, &rows, 0, b, NULL, NULL));
  MN_TRY(residuals(ctx, g, b, size));
  if (!(objective(g, size) <= value)) return MN_OK;
  memcpy(beta, b, p * sizeof *b);
  memcpy(residual, size, g->n * sizeof *size);
  return MN_OK;
}

static void give(const struct programme *g, const double *beta, double *b, double *c)
{
  *c = g->constant ? beta[0] : 0;
  for (size_t j = 0; j < g->features; j++) {
    b[j] = g->scale[j] > 0 ? beta[g->constant + j] / g->scale[j] : 0;
    *c -= b[j] * g->mean[j];
  }
}

/* Is there nothing left to gain? Then the answer is that of least squares: all residuals are 0 but for rounding. */
static mn_status try_exact(mn_context *ctx, const struct programme *g, double *beta, double *residual, bool *exact)
{
  double scale = 0;
  for (size_t i = 0; i < g->n; i++) scale += 1e-14 * g->u[i] * fabs(g->y[i]);
  const mn_rows rows = { .n = g->n, .p = g->p, .m = 1, .x = g->x, .y = g->y, .weights = g->u };
  *exact = false;
  if (objective(g, residual) > 1e8 * scale) return MN_OK;
  double *b = MN_RAW(ctx, double, g->p, 1), *left = MN_RAW(ctx, double, g->n, 1);
  if (!b || !left) return MN_NO_MEMORY;
  MN_TRY(mn_least_squares(ctx, &rows, 0, b, NULL, NULL));
  MN_TRY(residuals(ctx, g, b, left));
  *exact = objective(g, left) <= scale;
  if (!*exact) return MN_OK;
  memcpy(beta, b, g->p * sizeof *b);
  memcpy(residual, left, g->n * sizeof *left);
  return MN_OK;
}

mn_status mn_frisch_newton(mn_context *ctx, const mn_data *data, double quantile, double l1, bool fit_intercept,
                           int64_t max_iter, double tol, mn_report *report, double *b, double *c)
{
  struct programme g;
  mn_dual d;
  MN_TRY(pose(ctx, data, quantile, l1, fit_intercept, &g));
  double *beta = MN_NEW(ctx, double, g.p, 1), *dy = MN_RAW(ctx, double, g.p, 1), *l = MN_RAW(ctx, double, g.p, g.p);
  double *a = MN_RAW(ctx, double, g.n, 1), *residual = MN_RAW(ctx, double, g.n, 1);
  if (!beta || !dy || !l || !a || !residual) return MN_NO_MEMORY;
  MN_TRY(begin(ctx, &g, &d, beta, residual));
  MN_TRY(try_exact(ctx, &g, beta, residual, &report->converged));
  bool go_on = true;
  double least = INFINITY, best = INFINITY;
  int stalled = 0;
  if (report->converged) mn_round(ctx, report, max_iter, objective(&g, residual) / g.weight);
  for (int64_t round = 0; go_on && !report->converged && round < max_iter; round++) {
    MN_TRY(step(ctx, &g, &d, l, dy, a, beta));
    MN_TRY(residuals(ctx, &g, beta, residual));
    const double value = objective(&g, residual), gap = mn_dual_gap(&d, 0, 0);
    best = fmin(best, value);
    stalled = gap < 0.999 * least ? 0 : stalled + 1;
    least = fmin(least, gap);
    report->change = gap / fmax(fabs(value), DBL_MIN);
    /* a gap within the rounding of the objective says no more */
    report->converged =
        report->change <= fmax(tol, DBL_EPSILON) || !(gap > 0) || (stalled >= MOST_STALLED && report->change < 1e-6);
    go_on = mn_round(ctx, report, max_iter, best / g.weight);
  }
  MN_TRY(to_vertex(ctx, &g, beta, residual));
  report->objective = fmin(report->objective, objective(&g, residual) / g.weight);
  give(&g, beta, b, c);
  return mn_error_status(ctx);
}

#include "frisch_newton.h"
#include "../factorization/lapack.h"
#include "../stats/argsort.h"
#include "../linalg/product.h"
#include "quantile_kernel.h"
#include <string.h>

static const double wall_factor = 0.9995; /* share of the step to the boundary */

enum {
  MAX_STALLED = 5,     /* rounds without a smaller gap that end the iteration where the gap is small: rounding */
  ROWS_PER_POLL = 4096 /* rows */
};

/* The linear program with centered columns of length 1: [1 X], and one row for each penalized coefficient. */
struct quantile_problem {
  size_t n, p;          /* rows including those of the penalty; columns including the intercept */
  double *x, *y;        /* n x p, n */
  double *u, *tau;      /* n: weights and quantiles of the rows */
  double *mean, *scale; /* features */
  bool has_intercept;
  size_t rows, features;
  double weight, weight_sum; /* sum of the weights of the data rows, and of all rows */
};

static mn_status scale_columns(mn_context *ctx, const mn_data *data, struct quantile_problem *g)
{
  const size_t p = data->features;
  g->mean = MN_NEW(ctx, double, p, 1);
  g->scale = MN_NEW(ctx, double, p, 1);
  if (!g->mean || !g->scale) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    const double w = mn_weight(data, i), *x = mn_row(&data->x, i);
    g->weight += w;
    for (size_t j = 0; j < p && g->has_intercept; j++) g->mean[j] += w / g->weight * (x[j] - g->mean[j]);
  }
  for (size_t i = 0; i < data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    const double *x = mn_row(&data->x, i);
    for (size_t j = 0; j < p; j++) g->scale[j] = fmax(g->scale[j], fabs(x[j] - g->mean[j]));
  }
  for (size_t j = 0; j < p; j++)
    if (!(g->scale[j] > 1e-13 * fabs(g->mean[j]))) g->scale[j] = 0; /* constant up to rounding: its coefficient is 0 */
  return MN_OK;
}

/* Scale the weights, penalties included, by a power of two so that their products neither overflow nor underflow. */
static void scale_weights(struct quantile_problem *g)
{
  double largest = 0;
  int exponent;
  for (size_t i = 0; i < g->n; i++) largest = fmax(largest, g->u[i]);
  frexp(largest, &exponent);
  for (size_t i = 0; i < g->n; i++) g->weight_sum += g->u[i] = ldexp(g->u[i], -exponent);
  g->weight = ldexp(g->weight, -exponent);
}

static mn_status init_problem(mn_context *ctx, const mn_data *data, double quantile, double l1, bool has_intercept,
                              struct quantile_problem *g)
{
  const size_t p = data->features, penalty_rows = l1 > 0 ? p : 0;
  *g = (struct quantile_problem){ .n = data->rows + penalty_rows,
                                  .p = p + has_intercept,
                                  .has_intercept = has_intercept,
                                  .rows = data->rows,
                                  .features = p };
  MN_TRY(scale_columns(ctx, data, g));
  g->x = MN_RAW(ctx, double, g->n, g->p);
  g->y = MN_NEW(ctx, double, g->n, 1);
  g->u = MN_NEW(ctx, double, g->n, 1);
  g->tau = MN_NEW(ctx, double, g->n, 1);
  if (!g->x || !g->y || !g->u || !g->tau) return MN_NO_MEMORY;
  memset(g->x + data->rows * g->p, 0, penalty_rows * g->p * sizeof *g->x);
  for (size_t i = 0; i < data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    double *to = g->x + i * g->p;
    if (has_intercept) *to++ = 1;
    for (size_t j = 0; j < p; j++) to[j] = g->scale[j] > 0 ? (mn_row(&data->x, i)[j] - g->mean[j]) / g->scale[j] : 0;
    g->y[i] = data->y.at[i];
    g->u[i] = mn_weight(data, i);
    g->tau[i] = quantile;
  }
  for (size_t j = 0; j < penalty_rows; j++) { /* l1 |b| = 2 l1 rho(0 - b) for the median */
    const size_t i = data->rows + j;
    g->x[i * g->p + has_intercept + j] = g->scale[j] > 0 ? 1 / g->scale[j] : 0;
    g->u[i] = 2 * l1;
    g->tau[i] = 0.5;
  }
  scale_weights(g);
  return MN_OK;
}

static double objective(const struct quantile_problem *g, const double *residual)
{
  double sum = 0;
  for (size_t i = 0; i < g->n; i++) sum += g->u[i] * residual[i] * (g->tau[i] - (residual[i] < 0 ? 1 : 0));
  return sum;
}

static mn_status residuals(mn_context *ctx, const struct quantile_problem *g, const double *beta, double *residual)
{
  memcpy(residual, g->y, g->n * sizeof *residual);
  return mn_gemv(ctx, false, g->n, g->p, -1, g->x, g->p, beta, 1, residual);
}

/* L L' = X' Q X, with a small multiple of the identity added where columns are collinear. */
static mn_status factor(mn_context *ctx, const struct quantile_problem *g, const double *q, double *l)
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
  if (minor > 0)
    return mn_fail(ctx, MN_SINGULAR,
                   "QuantileRegressor: the columns of X are collinear; remove columns or use alpha > 0");
  return MN_OK;
}

/* dy = inv(L L') X' t, and a = X dy. */
static mn_status solve_direction(mn_context *ctx, const struct quantile_problem *g, const double *l, const double *t,
                                 double *dy, double *a)
{
  MN_TRY(mn_gemv(ctx, true, g->n, g->p, 1, g->x, g->p, t, 0, dy));
  MN_TRY(mn_chol_apply(ctx, g->p, 1, l, dy));
  return mn_gemv(ctx, false, g->n, g->p, 1, g->x, g->p, dy, 0, a);
}

static void step_lengths(const mn_dual_state *d, double *primal, double *dual)
{
  mn_dual_bounds(d, primal, dual);
  *primal = fmin(wall_factor * *primal, 1);
  *dual = fmin(wall_factor * *dual, 1);
}

/* A predictor step and, unless it can be taken in full, a corrector. beta is minus the multipliers of X'x. */
static mn_status step(mn_context *ctx, const struct quantile_problem *g, mn_dual_state *d, double *l, double *dy,
                      double *a, double *beta)
{
  double primal, dual;
  mn_dual_weights(d);
  MN_TRY(factor(ctx, g, d->v, l));
  MN_TRY(solve_direction(ctx, g, l, d->t, dy, a));
  mn_dual_predict(d, a);
  step_lengths(d, &primal, &dual);
  if (primal < 1 || dual < 1) {
    const double before = mn_dual_gap(d, 0, 0), after = mn_dual_gap(d, primal, dual), ratio = after / before;
    const double mu = before * ratio * ratio * ratio / (2 * g->weight_sum);
    mn_dual_target(d, mu);
    MN_TRY(solve_direction(ctx, g, l, d->t, dy, a));
    mn_dual_correct(d, a, mu);
    step_lengths(d, &primal, &dual);
  }
  mn_dual_move(d, primal, dual);
  for (size_t j = 0; j < g->p; j++) beta[j] -= dual * dy[j];
  return MN_OK;
}

static mn_status init_point(mn_context *ctx, const struct quantile_problem *g, mn_dual_state *d, double *beta,
                            double *residual)
{
  const size_t n = g->n;
  double *at = MN_RAW(ctx, double, 12, n), *l = MN_RAW(ctx, double, g->p, g->p), mean_residual = 0;
  if (!at || !l) return MN_NO_MEMORY;
  double **parts[] = { &d->x, &d->s, &d->z, &d->w, &d->dx, &d->dz, &d->dw, &d->q, &d->v, &d->t, &d->xz, &d->sw };
  *d = (mn_dual_state){ .n = n, .u = g->u };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = at + k * n;
  for (size_t i = 0; i < n; i++) d->t[i] = g->u[i] * g->y[i];
  MN_TRY(factor(ctx, g, g->u, l));
  MN_TRY(solve_direction(ctx, g, l, d->t, beta, residual));
  MN_TRY(residuals(ctx, g, beta, residual));
  for (size_t i = 0; i < n; i++) mean_residual += g->u[i] / g->weight_sum * fabs(residual[i]);
  if (!(mean_residual > 0)) mean_residual = DBL_MIN;
  for (size_t i = 0; i < n; i++) {
    const double r = -residual[i]; /* z - w = c - A'y with c = -y */
    d->x[i] = 1 - g->tau[i];
    d->s[i] = g->tau[i];
    d->z[i] = fmax(r, 0) + 1e-3 * mean_residual;
    d->w[i] = fmax(-r, 0) + 1e-3 * mean_residual;
  }
  return MN_OK;
}

/* Of the rows in this order, the first p that are linearly independent of those before. Fewer when not found soon. */
static mn_status independent_rows(mn_context *ctx, const struct quantile_problem *g, const size_t *order, size_t *row,
                                  size_t *count)
{
  enum { MAX_TRIES_PER_ROW = 64 };
  const size_t p = g->p;
  double *basis = MN_RAW(ctx, double, p, p), *v = MN_RAW(ctx, double, p, 1);
  if (!basis || !v) return MN_NO_MEMORY;
  *count = 0;
  for (size_t i = 0; i < g->n && i < MAX_TRIES_PER_ROW * p && *count < p; i++) {
    double before = 0, after = 0;
    memcpy(v, g->x + order[i] * p, p * sizeof *v);
    for (size_t j = 0; j < p; j++) before += v[j] * v[j];
    for (size_t k = 0; k < *count; k++) {
      double dot = 0;
      for (size_t j = 0; j < p; j++) dot += basis[k * p + j] * v[j];
      for (size_t j = 0; j < p; j++) v[j] -= dot * basis[k * p + j];
    }
    for (size_t j = 0; j < p; j++) after += v[j] * v[j];
    if (!(after > 1e-12 * before)) continue;
    for (size_t j = 0; j < p; j++) basis[*count * p + j] = v[j] / sqrt(after);
    row[(*count)++] = order[i];
  }
  return MN_OK;
}

/* Fit the p rows with the smallest residuals exactly: the vertex, if the solution is near one. */
static mn_status move_to_vertex(mn_context *ctx, const struct quantile_problem *g, double *beta, double *residual)
{
  const size_t p = g->p;
  double *magnitude = MN_RAW(ctx, double, g->n, 1), *x = MN_RAW(ctx, double, p, p), *y = MN_RAW(ctx, double, p, 1);
  double *b = MN_RAW(ctx, double, p, 1);
  size_t *order = MN_RAW(ctx, size_t, g->n, 1), *row = MN_RAW(ctx, size_t, p, 1), count;
  if (!magnitude || !x || !y || !b || !order || !row) return MN_NO_MEMORY;
  const double value = objective(g, residual);
  for (size_t i = 0; i < g->n; i++) magnitude[i] = fabs(residual[i]);
  MN_TRY(mn_argsort(ctx, g->n, magnitude, 1, order));
  MN_TRY(independent_rows(ctx, g, order, row, &count));
  if (count < p) return MN_OK;
  for (size_t i = 0; i < p; i++) {
    memcpy(x + i * p, g->x + row[i] * p, p * sizeof *x);
    y[i] = g->y[row[i]];
  }
  const mn_rows rows = { .n = p, .p = p, .m = 1, .x = x, .y = y };
  MN_TRY(mn_least_squares(ctx, &rows, 0, b, NULL, NULL));
  MN_TRY(residuals(ctx, g, b, magnitude));
  if (!(objective(g, magnitude) <= value)) return MN_OK;
  memcpy(beta, b, p * sizeof *b);
  memcpy(residual, magnitude, g->n * sizeof *magnitude);
  return MN_OK;
}

static void store_coefficients(const struct quantile_problem *g, const double *beta, double *b, double *c)
{
  *c = g->has_intercept ? beta[0] : 0;
  for (size_t j = 0; j < g->features; j++) {
    b[j] = g->scale[j] > 0 ? beta[g->has_intercept + j] / g->scale[j] : 0;
    *c -= b[j] * g->mean[j];
  }
}

/* If all residuals are 0 up to rounding, least squares is the solution. */
static mn_status try_exact_fit(mn_context *ctx, const struct quantile_problem *g, double *beta, double *residual,
                               bool *exact)
{
  double scale = 0;
  for (size_t i = 0; i < g->n; i++) scale += 1e-14 * g->u[i] * fabs(g->y[i]);
  const mn_rows rows = { .n = g->n, .p = g->p, .m = 1, .x = g->x, .y = g->y, .weights = g->u };
  *exact = false;
  if (objective(g, residual) > 1e8 * scale) return MN_OK;
  double *b = MN_RAW(ctx, double, g->p, 1), *remaining = MN_RAW(ctx, double, g->n, 1);
  if (!b || !remaining) return MN_NO_MEMORY;
  MN_TRY(mn_least_squares(ctx, &rows, 0, b, NULL, NULL));
  MN_TRY(residuals(ctx, g, b, remaining));
  *exact = objective(g, remaining) <= scale;
  if (!*exact) return MN_OK;
  memcpy(beta, b, g->p * sizeof *b);
  memcpy(residual, remaining, g->n * sizeof *remaining);
  return MN_OK;
}

mn_status mn_frisch_newton(mn_context *ctx, const mn_data *data, double quantile, double l1, bool fit_intercept,
                           int64_t max_iter, double tol, mn_report *report, double *b, double *c)
{
  struct quantile_problem g;
  mn_dual_state d;
  MN_TRY(init_problem(ctx, data, quantile, l1, fit_intercept, &g));
  double *beta = MN_NEW(ctx, double, g.p, 1), *dy = MN_RAW(ctx, double, g.p, 1), *l = MN_RAW(ctx, double, g.p, g.p);
  double *a = MN_RAW(ctx, double, g.n, 1), *residual = MN_RAW(ctx, double, g.n, 1);
  if (!beta || !dy || !l || !a || !residual) return MN_NO_MEMORY;
  MN_TRY(init_point(ctx, &g, &d, beta, residual));
  MN_TRY(try_exact_fit(ctx, &g, beta, residual, &report->converged));
  bool keep_going = true;
  double best_gap = INFINITY, best = INFINITY;
  int stalled = 0;
  if (report->converged) mn_round(ctx, report, max_iter, objective(&g, residual) / g.weight);
  for (int64_t round = 0; keep_going && !report->converged && round < max_iter; round++) {
    MN_TRY(step(ctx, &g, &d, l, dy, a, beta));
    MN_TRY(residuals(ctx, &g, beta, residual));
    const double value = objective(&g, residual), gap = mn_dual_gap(&d, 0, 0);
    best = fmin(best, value);
    stalled = gap < 0.999 * best_gap ? 0 : stalled + 1;
    best_gap = fmin(best_gap, gap);
    report->change = gap / fmax(fabs(value), DBL_MIN);
    /* a gap within the rounding of the objective carries no information */
    report->converged =
        report->change <= fmax(tol, DBL_EPSILON) || !(gap > 0) || (stalled >= MAX_STALLED && report->change < 1e-6);
    keep_going = mn_round(ctx, report, max_iter, best / g.weight);
  }
  MN_TRY(move_to_vertex(ctx, &g, beta, residual));
  report->objective = fmin(report->objective, objective(&g, residual) / g.weight);
  store_coefficients(&g, beta, b, c);
  return mn_error_status(ctx);
}

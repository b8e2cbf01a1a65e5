#include "nonlinear.h"
#include "../factorization/lapack.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double min_ratio = 1e-3; /* of actual and predicted reduction of an accepted step */
static const double max_radius = 1e16;
static const double rounding_level = 1e-13; /* relative change of the sum of squares that is not reliable */
static const double reliable_offset = 1e-5; /* relative offset below which reductions are near rounding errors */
static const double stall_offset = 1e-4;    /* relative offset up to which a stalled search has converged */
enum { MAX_ROUNDING_STEPS = 10 };

/* How to search from the start: the next way is tried when one fails to converge, or ends where the data do not
 * determine all parameters. */
typedef struct strategy {
  double radius;    /* at the start; damping is its reciprocal                */
  double min_scale; /* as a fraction of the largest norm that a column has had */
} strategy;

static const strategy strategies[] = { { 1e4, 1e-3 }, { 1e4, 1 }, { 10, 1e-3 }, { 1e-2, 1 } };
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

typedef struct solver {
  const mn_nonlinear *problem;
  double min_scale;
  double *theta, *trial, *step; /* p */
  double *f, *residual;         /* n; residual = sqrt(w) (y - f) */
  double *jacobian;             /* n x p, times sqrt(w); columns of parameters at a bound are 0 */
  double *r, *qty;              /* p x p, p: its QR decomposition and the projection of the residual */
  double *predicted;            /* p: R step */
  double *scale, *max_norm;     /* p: D, and the largest norm of each column so far */
  double *damped, *target;      /* 2p x p, 2p */
  bool *fixed;                  /* p: at a bound, and the sum of squares falls beyond it */
  double rss, y_norm, offset, radius, decrease;
  size_t free;
  mn_rank rank;
  size_t rounding_steps;
} solver;

static double root_weight(const mn_nonlinear *q, size_t i)
{
  return q->weights ? sqrt(q->weights[i]) : 1;
}

/* Residuals at theta. Returns their sum of squares; infinite if one is not finite. */
static double compute_residuals(const mn_nonlinear *q, const double *f, double *residual)
{
  double sum = 0;
  for (size_t i = 0; i < q->n; i++) {
    residual[i] = root_weight(q, i) * (q->y[i] - f[i]);
    sum += residual[i] * residual[i];
  }
  return isfinite(sum) ? sum : INFINITY;
}

/* One column of central differences. */
static mn_status difference_column(mn_context *ctx, const mn_nonlinear *q, size_t j, double *theta, double *above,
                                   double *below, double *jacobian)
{
  const double at = theta[j], step = cbrt(DBL_EPSILON) * (at != 0 ? fabs(at) : 1);
  const double high = at + step <= q->upper[j] ? at + step : at, low = at - step >= q->lower[j] ? at - step : at;
  theta[j] = high;
  MN_TRY(q->evaluate(ctx, q->user, theta, above, NULL));
  theta[j] = low;
  MN_TRY(q->evaluate(ctx, q->user, theta, below, NULL));
  theta[j] = at;
  for (size_t i = 0; i < q->n; i++) jacobian[i * q->p + j] = (above[i] - below[i]) / (high - low);
  return MN_OK;
}

mn_status mn_nonlinear_differences(mn_context *ctx, const mn_nonlinear *q, const double *theta, double *jacobian)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *moved = MN_RAW(ctx, double, q->p, 1), *values = MN_RAW(ctx, double, q->n, 2);
  if (!moved || !values) return MN_NO_MEMORY;
  memcpy(moved, theta, q->p * sizeof *moved);
  for (size_t j = 0; j < q->p; j++) MN_TRY(difference_column(ctx, q, j, moved, values, values + q->n, jacobian));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status compute_jacobian(mn_context *ctx, solver *s)
{
  const mn_nonlinear *q = s->problem;
  if (q->analytic)
    MN_TRY(q->evaluate(ctx, q->user, s->theta, s->f, s->jacobian));
  else
    MN_TRY(mn_nonlinear_differences(ctx, q, s->theta, s->jacobian));
  for (size_t i = 0; i < q->n; i++)
    for (size_t j = 0; j < q->p; j++) {
      double *d = &s->jacobian[i * q->p + j];
      if (!isfinite(*d))
        return mn_fail(
            ctx, MN_BAD_DATA,
            "the derivative of the model with respect to parameter %zu is %g in row %zu; choose other starting values or bounds",
            j + 1, *d, i + 1);
      *d *= root_weight(q, i);
    }
  return MN_OK;
}

/* Mark parameters at a bound that the gradient would move beyond it, and zero their derivatives. */
static void fix_at_bounds(solver *s)
{
  const mn_nonlinear *q = s->problem;
  s->free = q->p;
  for (size_t j = 0; j < q->p; j++) {
    double descent = 0;
    for (size_t i = 0; i < q->n; i++) descent += s->jacobian[i * q->p + j] * s->residual[i];
    s->fixed[j] = (s->theta[j] <= q->lower[j] && descent <= 0) || (s->theta[j] >= q->upper[j] && descent >= 0);
    if (!s->fixed[j]) continue;
    s->free--;
    for (size_t i = 0; i < q->n; i++) s->jacobian[i * q->p + j] = 0;
  }
}

/* D: the norms of the columns, but not far below the largest so far, which would let a parameter diverge that has
 * little effect where the search is now. */
static void update_scale(solver *s)
{
  const size_t p = s->problem->p;
  for (size_t j = 0; j < p; j++) {
    double sum = 0;
    for (size_t i = 0; i <= j; i++) sum += s->r[i * p + j] * s->r[i * p + j];
    const double norm = sqrt(sum);
    s->max_norm[j] = fmax(s->max_norm[j], norm);
    s->scale[j] = fmax(norm, s->min_scale * s->max_norm[j]);
    if (!(s->scale[j] > 0)) s->scale[j] = 1;
  }
}

/* R times a step, in s->predicted. Returns its squared norm. */
static double multiply_r(solver *s, const double *step)
{
  const size_t p = s->problem->p;
  double sum = 0;
  for (size_t i = 0; i < p; i++) {
    s->predicted[i] = 0;
    for (size_t j = i; j < p; j++) s->predicted[i] += s->r[i * p + j] * step[j];
    sum += s->predicted[i] * s->predicted[i];
  }
  return sum;
}

/* Derivatives at theta, their QR decomposition, and the relative offset
 *
 *     sqrt(|Q1' r|^2 / p) / sqrt(|Q2' r|^2 / (n - p)) */
static mn_status linearize(mn_context *ctx, solver *s)
{
  const mn_nonlinear *q = s->problem;
  MN_TRY(compute_jacobian(ctx, s));
  fix_at_bounds(s);
  const mn_rows rows = { .n = q->n, .p = q->p, .m = 1, .x = s->jacobian, .y = s->residual };
  double orthogonal = 0;
  MN_TRY(mn_tall_qr(ctx, &rows, s->r, s->qty, &orthogonal));
  update_scale(s);
  MN_TRY(mn_solve_r(ctx, q->p, 1, s->r, s->qty, 0, s->step, &orthogonal, &s->rank));
  const double tangent = multiply_r(s, s->step);
  const size_t p = s->free > 0 ? s->free : 1, df = q->n > p ? q->n - p : 1;
  s->offset = tangent > 0 ? sqrt(tangent / (double)p * (double)df / orthogonal) : 0;
  return MN_OK;
}

/* The step of the current radius, within the bounds; s->trial = theta + step. */
static mn_status compute_step(mn_context *ctx, solver *s)
{
  const mn_nonlinear *q = s->problem;
  const size_t p = q->p;
  memset(s->damped, 0, 2 * p * p * sizeof *s->damped);
  memset(s->target, 0, 2 * p * sizeof *s->target);
  memcpy(s->damped, s->r, p * p * sizeof *s->r);
  memcpy(s->target, s->qty, p * sizeof *s->qty);
  for (size_t j = 0; j < p; j++) s->damped[(p + j) * p + j] = s->scale[j] / sqrt(s->radius);
  const mn_rows rows = { .n = 2 * p, .p = p, .m = 1, .x = s->damped, .y = s->target };
  double residual = 0;
  MN_TRY(mn_least_squares(ctx, &rows, 0, s->step, &residual, NULL));
  for (size_t j = 0; j < p; j++) {
    s->trial[j] = s->fixed[j] ? s->theta[j] : fmin(fmax(s->theta[j] + s->step[j], q->lower[j]), q->upper[j]);
    s->step[j] = s->trial[j] - s->theta[j];
  }
  return MN_OK;
}

static bool step_is_negligible(const solver *s)
{
  for (size_t j = 0; j < s->problem->p; j++)
    if (fabs(s->step[j]) > DBL_EPSILON * fabs(s->theta[j])) return false;
  return true;
}

/* The reduction of the sum of squares that the linear approximation predicts for s->step. */
static double predict_reduction(solver *s)
{
  const double squared = multiply_r(s, s->step);
  double product = 0;
  for (size_t i = 0; i < s->problem->p; i++) product += s->predicted[i] * s->qty[i];
  return 2 * product - squared;
}

/* Nielsen's update of the radius. */
static void update_radius(solver *s, bool accepted, double ratio)
{
  if (accepted) {
    const double t = 2 * fmin(ratio, 1) - 1;
    s->radius = fmin(s->radius / fmax(1.0 / 3, 1 - t * t * t), max_radius);
    s->decrease = 2;
  } else {
    s->radius /= s->decrease;
    s->decrease *= 2;
  }
}

/* Try s->trial: move there and linearize if the sum of squares decreases enough. Where the predicted reduction is below
 * rounding errors, a few steps are accepted unseen. */
static mn_status try_step(mn_context *ctx, solver *s)
{
  const mn_nonlinear *q = s->problem;
  const double expected = predict_reduction(s);
  double rss = INFINITY;
  if (expected > 0) {
    MN_TRY(q->evaluate(ctx, q->user, s->trial, s->f, NULL));
    rss = compute_residuals(q, s->f, s->residual);
  }
  const bool rounding =
      s->offset <= reliable_offset && expected < rounding_level * s->rss && rss <= s->rss * (1 + rounding_level);
  const double ratio = rounding ? 1 : (s->rss - rss) / expected;
  const bool accepted = expected > 0 && ratio > min_ratio;
  s->rounding_steps += rounding;
  update_radius(s, accepted, ratio);
  if (!accepted) return MN_OK;
  memcpy(s->theta, s->trial, q->p * sizeof *s->theta);
  s->rss = rss;
  return linearize(ctx, s);
}

/* The offset at which the residuals are rounding errors of f. */
static double smallest_offset(const solver *s)
{
  return DBL_EPSILON * s->y_norm / sqrt(s->rss);
}

static bool is_stationary(const solver *s)
{
  return s->free == 0 || s->rss == 0 || s->offset <= fmax(s->problem->tol, smallest_offset(s)) ||
         s->rounding_steps >= MAX_ROUNDING_STEPS;
}

static mn_status iterate(mn_context *ctx, solver *s, mn_nonlinear_result *out)
{
  out->converged = is_stationary(s);
  while (!out->converged && !out->stalled && out->n_iter < s->problem->max_iter) {
    MN_TRY(compute_step(ctx, s));
    out->n_iter++;
    if (step_is_negligible(s) || s->radius < DBL_MIN) {
      out->converged = s->offset <= fmax(stall_offset, 1e3 * smallest_offset(s));
      out->stalled = !out->converged;
      break;
    }
    MN_TRY(try_step(ctx, s));
    out->converged = is_stationary(s);
    if (!mn_report_progress(ctx, (double)out->n_iter, (double)s->problem->max_iter, s->rss)) break;
  }
  return MN_OK;
}

static mn_status allocate_solver(mn_context *ctx, solver *s)
{
  const size_t n = s->problem->n, p = s->problem->p;
  double *vectors = MN_NEW(ctx, double, p, 8);
  double *rows = MN_NEW(ctx, double, n, 2);
  s->jacobian = MN_NEW(ctx, double, n, p);
  s->r = MN_NEW(ctx, double, p, p);
  s->damped = MN_NEW(ctx, double, 2 * p, p);
  s->target = MN_NEW(ctx, double, 2, p);
  s->fixed = MN_NEW(ctx, bool, p, 1);
  if (!vectors || !rows || !s->jacobian || !s->r || !s->damped || !s->target || !s->fixed) return MN_NO_MEMORY;
  double **const parts[] = { &s->theta, &s->trial, &s->step, &s->qty, &s->predicted, &s->scale, &s->max_norm };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = vectors + k * p;
  s->f = rows;
  s->residual = rows + n;
  return MN_OK;
}

static mn_status start(mn_context *ctx, solver *s, const double *theta)
{
  const mn_nonlinear *q = s->problem;
  MN_TRY(allocate_solver(ctx, s));
  memcpy(s->theta, theta, q->p * sizeof *theta);
  MN_TRY(q->evaluate(ctx, q->user, s->theta, s->f, NULL));
  s->rss = compute_residuals(q, s->f, s->residual);
  for (size_t i = 0; i < q->n; i++) {
    if (!isfinite(s->f[i]))
      return mn_fail(ctx, MN_BAD_DATA, "the model must be finite at the starting values, is %g in row %zu", s->f[i],
                     i + 1);
    s->y_norm += pow(root_weight(q, i) * q->y[i], 2);
  }
  s->y_norm = sqrt(s->y_norm);
  return linearize(ctx, s);
}

/* inv(R' R) of an upper triangular R of order k. */
static void invert_gram(size_t k, const double *r, double *inverse, double *out)
{
  for (size_t j = 0; j < k; j++)
    for (size_t i = j + 1; i-- > 0;) {
      double sum = i == j;
      for (size_t l = i + 1; l <= j; l++) sum -= r[i * k + l] * inverse[l * k + j];
      inverse[i * k + j] = sum / r[i * k + i];
    }
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) {
      out[i * k + j] = 0;
      for (size_t l = i > j ? i : j; l < k; l++) out[i * k + j] += inverse[i * k + l] * inverse[j * k + l];
    }
}

/* The generalized inverse of R'R of order k and rank `rank`, NaN for parameters that it does not determine: those with
 * a part in the null space of R, whose columns are scaled to norm 1. */
static mn_status invert_determined(mn_context *ctx, size_t k, const double *r, size_t rank, double *out)
{
  static const double max_part = 1e-6; /* smaller components of the null vectors are rounding */
  double *scaled = MN_RAW(ctx, double, k, k), *norm = MN_NEW(ctx, double, k, 1), *value = MN_RAW(ctx, double, k, 1);
  double *vector = MN_RAW(ctx, double, k, k);
  if (!scaled || !norm || !value || !vector) return MN_NO_MEMORY;
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; i <= j; i++) norm[j] = hypot(norm[j], r[i * k + j]);
    if (!(norm[j] > 0)) norm[j] = 1;
    for (size_t i = 0; i < k; i++) scaled[i * k + j] = i <= j ? r[i * k + j] / norm[j] : 0;
  }
  MN_TRY(mn_svd(ctx, k, k, scaled, NULL, value, vector));
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) {
      double sum = 0;
      for (size_t l = 0; l < rank; l++) sum += vector[l * k + i] / value[l] * (vector[l * k + j] / value[l]);
      for (size_t l = rank; l < k; l++)
        if (fabs(vector[l * k + i]) > max_part || fabs(vector[l * k + j]) > max_part) sum = (double)NAN;
      out[i * k + j] = sum / norm[i] / norm[j];
    }
  return MN_OK;
}

/* The covariance over the free parameters; NaN elsewhere. */
static mn_status compute_covariance(mn_context *ctx, const solver *s, double *covariance, mn_nonlinear_result *out)
{
  const size_t p = s->problem->p, k = s->free;
  double *columns = MN_NEW(ctx, double, p, k), *work = MN_NEW(ctx, double, k, 3 * k), *zero = MN_NEW(ctx, double, k, 2);
  if (!columns || !work || !zero) return MN_NO_MEMORY;
  for (size_t i = 0, at = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      covariance[i * p + j] = (double)NAN;
      if (!s->fixed[j]) columns[at++] = s->r[i * p + j];
    }
  if (k == 0) return MN_OK;
  double *r = work, *inverse = work + k * k, *compact = work + 2 * k * k;
  const mn_rows rows = { .n = p, .p = k, .x = columns };
  mn_rank rank = { 0 };
  MN_TRY(mn_tall_qr(ctx, &rows, r, NULL, NULL));
  MN_TRY(mn_solve_r(ctx, k, 1, r, zero, 0, zero + k, NULL, &rank));
  out->rank = rank.rank;
  out->rcond = rank.rcond;
  if (rank.rank < k)
    MN_TRY(invert_determined(ctx, k, r, rank.rank, compact));
  else
    invert_gram(k, r, inverse, compact);
  for (size_t i = 0, at = 0; i < p; i++)
    for (size_t j = 0; j < p; j++)
      if (!s->fixed[i] && !s->fixed[j]) covariance[i * p + j] = compact[at++];
  return MN_OK;
}

/* Whether the result of one strategy is to be preferred to the best so far. */
static bool is_better(const mn_nonlinear_result *result, const mn_nonlinear_result *best)
{
  const bool success = result->converged && result->rank == result->free;
  const bool best_success = best->converged && best->rank == best->free;
  return success != best_success ? success : result->rss < best->rss;
}

static mn_status search(mn_context *ctx, const mn_nonlinear *problem, const strategy *how, double *theta,
                        double *covariance, mn_nonlinear_result *result)
{
  solver s = { .problem = problem, .radius = how->radius, .min_scale = how->min_scale, .decrease = 2 };
  MN_TRY(start(ctx, &s, theta));
  MN_TRY(iterate(ctx, &s, result));
  memcpy(theta, s.theta, problem->p * sizeof *theta);
  result->rss = s.rss;
  result->offset = s.offset;
  result->free = s.free;
  return compute_covariance(ctx, &s, covariance, result);
}

mn_status mn_nonlinear_fit(mn_context *ctx, const mn_nonlinear *problem, double *theta, double *covariance,
                           mn_nonlinear_result *result)
{
  const size_t p = problem->p;
  double *first = MN_RAW(ctx, double, p, 1), *estimate = MN_RAW(ctx, double, p, 1);
  double *variance = MN_RAW(ctx, double, p, p);
  if (!first || !estimate || !variance) return MN_NO_MEMORY;
  memcpy(first, theta, p * sizeof *first);
  *result = (mn_nonlinear_result){ .rss = INFINITY };
  for (size_t k = 0; k < STRATEGIES; k++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_nonlinear_result one = { .n_iter = result->n_iter };
    memcpy(estimate, first, p * sizeof *first);
    MN_TRY(search(ctx, problem, &strategies[k], estimate, variance, &one));
    mn_scratch_release(ctx, mark);
    const size_t n_iter = one.n_iter;
    if (k == 0 || is_better(&one, result)) {
      *result = one;
      memcpy(theta, estimate, p * sizeof *theta);
      memcpy(covariance, variance, p * p * sizeof *variance);
    }
    result->n_iter = n_iter;
    if ((result->converged && result->rank == result->free) || n_iter >= problem->max_iter || !mn_should_continue(ctx))
      break;
  }
  return MN_OK;
}

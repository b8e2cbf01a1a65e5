#include "logistic_newton.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../model/class.h"
#include <float.h>
#include <math.h>

#define SMALL_CHANGE 1e-6 /* share of the objective: the step changes each curvature by about 0.3% */
#define EXPECTED_DECREASE 1e-4

/* Factor the Hessian. Where it is not positive definite (collinear columns, no penalty) a small multiple of the
 * identity is added. */
static mn_status factor_hessian(mn_context *ctx, mn_logistic_newton *w)
{
  const mn_logistic_objective *o = w->o;
  const mn_data *d = o->data;
  const size_t p = o->p;
  double largest = 0, jitter = 0;
  size_t minor = 1;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *gram = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(gram);
  MN_TRY(mn_gram(ctx, d->rows, p, d->x.at, p, 0, NULL, 0, o->curvature, o->fit_intercept, &w->total, w->mean, gram, p));
  for (size_t j = 0; j < p; j++) largest = fmax(largest, o->C * gram[j * p + j]);
  for (int attempt = 0; minor > 0; attempt++) {
    for (size_t i = 0; i < p * p; i++) w->hessian[i] = o->C * gram[i];
    for (size_t j = 0; j < p; j++) w->hessian[j * p + j] += o->penalty + jitter;
    MN_TRY(mn_chol_try(ctx, p, w->hessian, NULL, &minor));
    jitter = jitter > 0 ? 100 * jitter : 1e-12 * (largest > 0 ? largest : 1);
    if (attempt == 12)
      return mn_fail(ctx, MN_SINGULAR,
                     "LogisticRegression: the columns of X are collinear; use penalty = 'l2' or remove columns");
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The step -inv(H) g; *decrement = g' inv(H) g. */
static mn_status newton_step(mn_context *ctx, mn_logistic_newton *w, double *decrement)
{
  const mn_logistic_objective *o = w->o;
  const size_t p = o->p;
  const bool has_intercept = o->fit_intercept && w->total > 0;
  for (size_t j = 0; j < p; j++) w->db[j] = -(w->gb[j] - (has_intercept ? w->mean[j] * w->gc : 0));
  MN_TRY(mn_chol_apply(ctx, p, 1, w->hessian, w->db));
  w->dc = has_intercept ? -w->gc / (o->C * w->total) : 0;
  for (size_t j = 0; has_intercept && j < p; j++) w->dc -= w->mean[j] * w->db[j];
  *decrement = -w->gc * w->dc;
  for (size_t j = 0; j < p; j++) *decrement -= w->gb[j] * w->db[j];
  return MN_OK;
}

/* The step and r->change, the share of the objective that it gains. *near: the factor is that of the point before,
 * whose step was so small that the Hessian is nearly the same. It serves again unless the change falls more slowly than
 * then expected; in any case *near tells whether it may serve the next point. */
static mn_status next_step(mn_context *ctx, mn_logistic_newton *w, bool *near, mn_report *r, double *decrement)
{
  const double before = r->change, scale = 2 * fmax(fabs(w->value), DBL_MIN);
  bool reuse = *near;
  if (reuse) {
    MN_TRY(newton_step(ctx, w, decrement));
    r->change = fmax(*decrement, 0) / scale;
    reuse = r->change <= EXPECTED_DECREASE * before;
  }
  if (!reuse) {
    MN_TRY(factor_hessian(ctx, w));
    MN_TRY(newton_step(ctx, w, decrement));
    r->change = fmax(*decrement, 0) / scale;
  }
  *near = r->change <= SMALL_CHANGE;
  return MN_OK;
}

/* Backtrack along the step until the objective falls enough. *moved is false when rounding leaves nothing to gain. */
static mn_status newton_line_search(mn_context *ctx, mn_logistic_newton *w, double decrement, bool *moved)
{
  const size_t p = w->o->p;
  double length = 1;
  *moved = false;
  for (int halvings = 0; halvings < 40; halvings++, length /= 2) {
    double value;
    const double c = w->c + length * w->dc;
    for (size_t j = 0; j < p; j++) w->trial[j] = w->b[j] + length * w->db[j];
    MN_TRY(mn_logistic_evaluate(ctx, w->o, w->trial, &c, &value, w->gb, &w->gc));
    const double slack = 1e-14 * fabs(w->value); /* a decrease below rounding cannot be seen */
    if (!(value <= w->value - 1e-4 * length * decrement + slack)) continue;
    double *swap = w->b;
    w->b = w->trial;
    w->trial = swap;
    w->c = c;
    w->value = value;
    *moved = true;
    return MN_OK;
  }
  return MN_OK;
}

mn_status mn_logistic_run_newton(mn_context *ctx, mn_logistic_newton *w, double tol, int64_t max_iter, mn_report *r)
{
  const size_t p = w->o->p;
  if (!w->b) w->b = MN_NEW(ctx, double, p, 1);
  w->gb = MN_NEW(ctx, double, p, 1);
  w->db = MN_NEW(ctx, double, p, 1);
  w->trial = MN_NEW(ctx, double, p, 1);
  w->hessian = MN_RAW(ctx, double, p, p);
  w->mean = MN_NEW(ctx, double, p + 1, 1);
  w->o->curvature = MN_RAW(ctx, double, w->o->data->rows, 1);
  if (!w->b || !w->gb || !w->db || !w->trial || !w->hessian || !w->mean || !w->o->curvature) return MN_NO_MEMORY;
  MN_TRY(mn_logistic_evaluate(ctx, w->o, w->b, &w->c, &w->value, w->gb, &w->gc));
  bool moved = true, keep_going = true, near = false;
  while (keep_going && moved && !r->converged && r->n_iter < max_iter) {
    double decrement = 0;
    MN_TRY(next_step(ctx, w, &near, r, &decrement));
    r->converged = r->change <= tol;
    MN_TRY(newton_line_search(ctx, w, decrement, &moved));
    r->converged = r->converged || !moved;
    keep_going = mn_round(ctx, r, max_iter, w->value);
  }
  return mn_error_status(ctx);
}

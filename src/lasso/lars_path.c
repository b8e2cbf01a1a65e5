#include "lars_path.h"
#include "../linalg/product.h"
#include "../linalg/reduce.h"
#include <string.h>

enum { INITIAL_CAPACITY = 16 };

/* Relative size of correlations and squares that is rounding. */
static const double rounding = 1e-13;
/* Knots that differ by less count as one, so that ties are broken by the lowest index on every CPU. */
static const double tie = 1e-12;

mn_status mn_lars_path_init(mn_context *ctx, const mn_cd_data *d, size_t target, const mn_lars_settings *settings,
                            mn_lars_path *out)
{
  const size_t n = d->z->n, p = d->p, max_active = n < p ? n : p;
  mn_cd problem;
  MN_TRY(mn_cd_target(ctx, d, target, &problem));
  *out = (mn_lars_path){ .settings = *settings, .n = n, .p = p, .z = d->z->dense, .norm = d->z->norm, .v = problem.v };
  out->vv = problem.yy;
  out->active = MN_NEW(ctx, bool, p, 1);
  out->dependent = MN_NEW(ctx, bool, p, 1);
  out->u = MN_RAW(ctx, double, max_active, 1);
  out->d = MN_RAW(ctx, double, max_active, 1);
  out->residual = MN_RAW(ctx, double, n, 1);
  out->direction = MN_RAW(ctx, double, n, 1);
  out->e = MN_RAW(ctx, double, p, 1);
  out->a = MN_RAW(ctx, double, p, 1);
  if (!out->active || !out->dependent || !out->u || !out->d || !out->residual || !out->direction || !out->e || !out->a)
    return MN_NO_MEMORY;
  out->alpha = INFINITY;
  out->pending = p;
  return mn_lars_set_init(ctx, &out->set, n, max_active, out->v);
}

/* Append a knot at alpha with coefficients 0. */
static mn_status add_knot(mn_context *ctx, mn_lars_path *s, double alpha)
{
  if (s->knots == s->capacity) {
    const size_t capacity = s->capacity > 0 ? 2 * s->capacity : INITIAL_CAPACITY;
    double *alphas = MN_RAW(ctx, double, capacity, 1), **coefs = MN_RAW(ctx, double *, capacity, 1);
    if (!alphas || !coefs) return MN_NO_MEMORY;
    for (size_t k = 0; k < s->knots; k++) {
      alphas[k] = s->alphas[k];
      coefs[k] = s->coefs[k];
    }
    s->alphas = alphas;
    s->coefs = coefs;
    s->capacity = capacity;
  }
  s->alphas[s->knots] = alpha;
  s->coefs[s->knots] = MN_NEW(ctx, double, s->p, 1);
  MN_CHECK_ALLOC(s->coefs[s->knots]);
  s->knots++;
  return MN_OK;
}

/* The correlation of column j is e + alpha a: the alpha below the present one at which it is sign alpha; 0: none. */
static double joining_alpha_with_sign(const mn_lars_path *s, size_t j, double sign)
{
  const double rate = 1 - sign * s->a[j], e = sign * s->e[j];
  if (!(rate > 0 && e > rounding * sqrt(s->norm[j] * s->vv))) return 0;
  return fmin(e / rate, s->alpha);
}

static double joining_alpha(const mn_lars_path *s, size_t j, double *sign)
{
  const double up = joining_alpha_with_sign(s, j, 1),
               down = s->settings.positive ? 0 : joining_alpha_with_sign(s, j, -1);
  *sign = up >= down ? 1 : -1;
  return fmax(up, down);
}

/* The alpha at which the coefficient at position k of the active set reaches 0; 0: none. */
static double removal_alpha(const mn_lars_path *s, size_t k)
{
  const double size = s->set.sign[k] * s->u[k], slope = s->set.sign[k] * s->d[k];
  if (!(s->settings.lasso && slope < 0 && size < 0)) return 0;
  const double at = fmin(size / slope, s->alpha);
  return at > DBL_EPSILON * s->alpha_max ? at : 0;
}

/* The next event as alpha decreases. */
struct event {
  double alpha;    /* 0: none */
  size_t column;   /* column to add, or p */
  size_t position; /* of the column to remove, or the size of the active set */
};

static struct event next_event(const mn_lars_path *s)
{
  struct event next = { .column = s->p, .position = s->set.size };
  double sign;
  for (size_t k = 0; k < s->set.size; k++) {
    const double at = removal_alpha(s, k);
    if (at <= next.alpha * (1 + tie)) continue;
    next.alpha = at;
    next.position = k;
  }
  for (size_t j = 0; j < s->p; j++) {
    const double at = s->active[j] || s->dependent[j] ? 0 : joining_alpha(s, j, &sign);
    if (at <= next.alpha * (1 + tie)) continue;
    next.alpha = at;
    next.column = j;
    next.position = s->set.size;
  }
  return next;
}

/* The next event, excluding columns that depend on the active ones until one of those is removed. */
static mn_status find_event(mn_context *ctx, mn_lars_path *s, double alpha_min, struct event *next)
{
  for (;;) {
    bool fits = true;
    MN_TRY(mn_poll(ctx));
    *next = next_event(s);
    if (next->column < s->p && next->alpha > alpha_min)
      MN_TRY(mn_lars_set_orthogonalize(ctx, &s->set, s->z + next->column * s->n, s->norm[next->column],
                                       fmax(s->settings.eps, rounding * rounding), &fits));
    if (fits) return MN_OK;
    s->dependent[next->column] = true;
  }
}

static void add_pending(mn_lars_path *s)
{
  double sign;
  if (s->pending == s->p) return;
  joining_alpha(s, s->pending, &sign);
  mn_lars_set_add(&s->set, s->pending, sign);
  s->active[s->pending] = true;
  s->pending = s->p;
}

static void remove_column(mn_lars_path *s, size_t position)
{
  s->active[s->set.column[position]] = false;
  s->coefs[s->knots - 1][s->set.column[position]] = 0;
  mn_lars_set_remove(&s->set, position);
  memset(s->dependent, 0, s->p * sizeof *s->dependent);
}

/* Coefficients of the lasso have the sign of their correlation or are 0; anything else is rounding. */
static void set_coefs(const mn_lars_path *s, double *b)
{
  for (size_t k = 0; k < s->set.size; k++) {
    const double coef = s->u[k] - s->alpha * s->d[k];
    b[s->set.column[k]] = s->settings.lasso && coef * s->set.sign[k] < 0 ? 0 : coef;
  }
}

mn_status mn_lars_step(mn_context *ctx, mn_lars_path *s, double alpha_min)
{
  struct event next;
  add_pending(s);
  MN_TRY(mn_lars_set_solve(ctx, &s->set, s->u, s->d, s->residual, s->direction));
  MN_TRY(mn_gemv(ctx, false, s->p, s->n, 1, s->z, s->n, s->residual, 0, s->e));
  MN_TRY(mn_gemv(ctx, false, s->p, s->n, 1, s->z, s->n, s->direction, 0, s->a));
  MN_TRY(find_event(ctx, s, alpha_min, &next));
  s->alpha = fmax(next.alpha, alpha_min);
  if (s->knots == 0) s->alpha_max = s->alpha;
  MN_TRY(add_knot(ctx, s, s->alpha));
  set_coefs(s, s->coefs[s->knots - 1]);
  s->done = next.alpha <= alpha_min;
  if (s->done) return MN_OK;
  s->pending = next.column;
  if (next.position < s->set.size) remove_column(s, next.position);
  return MN_OK;
}

double mn_lars_objective(const mn_lars_path *s, double alpha)
{
  const double *b = s->coefs[s->knots - 1];
  double squares = 0, norm = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double r = s->residual[i] + s->alpha * s->direction[i];
    squares += r * r;
  }
  for (size_t j = 0; j < s->p; j++) norm += fabs(b[j]);
  return squares / 2 + alpha * norm;
}

bool mn_lars_coef_at(const mn_lars_path *s, double alpha, double *b)
{
  size_t k = 0;
  while (k < s->knots && s->alphas[k] > alpha) k++;
  if (k == s->knots) return false;
  const double *after = s->coefs[k], *before = k > 0 ? s->coefs[k - 1] : after;
  const double step = k > 0 ? s->alphas[k - 1] - s->alphas[k] : 1, share = (alpha - s->alphas[k]) / step;
  for (size_t j = 0; j < s->p; j++) b[j] = k > 0 ? after[j] + share * (before[j] - after[j]) : 0;
  return true;
}

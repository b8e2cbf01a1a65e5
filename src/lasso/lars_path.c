#include "lars_path.h"
#include "../linalg/product.h"
#include "../linalg/reduce.h"
#include <string.h>

enum { FIRST_KNOTS = 16 };

/* What is smaller, as a correlation or a share, is rounding. */
static const double rounding = 1e-13;
/* Knots are one when they differ by less: of columns that come together the first comes first, on every CPU. */
static const double together = 1e-12;

mn_status mn_lars_path_init(mn_context *ctx, const mn_cd_data *d, size_t target, const mn_lars_settings *with,
                        mn_lars_path *out)
{
  const size_t n = d->z->n, p = d->p, most = n < p ? n : p;
  mn_cd problem;
  MN_TRY(mn_cd_target(ctx, d, target, &problem));
  *out = (mn_lars_path){ .with = *with, .n = n, .p = p, .z = d->z->dense, .norm = d->z->norm, .v = problem.v };
  out->vv = problem.yy;
  out->inside = MN_NEW(ctx, bool, p, 1);
  out->out = MN_NEW(ctx, bool, p, 1);
  out->u = MN_RAW(ctx, double, most, 1);
  out->d = MN_RAW(ctx, double, most, 1);
  out->residual = MN_RAW(ctx, double, n, 1);
  out->toward = MN_RAW(ctx, double, n, 1);
  out->e = MN_RAW(ctx, double, p, 1);
  out->a = MN_RAW(ctx, double, p, 1);
  if (!out->inside || !out->out || !out->u || !out->d || !out->residual || !out->toward || !out->e || !out->a)
    return MN_NO_MEMORY;
  out->alpha = INFINITY;
  out->coming = p;
  return mn_lars_set_init(ctx, &out->set, n, most, out->v);
}

/* A new knot at alpha, of zeros. */
static mn_status add_knot(mn_context *ctx, mn_lars_path *s, double alpha)
{
  if (s->knots == s->room) {
    const size_t room = s->room > 0 ? 2 * s->room : FIRST_KNOTS;
    double *alphas = MN_RAW(ctx, double, room, 1), **coefs = MN_RAW(ctx, double *, room, 1);
    if (!alphas || !coefs) return MN_NO_MEMORY;
    for (size_t k = 0; k < s->knots; k++) {
      alphas[k] = s->alphas[k];
      coefs[k] = s->coefs[k];
    }
    s->alphas = alphas;
    s->coefs = coefs;
    s->room = room;
  }
  s->alphas[s->knots] = alpha;
  s->coefs[s->knots] = MN_NEW(ctx, double, s->p, 1);
  MN_CHECK_ALLOC(s->coefs[s->knots]);
  s->knots++;
  return MN_OK;
}

/* The correlation of a column is e + alpha a: where, going down from here, it has the size alpha with this sign; 0:
 * nowhere. */
static double meets(const mn_lars_path *s, size_t j, double sign)
{
  const double rate = 1 - sign * s->a[j], e = sign * s->e[j];
  if (!(rate > 0 && e > rounding * sqrt(s->norm[j] * s->vv))) return 0;
  return fmin(e / rate, s->alpha);
}

static double meets_either(const mn_lars_path *s, size_t j, double *sign)
{
  const double up = meets(s, j, 1), down = s->with.positive ? 0 : meets(s, j, -1);
  *sign = up >= down ? 1 : -1;
  return fmax(up, down);
}

/* Where the weight at a position of the set comes to 0; 0: nowhere. */
static double leaves(const mn_lars_path *s, size_t k)
{
  const double size = s->set.sign[k] * s->u[k], slope = s->set.sign[k] * s->d[k];
  if (!(s->with.lasso && slope < 0 && size < 0)) return 0;
  const double at = fmin(size / slope, s->alpha);
  return at > DBL_EPSILON * s->first ? at : 0;
}

/* What comes next on the way down. */
struct event {
  double alpha;    /* 0: nothing */
  size_t comes;    /* column, or p */
  size_t position; /* of the one that leaves, or the size of the set */
};

static struct event next_event(const mn_lars_path *s)
{
  struct event next = { .comes = s->p, .position = s->set.size };
  double sign;
  for (size_t k = 0; k < s->set.size; k++) {
    const double at = leaves(s, k);
    if (at <= next.alpha * (1 + together)) continue;
    next.alpha = at;
    next.position = k;
  }
  for (size_t j = 0; j < s->p; j++) {
    const double at = s->inside[j] || s->out[j] ? 0 : meets_either(s, j, &sign);
    if (at <= next.alpha * (1 + together)) continue;
    next.alpha = at;
    next.comes = j;
    next.position = s->set.size;
  }
  return next;
}

/* The next event that is one: columns that depend on the active ones are put aside on the way, until one leaves. */
static mn_status find_event(mn_context *ctx, mn_lars_path *s, double until, struct event *next)
{
  for (;;) {
    bool fits = true;
    MN_TRY(mn_poll(ctx));
    *next = next_event(s);
    if (next->comes < s->p && next->alpha > until)
      MN_TRY(mn_lars_set_orthogonalize(ctx, &s->set, s->z + next->comes * s->n, s->norm[next->comes],
                             fmax(s->with.eps, rounding * rounding), &fits));
    if (fits) return MN_OK;
    s->out[next->comes] = true;
  }
}

static void let_in(mn_lars_path *s)
{
  double sign;
  if (s->coming == s->p) return;
  meets_either(s, s->coming, &sign);
  mn_lars_set_add(&s->set, s->coming, sign);
  s->inside[s->coming] = true;
  s->coming = s->p;
}

static void let_out(mn_lars_path *s, size_t position)
{
  s->inside[s->set.column[position]] = false;
  s->coefs[s->knots - 1][s->set.column[position]] = 0;
  mn_lars_set_remove(&s->set, position);
  memset(s->out, 0, s->p * sizeof *s->out);
}

/* Those of the lasso have the sign of their correlation, or are 0: what is beyond is rounding. */
static void set_weights(const mn_lars_path *s, double *b)
{
  for (size_t k = 0; k < s->set.size; k++) {
    const double weight = s->u[k] - s->alpha * s->d[k];
    b[s->set.column[k]] = s->with.lasso && weight * s->set.sign[k] < 0 ? 0 : weight;
  }
}

mn_status mn_lars_step(mn_context *ctx, mn_lars_path *s, double until)
{
  struct event next;
  let_in(s);
  MN_TRY(mn_lars_set_solve(ctx, &s->set, s->u, s->d, s->residual, s->toward));
  MN_TRY(mn_gemv(ctx, false, s->p, s->n, 1, s->z, s->n, s->residual, 0, s->e));
  MN_TRY(mn_gemv(ctx, false, s->p, s->n, 1, s->z, s->n, s->toward, 0, s->a));
  MN_TRY(find_event(ctx, s, until, &next));
  s->alpha = fmax(next.alpha, until);
  if (s->knots == 0) s->first = s->alpha;
  MN_TRY(add_knot(ctx, s, s->alpha));
  set_weights(s, s->coefs[s->knots - 1]);
  s->ended = next.alpha <= until;
  if (s->ended) return MN_OK;
  s->coming = next.comes;
  if (next.position < s->set.size) let_out(s, next.position);
  return MN_OK;
}

double mn_lars_objective(const mn_lars_path *s, double alpha)
{
  const double *b = s->coefs[s->knots - 1];
  double squares = 0, norm = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double r = s->residual[i] + s->alpha * s->toward[i];
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

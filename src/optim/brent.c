#include "brent.h"
#include <float.h>
#include <math.h>

enum { MOST_STEPS = 500 };

static mn_status check_range(mn_context *ctx, const char *who, double a, double b)
{
  char first[MN_NUMBER_SIZE], second[MN_NUMBER_SIZE];
  if (fabs(a) <= DBL_MAX && fabs(b) <= DBL_MAX) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the ends must be finite, got %s and %s", who, mn_format_number(first, a),
                 mn_format_number(second, b));
}

/* b is the best point so far, a the one before, c the other side of the root. */
struct root {
  double a, fa, b, fb, c, fc, step, step_before;
};

static void order(struct root *r)
{
  if ((r->fb > 0) == (r->fc > 0)) {
    r->c = r->a;
    r->fc = r->fa;
    r->step = r->step_before = r->b - r->a;
  }
  if (fabs(r->fc) < fabs(r->fb)) {
    r->a = r->b;
    r->b = r->c;
    r->c = r->a;
    r->fa = r->fb;
    r->fb = r->fc;
    r->fc = r->fa;
  }
}

/* By secant or inverse parabola; by halving when that would not shrink the bracket fast enough. */
static void choose_step(struct root *r, double middle, double tolerance)
{
  const double s = r->fb / r->fa;
  double p, q;
  if (r->a == r->c) {
    p = 2 * middle * s;
    q = 1 - s;
  } else {
    const double u = r->fa / r->fc, v = r->fb / r->fc;
    p = s * (2 * middle * u * (u - v) - (r->b - r->a) * (v - 1));
    q = (u - 1) * (v - 1) * (s - 1);
  }
  if (p > 0)
    q = -q;
  else
    p = -p;
  const bool good = fabs(r->step_before) >= tolerance && fabs(r->fa) > fabs(r->fb) &&
                    2 * p < fmin(3 * middle * q - fabs(tolerance * q), fabs(r->step_before * q));
  r->step_before = good ? r->step : middle;
  r->step = good ? p / q : middle;
}

mn_status mn_brent_root(mn_context *ctx, mn_function f, void *user, double a, double b, double tolerance, double *root)
{
  char first[MN_NUMBER_SIZE], second[MN_NUMBER_SIZE];
  MN_TRY(check_range(ctx, "root", a, b));
  struct root r = { .a = a, .fa = f(user, a), .b = b, .fb = f(user, b) };
  const bool brackets = (r.fa <= 0 && r.fb >= 0) || (r.fa >= 0 && r.fb <= 0);
  if (!brackets)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "root: the function must change its sign between the ends, got %s and %s",
                   mn_format_number(first, r.fa), mn_format_number(second, r.fb));
  r.c = r.b; /* so that the first order() takes a for the other side */
  r.fc = r.fb;
  if (r.fa == 0) {
    r.b = a;
    r.fb = 0;
  }
  for (int i = 0; i < MOST_STEPS && r.fb != 0; i++) {
    order(&r);
    const double close = 2 * DBL_EPSILON * fabs(r.b) + tolerance / 2, middle = (r.c - r.b) / 2;
    if (fabs(middle) <= close || r.fb == 0) break;
    choose_step(&r, middle, close);
    r.a = r.b;
    r.fa = r.fb;
    r.b += fabs(r.step) > close ? r.step : copysign(close, middle);
    r.fb = f(user, r.b);
    if (isnan(r.fb))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "root: the function must be a number, got nan at %s",
                     mn_format_number(first, r.b));
  }
  *root = r.b;
  return MN_OK;
}

/* x is the best point, w the second best, v the one that was second best before. */
struct valley {
  double low, high, x, fx, w, fw, v, fv, step, step_before;
};

static double golden(struct valley *s, double middle)
{
  static const double share = 0.38196601125010515; /* (3 - sqrt(5)) / 2 */
  s->step_before = s->x < middle ? s->high - s->x : s->low - s->x;
  return share * s->step_before;
}

/* The vertex of the parabola through three points, or golden section where it leads astray. */
static double next_step(struct valley *s, double middle, double close)
{
  const double r = (s->x - s->w) * (s->fx - s->fv);
  double q = (s->x - s->v) * (s->fx - s->fw);
  double p = (s->x - s->v) * q - (s->x - s->w) * r;
  q = 2 * (q - r);
  if (q > 0)
    p = -p;
  else
    q = -q;
  const double before = s->step_before;
  const bool good =
      fabs(before) > close && fabs(p) < fabs(q * before / 2) && p > q * (s->low - s->x) && p < q * (s->high - s->x);
  if (!good) return golden(s, middle);
  s->step_before = s->step;
  const double u = s->x + p / q;
  const bool at_end = u - s->low < 2 * close || s->high - u < 2 * close;
  return at_end ? copysign(close, middle - s->x) : p / q;
}

static void place(struct valley *s, double u, double fu)
{
  if (fu <= s->fx) {
    *(u < s->x ? &s->high : &s->low) = s->x;
    s->v = s->w;
    s->fv = s->fw;
    s->w = s->x;
    s->fw = s->fx;
    s->x = u;
    s->fx = fu;
    return;
  }
  *(u < s->x ? &s->low : &s->high) = u;
  if (fu <= s->fw || s->w == s->x) {
    s->v = s->w;
    s->fv = s->fw;
    s->w = u;
    s->fw = fu;
  } else if (fu <= s->fv || s->v == s->x || s->v == s->w) {
    s->v = u;
    s->fv = fu;
  }
}

static double height(mn_function f, void *user, double x)
{
  const double value = f(user, x);
  return isnan(value) ? INFINITY : value;
}

mn_status mn_brent_minimize(mn_context *ctx, mn_function f, void *user, double a, double b, double tolerance, double *x,
                            double *value)
{
  MN_TRY(check_range(ctx, "minimum", a, b));
  struct valley s = { .low = fmin(a, b), .high = fmax(a, b) };
  s.x = s.w = s.v = s.low + 0.38196601125010515 * (s.high - s.low);
  s.fx = s.fw = s.fv = height(f, user, s.x);
  for (int i = 0; i < MOST_STEPS; i++) {
    const double middle = s.low + (s.high - s.low) / 2, close = sqrt(DBL_EPSILON) * fabs(s.x) + tolerance / 3 + DBL_MIN;
    if (fabs(s.x - middle) <= 2 * close - (s.high - s.low) / 2) break;
    s.step = next_step(&s, middle, close);
    const double u = s.x + (fabs(s.step) >= close ? s.step : copysign(close, s.step));
    place(&s, u, height(f, user, u));
  }
  *x = s.x;
  if (value) *value = s.fx;
  return MN_OK;
}

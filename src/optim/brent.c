#include "brent.h"
#include <float.h>
#include <math.h>

enum { MAX_STEPS = 500 };

static mn_status check_range(mn_context *ctx, const char *who, double a, double b)
{
  char first[MN_NUMBER_SIZE], second[MN_NUMBER_SIZE];
  if (fabs(a) <= DBL_MAX && fabs(b) <= DBL_MAX) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the ends must be finite, got %s and %s", who, mn_format_number(first, a),
                 mn_format_number(second, b));
}

/* b: the best point so far; a: the point before it; c: the point on the other side of the root. */
struct root {
  double a, fa, b, fb, c, fc, step, previous_step;
};

static void order_points(struct root *r)
{
  if ((r->fb > 0) == (r->fc > 0)) {
    r->c = r->a;
    r->fc = r->fa;
    r->step = r->previous_step = r->b - r->a;
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

/* Secant or inverse quadratic interpolation; bisection when that would not shrink the bracket fast enough. */
static void choose_step(struct root *r, double midpoint, double tolerance)
{
  const double s = r->fb / r->fa;
  double p, q;
  if (r->a == r->c) {
    p = 2 * midpoint * s;
    q = 1 - s;
  } else {
    const double u = r->fa / r->fc, v = r->fb / r->fc;
    p = s * (2 * midpoint * u * (u - v) - (r->b - r->a) * (v - 1));
    q = (u - 1) * (v - 1) * (s - 1);
  }
  if (p > 0)
    q = -q;
  else
    p = -p;
  const bool good = fabs(r->previous_step) >= tolerance && fabs(r->fa) > fabs(r->fb) &&
                    2 * p < fmin(3 * midpoint * q - fabs(tolerance * q), fabs(r->previous_step * q));
  r->previous_step = good ? r->step : midpoint;
  r->step = good ? p / q : midpoint;
}

mn_status mn_brent_root(mn_context *ctx, mn_function f, void *user, double a, double b, double tolerance, double *root)
{
  char first[MN_NUMBER_SIZE], second[MN_NUMBER_SIZE];
  MN_TRY(check_range(ctx, "root", a, b));
  struct root r = { .a = a, .fa = f(user, a), .b = b, .fb = f(user, b) };
  const bool brackets = (r.fa <= 0 && r.fb >= 0) || (r.fa >= 0 && r.fb <= 0);
  if (!brackets)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "root: the function must have opposite signs at the ends, got %s and %s",
                   mn_format_number(first, r.fa), mn_format_number(second, r.fb));
  r.c = r.b; /* the first order_points() then makes a the other side */
  r.fc = r.fb;
  if (r.fa == 0) {
    r.b = a;
    r.fb = 0;
  }
  for (int i = 0; i < MAX_STEPS && r.fb != 0; i++) {
    order_points(&r);
    const double precision = 2 * DBL_EPSILON * fabs(r.b) + tolerance / 2, midpoint = (r.c - r.b) / 2;
    if (fabs(midpoint) <= precision || r.fb == 0) break;
    choose_step(&r, midpoint, precision);
    r.a = r.b;
    r.fa = r.fb;
    r.b += fabs(r.step) > precision ? r.step : copysign(precision, midpoint);
    r.fb = f(user, r.b);
    if (isnan(r.fb))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "root: the function must return a number, got nan at %s",
                     mn_format_number(first, r.b));
  }
  *root = r.b;
  return MN_OK;
}

/* x: the best point; w: the second best; v: the previous w. */
struct search {
  double low, high, x, fx, w, fw, v, fv, step, previous_step;
};

static double golden_section(struct search *s, double midpoint)
{
  static const double ratio = 0.38196601125010515; /* (3 - sqrt(5)) / 2 */
  s->previous_step = s->x < midpoint ? s->high - s->x : s->low - s->x;
  return ratio * s->previous_step;
}

/* The vertex of the parabola through x, w and v, or a golden-section step where that is not acceptable. */
static double parabolic_step(struct search *s, double midpoint, double precision)
{
  const double r = (s->x - s->w) * (s->fx - s->fv);
  double q = (s->x - s->v) * (s->fx - s->fw);
  double p = (s->x - s->v) * q - (s->x - s->w) * r;
  q = 2 * (q - r);
  if (q > 0)
    p = -p;
  else
    q = -q;
  const double before = s->previous_step;
  const bool good =
      fabs(before) > precision && fabs(p) < fabs(q * before / 2) && p > q * (s->low - s->x) && p < q * (s->high - s->x);
  if (!good) return golden_section(s, midpoint);
  s->previous_step = s->step;
  const double u = s->x + p / q;
  const bool at_end = u - s->low < 2 * precision || s->high - u < 2 * precision;
  return at_end ? copysign(precision, midpoint - s->x) : p / q;
}

static void insert_point(struct search *s, double u, double fu)
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

static double finite_or_infinite(mn_function f, void *user, double x)
{
  const double value = f(user, x);
  return isnan(value) ? INFINITY : value;
}

mn_status mn_brent_minimize(mn_context *ctx, mn_function f, void *user, double a, double b, double tolerance, double *x,
                            double *value)
{
  MN_TRY(check_range(ctx, "minimum", a, b));
  struct search s = { .low = fmin(a, b), .high = fmax(a, b) };
  s.x = s.w = s.v = s.low + 0.38196601125010515 * (s.high - s.low);
  s.fx = s.fw = s.fv = finite_or_infinite(f, user, s.x);
  for (int i = 0; i < MAX_STEPS; i++) {
    const double midpoint = s.low + (s.high - s.low) / 2,
                 precision = sqrt(DBL_EPSILON) * fabs(s.x) + tolerance / 3 + DBL_MIN;
    if (fabs(s.x - midpoint) <= 2 * precision - (s.high - s.low) / 2) break;
    s.step = parabolic_step(&s, midpoint, precision);
    const double u = s.x + (fabs(s.step) >= precision ? s.step : copysign(precision, s.step));
    insert_point(&s, u, finite_or_infinite(f, user, u));
  }
  *x = s.x;
  if (value) *value = s.fx;
  return MN_OK;
}

#include "linesearch.h"
#include <float.h>
#include <math.h>

enum { MOST_EVALUATIONS = 40 };

static const double fall = 1e-4, flatten = 0.9, noise = 1e-9;

/* low: the function is not above the start (but for noise) and still falls; the far end, once there is one, is too far:
 * rising, above the start, or not finite. Between the two lies a step that will do. */
struct bracket {
  mn_line_point low, far;
  bool has_far, far_rises; /* far_rises: its slope is what made it the end */
  double width_before;
};

/* Not above the start, but for noise. */
static bool is_low(const mn_line_point *start, const mn_line_point *p)
{
  return fabs(p->value) <= DBL_MAX && p->value <= start->value + noise * fabs(start->value);
}

static bool is_found(const mn_line_point *start, const mn_line_point *p)
{
  if (!(p->slope >= flatten * start->slope)) return false;
  const bool wolfe = p->value <= start->value + fall * p->t * start->slope;
  return is_low(start, p) && (wolfe || p->slope <= (2 * fall - 1) * start->slope);
}

static void narrow(struct bracket *b, const mn_line_point *start, const mn_line_point *p)
{
  const bool low = is_low(start, p);
  if (low && p->slope < 0) {
    b->low = *p;
    return;
  }
  b->far = *p;
  b->has_far = true;
  b->far_rises = low && p->slope >= 0;
}

static double between(double value, double low, double high)
{
  if (!(value >= low)) return low; /* NaN too */
  return value <= high ? value : high;
}

/* Where the slope would be 0 by the line through two slopes, or the parabola through two values and a slope. */
static double inside(struct bracket *b)
{
  const double width = b->far.t - b->low.t;
  const bool slow = width > 0.5 * b->width_before;
  b->width_before = width;
  if (b->far_rises) {
    const double share = b->low.slope / (b->low.slope - b->far.slope);
    return b->low.t + width * (slow ? 0.5 : between(share, 0.05, 0.95));
  }
  const double excess = b->far.value - b->low.value - b->low.slope * width;
  return b->low.t + width * between(-b->low.slope * width / (2 * excess), 0.1, 0.5);
}

static double beyond(const struct bracket *b, const mn_line_point *start)
{
  const double share = start->slope / (start->slope - b->low.slope); /* of the way to slope 0 that was gone */
  return b->low.t * between(b->low.slope > start->slope ? share : 10, 2, 10);
}

mn_line_end mn_line_search(mn_line_function function, void *line, const mn_line_point *start, double first,
                           mn_line_point *found)
{
  struct bracket b = { .low = *start, .width_before = INFINITY };
  mn_line_point p = { .t = first };
  for (int i = 0; i < MOST_EVALUATIONS && p.t > 0 && p.t <= DBL_MAX; i++) {
    if (!function(line, &p)) return MN_LINE_ABORTED;
    if (is_found(start, &p)) {
      *found = p;
      return MN_LINE_FOUND;
    }
    narrow(&b, start, &p);
    p.t = b.has_far ? inside(&b) : beyond(&b, start);
    if (b.has_far && (p.t <= b.low.t || p.t >= b.far.t)) break; /* no number left between the ends */
  }
  if (!(b.low.t > 0 && b.low.value <= start->value)) return MN_LINE_FAILED;
  *found = b.low;
  return function(line, found) ? MN_LINE_LOWER : MN_LINE_ABORTED;
}

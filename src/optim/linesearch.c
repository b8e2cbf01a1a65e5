#include "linesearch.h"
#include <float.h>
#include <math.h>

enum { MAX_EVALUATIONS = 40 };

static const double decrease_factor = 1e-4, curvature_factor = 0.9, noise = 1e-9;

/* At `low` the function is not above its start (up to rounding) and still decreases. `high`, once known, is too long a
 * step: ascending, above the start, or not finite. An acceptable step lies between them. */
struct bracket {
  mn_line_point low, high;
  bool has_high, high_ascends; /* high_ascends: it is the end because its slope is positive */
  double previous_width;
};

/* Not above the start, up to rounding. */
static bool is_low(const mn_line_point *start, const mn_line_point *p)
{
  return fabs(p->value) <= DBL_MAX && p->value <= start->value + noise * fabs(start->value);
}

static bool is_acceptable(const mn_line_point *start, const mn_line_point *p)
{
  if (!(p->slope >= curvature_factor * start->slope)) return false;
  const bool wolfe = p->value <= start->value + decrease_factor * p->t * start->slope;
  return is_low(start, p) && (wolfe || p->slope <= (2 * decrease_factor - 1) * start->slope);
}

static void update_bracket(struct bracket *b, const mn_line_point *start, const mn_line_point *p)
{
  const bool low = is_low(start, p);
  if (low && p->slope < 0) {
    b->low = *p;
    return;
  }
  b->high = *p;
  b->has_high = true;
  b->high_ascends = low && p->slope >= 0;
}

static double clamp(double value, double low, double high)
{
  if (!(value >= low)) return low; /* NaN too */
  return value <= high ? value : high;
}

/* Zero of the slope by the secant through two slopes, or by the parabola through two values and a slope. */
static double interpolate(struct bracket *b)
{
  const double width = b->high.t - b->low.t;
  const bool slow = width > 0.5 * b->previous_width;
  b->previous_width = width;
  if (b->high_ascends) {
    const double share = b->low.slope / (b->low.slope - b->high.slope);
    return b->low.t + width * (slow ? 0.5 : clamp(share, 0.05, 0.95));
  }
  const double excess = b->high.value - b->low.value - b->low.slope * width;
  return b->low.t + width * clamp(-b->low.slope * width / (2 * excess), 0.1, 0.5);
}

static double extrapolate(const struct bracket *b, const mn_line_point *start)
{
  const double share = start->slope / (start->slope - b->low.slope); /* the fraction of the way to slope 0 */
  return b->low.t * clamp(b->low.slope > start->slope ? share : 10, 2, 10);
}

mn_line_end mn_line_search(mn_line_function function, void *line, const mn_line_point *start, double first,
                           mn_line_point *found)
{
  struct bracket b = { .low = *start, .previous_width = INFINITY };
  mn_line_point p = { .t = first };
  for (int i = 0; i < MAX_EVALUATIONS && p.t > 0 && p.t <= DBL_MAX; i++) {
    if (!function(line, &p)) return MN_LINE_ABORTED;
    if (is_acceptable(start, &p)) {
      *found = p;
      return MN_LINE_FOUND;
    }
    update_bracket(&b, start, &p);
    p.t = b.has_high ? interpolate(&b) : extrapolate(&b, start);
    if (b.has_high && (p.t <= b.low.t || p.t >= b.high.t)) break; /* no number left clamp the ends */
  }
  if (!(b.low.t > 0 && b.low.value <= start->value)) return MN_LINE_FAILED;
  *found = b.low;
  return function(line, found) ? MN_LINE_LOWER : MN_LINE_ABORTED;
}

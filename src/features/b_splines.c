#include "b_splines.h"

double mn_spline_lowest(const struct mn_spline *s)
{
  return s->knot[s->degree];
}

double mn_spline_highest(const struct mn_spline *s)
{
  return s->knot[s->knots - s->degree - 1];
}

double mn_spline_unit(const struct mn_spline *s)
{
  const double range = mn_spline_highest(s) - mn_spline_lowest(s);
  return range > 0 && range < 0x1p-900 ? 0x1p900 : 1;
}

size_t mn_spline_interval(const struct mn_spline *s, double x)
{
  const size_t first = s->degree, last = s->knots - s->degree - 2;
  size_t i = first;
  while (i < last && s->knot[i + 1] <= x) i++;
  while (i > first && !(s->knot[i] < s->knot[i + 1])) i--;
  while (i < last && !(s->knot[i] < s->knot[i + 1])) i++;
  return i;
}

static double ratio(double above, double below)
{
  return below > 0 ? above / below : 0;
}

/* Piegl & Tiller, The NURBS Book, algorithm A2.2, for a degree up to that of the spline. */
static void values(const struct mn_spline *s, size_t degree, size_t i, double x, double *value)
{
  double left[MN_SPLINE_MAX_DEGREE + 1], right[MN_SPLINE_MAX_DEGREE + 1];
  value[0] = 1;
  for (size_t d = 1; d <= degree; d++) {
    double saved = 0;
    left[d] = x - s->knot[i + 1 - d];
    right[d] = s->knot[i + d] - x;
    for (size_t r = 0; r < d; r++) {
      const double part = ratio(value[r], right[r + 1] + left[d - r]);
      value[r] = saved + right[r + 1] * part;
      saved = left[d - r] * part;
    }
    value[d] = saved;
  }
}

void mn_spline_values(const struct mn_spline *s, size_t i, double x, double *value)
{
  values(s, s->degree, i, x, value);
}

/* B'_k,p = p (B_k,p-1 / (t_k+p - t_k) - B_k+1,p-1 / (t_k+p+1 - t_k+1)) */
void mn_spline_slopes(const struct mn_spline *s, size_t i, double x, double *slope)
{
  double lower[MN_SPLINE_MAX_DEGREE + 1];
  const size_t p = s->degree;
  slope[0] = 0;
  if (p == 0) return;
  values(s, p - 1, i, x, lower);
  for (size_t r = 0; r <= p; r++) {
    const double *t = s->knot + i - p + r;
    const double before = r > 0 ? ratio(lower[r - 1], t[p] - t[0]) : 0;
    const double after = r < p ? ratio(lower[r], t[p + 1] - t[1]) : 0;
    slope[r] = (double)p * (before - after);
  }
}

struct mn_spline_edge mn_spline_make_edge(const struct mn_spline *s, double x)
{
  struct mn_spline_edge e = { .x = x, .interval = mn_spline_interval(s, x) };
  mn_spline_values(s, e.interval, x, e.value);
  mn_spline_slopes(s, e.interval, x, e.slope);
  return e;
}

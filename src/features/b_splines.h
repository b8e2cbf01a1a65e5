/* B-spline bases by the recursion of Cox and de Boor. */
#ifndef MN_FEATURES_B_SPLINES_H
#define MN_FEATURES_B_SPLINES_H
#include <stddef.h>

enum { MN_SPLINE_MAX_DEGREE = 15 };

/* Knots in ascending order; `degree` of them before the first and after the last one of the range. */
struct mn_spline {
  const double *knot;
  size_t knots, degree;
};

/* The ends of the range. */
double mn_spline_lowest(const struct mn_spline *s);
double mn_spline_highest(const struct mn_spline *s);

/* What knots and x are to be multiplied by, 1 or a power of two: distances of knots in a range below 2^-900 have no
 * finite reciprocal. */
double mn_spline_unit(const struct mn_spline *s);

/* The index i of an interval knot[i] <= x < knot[i + 1] of positive length; x beyond the range belongs to the first or
 * last interval, the last knot to the last one. */
size_t mn_spline_interval(const struct mn_spline *s, double x);

/* value[0..degree]: bases i - degree to i at x, as polynomials of interval i. Empty intervals give 0. */
void mn_spline_values(const struct mn_spline *s, size_t i, double x, double *value);

/* Their derivatives. */
void mn_spline_slopes(const struct mn_spline *s, size_t i, double x, double *slope);

/* Values and slopes at x, for linear extrapolation. */
struct mn_spline_edge {
  double x, value[MN_SPLINE_MAX_DEGREE + 1], slope[MN_SPLINE_MAX_DEGREE + 1];
  size_t interval;
};
struct mn_spline_edge mn_spline_make_edge(const struct mn_spline *s, double x);

#endif

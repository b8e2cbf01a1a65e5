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

/* The index i of an interval knot[i] <= x < knot[i + 1] of positive length; x beyond the range belongs to the first or
 * last interval, the last knot to the last one. */
size_t mn_spline_interval(const struct mn_spline *s, double x);

/* value[0..degree]: bases i - degree to i at x, as polynomials of interval i. Empty intervals give 0. */
void mn_spline_values(const struct mn_spline *s, size_t i, double x, double *value);

/* Their derivatives. */
void mn_spline_slopes(const struct mn_spline *s, size_t i, double x, double *slope);

#endif

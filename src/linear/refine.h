/* Least squares to the last digits that the data allow. */
#ifndef MN_LINEAR_REFINE_H
#define MN_LINEAR_REFINE_H
#include "../model/data.h"

/* Improve b and c of one target by steps of Newton's method on the normal equations, with residuals and their products
 * with X in twice the working precision. The factor only has to be near: each step leaves about eps cond^2 of the
 * error, and a step that does not shrink is the last.
 *
 *   target    column of data->y
 *   mean      features: 0 without a constant
 *   factor    features x features: L with L L' = (X - mean)' W (X - mean)
 *   constant  is c to be improved too?
 *   b, c      in and out
 *   residual  rows, out; may be NULL
 *   rss       out: sum_i w_i r_i^2
 *
 * About 100 flops for each value of X. Bjoerck, BIT 7 (1967), and Dekker, Numer. Math. 18 (1971) for the arithmetic. */
mn_status mn_refine_least_squares(mn_context *ctx, const mn_data *data, size_t target, const double *mean,
                                  const double *factor, bool constant, double *b, double *c, double *residual,
                                  double *rss);

#endif

/* Iterative refinement of least squares in twice the working precision. */
#ifndef MN_LINEAR_REFINE_H
#define MN_LINEAR_REFINE_H
#include "../model/data.h"

/* Improve b and c of one target by Newton steps on the normal equations, with the residuals and their products with X
 * computed in double-double arithmetic. An approximate factor suffices: each step leaves about eps cond^2 of the error,
 * and iteration stops at the first step that does not shrink.
 *
 *   target     column of data->y
 *   mean       features; 0 without an intercept
 *   factor     features x features: L with L L' = (X - mean)' W (X - mean)
 *   intercept  whether to improve c, too
 *   b, c       in and out
 *   residual   rows, out; may be NULL
 *   rss        out: sum_i w_i r_i^2
 *
 * About 100 flops for each value of X. Bjoerck, BIT 7 (1967); Dekker, Numer. Math. 18 (1971) for the arithmetic. */
mn_status mn_refine_least_squares(mn_context *ctx, const mn_data *data, size_t target, const double *mean,
                                  const double *factor, bool intercept, double *b, double *c, double *residual,
                                  double *rss);

#endif

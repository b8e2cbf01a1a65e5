/* LOWESS: locally weighted linear smoothing of a scatterplot. */
#ifndef MN_STATS_LOWESS_H
#define MN_STATS_LOWESS_H
#include "../core/context.h"

/* Options of LOWESS. */
typedef struct mn_lowess {
  double fraction; /* fraction of the points used by each local line, above 0, at most 1 */
  size_t rounds;   /* robustness iterations, which reduce the weight of outliers */
  double delta;    /* distance between fitted points, with linear interpolation between them; 0: fit at every x */
} mn_lowess;

/* fitted[i] = value of the smooth at x[i].
 *
 *   n       points, at least 1
 *   x       n, ascending, finite
 *   y       n, finite
 *   fitted  out: n
 *
 * MN_NO_MEMORY for 32 n bytes of scratch; MN_CANCELLED. */
mn_status mn_lowess_fit(mn_context *ctx, const mn_lowess *options, size_t n, const double *x, const double *y,
                        double *fitted);

/* What robust smoothing shares. The cutoff c, six times the median absolute residual; workspace: n values. Then the
 * bisquare weights (1 - (r_i / c)^2)^2, 1 for residuals near 0 and 0 for those near c or above. */
double mn_residual_cutoff(mn_context *ctx, size_t n, const double *residual, double *workspace);
void mn_bisquare_weights(size_t n, const double *residual, double cutoff, double *weight);

#endif

/* Weighted monotone regression by pooling adjacent violators, and the piecewise linear function through its knots.
 * Barlow et al., Statistical Inference under Order Restrictions (1972), section 1.2; Best & Chakravarti, Mathematical
 * Programming 47 (1990). */
#ifndef MN_STATS_POOL_VIOLATORS_H
#define MN_STATS_POOL_VIOLATORS_H
#include <stddef.h>

/* The increasing sequence f that minimizes sum_i weight_i (value_i - f_i)^2, as blocks of equal f in strictly
 * increasing order: values are added one by one, and while the last block is not above the one before it, the two are
 * merged at their common mean. Returns the number of blocks.
 *
 *   value   n; out: f of each block
 *   weight  n, > 0; out: the sum of each block
 *   end     out, n: where each block ends; block b is values end[b - 1] .. end[b] - 1, from 0 */
size_t mn_pool_violators(size_t n, double *value, double *weight, size_t *end);

/* The piecewise linear function through knots (at_i, value_i) at x; constant beyond the first and the last knot.
 *
 *   at  n >= 1, strictly ascending */
double mn_between_knots(size_t n, const double *at, const double *value, double x);

#endif

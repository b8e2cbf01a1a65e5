/* The sum of a Gaussian kernel over all pairs of rows, in time linear in the number of rows. */
#ifndef MN_SMOOTHING_GAUSSIAN_PAIRS_H
#define MN_SMOOTHING_GAUSSIAN_PAIRS_H
#include "../core/context.h"

/* The rows.
 *
 *   n, d     rows, columns; d is 1 or 2
 *   points   n x d, finite
 *   weights  n, or NULL: all 1 */
typedef struct mn_gaussian_pairs {
  size_t n, d;
  const double *points, *weights;
} mn_gaussian_pairs;

/* Whether this is faster for bandwidth h than visiting all pairs. */
bool mn_gaussian_pairs_suit(const mn_gaussian_pairs *rows, double h);

/* *sum: sum_ij w_i w_j exp(-|x_i - x_j|^2 / (2 h^2)). The relative error is at most about n 1e-15. Call only if
 * mn_gaussian_pairs_suit. */
mn_status mn_gaussian_pairs_sum(mn_context *ctx, const mn_gaussian_pairs *rows, double h, double *sum);

#endif

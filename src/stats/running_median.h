/* Weighted medians over the members of an ensemble, for all members or after each one. */
#ifndef MN_STATS_RUNNING_MEDIAN_H
#define MN_STATS_RUNNING_MEDIAN_H
#include "../core/context.h"

/* For each row of x (rows x members) the smallest value whose cumulative weight, in ascending order, is at least half
 * the total; equal values are ordered by member, weights are >= 0. (mn_quantiles differs: its weights count copies, and
 * it interpolates.)
 *
 * If `stages`, out is rows x members and holds the medians of the first 1, 2, ... members; otherwise it holds one value
 * per row. A stage takes time linear in its members. NaN is larger than all numbers. */
mn_status mn_weighted_row_medians(mn_context *ctx, size_t rows, size_t members, const double *x, const double *weight,
                                  bool stages, double *out);

#endif

/* Quantiles without sorting all. */
#ifndef MN_STATS_QUANTILE_H
#define MN_STATS_QUANTILE_H
#include "../core/threads.h"

/* out[k] = quantile at level[k], by linear interpolation between neighbours (type 7 of Hyndman & Fan, The American
 * Statistician 50, 1996: the default of R and numpy).
 *
 *   n        values, at least 1, without NaN
 *   weights  n, > 0, or NULL. A weight is a count of equal values: position h = (W - 1) level among the W values that
 *            whole weights stand for, and the same formula for other weights, in units of mn_value_weight
 *   level    `levels` values from 0 to 1, ascending
 *
 * Without weights, expected time linear in n; x is copied to scratch. */
mn_status mn_quantiles(mn_context *ctx, size_t n, const double *x, const double *weights, size_t levels,
                       const double *level, double *out);

/* What one value weighs where weights are frequencies: 1, or the least of n weights where that is below 1, so that
 * weights which were divided by their sum mean the same. */
double mn_value_weight(size_t n, const double *weight);

/* Put the value of rank k (0-based) in its place: no larger ones before it, no smaller ones behind. No NaN. Left in any
 * order where the operation was cancelled. */
void mn_select(const mn_cancel_token *token, size_t n, double *x, size_t k);

#endif

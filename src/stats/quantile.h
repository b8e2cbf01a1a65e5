/* Quantiles and order statistics by selection, without a full sort. */
#ifndef MN_STATS_QUANTILE_H
#define MN_STATS_QUANTILE_H
#include "../core/threads.h"

/* out[k] = quantile at level[k], by linear interpolation between order statistics (type 7 of Hyndman & Fan, The
 * American Statistician 50, 1996: the default of R and numpy).
 *
 *   n        values, at least 1, without NaN
 *   weights  n, > 0, or NULL. A weight counts equal values: the quantile is at position h = (W - 1) level, where W is
 *            the sum of the weights in units of mn_weight_unit
 *   level    `levels` values from 0 to 1, ascending
 *
 * Without weights, expected time linear in n; x is copied to scratch. */
mn_status mn_quantiles(mn_context *ctx, size_t n, const double *x, const double *weights, size_t levels,
                       const double *level, double *out);

/* The weight of a single value if weights are frequencies: 1, or the smallest of the n weights if that is below 1, so
 * that normalized weights give the same quantiles. */
double mn_weight_unit(size_t n, const double *weight);

/* Partially sort x so that x[k] has rank k (0-based), with no larger values before it and no smaller ones after it. No
 * NaN. The order is unspecified if the operation is cancelled. */
void mn_select(const mn_cancel_token *token, size_t n, double *x, size_t k);

#endif

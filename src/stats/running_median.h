/* Weighted medians of what several say, after each of them or of all: ensembles whose answer is a median. */
#ifndef MN_STATS_RUNNING_MEDIAN_H
#define MN_STATS_RUNNING_MEDIAN_H
#include "../core/context.h"

/* For each row of x (rows x members) the least value that, with all smaller ones, has half the weight or more: equal
 * values in the order of the members, weights >= 0. (Not a quantile of mn_quantiles, for which weights count copies and
 * which lies between values.)
 *
 * stages: out is rows x members, the medians of the first 1, 2, ... members; else out has a value for each row. A stage
 * takes time linear in its members. NaN is larger than all. */
mn_status mn_running_medians(mn_context *ctx, size_t rows, size_t members, const double *x, const double *weight,
                             bool stages, double *out);

#endif

/* The operation predict_interval of regressors that know how sure they are: one name, one option, one form of results.
 */
#ifndef MN_MODEL_INTERVAL_H
#define MN_MODEL_INTERVAL_H
#include "operation.h"

typedef struct mn_interval_options {
  double level;
} mn_interval_options;
extern const mn_param mn_interval_params[];

/* A row of a table of operations; `ends` says more of the interval, or nothing: "". */
#define MN_PREDICT_INTERVAL(ends, function)                                                                            \
  {                                                                                                                    \
    .name = "predict_interval",                                                                                        \
    .brief =                                                                                                           \
        "means and standard deviations of the predictive distribution, with the ends of its central interval" ends,    \
    .returns = "mean (rows), std (rows), low (rows), high (rows)", .needs = MN_NEEDS_X, .options = mn_interval_params, \
    .options_size = sizeof(mn_interval_options), .run = function                                                       \
  }

/* The results: rows each, 0. */
typedef struct mn_intervals {
  mn_vector *mean, *std, *low, *high;
} mn_intervals;
mn_status mn_intervals_make(mn_context *ctx, mn_results *results, size_t rows, mn_intervals *out);

/* low and high from mean and std, where the distribution is normal. */
void mn_intervals_normal(const mn_intervals *intervals, double level);

#endif

/* The operation predict_interval, shared by all regressors that have it: name, option and form of results. */
#ifndef MN_ACTIONS_INTERVAL_H
#define MN_ACTIONS_INTERVAL_H
#include "../model/operation.h"

typedef struct mn_interval_options {
  double level;
} mn_interval_options;
extern const mn_param mn_interval_params[];

/* A row of a table of operations. `ends` is appended to the brief, may be "". */
#define MN_PREDICT_INTERVAL(ends, function)                                                                            \
  {                                                                                                                    \
    .name = "predict_interval",                                                                                        \
    .brief = "means, standard deviations and central intervals of the predictive distribution" ends,                   \
    .returns = "mean (rows), std (rows), low (rows), high (rows)", .needs = MN_NEEDS_X, .options = mn_interval_params, \
    .options_size = sizeof(mn_interval_options), .run = function                                                       \
  }

/* The results, rows each, zeroed. */
typedef struct mn_intervals {
  mn_vector *mean, *std, *low, *high;
} mn_intervals;
mn_status mn_intervals_make(mn_context *ctx, mn_results *results, size_t rows, mn_intervals *out);

/* Compute low and high from mean and std of a normal distribution. */
void mn_intervals_normal(const mn_intervals *intervals, double level);

#endif

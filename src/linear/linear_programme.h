/* Absolute and quantile loss without an L2 penalty: linear programmes, one for each target. */
#ifndef MN_LINEAR_PROGRAMME_H
#define MN_LINEAR_PROGRAMME_H
#include "linear.h"

/* Minimise for each target over b and c
 *
 *     times sum_i w_i rho(y_i - x_i b - c) / sum_i w_i + l1 |b|_1,     rho as in frisch_newton.h */
typedef struct mn_linear_programme {
  const mn_data *data; /* dense */
  const double *y;     /* targets x rows */
  size_t targets;
  double quantile, times, l1, tol;
  int64_t max_iter;
  bool fit_intercept;
} mn_linear_programme;

/* Weights and constants into `linear`, made and zeroed before, with the report of all targets together.
 *
 *   gap  targets, out: how far above its minimum each may be */
mn_status mn_linear_programmes(mn_context *ctx, const mn_linear_programme *q, mn_linear *linear, double *gap);

#endif

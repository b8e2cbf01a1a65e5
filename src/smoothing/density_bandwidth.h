/* Choosing the bandwidth of a kernel density estimate. */
#ifndef MN_SMOOTHING_DENSITY_BANDWIDTH_H
#define MN_SMOOTHING_DENSITY_BANDWIDTH_H
#include "density_sum.h"

typedef enum mn_density_rule {
  MN_DENSITY_SCOTT,
  MN_DENSITY_SILVERMAN,
  MN_DENSITY_LSCV,
  MN_DENSITY_LIKELIHOOD
} mn_density_rule;
extern const char *const mn_density_rule_names[];

/* The bandwidth for the rows of `density`, of which shape, bandwidth and tolerances need not be set.
 *
 *   x       n x d: the rows
 *   points  n x width: the embedded rows
 *   h       out
 *
 * MN_BAD_ARGUMENT if the rule does not suit the metric. */
mn_status mn_density_choose_bandwidth(mn_context *ctx, const char *who, const mn_density *density,
                                      mn_kernel_shape shape, mn_density_rule rule, const mn_matrix *x,
                                      const double *points, double *h);

#endif

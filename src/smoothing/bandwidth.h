/* Choosing the bandwidths of kernel regression. */
#ifndef MN_SMOOTHING_BANDWIDTH_H
#define MN_SMOOTHING_BANDWIDTH_H
#include "smoother.h"

typedef enum mn_bandwidth_rule {
  MN_RULE_LOO,         /* least leave-one-out error, one factor for all columns */
  MN_RULE_LOO_COLUMNS, /* the same, a factor for each column                    */
  MN_RULE_AICC,        /* least corrected AIC, one factor for all columns       */
  MN_RULE_REFERENCE    /* normal reference rule                                 */
} mn_bandwidth_rule;

/* h_j = 1.06 s_j n^(-1 / (4 + d)), divided by the standard deviation of the kernel: s_j is the standard deviation of
 * column j and n the number of rows that the weights stand for. 1 for a constant column. */
void mn_reference_bandwidths(const mn_smoother *m, mn_kernel_shape shape, double *bandwidth);

/* Bandwidths by the rule.
 *
 *   m          the training data
 *   plan       complete; its scale is changed and left at the result
 *   bandwidth  features, in: the reference; out. It is also plan->scale
 *   criterion  out: the mean squared leave-one-out error, or AICc; NaN for the reference */
mn_status mn_choose_bandwidths(mn_context *ctx, const mn_smoother *m, mn_smoother_plan *plan, mn_bandwidth_rule rule,
                               double *bandwidth, double *criterion);

#endif

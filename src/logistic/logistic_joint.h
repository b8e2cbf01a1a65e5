/* Newton's method for all classes of a softmax at once, on the weights that are not 0; for logistic_cd.c. */
#ifndef MN_LOGISTIC_LOGISTIC_JOINT_H
#define MN_LOGISTIC_LOGISTIC_JOINT_H
#include "logistic_cd.h"

/* A step from b (k x p), c and their scores (n x k), which follow it; *value is F, in and out, and does not rise.
 *
 *   gain  out: what F can still fall by to second order, as it was before the step; NaN where the problem is too large
 *         for a matrix of all weights that are not 0, and there is no step */
mn_status mn_logistic_joint_step(mn_context *ctx, const mn_logistic_cd *o, double *b, double *c, double *score,
                                 double *value, double *gain);

#endif

/* Newton's method for all classes of a softmax at once, restricted to the nonzero coefficients. */
#ifndef MN_LOGISTIC_LOGISTIC_JOINT_H
#define MN_LOGISTIC_LOGISTIC_JOINT_H
#include "logistic_problem.h"

/* A step from b (k x p), c and their scores (n x k), which are updated; *value is F, in and out, and does not rise.
 *
 *   gain  out: what F can fall by to second order, before the step; NaN, without a step, where the problem is too large
 *         for a matrix of all nonzero coefficients */
mn_status mn_logistic_joint_step(mn_context *ctx, const mn_logistic_problem *o, double *b, double *c, double *score,
                                 double *value, double *gain);

#endif

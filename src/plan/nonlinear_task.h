/* Nonlinear least squares of an expression in the background. */
#ifndef MN_PLAN_NONLINEAR_TASK_H
#define MN_PLAN_NONLINEAR_TASK_H
#include "../stats/expression.h"
#include "../stats/nonlinear.h"
#include "background.h"

/* What is given: a problem whose functions are not set yet, a checked expression, the columns and the start. */
typedef struct mn_nonlinear_request {
  mn_nonlinear problem;
  mn_expression expression;
  const double *x;     /* n x columns */
  const double *start; /* p           */
} mn_nonlinear_request;

/* The state, with all arrays behind it. */
typedef struct mn_nonlinear_state {
  mn_nonlinear problem;
  mn_expression expression;
  const double *x;
  double *theta, *covariance; /* p, p x p; estimates after the end */
  mn_nonlinear_result result;
} mn_nonlinear_state;

extern const mn_background_task mn_nonlinear_task;

#endif

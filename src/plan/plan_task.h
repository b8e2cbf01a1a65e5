/* The fit of a plan in the background. */
#ifndef MN_PLAN_PLAN_TASK_H
#define MN_PLAN_PLAN_TASK_H
#include "background.h"
#include "plan.h"

/* What is given. */
typedef struct mn_plan_request {
  const mn_plan *plan;
  const mn_input *input;
} mn_plan_request;

extern const mn_background_task mn_plan_task;

/* After the end with MN_OK: a copy of the fitted plan in the account of `ctx`; NULL, with the error set in `ctx`, if
 * there is no memory. */
mn_plan *mn_plan_task_fetch(mn_context *ctx, const mn_background *b);

#endif

/* A fit, or another task, in a thread of its own.
 *
 * It shares nothing with the thread that starts it: it works on copies of parameters and data, in a separate memory
 * account over malloc that counts against the limit of the parent account. So it never enters the parent's allocator
 * (e.g. that of a Lua state), and the starting thread may change, free or fit anything meanwhile. The fitted plan is
 * fetched as a copy.
 *
 * Calls must not be concurrent. In a forked child the thread does not exist: then mn_background_lost is true, and only
 * mn_background_free may be called. */
#ifndef MN_PLAN_BACKGROUND_H
#define MN_PLAN_BACKGROUND_H
#include "plan.h"

typedef struct mn_background mn_background;

/* Start to fit a copy of `plan`, with the number of threads of `ctx`. */
mn_status mn_background_start(mn_context *ctx, const mn_plan *plan, const mn_input *input, mn_background **out);

/* A task that is no fit of a plan.
 *
 *   copy  returns the state, one allocation in the account of `ctx`, made from what is given; NULL: the error is set
 *   run   works on the state, in the thread */
typedef struct mn_background_task {
  void *(*copy)(mn_context *ctx, const void *given);
  mn_status (*run)(mn_context *ctx, void *state);
} mn_background_task;

/* Start a task. `task` must be constant. */
mn_status mn_background_start_task(mn_context *ctx, const mn_background_task *task, const void *given,
                                   mn_background **out);

/* The state of a task, after its end. */
const void *mn_background_state(const mn_background *b);

bool mn_background_lost(const mn_background *b);

/* Whether it has ended, successfully or not. Waits for at most this many milliseconds. */
bool mn_background_finished(mn_background *b, int milliseconds);

/* The last progress report; total is NaN before the first one. */
mn_progress mn_background_progress(mn_background *b);

/* After the end: its status and error text, and after MN_OK a copy of the fitted plan in the account of `ctx` (NULL,
 * with the error set in `ctx`, if there is no memory). */
mn_status mn_background_status(const mn_background *b);
const char *mn_background_text(const mn_background *b);
mn_plan *mn_background_fetch(mn_context *ctx, const mn_background *b);

/* Cancel the fit if it is running, wait for it, and free everything. NULL is allowed. */
void mn_background_free(mn_background *b);

#endif

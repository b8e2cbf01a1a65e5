/* A task, such as a fit, in a thread of its own.
 *
 * It shares nothing with the thread that starts it: it works on copies of parameters and data, in a separate memory
 * account over malloc that counts against the limit of the parent account. So it never enters the parent's allocator
 * (e.g. that of a Lua state), and the starting thread may change, free or fit anything meanwhile. The result is fetched
 * as a copy.
 *
 * Calls must not be concurrent. In a forked child the thread does not exist: then mn_background_lost is true, and only
 * mn_background_free may be called. */
#ifndef MN_PLAN_BACKGROUND_H
#define MN_PLAN_BACKGROUND_H
#include "../core/context.h"

typedef struct mn_background mn_background;

/*   copy     returns the state, in the account and the scratch of `ctx`, made from what is given; NULL: the error is
 * set run      works on the state, in the thread; scratch is released after it release  frees the state */
typedef struct mn_background_task {
  void *(*copy)(mn_context *ctx, const void *given);
  mn_status (*run)(mn_context *ctx, void *state);
  void (*release)(mn_memory *memory, void *state);
} mn_background_task;

/* Start a task, which must be constant, with the number of threads of `ctx`. */
mn_status mn_background_start(mn_context *ctx, const mn_background_task *task, const void *given, mn_background **out);

/* The state, after the end. */
const void *mn_background_state(const mn_background *b);

bool mn_background_lost(const mn_background *b);

/* Whether it has ended, successfully or not. Waits for at most this many milliseconds. */
bool mn_background_finished(mn_background *b, int milliseconds);

/* The last progress report; total is NaN before the first one. */
mn_progress mn_background_progress(mn_background *b);

/* After the end: its status and error text. */
mn_status mn_background_status(const mn_background *b);
const char *mn_background_text(const mn_background *b);

/* Cancel the task if it is running, wait for it, and free everything. NULL is allowed. */
void mn_background_free(mn_background *b);

#endif

/* A fit in a thread of its own, beside the one that has begun it.
 *
 * It shares nothing with that: it works on copies of the settings and the data, in an account of its own over malloc
 * that counts against the limit of its parent's. So the parent's allocator (that of a Lua state, say) is never entered
 * by it, and whoever has begun it may change, free or fit whatever it likes meanwhile. What was fitted is fetched by a
 * copy.
 *
 * All calls are for one thread at a time. In a forked child the thread is not there: mn_background_lost, and then only
 * mn_background_free may be called. */
#ifndef MN_PLAN_BACKGROUND_H
#define MN_PLAN_BACKGROUND_H
#include "plan.h"

typedef struct mn_background mn_background;

/* Begin to fit a copy of `plan`, over as many threads as `ctx` may use. */
mn_status mn_background_start(mn_context *ctx, const mn_plan *plan, const mn_input *input, mn_background **out);

bool mn_background_lost(const mn_background *b);

/* Has it ended, well or not? Waits for that at most so many milliseconds. */
bool mn_background_finished(mn_background *b, int milliseconds);

/* The last tick; total is NaN before the first one. */
mn_progress mn_background_progress(mn_background *b);

/* How it ended, once it is over: its text, and when that is MN_OK a copy of the fitted plan in the account of `ctx`
 * (NULL with the text of `ctx` set when there is no memory for it). */
mn_status mn_background_status(const mn_background *b);
const char *mn_background_text(const mn_background *b);
mn_plan *mn_background_fetch(mn_context *ctx, const mn_background *b);

/* Cancel it if it runs, wait for it, and give all of it back. NULL is allowed. */
void mn_background_free(mn_background *b);

#endif

/* What was given to a fit, copied for a thread that works on it while its owner goes on. */
#ifndef MN_MODEL_INPUT_H
#define MN_MODEL_INPUT_H
#include "data.h"
#include "value.h"

typedef struct mn_owned_input {
  mn_input input;
  mn_levels_list x_levels, target_levels; /* what the tables in `input` point to */
  const mn_levels *labels;
} mn_owned_input;

/* Copy all of `from` into an empty *own: arrays and names into scratch of `ctx`, levels into its account. What was made
 * so far is there to be released on failure, too. */
mn_status mn_input_copy(mn_context *ctx, const mn_input *from, mn_owned_input *own);

/* Release the levels; the scratch goes with the context. */
void mn_input_release(mn_memory *memory, mn_owned_input *own);

#endif

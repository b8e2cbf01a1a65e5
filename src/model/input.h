/* A copy of the input of a fit, for a thread that works on it while the caller continues. */
#ifndef MN_MODEL_INPUT_H
#define MN_MODEL_INPUT_H
#include "data.h"
#include "../archive/value.h"

typedef struct mn_owned_input {
  mn_input input;
  mn_levels_list x_levels, target_levels; /* the levels that the tables of `input` point to */
  const mn_levels *labels;
} mn_owned_input;

/* Copy `from` to the empty *to: arrays and names to scratch of `ctx`, levels to its account. To be released on failure,
 * too. */
mn_status mn_input_copy(mn_context *ctx, const mn_input *from, mn_owned_input *to);

/* Release the levels. Arrays are freed with the scratch of the context. */
void mn_input_release(mn_memory *memory, mn_owned_input *input);

#endif

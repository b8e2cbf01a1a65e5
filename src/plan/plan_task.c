#include "plan_task.h"
#include "../model/input.h"

struct state {
  mn_plan *plan; /* fitted at the end */
  mn_owned_input own;
};

static void free_state(mn_memory *memory, void *state)
{
  struct state *s = state;
  mn_input_release(memory, &s->own);
  mn_plan_free(memory, s->plan);
  mn_free(memory, s);
}

static void *copy(mn_context *ctx, const void *given)
{
  const mn_plan_request *from = given;
  mn_memory *memory = mn_context_memory(ctx);
  struct state *s = mn_alloc(memory, sizeof *s);
  if (!s) {
    mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a fit in the background");
    return NULL;
  }
  *s = (struct state){ .plan = mn_plan_deep_copy(ctx, from->plan, false) };
  if (s->plan && mn_input_copy(ctx, from->input, &s->own) == MN_OK) return s;
  free_state(memory, s);
  return NULL;
}

/* The data are freed after the fit; the fitted plan waits to be fetched. */
static mn_status run(mn_context *ctx, void *state)
{
  struct state *s = state;
  const mn_status status = mn_plan_fit(ctx, s->plan, &s->own.input);
  mn_input_release(mn_context_memory(ctx), &s->own);
  return status;
}

const mn_background_task mn_plan_task = { .copy = copy, .run = run, .release = free_state };

mn_plan *mn_plan_task_fetch(mn_context *ctx, const mn_background *b)
{
  const struct state *s = mn_background_state(b);
  return mn_plan_deep_copy(ctx, s->plan, true);
}

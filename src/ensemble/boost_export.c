/* Boosted trees for a program that a model is exported to: the sum that mn_boosting_raw makes, in its order. */
#include "../tree/export.h"
#include "boosting.h"

mn_status mn_boosting_program(mn_context *ctx, const struct mn_boosting *m, mn_program *program)
{
  mn_program_reals(program, "start", m->start.size, m->start.at);
  mn_program_count(program, "columns", m->start.size);
  mn_program_code(program, "for c < columns { out[c] = start[c] }");
  return mn_trees_program(ctx, &m->base, &m->trees, 1, 1, m->start.size, program);
}

#include "local_search.h"

void mn_conditional(const mn_factor_graph *g, const mn_incidence *at, const int32_t *state, size_t v, double *out)
{
  for (size_t s = 0; s < g->card[v]; s++) out[s] = 0;
  for (size_t k = at->start[v]; k < at->start[v + 1]; k++) {
    const size_t f = at->factor[k], *scope = mn_scope(g, f);
    const double *table = g->table + g->table_start[f];
    size_t step = 1, base = 0, own = 0;
    for (size_t i = mn_scope_size(g, f); i-- > 0;) {
      if (i == at->position[k])
        own = step;
      else
        base += step * (size_t)state[scope[i]];
      step *= g->card[scope[i]];
    }
    for (size_t s = 0; s < g->card[v]; s++) out[s] += table[base + s * own];
  }
}

mn_status mn_improve_state(mn_context *ctx, const mn_factor_graph *g, const mn_incidence *at, const int32_t *evidence,
                           int32_t *state, double *score)
{
  size_t most = 1;
  for (size_t v = 0; v < g->variables; v++) {
    most = g->card[v] > most ? g->card[v] : most;
    if (mn_is_observed(evidence, v)) state[v] = evidence[v];
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  double *value = MN_RAW(ctx, double, most, 1);
  MN_CHECK_ALLOC(value);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t v = 0; v < g->variables; v++) {
      if (mn_is_observed(evidence, v)) continue;
      mn_conditional(g, at, state, v, value);
      size_t best = (size_t)state[v];
      for (size_t s = 0; s < g->card[v]; s++)
        if (value[s] > value[best] + 1e-12) best = s;
      is_changed = is_changed || best != (size_t)state[v];
      state[v] = (int32_t)best;
      if (v % 4096 == 0) MN_TRY(mn_poll(ctx));
    }
  }
  mn_scratch_release(ctx, mark);
  *score = mn_factor_graph_score(g, state);
  return MN_OK;
}

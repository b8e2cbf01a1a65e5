#include "message_passing.h"
#include "graph_argument.h"
#include "../../graphical/tree_weights.h"

struct call {
  mn_context *ctx;
  mn_lua_graph graph;
  mn_message_options options;
  bool weighted;
  size_t updates;
};

/* The arguments graph, evidence or nil, schedule, damping, tol, max_iter, weighted, updates. */
static struct call check_call(lua_State *L)
{
  static const char *const schedules[] = { "residual", "sequential", "parallel", NULL };
  lua_settop(L, 8);
  struct call c = { .options = { .damping = luaL_checknumber(L, 4), .tol = luaL_checknumber(L, 5) } };
  c.options.schedule = (mn_schedule)luaL_checkoption(L, 3, NULL, schedules);
  const lua_Integer max_iter = luaL_checkinteger(L, 6), updates = luaL_optinteger(L, 8, 0);
  luaL_argcheck(L, max_iter >= 0 && max_iter <= INT32_MAX, 6, "must be a count");
  luaL_argcheck(L, updates >= 0 && updates <= INT32_MAX, 8, "must be a count");
  luaL_argcheck(L, c.options.damping >= 0 && c.options.damping < 1, 4, "must be in [0, 1)");
  c.options.max_iter = (size_t)max_iter;
  c.updates = (size_t)updates;
  c.weighted = lua_toboolean(L, 7);
  c.ctx = mn_lua_begin(L);
  c.graph = mn_lua_check_graph(L, c.ctx, "FactorGraph", 1, 2);
  return c;
}

static mn_status run(const struct call *c, const mn_factor_graph *g, const int32_t *evidence, mn_messages *m,
                     double *total)
{
  if (c->weighted) return mn_tree_reweighted(c->ctx, c->graph.who, g, evidence, &c->options, c->updates, m, total);
  MN_TRY(mn_messages_run(c->ctx, g, evidence, &c->options, m));
  return c->options.maximum ? MN_OK : mn_messages_log_partition(c->ctx, m, total);
}

static void push_report(lua_State *L, const mn_message_report *report)
{
  lua_createtable(L, 0, 3);
  lua_pushinteger(L, (lua_Integer)report->n_iter);
  lua_setfield(L, -2, "n_iter");
  lua_pushboolean(L, report->converged);
  lua_setfield(L, -2, "converged");
  mn_lua_set_number(L, "residual", report->residual);
}

/* graphical_messages(...) -> marginals, approximate log partition function, { n_iter, converged, residual } */
static int messages(lua_State *L)
{
  const struct call c = check_call(L);
  const size_t states = mn_lua_graph_states(&c.graph);
  const int32_t *evidence;
  mn_messages m;
  double total = 0;
  double *out = mn_lua_push_matrix(L, c.graph.card.size, states)->at;
  const mn_factor_graph g = mn_lua_graph_view(L, c.ctx, &c.graph, &evidence);
  mn_lua_set_operation_name(L, c.ctx, "FactorGraph", "infer");
  if (run(&c, &g, evidence, &m, &total) != MN_OK) return mn_lua_raise(L, c.ctx);
  for (size_t v = 0; v < g.variables; v++)
    if (mn_messages_marginal(c.ctx, &m, v, out + v * states) != MN_OK) return mn_lua_raise(L, c.ctx);
  const mn_message_report report = m.report;
  lua_pushnumber(L, total);
  push_report(L, &report);
  return mn_lua_finish(L, c.ctx, 3);
}

/* graphical_max_messages(...) -> states, score, { n_iter, converged, residual } */
static int max_messages(lua_State *L)
{
  struct call c = check_call(L);
  const int32_t *evidence;
  mn_messages m;
  double total;
  c.options.maximum = true;
  c.weighted = false;
  mn_lua_vector *out = mn_lua_push_vector(L, c.graph.card.size);
  out->whole = true;
  const mn_factor_graph g = mn_lua_graph_view(L, c.ctx, &c.graph, &evidence);
  mn_lua_set_operation_name(L, c.ctx, "FactorGraph", "map");
  int32_t *state = MN_NEW(c.ctx, int32_t, g.variables + 1, 1);
  if (!state || run(&c, &g, evidence, &m, &total) != MN_OK || mn_messages_decode(c.ctx, &m, state) != MN_OK)
    return mn_lua_raise(L, c.ctx);
  for (size_t v = 0; v < g.variables; v++) out->at[v] = state[v] + 1;
  const mn_message_report report = m.report;
  lua_pushnumber(L, mn_factor_graph_score(&g, state));
  push_report(L, &report);
  return mn_lua_finish(L, c.ctx, 3);
}

void mn_lua_open_message_passing(lua_State *L)
{
  lua_pushcfunction(L, messages);
  lua_setfield(L, -2, "graphical_messages");
  lua_pushcfunction(L, max_messages);
  lua_setfield(L, -2, "graphical_max_messages");
}

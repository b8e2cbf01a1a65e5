#include "approximate.h"
#include "graph_argument.h"
#include "../../graphical/dual_decomposition.h"
#include "../../graphical/regions.h"
#include "../../graphical/sampling.h"
#include "../../graphical/variational.h"

static size_t check_count(lua_State *L, int arg, lua_Integer low)
{
  const lua_Integer value = luaL_checkinteger(L, arg);
  luaL_argcheck(L, value >= low && value <= INT32_MAX, arg, "must be a count");
  return (size_t)value;
}

/* damping, tol, max_iter at `arg` and after it */
static mn_message_options check_options(lua_State *L, int arg)
{
  mn_message_options o = { .damping = luaL_checknumber(L, arg), .tol = luaL_checknumber(L, arg + 1) };
  o.max_iter = check_count(L, arg + 2, 0);
  luaL_argcheck(L, o.damping >= 0 && o.damping < 1, arg, "must be in [0, 1)");
  return o;
}

/* Push { n_iter, converged, residual } */
static void push_report(lua_State *L, const mn_message_report *report)
{
  lua_createtable(L, 0, 3);
  lua_pushinteger(L, (lua_Integer)report->n_iter);
  lua_setfield(L, -2, "n_iter");
  lua_pushboolean(L, report->converged);
  lua_setfield(L, -2, "converged");
  mn_lua_set_number(L, "residual", report->residual);
}

/* graphical_mean_field(graph, evidence, damping, tol, max_iter, restarts, seed) -> marginals, bound, report */
static int mean_field(lua_State *L)
{
  lua_settop(L, 7);
  const mn_message_options options = check_options(L, 3);
  const size_t restarts = check_count(L, 6, 1);
  const lua_Integer seed = luaL_checkinteger(L, 7);
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_graph graph = mn_lua_check_graph(L, ctx, "FactorGraph", 1, 2);
  const size_t states = mn_lua_graph_states(&graph);
  const int32_t *evidence;
  double bound = 0, *out = mn_lua_push_matrix(L, graph.card.size, states)->at;
  mn_message_report report = { 0 };
  const mn_factor_graph g = mn_lua_graph_view(L, ctx, &graph, &evidence);
  mn_lua_set_operation_name(L, ctx, "FactorGraph", "infer");
  if (mn_mean_field(ctx, &g, evidence, &options, restarts, seed, states, out, &bound, &report) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, bound);
  push_report(L, &report);
  return mn_lua_finish(L, ctx, 3);
}

/* graphical_tap(graph, evidence, damping, tol, max_iter) -> marginals, approximate log partition function, report */
static int tap(lua_State *L)
{
  lua_settop(L, 5);
  const mn_message_options options = check_options(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_graph graph = mn_lua_check_graph(L, ctx, "FactorGraph", 1, 2);
  const size_t states = mn_lua_graph_states(&graph);
  const int32_t *evidence;
  double total = 0, *out = mn_lua_push_matrix(L, graph.card.size, states)->at;
  mn_message_report report;
  const mn_factor_graph g = mn_lua_graph_view(L, ctx, &graph, &evidence);
  mn_lua_set_operation_name(L, ctx, "FactorGraph", "infer");
  if (mn_tap(ctx, graph.who, &g, evidence, &options, states, out, &total, &report) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, total);
  push_report(L, &report);
  return mn_lua_finish(L, ctx, 3);
}

/* graphical_region(graph, evidence, damping, tol, max_iter, loops, double_loop, regions or nil) -> marginals,
 * approximate log partition function, report, number of regions. regions: Vector of clusters of variables from 1, with
 * a 0 after each. */
static int region(lua_State *L)
{
  lua_settop(L, 8);
  mn_region_options options = { .passing = check_options(L, 3), .loops = check_count(L, 6, 0) };
  options.double_loop = lua_toboolean(L, 7);
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_graph graph = mn_lua_check_graph(L, ctx, "FactorGraph", 1, 2);
  if (!lua_isnil(L, 8)) {
    const mn_vector clusters = mn_lua_check_vector(L, ctx, 8);
    options.cluster = clusters.at;
    options.clusters = clusters.size;
  }
  const size_t states = mn_lua_graph_states(&graph);
  const int32_t *evidence;
  double total = 0, *out = mn_lua_push_matrix(L, graph.card.size, states)->at;
  mn_message_report report;
  size_t count = 0;
  const mn_factor_graph g = mn_lua_graph_view(L, ctx, &graph, &evidence);
  options.who = graph.who;
  mn_lua_set_operation_name(L, ctx, "FactorGraph", "infer");
  if (mn_region_propagation(ctx, &g, evidence, &options, states, out, &total, &count, &report) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, total);
  push_report(L, &report);
  lua_pushinteger(L, (lua_Integer)count);
  return mn_lua_finish(L, ctx, 4);
}

/* graphical_sample(graph, evidence, sampler, chains, draws, burn_in, thin, seed, keep) -> marginals, standard errors,
 * scores (chains x draws), acceptance, states (chains * draws x variables) if `keep` */
static int sample(lua_State *L)
{
  static const char *const samplers[] = { "gibbs", "metropolis", "swendsen_wang", NULL };
  lua_settop(L, 9);
  const mn_sampling options = { .sampler = (mn_sampler)luaL_checkoption(L, 3, NULL, samplers),
                                .chains = check_count(L, 4, 1),
                                .draws = check_count(L, 5, 1),
                                .burn_in = check_count(L, 6, 0),
                                .thin = check_count(L, 7, 1),
                                .seed = luaL_checkinteger(L, 8) };
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_graph graph = mn_lua_check_graph(L, ctx, "FactorGraph", 1, 2);
  const int32_t *evidence;
  mn_sampling_result out = { .width = mn_lua_graph_states(&graph) };
  out.marginals = mn_lua_push_matrix(L, graph.card.size, out.width)->at;
  out.std_error = mn_lua_push_matrix(L, graph.card.size, out.width)->at;
  out.trace = mn_lua_push_matrix(L, options.chains, options.draws)->at;
  const bool keep = lua_toboolean(L, 9);
  if (keep) out.states = mn_lua_push_matrix(L, options.chains * options.draws, graph.card.size)->at;
  const mn_factor_graph g = mn_lua_graph_view(L, ctx, &graph, &evidence);
  mn_lua_set_operation_name(L, ctx, "FactorGraph", "infer");
  if (mn_sample_graph(ctx, graph.who, &g, evidence, &options, &out) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, out.acceptance);
  if (keep) lua_insert(L, -2);
  return mn_lua_finish(L, ctx, keep ? 5 : 4);
}

/* graphical_anneal(graph, evidence, particles, temperatures, seed) -> log partition function, its standard error */
static int anneal(lua_State *L)
{
  lua_settop(L, 5);
  const size_t particles = check_count(L, 3, 2), temperatures = check_count(L, 4, 1);
  const lua_Integer seed = luaL_checkinteger(L, 5);
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_graph graph = mn_lua_check_graph(L, ctx, "FactorGraph", 1, 2);
  const int32_t *evidence;
  double total, std_error;
  const mn_factor_graph g = mn_lua_graph_view(L, ctx, &graph, &evidence);
  mn_lua_set_operation_name(L, ctx, "FactorGraph", "infer");
  if (mn_annealed_partition(ctx, &g, evidence, particles, temperatures, seed, &total, &std_error) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, total);
  lua_pushnumber(L, std_error);
  return mn_lua_finish(L, ctx, 2);
}

/* graphical_dual(graph, evidence, tol, max_iter) -> states, score, bound, n_iter, converged */
static int dual(lua_State *L)
{
  lua_settop(L, 4);
  const double tol = luaL_checknumber(L, 3);
  const size_t max_iter = check_count(L, 4, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_graph graph = mn_lua_check_graph(L, ctx, "FactorGraph", 1, 2);
  const int32_t *evidence;
  mn_lua_vector *out = mn_lua_push_vector(L, graph.card.size);
  out->whole = true;
  mn_dual_report report;
  const mn_factor_graph g = mn_lua_graph_view(L, ctx, &graph, &evidence);
  mn_lua_set_operation_name(L, ctx, "FactorGraph", "map");
  int32_t *state = MN_NEW(ctx, int32_t, g.variables + 1, 1);
  if (!state || mn_dual_decomposition(ctx, &g, evidence, tol, max_iter, state, &report) != MN_OK)
    return mn_lua_raise(L, ctx);
  for (size_t v = 0; v < g.variables; v++) out->at[v] = state[v] + 1;
  lua_pushnumber(L, report.score);
  lua_pushnumber(L, report.bound);
  lua_pushinteger(L, (lua_Integer)report.n_iter);
  lua_pushboolean(L, report.converged);
  return mn_lua_finish(L, ctx, 5);
}

void mn_lua_open_graphical_approximate(lua_State *L)
{
  static const luaL_Reg functions[] = { { "graphical_mean_field", mean_field },
                                        { "graphical_tap", tap },
                                        { "graphical_region", region },
                                        { "graphical_sample", sample },
                                        { "graphical_anneal", anneal },
                                        { "graphical_dual", dual },
                                        { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}

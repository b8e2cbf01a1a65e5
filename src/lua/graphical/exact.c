#include "exact.h"
#include "graph_argument.h"
#include "../../graphical/junction_tree.h"
#include "../../graphical/variable_elimination.h"
#include <string.h>

/* The functions here have the arguments graph, evidence or nil, rule, max_bytes, and errors begin with `who`. */
struct query {
  const char *who;
  mn_context *ctx;
  mn_lua_graph graph;
  mn_elimination_rule rule;
  double limit;
};

static struct query check_query(lua_State *L, const char *who, int arguments)
{
  lua_settop(L, arguments);
  struct query q = { .who = who, .rule = mn_lua_check_rule(L, 3), .limit = luaL_optnumber(L, 4, MN_EXACT_LIMIT) };
  q.ctx = mn_lua_begin(L);
  q.graph = mn_lua_check_graph(L, q.ctx, who, 1, 2);
  q.who = q.graph.who;
  return q;
}

/* Push a table of zeros { width, largest, entries, bytes }, which set_cost fills. */
static void set_cost(lua_State *L, const mn_elimination_cost *cost)
{
  lua_createtable(L, 0, 5);
  lua_pushinteger(L, (lua_Integer)cost->width);
  lua_setfield(L, -2, "width");
  mn_lua_set_number(L, "largest", cost->largest);
  mn_lua_set_number(L, "entries", cost->entries);
  mn_lua_set_number(L, "bytes", cost->bytes);
  lua_pushboolean(L, cost->complete);
  lua_setfield(L, -2, "complete");
}

static mn_status plan(lua_State *L, const struct query *q, mn_factor_graph *g, const int32_t **evidence,
                      mn_junction_tree *t)
{
  *g = mn_lua_graph_view(L, q->ctx, &q->graph, evidence);
  mn_lua_set_operation_name(L, q->ctx, "FactorGraph", "infer");
  return mn_junction_tree_plan(q->ctx, q->who, NULL, g, *evidence, q->rule, q->limit, t);
}

/* graphical_cost(...) -> order, cost. max_bytes only says when the search may be given up. */
static int cost_of(lua_State *L)
{
  const struct query q = check_query(L, "FactorGraph", 4);
  const int32_t *evidence;
  mn_elimination e;
  mn_lua_vector *order = mn_lua_push_vector(L, q.graph.card.size), *size = mn_lua_push_vector(L, 1);
  order->whole = true;
  const mn_factor_graph g = mn_lua_graph_view(L, q.ctx, &q.graph, &evidence);
  mn_lua_set_operation_name(L, q.ctx, "FactorGraph", "cost");
  if (mn_eliminate(q.ctx, &g, evidence, NULL, q.rule, q.limit, &e) != MN_OK) return mn_lua_raise(L, q.ctx);
  for (size_t k = 0; k < e.steps; k++) order->at[k] = (double)e.order[k] + 1;
  size->at[0] = (double)e.steps;
  const mn_elimination_cost cost = e.cost;
  set_cost(L, &cost);
  return mn_lua_finish(L, q.ctx, 3);
}

static mn_status read_marginals(const struct query *q, mn_junction_tree *t, size_t states, double *out)
{
  for (size_t v = 0; v < t->g->variables; v++) MN_TRY(mn_junction_tree_marginal(q->ctx, t, v, out + v * states));
  return MN_OK;
}

/* graphical_exact(...) -> marginals (variables x most states), log partition function, cost */
static int exact(lua_State *L)
{
  const struct query q = check_query(L, "FactorGraph", 4);
  const size_t states = mn_lua_graph_states(&q.graph);
  const int32_t *evidence;
  mn_factor_graph g;
  mn_junction_tree t;
  double total = 0;
  double *out = mn_lua_push_matrix(L, q.graph.card.size, states)->at;
  const bool ok = plan(L, &q, &g, &evidence, &t) == MN_OK &&
                  mn_junction_tree_collect(q.ctx, &t, evidence, &total) == MN_OK &&
                  mn_junction_tree_distribute(q.ctx, &t) == MN_OK && read_marginals(&q, &t, states, out) == MN_OK;
  if (!ok) return mn_lua_raise(L, q.ctx);
  const mn_elimination_cost cost = t.cost;
  lua_pushnumber(L, total);
  set_cost(L, &cost);
  return mn_lua_finish(L, q.ctx, 3);
}

static size_t all_factor_entries(lua_State *L, const mn_lua_graph *g)
{
  double total = 0;
  for (size_t f = 0; f + 1 < g->scope_start.size; f++) {
    double entries = 1;
    for (double i = g->scope_start.at[f]; i < g->scope_start.at[f + 1] && i >= 0 && i < (double)g->scope.size; i++) {
      const double v = g->scope.at[(size_t)i];
      if (v >= 0 && v < (double)g->card.size) entries *= g->card.at[(size_t)v];
    }
    total += entries;
  }
  if (!(total >= 0 && total < 1e12)) luaL_error(L, "%s: a graph is damaged", g->who);
  return (size_t)total;
}

/* graphical_factor_marginals(...) -> a Vector of the marginals of all factors, one after another, log partition
 * function, cost */
static int factor_marginals(lua_State *L)
{
  const struct query q = check_query(L, "FactorGraph", 4);
  const int32_t *evidence;
  mn_factor_graph g;
  mn_junction_tree t;
  double total = 0;
  double *out = mn_lua_push_vector(L, all_factor_entries(L, &q.graph))->at;
  bool ok = plan(L, &q, &g, &evidence, &t) == MN_OK && mn_junction_tree_collect(q.ctx, &t, evidence, &total) == MN_OK &&
            mn_junction_tree_distribute(q.ctx, &t) == MN_OK;
  for (size_t f = 0; ok && f < g.factors; f++) {
    ok = mn_junction_tree_factor_marginal(q.ctx, &t, f, out) == MN_OK;
    out += mn_factor_size(&g, f);
  }
  if (!ok) return mn_lua_raise(L, q.ctx);
  const mn_elimination_cost cost = t.cost;
  lua_pushnumber(L, total);
  set_cost(L, &cost);
  return mn_lua_finish(L, q.ctx, 3);
}

/* graphical_map(...) -> states, score, cost */
static int map_of(lua_State *L)
{
  const struct query q = check_query(L, "FactorGraph", 4);
  const int32_t *evidence;
  mn_factor_graph g;
  mn_junction_tree t;
  double score = 0;
  mn_lua_vector *out = mn_lua_push_vector(L, q.graph.card.size);
  out->whole = true;
  if (plan(L, &q, &g, &evidence, &t) != MN_OK) return mn_lua_raise(L, q.ctx);
  int32_t *state = MN_NEW(q.ctx, int32_t, g.variables + 1, 1);
  if (!state || mn_junction_tree_map(q.ctx, &t, evidence, state, &score) != MN_OK) return mn_lua_raise(L, q.ctx);
  for (size_t v = 0; v < g.variables; v++) out->at[v] = state[v] + 1;
  const mn_elimination_cost cost = t.cost;
  lua_pushnumber(L, score);
  set_cost(L, &cost);
  return mn_lua_finish(L, q.ctx, 3);
}

/* graphical_draw(graph, evidence, rule, max_bytes, n, seed) -> Matrix of n independent states, one a row */
static int draw(lua_State *L)
{
  const lua_Integer n = luaL_checkinteger(L, 5), seed = luaL_checkinteger(L, 6);
  luaL_argcheck(L, n >= 0 && n <= INT32_MAX, 5, "must be a count");
  const struct query q = check_query(L, "FactorGraph", 6);
  const int32_t *evidence;
  mn_factor_graph g;
  mn_junction_tree t;
  double total;
  double *out = mn_lua_push_matrix(L, (size_t)n, q.graph.card.size)->at;
  if (plan(L, &q, &g, &evidence, &t) != MN_OK) return mn_lua_raise(L, q.ctx);
  int32_t *state = MN_NEW(q.ctx, int32_t, g.variables + 1, 1);
  if (!state || mn_junction_tree_collect(q.ctx, &t, evidence, &total) != MN_OK) return mn_lua_raise(L, q.ctx);
  for (size_t i = 0; i < (size_t)n; i++) {
    mn_rng rng = mn_stream(seed, i);
    mn_junction_tree_sample(&t, &rng, state);
    for (size_t v = 0; v < g.variables; v++) out[i * g.variables + v] = state[v] + 1;
    if (i % 256 == 0 && mn_poll(q.ctx) != MN_OK) return mn_lua_raise(L, q.ctx);
  }
  return mn_lua_finish(L, q.ctx, 1);
}

/* The numbers of the query variables, from 1 in Lua, which must be free and differ. */
static size_t *check_variables(lua_State *L, const struct query *q, const mn_vector *query, const int32_t *evidence)
{
  const size_t n = q->graph.card.size;
  size_t *out = MN_RAW(q->ctx, size_t, query->size + 1, 1);
  bool *seen = MN_NEW(q->ctx, bool, n + 1, 1);
  if (!out || !seen) mn_lua_raise(L, q->ctx);
  for (size_t i = 0; i < query->size; i++) {
    if (!(query->at[i] >= 1 && query->at[i] <= (double)n)) luaL_error(L, "%s: there is no such variable", q->who);
    out[i] = (size_t)query->at[i] - 1;
    if (seen[out[i]] || mn_is_observed(evidence, out[i]))
      luaL_error(L, "%s: variable %d is queried twice, or observed", q->who, (int)out[i] + 1);
    seen[out[i]] = true;
  }
  return out;
}

/* graphical_joint(graph, evidence, rule, max_bytes, variables) -> a Vector of their joint distribution, the last one
 * fastest, log partition function, cost */
static int joint(lua_State *L)
{
  const struct query q = check_query(L, "FactorGraph", 5);
  const mn_vector query = mn_lua_check_vector(L, q.ctx, 5);
  double size = 1, total = 0;
  for (size_t i = 0; i < query.size; i++)
    if (query.at[i] >= 1 && query.at[i] <= (double)q.graph.card.size) size *= q.graph.card.at[(size_t)query.at[i] - 1];
  if (!(size >= 1 && size <= 1e9)) return luaL_error(L, "FactorGraph: the joint distribution is too large");
  double *out = mn_lua_push_vector(L, (size_t)size)->at;
  const int32_t *evidence;
  const mn_factor_graph g = mn_lua_graph_view(L, q.ctx, &q.graph, &evidence);
  const size_t *variables = check_variables(L, &q, &query, evidence);
  mn_elimination_cost cost;
  mn_lua_set_operation_name(L, q.ctx, "FactorGraph", "joint");
  if (mn_variable_elimination(q.ctx, q.who, &g, evidence, query.size, variables, q.rule, q.limit, out, &total, &cost) !=
      MN_OK)
    return mn_lua_raise(L, q.ctx);
  lua_pushnumber(L, total);
  set_cost(L, &cost);
  return mn_lua_finish(L, q.ctx, 3);
}

/* graphical_score(graph, states) -> logarithm of the unnormalized probability of states of all variables */
static int score(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  luaL_checkany(L, 2);
  const mn_lua_graph graph = mn_lua_check_graph(L, ctx, "FactorGraph", 1, 2);
  const int32_t *state;
  const mn_factor_graph g = mn_lua_graph_view(L, ctx, &graph, &state);
  if (!state) return luaL_error(L, "FactorGraph: score requires the states of all variables");
  for (size_t v = 0; v < g.variables; v++)
    if (state[v] == MN_FREE) return luaL_error(L, "FactorGraph: variable %d has no state", (int)v + 1);
  lua_pushnumber(L, mn_factor_graph_score(&g, state));
  return mn_lua_finish(L, ctx, 1);
}

void mn_lua_open_graphical_exact(lua_State *L)
{
  static const luaL_Reg functions[] = { { "graphical_cost", cost_of },
                                        { "graphical_exact", exact },
                                        { "graphical_factor_marginals", factor_marginals },
                                        { "graphical_map", map_of },
                                        { "graphical_draw", draw },
                                        { "graphical_joint", joint },
                                        { "graphical_score", score },
                                        { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}

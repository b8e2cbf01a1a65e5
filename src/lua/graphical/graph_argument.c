#include "graph_argument.h"
#include <string.h>

static mn_vector check_field(lua_State *L, mn_context *ctx, const char *who, int arg, const char *name)
{
  lua_pushstring(L, name);
  lua_rawget(L, arg);
  if (!mn_lua_test_vector(L, lua_gettop(L))) luaL_error(L, "%s: a graph has no Vector '%s'", who, name);
  return mn_lua_check_vector(L, ctx, lua_gettop(L));
}

mn_lua_graph mn_lua_check_graph(lua_State *L, mn_context *ctx, const char *who, int arg, int evidence)
{
  luaL_checktype(L, arg, LUA_TTABLE);
  luaL_checkstack(L, 24, who);
  mn_lua_graph g = { .who = who };
  lua_pushliteral(L, "class");
  if (lua_rawget(L, arg) == LUA_TSTRING) g.who = who = lua_tostring(L, -1);
  g.card = check_field(L, ctx, who, arg, "card");
  g.scope_start = check_field(L, ctx, who, arg, "scope_start");
  g.scope = check_field(L, ctx, who, arg, "scope");
  g.table_start = check_field(L, ctx, who, arg, "table_start");
  g.table = check_field(L, ctx, who, arg, "table");
  if (!lua_isnoneornil(L, evidence)) {
    g.evidence = mn_lua_check_vector(L, ctx, evidence);
    if (g.evidence.size != g.card.size)
      luaL_error(L, "%s: evidence must have %d values, got %d", who, (int)g.card.size, (int)g.evidence.size);
  }
  if (g.scope_start.size != g.table_start.size + 1)
    luaL_error(L, "%s: a graph of %d factors has %d places of scopes", who, (int)g.table_start.size,
               (int)g.scope_start.size);
  return g;
}

/* Whole numbers from `low` to `high`, in scratch. */
static size_t *whole_numbers(lua_State *L, mn_context *ctx, const mn_lua_graph *g, const mn_vector *v, double low,
                             double high)
{
  size_t *out = MN_RAW(ctx, size_t, v->size + 1, 1);
  if (!out) mn_lua_raise(L, ctx);
  for (size_t i = 0; i < v->size; i++) {
    if (!(v->at[i] >= low && v->at[i] <= high)) luaL_error(L, "%s: a graph is damaged", g->who);
    out[i] = (size_t)v->at[i];
  }
  return out;
}

static const int32_t *evidence_of(lua_State *L, mn_context *ctx, const mn_lua_graph *g, const size_t *card)
{
  if (!g->evidence.at) return NULL;
  int32_t *out = MN_RAW(ctx, int32_t, g->card.size + 1, 1);
  if (!out) mn_lua_raise(L, ctx);
  for (size_t v = 0; v < g->card.size; v++) {
    const double state = g->evidence.at[v];
    if (!(state >= 0 && state <= (double)card[v]))
      luaL_error(L, "%s: the state of variable %d must be from 1 to %d, or 0", g->who, (int)v + 1, (int)card[v]);
    out[v] = (int32_t)state - 1;
  }
  return out;
}

mn_factor_graph mn_lua_graph_view(lua_State *L, mn_context *ctx, const mn_lua_graph *graph, const int32_t **evidence)
{
  const size_t factors = graph->table_start.size;
  mn_factor_graph g = { .variables = graph->card.size, .factors = factors, .table = graph->table.at };
  g.card = whole_numbers(L, ctx, graph, &graph->card, 1, 1e9);
  const size_t *start = whole_numbers(L, ctx, graph, &graph->scope_start, 0, (double)graph->scope.size);
  g.scope_start = start;
  g.scope = whole_numbers(L, ctx, graph, &graph->scope, 0, 1e15);
  g.table_start = whole_numbers(L, ctx, graph, &graph->table_start, 0, (double)graph->table.size);
  for (size_t f = 0; f < factors; f++)
    if (start[f] > start[f + 1]) luaL_error(L, "%s: a graph is damaged", graph->who);
  if (start[0] != 0) luaL_error(L, "%s: a graph is damaged", graph->who);
  if (mn_factor_graph_check(ctx, graph->who, &g, graph->table.size) != MN_OK) mn_lua_raise(L, ctx);
  *evidence = evidence_of(L, ctx, graph, g.card);
  return g;
}

size_t mn_lua_graph_states(const mn_lua_graph *graph)
{
  double most = 1;
  for (size_t v = 0; v < graph->card.size; v++)
    if (graph->card.at[v] > most && graph->card.at[v] <= 1e9) most = graph->card.at[v];
  return (size_t)most;
}

mn_elimination_rule mn_lua_check_rule(lua_State *L, int arg)
{
  static const char *const names[] = { "auto", "min_fill", "min_weight", NULL };
  return (mn_elimination_rule)luaL_checkoption(L, arg, "auto", names);
}

void mn_lua_set_number(lua_State *L, const char *name, double value)
{
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

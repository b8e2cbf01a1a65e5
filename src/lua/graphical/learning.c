#include "learning.h"
#include "graph_argument.h"
#include "../../graphical/learning.h"
#include <math.h>

struct call {
  mn_context *ctx;
  mn_lua_graph graph;
  mn_matrix data;
  mn_vector fixed; /* factors, from 1, whose tables stay; empty: none */
  mn_learning o;
};

static size_t check_count(lua_State *L, int arg, lua_Integer low, lua_Integer otherwise)
{
  const lua_Integer value = luaL_optinteger(L, arg, otherwise);
  luaL_argcheck(L, value >= low && value <= INT32_MAX, arg, "must be a count");
  return (size_t)value;
}

/* The arguments graph, data, method, l2, tol, max_iter, by_messages, max_bytes, sweeps, batch, rate, persistent, seed,
 * fixed or nil. */
static struct call check_call(lua_State *L)
{
  static const char *const methods[] = { "pseudo_likelihood", "moment_matching", "contrastive_divergence", NULL };
  lua_settop(L, 14);
  struct call c = { .o = { .method = (mn_learning_method)luaL_checkoption(L, 3, "pseudo_likelihood", methods) } };
  c.o.l2 = luaL_optnumber(L, 4, 0);
  c.o.tol = luaL_optnumber(L, 5, 1e-9);
  c.o.max_iter = check_count(L, 6, 1, 100);
  c.o.by_messages = lua_toboolean(L, 7);
  c.o.limit = luaL_optnumber(L, 8, MN_EXACT_LIMIT);
  c.o.sweeps = check_count(L, 9, 1, 1);
  c.o.batch = check_count(L, 10, 1, 100);
  c.o.rate = luaL_optnumber(L, 11, 0.1);
  c.o.persistent = lua_toboolean(L, 12);
  c.o.seed = luaL_optinteger(L, 13, 0);
  luaL_argcheck(L, c.o.l2 >= 0 && c.o.l2 <= 1e15, 4, "must be >= 0");
  luaL_argcheck(L, c.o.rate >= 0 && c.o.rate <= 1e15, 11, "must be >= 0");
  c.ctx = mn_lua_begin(L);
  c.data = mn_lua_check_matrix(L, c.ctx, 2);
  if (!lua_isnil(L, 14)) c.fixed = mn_lua_check_vector(L, c.ctx, 14);
  lua_pushnil(L);
  c.graph = mn_lua_check_graph(L, c.ctx, "FactorGraph", 1, lua_gettop(L));
  c.o.who = c.graph.who;
  luaL_argcheck(L, c.data.cols == c.graph.card.size && c.data.rows > 0, 2, "must have a column for each variable");
  return c;
}

/* The rows as states from 0, in scratch; MN_FREE for nan. */
static mn_states states_of(lua_State *L, const struct call *c, const mn_factor_graph *g)
{
  int32_t *at = MN_RAW(c->ctx, int32_t, c->data.rows, g->variables + 1);
  const bool hidden = c->o.method == MN_LEARN_MOMENT_MATCHING && !c->o.by_messages;
  if (!at) mn_lua_raise(L, c->ctx);
  for (size_t i = 0; i < c->data.rows; i++)
    for (size_t v = 0; v < g->variables; v++) {
      const double state = mn_row(&c->data, i)[v];
      if (hidden && isnan(state)) {
        at[i * g->variables + v] = MN_FREE;
        continue;
      }
      if (isnan(state))
        luaL_error(L,
                   "%s: data: the state in row %d, column %d is missing; only method = \"moment_matching\" with exact "
                   "inference learns from rows that lack states",
                   c->o.who, (int)i + 1, (int)v + 1);
      if (!(state >= 1 && state <= (double)g->card[v]))
        luaL_error(L, "%s: data: row %d, column %d: the state must be from 1 to %d", c->o.who, (int)i + 1, (int)v + 1,
                   (int)g->card[v]);
      at[i * g->variables + v] = (int32_t)state - 1;
    }
  return (mn_states){ c->data.rows, at };
}

static const bool *fixed_of(lua_State *L, const struct call *c, const mn_factor_graph *g)
{
  if (c->fixed.size == 0) return NULL;
  bool *fixed = MN_NEW(c->ctx, bool, c->graph.table.size + 1, 1);
  if (!fixed) mn_lua_raise(L, c->ctx);
  for (size_t i = 0; i < c->fixed.size; i++) {
    if (!(c->fixed.at[i] >= 1 && c->fixed.at[i] <= (double)g->factors))
      luaL_error(L, "%s: fixed: factors are numbered from 1 to %d", c->o.who, (int)g->factors);
    const size_t f = (size_t)c->fixed.at[i] - 1;
    for (size_t k = 0; k < mn_factor_size(g, f); k++) fixed[g->table_start[f] + k] = true;
  }
  return fixed;
}

/* graphical_learn(...) -> table, objective, n_iter, converged */
static int learn(lua_State *L)
{
  struct call c = check_call(L);
  const int32_t *none;
  double *table = mn_lua_push_vector(L, c.graph.table.size)->at;
  const mn_factor_graph g = mn_lua_graph_view(L, c.ctx, &c.graph, &none);
  const mn_states data = states_of(L, &c, &g);
  mn_learning_report report;
  c.o.fixed = fixed_of(L, &c, &g);
  mn_lua_set_operation_name(L, c.ctx, "FactorGraph", "learn");
  if (mn_learn_tables(c.ctx, &g, c.graph.table.size, &data, &c.o, table, &report) != MN_OK)
    return mn_lua_raise(L, c.ctx);
  lua_pushnumber(L, report.objective);
  lua_pushinteger(L, (lua_Integer)report.n_iter);
  lua_pushboolean(L, report.converged);
  return mn_lua_finish(L, c.ctx, 4);
}

/* graphical_gradient(...) -> objective without penalty, its gradient by the elements of the tables */
static int gradient_of(lua_State *L)
{
  struct call c = check_call(L);
  const int32_t *none;
  double objective, *gradient = mn_lua_push_vector(L, c.graph.table.size)->at;
  const mn_factor_graph g = mn_lua_graph_view(L, c.ctx, &c.graph, &none);
  const mn_states data = states_of(L, &c, &g);
  c.o.fixed = fixed_of(L, &c, &g);
  if (c.o.method == MN_LEARN_CONTRASTIVE_DIVERGENCE) return luaL_error(L, "contrastive divergence has no objective");
  if (mn_learning_gradient(c.ctx, &g, c.graph.table.size, &data, &c.o, &objective, gradient) != MN_OK)
    return mn_lua_raise(L, c.ctx);
  lua_pushnumber(L, objective);
  lua_insert(L, -2);
  return mn_lua_finish(L, c.ctx, 2);
}

void mn_lua_open_graphical_learning(lua_State *L)
{
  lua_pushcfunction(L, learn);
  lua_setfield(L, -2, "graphical_learn");
  lua_pushcfunction(L, gradient_of);
  lua_setfield(L, -2, "graphical_gradient");
}

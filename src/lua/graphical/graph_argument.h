/* Factor graphs from Lua: a table with the Vectors card, scope_start, scope, table_start and table of mn_factor_graph,
 * all numbered from 0. What the table holds is checked, since it may come from a damaged archive. */
#ifndef MN_LUA_GRAPHICAL_GRAPH_ARGUMENT_H
#define MN_LUA_GRAPHICAL_GRAPH_ARGUMENT_H
#include "../../graphical/elimination.h"
#include "../values/values.h"

typedef struct mn_lua_graph {
  const char *who;
  mn_vector card, scope_start, scope, table_start, table, evidence; /* evidence: states from 1, 0 for none */
} mn_lua_graph;

/* The graph at `arg` and the evidence, a Vector or nil, at `evidence`; pushes what keeps them alive. Messages begin
 * with the class of the graph, or else with `who`. Raises. */
mn_lua_graph mn_lua_check_graph(lua_State *L, mn_context *ctx, const char *who, int arg, int evidence);

/* The same in scratch, checked; once all results have been pushed. *evidence is NULL without evidence. Raises. */
mn_factor_graph mn_lua_graph_view(lua_State *L, mn_context *ctx, const mn_lua_graph *graph, const int32_t **evidence);

/* The largest number of states. */
size_t mn_lua_graph_states(const mn_lua_graph *graph);

/* "auto", "min_fill" or "min_weight" at `arg`. */
mn_elimination_rule mn_lua_check_rule(lua_State *L, int arg);

/* Set t[name] of the table on top of the stack. */
void mn_lua_set_number(lua_State *L, const char *name, double value);

#endif

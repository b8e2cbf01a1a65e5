/* Exact queries of factor graphs. */
#ifndef MN_LUA_GRAPHICAL_EXACT_H
#define MN_LUA_GRAPHICAL_EXACT_H
#include <lua.h>

/* Add the functions graphical_cost, graphical_exact, ... to the table on top of the stack. */
void mn_lua_open_graphical_exact(lua_State *L);

#endif

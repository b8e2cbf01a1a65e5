/* Approximations other than message passing: variational, sampling, dual decomposition, regions. */
#ifndef MN_LUA_GRAPHICAL_APPROXIMATE_H
#define MN_LUA_GRAPHICAL_APPROXIMATE_H
#include <lua.h>

/* Add graphical_mean_field, graphical_tap, ... to the table on top of the stack. */
void mn_lua_open_graphical_approximate(lua_State *L);

#endif

/* Markov random fields: graphs of pairs, and grids. */
#ifndef MN_LUA_GRAPHICAL_RANDOM_FIELD_H
#define MN_LUA_GRAPHICAL_RANDOM_FIELD_H
#include <lua.h>

/* Add graphical_pairwise, graphical_grid_edges, graphical_grid and graphical_image to the table on top of the stack. */
void mn_lua_open_random_field(lua_State *L);

#endif

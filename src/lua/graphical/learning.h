/* Learning the tables of factor graphs. */
#ifndef MN_LUA_GRAPHICAL_LEARNING_H
#define MN_LUA_GRAPHICAL_LEARNING_H
#include <lua.h>

/* Add graphical_learn and graphical_gradient to the table on top of the stack. */
void mn_lua_open_graphical_learning(lua_State *L);

#endif

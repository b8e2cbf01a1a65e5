/* Steps of filters of nonlinear models, whose functions are Lua functions. */
#ifndef MN_LUA_DATA_FILTERS_H
#define MN_LUA_DATA_FILTERS_H
#include "../values/values.h"

/* Add the functions to the table on top of the stack. */
void mn_lua_open_filters(lua_State *L);

#endif

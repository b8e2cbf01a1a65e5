/* Compressed sensing by approximate message passing. */
#ifndef MN_LUA_DATA_SENSING_H
#define MN_LUA_DATA_SENSING_H
#include "../values/values.h"

/* Add the functions to the table on top of the stack. */
void mn_lua_open_sensing(lua_State *L);

#endif

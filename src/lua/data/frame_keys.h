/* The functions of Frame that work on keys: sort, group, join, concat. */
#ifndef MN_LUA_DATA_FRAME_KEYS_H
#define MN_LUA_DATA_FRAME_KEYS_H
#include <lua.h>

/* Add them to the table on top of the stack. */
void mn_lua_open_frame_keys(lua_State *L);

#endif

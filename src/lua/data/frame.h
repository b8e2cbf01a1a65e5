/* Frames: the functions of lua/manilius/frame. */
#ifndef MN_LUA_DATA_FRAME_H
#define MN_LUA_DATA_FRAME_H
#include <lua.h>

/* Add `frame`, a table of functions, and `nearest` to the table on top of the stack. */
void mn_lua_open_frame(lua_State *L);

#endif

/* Frames between Lua and C. A Frame is a Lua table { names = list, columns = list of Vector and Factor } with the
 * metatable MN_LUA_FRAME_METATABLE, which lua/manilius/frame.lua fills. */
#ifndef MN_LUA_DATA_FRAME_H
#define MN_LUA_DATA_FRAME_H
#include "../values/values.h"
#include "../../io/columns.h"

/* Registry name of the metatable. */
#define MN_LUA_FRAME_METATABLE "manilius.Frame"

/* Columns that belong to a value on the Lua stack: freed with it. */
mn_columns *mn_lua_push_columns(lua_State *L);

/* The columns at `index` as a Frame on top of the stack; they are moved, so nothing is left of them. Numbers that were
 * rounded are told of by a warning that begins with `label`. */
void mn_lua_push_frame(lua_State *L, const char *label, mn_columns *columns);

/* Make the table { names, columns } on top of the stack a Frame. */
void mn_lua_set_frame_metatable(lua_State *L);

/* Adds `frame`, a table of what frames are computed by, and `nearest` to the table on top of the stack. */
void mn_lua_open_frame(lua_State *L);

/* Adds `io`, the readers and writers, and `frame_methods`, those that are methods, to the table on top of the stack. */
void mn_lua_open_io(lua_State *L);

#endif

/* What the files of readers and writers share. */
#ifndef MN_LUA_DATA_IO_H
#define MN_LUA_DATA_IO_H
#include "frame.h"
#include "../values/options.h"

/* The Frame at `arg` as columns to read, whose arrays are those of the Frame (or contiguous copies), valid as long as
 * the call. Raises when it is no Frame. They are not to be freed. */
mn_columns mn_lua_check_frame(lua_State *L, const mn_lua_call *call, int arg);

/* Bytes that C has made, freed with the value on the stack. */
struct mn_lua_bytes {
  char *at;
  size_t size;
};
struct mn_lua_bytes *mn_lua_push_bytes(lua_State *L);

/* The bytes as a Lua string on top of the stack; they are given back. Returns 1. */
int mn_lua_bytes_to_string(lua_State *L, struct mn_lua_bytes *bytes);

extern const luaL_Reg mn_lua_io_arrays[]; /* io_arrays.c */

#endif

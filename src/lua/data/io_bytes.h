/* Bytes that C has written, freed with a value on the Lua stack. */
#ifndef MN_LUA_DATA_IO_BYTES_H
#define MN_LUA_DATA_IO_BYTES_H
#include <lua.h>
#include <stddef.h>

typedef struct mn_lua_bytes {
  char *at;
  size_t size;
} mn_lua_bytes;

/* Register their metatable. */
void mn_lua_open_bytes(lua_State *L);

/* Push empty bytes. */
mn_lua_bytes *mn_lua_push_bytes(lua_State *L);

/* Push the bytes as a Lua string and free them. Returns 1. */
int mn_lua_bytes_to_string(lua_State *L, mn_lua_bytes *bytes);

#endif

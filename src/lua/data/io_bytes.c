#include "io_bytes.h"
#include "../values/values.h"

#define BYTES "manilius.Bytes"

static int free_bytes(lua_State *L)
{
  mn_lua_bytes *bytes = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) mn_free(memory, bytes->at);
  bytes->at = NULL;
  return 0;
}

mn_lua_bytes *mn_lua_push_bytes(lua_State *L)
{
  mn_lua_bytes *bytes = lua_newuserdatauv(L, sizeof *bytes, 0);
  *bytes = (mn_lua_bytes){ 0 };
  luaL_setmetatable(L, BYTES);
  return bytes;
}

void mn_lua_open_bytes(lua_State *L)
{
  mn_lua_new_gc_metatable(L, BYTES, free_bytes);
}

int mn_lua_bytes_to_string(lua_State *L, mn_lua_bytes *bytes)
{
  lua_pushlstring(L, bytes->at, bytes->size);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) mn_free(memory, bytes->at);
  bytes->at = NULL;
  return 1;
}

#include "fit_cache.h"
#include "model.h"

#define SHELF "manilius.Shelf"

static int shelf_gc(lua_State *L)
{
  mn_memory *memory = mn_lua_memory(L);
  if (memory) mn_fit_cache_free(memory, lua_touserdata(L, 1));
  return 0;
}

static int shelf_new(lua_State *L)
{
  mn_lua_context(L);
  mn_fit_cache *cache = lua_newuserdatauv(L, sizeof *cache, 0);
  *cache = (mn_fit_cache){ .kind = NULL };
  luaL_setmetatable(L, SHELF);
  return 1;
}

mn_fit_cache *mn_lua_check_shelf(lua_State *L, int index)
{
  return luaL_checkudata(L, index, SHELF);
}

void mn_lua_open_shelf(lua_State *L)
{
  luaL_newmetatable(L, SHELF);
  lua_pushcfunction(L, shelf_gc);
  lua_setfield(L, -2, "__gc");
  lua_pushliteral(L, "private");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
  lua_pushcfunction(L, shelf_new);
  lua_setfield(L, -2, "fit_cache");
  lua_pushcfunction(L, mn_lua_fit_on);
  lua_setfield(L, -2, "fit_on");
}

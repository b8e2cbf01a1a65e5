#include "fit_cache.h"
#include "../values/values.h"

#define FIT_CACHE "manilius.FitCache"

static int fit_cache_gc(lua_State *L)
{
  mn_memory *memory = mn_lua_memory(L);
  if (memory) mn_fit_cache_free(memory, lua_touserdata(L, 1));
  return 0;
}

/* fit_cache() -> an empty FitCache */
static int fit_cache_new(lua_State *L)
{
  mn_lua_begin(L);
  mn_fit_cache *cache = lua_newuserdatauv(L, sizeof *cache, 0);
  *cache = (mn_fit_cache){ .kind = NULL };
  luaL_setmetatable(L, FIT_CACHE);
  return 1;
}

mn_fit_cache *mn_lua_check_fit_cache(lua_State *L, int index)
{
  return luaL_checkudata(L, index, FIT_CACHE);
}

void mn_lua_open_fit_cache(lua_State *L)
{
  mn_lua_new_gc_metatable(L, FIT_CACHE, fit_cache_gc);
  lua_pushcfunction(L, fit_cache_new);
  lua_setfield(L, -2, "fit_cache");
}

#include "warnings.h"
#include <stdbool.h>

#define WARNING_FUNCTION "manilius.warnings"

void mn_lua_warn(lua_State *L)
{
  luaL_checkstack(L, 4, NULL);
  if (lua_getfield(L, LUA_REGISTRYINDEX, WARNING_FUNCTION) != LUA_TFUNCTION) {
    lua_pop(L, 1);
    lua_warning(L, lua_tostring(L, -1), 0);
    lua_pop(L, 1);
    return;
  }
  lua_pushvalue(L, -2);
  lua_call(L, 1, 1);
  const bool is_error = lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (is_error) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
    lua_error(L);
  }
  lua_pop(L, 1);
}

/* set_warning_function(f): f(text) is called for each warning; if it returns true, the warning is raised as an error.
 */
static int set_warning_function(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, WARNING_FUNCTION);
  return 0;
}

void mn_lua_open_warnings(lua_State *L)
{
  lua_pushcfunction(L, set_warning_function);
  lua_setfield(L, -2, "set_warning_function");
}

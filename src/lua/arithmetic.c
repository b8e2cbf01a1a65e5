#include "kinds.h"
const luaL_Reg mn_lua_elementwise[] = { { NULL, NULL } };
static int later(lua_State *L)
{
  return luaL_error(L, "not yet");
}
int mn_lua_add(lua_State *L) { return later(L); }
int mn_lua_sub(lua_State *L) { return later(L); }
int mn_lua_mul(lua_State *L) { return later(L); }
int mn_lua_div(lua_State *L) { return later(L); }
int mn_lua_pow(lua_State *L) { return later(L); }
int mn_lua_unm(lua_State *L) { return later(L); }

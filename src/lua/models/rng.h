/* Random streams for Lua code. */
#ifndef MN_LUA_MODELS_RNG_H
#define MN_LUA_MODELS_RNG_H
#include <lua.h>

/* Add rng to the table on top of the stack. */
void mn_lua_open_rng(lua_State *L);

#endif

/* Fits in the background, for Lua: model:fit_async(X, y, options) -> Job. */
#ifndef MN_LUA_MODELS_ASYNC_H
#define MN_LUA_MODELS_ASYNC_H
#include <lua.h>

/* The method of the core's models. */
int mn_lua_fit_async(lua_State *L);

/* Adds plan_fit_async to the table on top of the stack. */
void mn_lua_open_async(lua_State *L);

#endif

/* Fits in the background: model:fit_async(X, y, options) -> Job. */
#ifndef MN_LUA_MODELS_ASYNC_H
#define MN_LUA_MODELS_ASYNC_H
#include <lua.h>

/* The method fit_async of models. */
int mn_lua_fit_async(lua_State *L);

/* Add plan_fit_async, nonlinear_fit_async and job_is_open to the table on top of the stack. */
void mn_lua_open_async(lua_State *L);

#endif

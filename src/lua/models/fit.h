/* model:fit(X, y, options) and model:partial_fit(X, y, options). */
#ifndef MN_LUA_MODELS_FIT_H
#define MN_LUA_MODELS_FIT_H
#include <lua.h>

/* Names of the options of fit, ending with NULL. */
extern const char *const mn_lua_fit_options[];

int mn_lua_fit(lua_State *L);
int mn_lua_partial_fit(lua_State *L);

/* fit_with_cache(model, X, y, options, cache): fit for compositions in Lua (fit_cache.h). */
int mn_lua_fit_with_cache(lua_State *L);

#endif

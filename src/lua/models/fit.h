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

/* fit_transform(model, X, y, options) -> Sparse, or nil: fit does not give it, call transform. */
int mn_lua_fit_transform(lua_State *L);

#endif

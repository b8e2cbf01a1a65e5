/* The userdata Shelf: what fits to the same X share (src/model/fit_cache.h). Not for users: core.cache() makes one for
 * a composition in Lua, and core.fit_on(model, X, y, options, cache) is model:fit(X, y, options) with it. */
#ifndef MN_LUA_MODELS_FIT_CACHE_H
#define MN_LUA_MODELS_FIT_CACHE_H
#include "../../model/fit_cache.h"
#include <lua.h>

/* Raises for another value. */
mn_fit_cache *mn_lua_check_fit_cache(lua_State *L, int index);

/* Adds cache and fit_on to the table on top of the stack. */
void mn_lua_open_fit_cache(lua_State *L);

#endif

/* The userdata FitCache: data that fits to the same X share (src/model/fit_cache.h). Not for users: a composition in
 * Lua creates one by core.fit_cache() and passes it to core.fit_with_cache. */
#ifndef MN_LUA_MODELS_FIT_CACHE_H
#define MN_LUA_MODELS_FIT_CACHE_H
#include "../../model/fit_cache.h"
#include <lua.h>

/* The cache at `index`; raises for another value. */
mn_fit_cache *mn_lua_check_fit_cache(lua_State *L, int index);

/* Register the metatable, and add fit_cache to the table on top of the stack. */
void mn_lua_open_fit_cache(lua_State *L);

#endif

/* One binding for all estimators, driven by their class tables. */
#ifndef MN_LUA_MODELS_MODEL_H
#define MN_LUA_MODELS_MODEL_H
#include <lua.h>

/* Add constructors, model_methods, model_meta, load_model, fit_with_cache and set_results_function to the table on top
 * of the stack. */
void mn_lua_open_model(lua_State *L);

#endif

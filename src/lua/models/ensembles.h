/* Numerical steps of the ensembles in Lua: combined predictions, line search. */
#ifndef MN_LUA_MODELS_ENSEMBLES_H
#define MN_LUA_MODELS_ENSEMBLES_H
#include <lua.h>

/* Add minimize, running_medians and log_softmax to the table on top of the stack. */
void mn_lua_open_ensembles(lua_State *L);

#endif

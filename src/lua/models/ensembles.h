/* What ensembles in Lua make of the predictions of their members, and of losses along a line. */
#ifndef MN_LUA_MODELS_ENSEMBLES_H
#define MN_LUA_MODELS_ENSEMBLES_H
#include "../values/values.h"

/* Adds `minimize`, `running_medians` and `log_softmax` to the table on top of the stack. */
void mn_lua_open_ensembles(lua_State *L);

#endif

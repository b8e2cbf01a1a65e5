/* Weighted medians of several predictions, for ensembles. */
#ifndef MN_LUA_MEDIANS_H
#define MN_LUA_MEDIANS_H
#include "values.h"

/* Adds `running_medians` to the table on top of the stack. */
void mn_lua_open_medians(lua_State *L);

#endif

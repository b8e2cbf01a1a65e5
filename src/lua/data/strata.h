/* Folds with the proportions of classes, for StratifiedKFold. */
#ifndef MN_LUA_DATA_STRATA_H
#define MN_LUA_DATA_STRATA_H
#include "../values/values.h"

/* Add `strata` to the table on top of the stack. */
void mn_lua_open_strata(lua_State *L);

#endif

/* Folds with the proportions of classes, for StratifiedKFold; splits by folds. */
#ifndef MN_LUA_DATA_STRATA_H
#define MN_LUA_DATA_STRATA_H
#include "../values/values.h"

/* Add `strata`, `fold_splits`, `are_rows` and `test_positions` to the table on top of the stack. */
void mn_lua_open_strata(lua_State *L);

#endif

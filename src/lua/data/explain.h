/* The C half of explanations of models: functions that lua/manilius/explain calls with checked values. */
#ifndef MN_LUA_DATA_EXPLAIN_H
#define MN_LUA_DATA_EXPLAIN_H
#include "../values/values.h"

/* Add `explain`, a table of the functions, to the table on top of the stack. */
void mn_lua_open_explain(lua_State *L);

#endif

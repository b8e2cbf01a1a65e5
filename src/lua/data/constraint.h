/* Satisfiability and graph coloring in Lua: functions of manilius.core. */
#ifndef MN_LUA_DATA_CONSTRAINT_H
#define MN_LUA_DATA_CONSTRAINT_H
#include "../values/values.h"

/* Adds the functions to the table on top of the stack. */
void mn_lua_open_constraint(lua_State *L);

#endif

/* Warnings go to the function that ml.warnings has set, or to Lua's warn when there is none. */
#ifndef MN_LUA_VALUES_WARNINGS_H
#define MN_LUA_VALUES_WARNINGS_H
#include <lauxlib.h>

/* Warn with the string at the top of the stack and pop it. May raise (ml.warnings "error") and run Lua code: call it
 * when nothing is held. */
void mn_lua_warn(lua_State *L);

void mn_lua_open_warnings(lua_State *L);

#endif

/* Locally weighted regression (LOWESS), for plots. */
#ifndef MN_LUA_DATA_LOWESS_H
#define MN_LUA_DATA_LOWESS_H
#include "../values/values.h"

/* Add `lowess` to the table on top of the stack. */
void mn_lua_open_lowess(lua_State *L);

#endif

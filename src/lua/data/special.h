#ifndef MN_LUA_DATA_SPECIAL_H
#define MN_LUA_DATA_SPECIAL_H
#include <lua.h>

/* Adds special (a table of functions), about and product_peak to the table on top of the stack. */
void mn_lua_open_special(lua_State *L);

#endif

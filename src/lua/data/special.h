/* ml.special and ml.about. */
#ifndef MN_LUA_DATA_SPECIAL_H
#define MN_LUA_DATA_SPECIAL_H
#include <lua.h>

/* Add special (a table of functions), special_help, about, product_peak and terminal to the table on top of the stack.
 */
void mn_lua_open_special(lua_State *L);

#endif

/* The userdata Shelf: what fits to the same X share (src/model/shelf.h). Not for users: core.shelf() makes one for a
 * composition in Lua, and core.fit_on(model, X, y, options, shelf) is model:fit(X, y, options) with it. */
#ifndef MN_LUA_SHELF_H
#define MN_LUA_SHELF_H
#include "../model/shelf.h"
#include <lua.h>

/* Raises for another value. */
mn_shelf *mn_lua_check_shelf(lua_State *L, int index);

/* Adds shelf and fit_on to the table on top of the stack. */
void mn_lua_open_shelf(lua_State *L);

#endif

/* What lua/manilius/export generates programs from. */
#ifndef MN_LUA_MODELS_EXPORT_H
#define MN_LUA_MODELS_EXPORT_H
#include <lua.h>

/* Add program and factor_levels to the table on top of the stack. */
void mn_lua_open_export(lua_State *L);

#endif

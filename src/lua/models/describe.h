/* The class tables as Lua tables, from which help, printing, annotations and the conformance specs are generated. */
#ifndef MN_LUA_MODELS_DESCRIBE_H
#define MN_LUA_MODELS_DESCRIBE_H
#include <lua.h>

/* Add class_names and describe to the table on top of the stack. */
void mn_lua_open_describe(lua_State *L);

#endif

/* The class tables as Lua tables: what help, printing, annotations and the conformance specs are made from. */
#ifndef MN_LUA_MODELS_DESCRIBE_H
#define MN_LUA_MODELS_DESCRIBE_H
#include "../../model/archive.h"
#include <lua.h>

/* Adds class_names() and describe(name) to the table on top of the stack. */
void mn_lua_open_describe(lua_State *L);

/* The bytes of a finished archive as a Lua string; the writer is freed, whatever happens. Ends the operation. */
int mn_lua_push_archive(lua_State *L, mn_context *ctx, mn_writer *w);

#endif

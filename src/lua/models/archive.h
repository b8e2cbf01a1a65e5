/* Archives for Lua. What the records of a composition mean is up to lua/manilius/save.lua. */
#ifndef MN_LUA_MODELS_ARCHIVE_H
#define MN_LUA_MODELS_ARCHIVE_H
#include "../../archive/archive.h"
#include <lua.h>

/* Push the bytes of a finished archive as a string, free the writer in any case, and end the operation. Returns 1. */
int mn_lua_push_archive(lua_State *L, mn_context *ctx, mn_writer *w);

/* Add archive_writer, archive_read and write_bytes to the table on top of the stack. */
void mn_lua_open_archive(lua_State *L);

#endif

/* The line editor of the prompt: libedit, with commands that ask Lua for completions and for the end of a chunk. */
#ifndef MN_LUA_PROMPT_EDITOR_H
#define MN_LUA_PROMPT_EDITOR_H
#include <lua.h>

/* Add open_editor to the table on top of the stack. */
void mn_editor_open(lua_State *L);

#endif

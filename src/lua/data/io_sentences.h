/* Files of sentences. */
#ifndef MN_LUA_DATA_IO_SENTENCES_H
#define MN_LUA_DATA_IO_SENTENCES_H
#include <lua.h>

/* Add the functions to the table on top of the stack. */
void mn_lua_open_sentences(lua_State *L);

#endif

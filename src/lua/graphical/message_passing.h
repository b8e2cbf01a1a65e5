/* Message passing on factor graphs. */
#ifndef MN_LUA_GRAPHICAL_MESSAGE_PASSING_H
#define MN_LUA_GRAPHICAL_MESSAGE_PASSING_H
#include <lua.h>

/* Add graphical_messages and graphical_max_messages to the table on top of the stack. */
void mn_lua_open_message_passing(lua_State *L);

#endif

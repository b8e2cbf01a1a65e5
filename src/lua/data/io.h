/* Readers and writers of files. */
#ifndef MN_LUA_DATA_IO_H
#define MN_LUA_DATA_IO_H
#include <lauxlib.h>
#include <stddef.h>

/* Add `io`, the readers and writers, and `frame_methods`, those that are methods of Frame, to the table on top of the
 * stack. */
void mn_lua_open_io(lua_State *L);

#endif

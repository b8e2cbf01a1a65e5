/* Readers and writers of matrices: NPY, NPZ, svmlight. */
#ifndef MN_LUA_DATA_IO_ARRAYS_H
#define MN_LUA_DATA_IO_ARRAYS_H
#include <lua.h>

/* Add them to the table on top of the stack. */
void mn_lua_open_io_arrays(lua_State *L);

#endif

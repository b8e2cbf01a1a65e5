/* Kernels as Lua values: functions for lua/manilius/kernel/value.lua. */
#ifndef MN_LUA_MODELS_KERNEL_H
#define MN_LUA_MODELS_KERNEL_H
#include <lua.h>

/* Add the table `kernel` to the table on top of the stack. */
void mn_lua_open_kernel(lua_State *L);

#endif

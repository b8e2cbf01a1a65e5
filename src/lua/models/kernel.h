/* Kernels as Lua values: the userdata Kernel. lua/manilius/kernel/value.lua adds its methods. */
#ifndef MN_LUA_MODELS_KERNEL_H
#define MN_LUA_MODELS_KERNEL_H
#include "../../kernel/kernel.h"
#include <lua.h>

/* The kernel at `arg`, or NULL for another value. It never changes. */
const mn_kernel *mn_lua_test_kernel(lua_State *L, int arg);

/* Push a new, empty kernel, to be filled by the caller; and a copy of `k`, which raises. */
mn_kernel *mn_lua_push_kernel(lua_State *L);
void mn_lua_push_kernel_copy(lua_State *L, const mn_kernel *k);

/* Add the table `kernel` to the table on top of the stack. */
void mn_lua_open_kernel(lua_State *L);

#endif

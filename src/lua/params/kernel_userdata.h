/* The userdata Kernel. A kernel never changes. */
#ifndef MN_LUA_PARAMS_KERNEL_USERDATA_H
#define MN_LUA_PARAMS_KERNEL_USERDATA_H
#include "../../kernel/kernel.h"
#include <lua.h>

/* The kernel at `arg`; for another value test returns NULL, and check raises. */
const mn_kernel *mn_lua_test_kernel(lua_State *L, int arg);
const mn_kernel *mn_lua_check_kernel(lua_State *L, int arg);

/* Push a new, empty kernel, to be filled by the caller; and a copy of `k`, which raises. */
mn_kernel *mn_lua_push_kernel(lua_State *L);
void mn_lua_push_kernel_copy(lua_State *L, const mn_kernel *k);

/* Register the metatable and push it. */
void mn_lua_define_kernel(lua_State *L);

#endif

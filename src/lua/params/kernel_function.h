/* Kernels that are Lua functions. */
#ifndef MN_LUA_PARAMS_KERNEL_FUNCTION_H
#define MN_LUA_PARAMS_KERNEL_FUNCTION_H
#include "../../kernel/kernel.h"
#include <lua.h>

/* A kernel function that calls the Lua function at `index`, with two rows or (by_matrices) with two matrices. It lives
 * until no kernel uses it; the caller stores it in a kernel, which counts as one use. Raises. */
mn_kernel_function *mn_lua_new_kernel_function(lua_State *L, int index, bool by_matrices);

/* Push its Lua function; returns by_matrices. */
bool mn_lua_push_kernel_function(lua_State *L, const mn_kernel_function *f);

/* Release the Lua functions that no kernel uses any more. Does not raise. */
void mn_lua_sweep_kernel_functions(lua_State *L);

#endif

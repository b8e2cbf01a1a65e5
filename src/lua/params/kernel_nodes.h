/* Kernels from Lua tables: a list of nodes in postfix order,
 * { part =, exponent =, values =, low =, high =, fixed =, columns =, func =, by_matrices = }. */
#ifndef MN_LUA_PARAMS_KERNEL_NODES_H
#define MN_LUA_PARAMS_KERNEL_NODES_H
#include <lua.h>

int mn_lua_kernel_build(lua_State *L); /* build(nodes) -> Kernel */
int mn_lua_kernel_nodes(lua_State *L); /* nodes(kernel) -> the list from which build makes it */

#endif

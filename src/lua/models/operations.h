/* Operations of single estimators, as model:summary { ... }. */
#ifndef MN_LUA_MODELS_OPERATIONS_H
#define MN_LUA_MODELS_OPERATIONS_H
#include <lua.h>

/* model:operation([X [, y]] [, options]). Upvalue 1: the operation. */
int mn_lua_call_operation(lua_State *L);

/* Register the metatables, and add set_results_function to the table on top of the stack. */
void mn_lua_open_operations(lua_State *L);

#endif

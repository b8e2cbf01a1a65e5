/* Nonlinear least squares and the expressions that it fits. */
#ifndef MN_LUA_DATA_NONLINEAR_H
#define MN_LUA_DATA_NONLINEAR_H
#include "../values/values.h"

/* Add `nonlinear_fit` and `expression_values` to the table on top of the stack. */
void mn_lua_open_nonlinear(lua_State *L);

#endif

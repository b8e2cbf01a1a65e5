/* Nonlinear least squares and the expressions that it fits. */
#ifndef MN_LUA_DATA_NONLINEAR_H
#define MN_LUA_DATA_NONLINEAR_H
#include "../../stats/expression.h"
#include "../../stats/nonlinear.h"
#include "../values/values.h"

/* Read the problem at stack indices 1 to 9: the model (not looked at) and its columns or jacobian, y, weights or nil,
 * start, lower, upper, tol, max_iter. Returns the start. */
mn_vector mn_lua_check_nonlinear_problem(lua_State *L, mn_context *ctx, mn_nonlinear *problem);

/* Read an expression and its columns at 1 and 2; the instructions replace the Matrix at 1. Returns the columns. */
const double *mn_lua_check_expression(lua_State *L, mn_context *ctx, size_t rows, size_t parameters,
                                      mn_expression *out);

/* Push a table of the fields. */
void mn_lua_push_nonlinear_result(lua_State *L, const mn_nonlinear_result *result);

/* Add `nonlinear_fit` and `expression_values` to the table on top of the stack. */
void mn_lua_open_nonlinear(lua_State *L);

#endif

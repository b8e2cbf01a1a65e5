/* Lua values -> X, y and options of the entry points. Converted values replace the arguments on the Lua stack, so they
 * live as long as the call. */
#ifndef MN_LUA_MODELS_INPUT_H
#define MN_LUA_MODELS_INPUT_H
#include "../../model/model.h"
#include "../values/values.h"

/* X at `arg`: Matrix, Sparse, Frame, a table of rows, or (for a model fitted with feature names) one row or a list of
 * rows by name, in which absent names are missing values. Messages name the class, `what` and the position. */
mn_table mn_lua_check_x(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *what);

/* y at `arg`: Vector, Matrix, Factor, Frame, a list of numbers or labels, a table of rows (several targets), or nil. */
mn_target mn_lua_check_y(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model);

/* The options at `arg`, whose names must be among `names` (NULL-terminated). Sets weights, lengths, init_score,
 * target and eval in *input; other options are left to the caller. */
void mn_lua_check_options(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *const *names,
                          mn_input *input);

/* Whether the value at `index` is a table of numbers or labels, not of rows. */
bool mn_lua_is_flat_list(lua_State *L, int index);

#endif

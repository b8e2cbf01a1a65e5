/* Lua values -> the X, y and options of the front door. What is made on the way takes the place of the argument on the
 * Lua stack, so it lives as long as the call. */
#ifndef MN_LUA_MODELS_INPUT_H
#define MN_LUA_MODELS_INPUT_H
#include "../../model/model.h"
#include "../../model/operation.h"
#include "../data/frame.h"
#include "../values/values.h"

/* X at `arg`: Matrix, Sparse, Frame, a table of rows, or (for a model fitted with names) one row or a list of rows by
 * names, where a name left out is missing. Raises with positions, and the names of the class and of what this is. */
mn_table mn_lua_check_x(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *what);

/* y at `arg`: Vector, Matrix, Factor, a list of numbers or of labels, a table of rows (several targets), nil for none.
 */
mn_target mn_lua_check_y(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model);

/* The options at `arg`, whose names must be among `names` (NULL-terminated): weights, lengths, init_score and target
 * into `input`, others are for the caller. */
void mn_lua_check_options(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *const *names,
                          mn_input *input);

/* Set the parameters in the table at `index` on the struct at `base`. MN_BAD_ARGUMENT with the text set when one is
 * refused (those before it are set). `model` is NULL unless class_weight may be set. */
mn_status mn_lua_set_params(lua_State *L, mn_context *ctx, int index, const char *who, const mn_param *params,
                            void *base, mn_estimator *model);

/* The value of a parameter, nil when unset. */
void mn_lua_push_param(lua_State *L, const void *base, const mn_param *p);

/* A learned value of the given kind; indexes become 1-based. `ctx` is needed for CSR only. */
void mn_lua_push_value(lua_State *L, mn_context *ctx, mn_kind kind, const void *value);

#endif

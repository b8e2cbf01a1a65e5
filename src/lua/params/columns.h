/* Columns as a parameter: a list of numbers or names, or a table from name or number of a column to number. */
#ifndef MN_LUA_PARAMS_COLUMNS_H
#define MN_LUA_PARAMS_COLUMNS_H
#include "../../model/model.h"
#include <lua.h>

/* Set parameter p, of kind COLUMNS or COLUMN_VALUES, from the table or Vector on top of the stack. */
mn_status mn_lua_set_columns(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p);

/* Push a table from name to number; of columns without names, from the number of each column that has a value. */
void mn_lua_push_column_values(lua_State *L, const mn_feature_list *columns);

#endif

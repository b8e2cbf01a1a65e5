#ifndef MN_LUA_MODELS_RECORDS_H
#define MN_LUA_MODELS_RECORDS_H
#include "../values/values.h"

/* Replace the list of tables of named values at `index` by a Factor of their encodings (model/named_value.h). A value
 * is a number, boolean, string or list of strings; strings in the list part of a table are names with the value 1. */
void mn_lua_records_to_factor(lua_State *L, mn_context *ctx, int index);

/* Add the function records to the table on top of the stack. */
void mn_lua_open_records(lua_State *L);

#endif

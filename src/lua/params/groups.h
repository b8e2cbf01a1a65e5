/* Groups of columns as a parameter: lists of columns by number or name, or a table of 0 and 1. */
#ifndef MN_LUA_PARAMS_GROUPS_H
#define MN_LUA_PARAMS_GROUPS_H
#include "../../model/model.h"
#include <lua.h>

/* Set parameter p from the table or Matrix on top of the stack. */
mn_status mn_lua_set_groups(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p);

/* Push the lists as they were given. */
void mn_lua_push_lists(lua_State *L, const mn_feature_groups *groups);

#endif

/* Parameters and learned values: Lua <-> C. */
#ifndef MN_LUA_PARAMS_PARAMS_H
#define MN_LUA_PARAMS_PARAMS_H
#include "../../model/model.h"
#include <lua.h>

/* Set the parameters in the table at `index` on the struct at `base`. A wrong one gives MN_BAD_ARGUMENT with the text
 * set; those before it are set. `model` is NULL unless class_weight may be set. */
mn_status mn_lua_set_params(lua_State *L, mn_context *ctx, int index, const char *who, const mn_param *params,
                            void *base, mn_estimator *model);

/* Push the value of a parameter; nil when unset. */
void mn_lua_push_param(lua_State *L, const void *base, const mn_param *p);
void mn_lua_push_class_weight(lua_State *L, const mn_class_weight *w);

/* Push a table of all parameters, class_weight included. */
void mn_lua_push_params(lua_State *L, const mn_estimator *model);

/* Push a value of the given kind; indexes become 1-based. `ctx` is needed for CSR only. */
void mn_lua_push_value(lua_State *L, mn_context *ctx, mn_kind kind, const void *value);

#endif

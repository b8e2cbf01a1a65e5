/* What the files of the binding of models share with each other only. */
#ifndef MN_LUA_MODELS_MODEL_PARTS_H
#define MN_LUA_MODELS_MODEL_PARTS_H
#include "model.h"

/* model:get_params(), and the setting class_weight in it. */
int mn_lua_get_params(lua_State *L);
void mn_lua_push_class_weight(lua_State *L, const mn_class_weight *w);

/* Metamethods (members.c). Upvalue 1 of model_index: the table of methods. */
int mn_lua_model_index(lua_State *L);
int mn_lua_model_newindex(lua_State *L);
int mn_lua_model_pairs(lua_State *L);

/* model:operation([X [, y]] [, options]) (operate.c). Upvalue 1: the operation. */
int mn_lua_call_operation(lua_State *L);

/* results_maker(f): f turns the table of named values into what the user gets. */
int mn_lua_set_results_function(lua_State *L);
void mn_lua_open_operations(lua_State *L);

#endif

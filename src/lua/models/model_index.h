/* Metamethods that give the members of a model. */
#ifndef MN_LUA_MODELS_MODEL_INDEX_H
#define MN_LUA_MODELS_MODEL_INDEX_H
#include <lua.h>

int mn_lua_model_index(lua_State *L); /* upvalue 1: the table of methods */
int mn_lua_model_newindex(lua_State *L);
int mn_lua_model_pairs(lua_State *L);

#endif

/* One binding for all estimators, made from their class tables. */
#ifndef MN_LUA_MODEL_H
#define MN_LUA_MODEL_H
#include "convert.h"

/* What stands behind a model in Lua. */
typedef struct mn_lua_model {
  mn_estimator *at; /* NULL until made */
  int in_use;       /* operations reading it: a callback of one of them must not refit it */
  bool closed;      /* by __close: of no more use, and left to the collector, which knows who still reads it */
} mn_lua_model;

/* The model at `arg`; NULL when it is something else. */
mn_lua_model *mn_lua_test_model(lua_State *L, int arg);
mn_lua_model *mn_lua_check_model(lua_State *L, int arg);

/* An empty model on top of the stack, to be filled by the caller. */
mn_lua_model *mn_lua_push_model(lua_State *L);

/* Adds constructors, model_methods, model_meta and load_model to the table on top of the stack. */
void mn_lua_open_model(lua_State *L);

#endif

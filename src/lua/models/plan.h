/* Plans and jobs for Lua. */
#ifndef MN_LUA_MODELS_PLAN_H
#define MN_LUA_MODELS_PLAN_H
#include <lua.h>
#include <stdbool.h>

typedef struct mn_plan mn_plan; /* src/plan/plan.h */

/* A Plan on top of the stack, to be filled; the one at `arg`. */
mn_plan **mn_lua_push_plan(lua_State *L);
const mn_plan *mn_lua_check_plan(lua_State *L, int arg);

/* What was fitted, on top of the stack: a model, "passthrough", or for a chain a list of these. The estimators go over
 * from the plan. warn: of those that did not converge. */
void mn_lua_push_fitted(lua_State *L, mn_plan *plan, bool warn);

/* Adds plan and run_jobs to the table on top of the stack. */
void mn_lua_open_plan(lua_State *L);

/* Adds archive_writer and archive_read to the table on top of the stack. */
void mn_lua_open_archive(lua_State *L);

/* Adds rng to the table on top of the stack. */
void mn_lua_open_rng(lua_State *L);

#endif

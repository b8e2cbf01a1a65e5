/* The userdata Plan: a composition in Lua whose leaves are estimators of the core, as a plan in C. */
#ifndef MN_LUA_MODELS_PLAN_H
#define MN_LUA_MODELS_PLAN_H
#include <lua.h>

typedef struct mn_plan mn_plan; /* src/plan/plan.h */

#define MN_LUA_PLAN_METATABLE "manilius.Plan"

/* Push an empty Plan; the plan at `arg`. */
mn_plan **mn_lua_push_plan(lua_State *L);
const mn_plan *mn_lua_check_plan(lua_State *L, int arg);

/* Push the fitted estimators, which are moved out of the plan: a model, "passthrough", or a list of these for a chain.
 * `warnings`: index of a list to which those that did not converge add warnings, or 0. */
void mn_lua_push_fitted(lua_State *L, mn_plan *plan, int warnings);

/* Add plan, plan_of_archive, plan_apply, join_sparse and seconds to the table on top of the stack. */
void mn_lua_open_plan(lua_State *L);

#endif

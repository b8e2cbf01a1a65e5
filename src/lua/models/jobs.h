/* Fits of plans to folds, in parallel. */
#ifndef MN_LUA_MODELS_JOBS_H
#define MN_LUA_MODELS_JOBS_H
#include <lua.h>

/* Add run_jobs to the table on top of the stack. */
void mn_lua_open_jobs(lua_State *L);

#endif

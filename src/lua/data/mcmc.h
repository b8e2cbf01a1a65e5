/* Diagnostics of Markov chains, for plots and specs. */
#ifndef MN_LUA_DATA_MCMC_H
#define MN_LUA_DATA_MCMC_H
#include "../values/values.h"

/* Adds `chains_agree` to the table on top of the stack. */
void mn_lua_open_chains(lua_State *L);

#endif

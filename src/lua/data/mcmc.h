/* Diagnostics of Markov chains, for plots and specs. */
#ifndef MN_LUA_DATA_MCMC_H
#define MN_LUA_DATA_MCMC_H
#include "../values/values.h"

/* Adds `mcmc_diagnostics` to the table on top of the stack. */
void mn_lua_open_mcmc(lua_State *L);

#endif

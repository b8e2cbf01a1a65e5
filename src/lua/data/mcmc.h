/* Convergence diagnostics of Markov chains. */
#ifndef MN_LUA_DATA_MCMC_H
#define MN_LUA_DATA_MCMC_H
#include "../values/values.h"

/* Add `mcmc_diagnostics` to the table on top of the stack. */
void mn_lua_open_mcmc(lua_State *L);

#endif

/* Diagnostics of Markov chains, for plots and specs. */
#ifndef MN_LUA_CHAINS_H
#define MN_LUA_CHAINS_H
#include "values.h"

/* Adds `chains_agree` to the table on top of the stack. */
void mn_lua_open_chains(lua_State *L);

#endif

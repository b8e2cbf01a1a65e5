/* Bayesian networks: the functions of the core that lua/manilius/bayes_net composes. */
#ifndef MN_LUA_BAYES_NET_BAYES_NET_H
#define MN_LUA_BAYES_NET_BAYES_NET_H
#include "../values/values.h"

/* Add the functions bayes_... to the table on top of the stack: of queries, of learning. */
void mn_lua_open_bayes_net(lua_State *L);
void mn_lua_open_bayes_net_learn(lua_State *L);

#endif

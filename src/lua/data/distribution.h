/* ml.dist: univariate and multivariate distributions. */
#ifndef MN_LUA_DATA_DISTRIBUTION_H
#define MN_LUA_DATA_DISTRIBUTION_H
#include <lua.h>

/* Add dist_list, dist_apply, dist_statistic, dist_sample and dist_fit to the table on top of the stack. */
void mn_lua_open_distribution(lua_State *L);

/* Add multi_factor, multi_log_density, multi_sample, multi_moments, multi_information and multi_fit. */
void mn_lua_open_multivariate(lua_State *L);

#endif

/* The merges of a hierarchical clustering: cuts, cophenetic distances, leaf orders. */
#ifndef MN_LUA_DATA_HIERARCHY_H
#define MN_LUA_DATA_HIERARCHY_H
#include "../values/values.h"

/* Add the functions to the module on top of the stack. */
void mn_lua_open_hierarchy(lua_State *L);

#endif

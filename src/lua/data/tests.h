/* Hypothesis tests. */
#ifndef MN_LUA_DATA_TESTS_H
#define MN_LUA_DATA_TESTS_H
#include "../values/values.h"

/* Add the table `tests` to the table on top of the stack. */
void mn_lua_open_tests(lua_State *L);

#endif

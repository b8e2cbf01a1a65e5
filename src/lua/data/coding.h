/* Low-density parity-check codes: encoding, decoding, simulation, thresholds. */
#ifndef MN_LUA_DATA_CODING_H
#define MN_LUA_DATA_CODING_H
#include "../values/values.h"

/* Add the functions to the table on top of the stack. */
void mn_lua_open_coding(lua_State *L);

#endif

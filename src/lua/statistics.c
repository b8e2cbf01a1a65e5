#include "kinds.h"
const luaL_Reg mn_lua_statistics[] = { { NULL, NULL } };
const luaL_Reg mn_lua_matrix_statistics[] = { { NULL, NULL } };
const luaL_Reg mn_lua_vector_statistics[] = { { NULL, NULL } };

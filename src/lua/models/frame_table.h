/* A Frame as the table of features that the entry points take. */
#ifndef MN_LUA_MODELS_FRAME_TABLE_H
#define MN_LUA_MODELS_FRAME_TABLE_H
#include "../../model/model.h"
#include <lua.h>

/* A dense table of zeros; its Matrix is anchored. */
mn_table mn_lua_new_table(lua_State *L, int anchors, size_t rows, size_t cols);

/* The Frame at `arg` as a table: Factors become codes with their levels. Everything it points to is anchored. */
mn_table mn_lua_frame_to_table(lua_State *L, int anchors, int arg);

#endif

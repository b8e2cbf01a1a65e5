/* What the files of the Frame's binding share. */
#ifndef MN_LUA_DATA_FRAME_PARTS_H
#define MN_LUA_DATA_FRAME_PARTS_H
#include "../values/userdata.h"
#include "../../frame/frame.h"

/* The column at `index` to read, and its length. Raises when it is none. */
mn_view mn_lua_check_column(lua_State *L, int index, size_t *size);

/* The columns in the list at `table`, which must be of one length; the array is a userdata that is pushed. */
mn_view *mn_lua_check_columns(lua_State *L, int table, size_t *columns, size_t *rows);

extern const luaL_Reg mn_lua_frame_keys[]; /* frame_keys.c */

#endif

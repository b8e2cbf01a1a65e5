/* Frames and their columns as C sees them. */
#ifndef MN_LUA_DATA_FRAME_COLUMNS_H
#define MN_LUA_DATA_FRAME_COLUMNS_H
#include "../../frame/frame.h"
#include "../../io/columns.h"
#include "../values/options.h"

/* View the column (Vector or Factor) at `index`, and its length. Raises for another value. */
mn_view mn_lua_check_column(lua_State *L, int index, size_t *size);

/* View the columns in the list at `table`, which must have equal lengths. Replaces the list by a copy and pushes the
 * buffer with the views. */
mn_view *mn_lua_check_columns(lua_State *L, int table, size_t *columns, size_t *rows);

/* Push empty columns, which are freed with the pushed value. */
mn_columns *mn_lua_push_columns(lua_State *L);

/* Push a Frame and move the columns into it. Warns, with `label` first, about numbers that were rounded. */
void mn_lua_push_frame(lua_State *L, const char *label, mn_columns *columns);

/* The Frame at `arg` as columns that share its arrays (or contiguous copies), valid as long as the call and not to be
 * freed. Raises for another value. */
mn_columns mn_lua_check_frame(lua_State *L, const mn_lua_call *call, int arg);

/* Register the metatable of columns. */
void mn_lua_open_columns(lua_State *L);

/* Make the table { names, columns } on top of the stack a Frame. */
void mn_lua_set_frame_metatable(lua_State *L);

#endif

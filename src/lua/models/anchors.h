/* What is made while an argument is read: kept in a table at stack index `keep`, which takes the place of the argument
 * in the end, so that it lives as long as the call. Scratch would not do: making Lua values may run the collector, and
 * with it a finaliser that calls us. */
#ifndef MN_LUA_MODELS_ANCHORS_H
#define MN_LUA_MODELS_ANCHORS_H
#include "input.h"

int mn_lua_begin_anchors(lua_State *L);
void mn_lua_end_anchors(lua_State *L, int keep, int arg);

/* Keep the value on top of the stack, and take it off. */
void mn_lua_anchor_top(lua_State *L, int keep);

/* Zeroed memory, kept. */
void *mn_lua_anchored_buffer(lua_State *L, int keep, size_t size, size_t n);

/* A Factor, kept, that will own the levels of labels. It is made before the labels are read: from then on no Lua value
 * may be made before mn_lua_encode_labels, for a finaliser could take the strings away that the labels point to. */
mn_factor *mn_lua_anchored_factor(lua_State *L, int keep);
void mn_lua_encode_labels(lua_State *L, mn_context *ctx, mn_factor *f, const mn_label *label, size_t n, int32_t *code);

/* Raises: the table at `arg` is another than when it was begun. */
int mn_lua_modified_error(lua_State *L, int arg);

/* The Frame at `arg` as a table; its columns are kept. */
mn_table mn_lua_frame_to_table(lua_State *L, int keep, int arg);

/* Call read, which is given the value at `index` as argument 1 and `work` as argument 2, and put what it returns in the
 * place of the value. Where it raises an error about its argument, the error says who wanted what rather than the
 * position of the argument: "Ridge: X must be ...". */
void mn_lua_convert_argument_with(lua_State *L, int index, lua_CFunction read, void *work, const char *who,
                                  const char *what);

/* Convert the value at `index` to a Vector or a Matrix, so named. */
void mn_lua_convert_argument(lua_State *L, int index, mn_kind kind, const char *who, const char *what);

#endif

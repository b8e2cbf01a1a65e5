/* Values and buffers that are created while an argument is converted are anchored in a table at stack index `anchors`,
 * which replaces the argument in the end, so that they live as long as the call. Scratch cannot be used: creating
 * Lua values may run the collector, and a finalizer that calls the library resets it. */
#ifndef MN_LUA_PARAMS_ANCHORS_H
#define MN_LUA_PARAMS_ANCHORS_H
#include "../../model/model.h"
#include "../values/values.h"

/* Push the table and return its index. */
int mn_lua_begin_anchors(lua_State *L);

/* Anchor the argument too, replace it by the table, and remove everything above. */
void mn_lua_end_anchors(lua_State *L, int anchors, int arg);

/* Pop the value on top of the stack and anchor it. */
void mn_lua_anchor_top(lua_State *L, int anchors);

/* An anchored, zeroed buffer. */
void *mn_lua_anchored_buffer(lua_State *L, int anchors, size_t size, size_t n);

/* An anchored Factor that will own the levels of labels. Create it before the labels are read: from then until
 * mn_lua_encode_labels no Lua value may be created, because a finalizer could drop the strings that labels point to. */
mn_factor *mn_lua_anchored_factor(lua_State *L, int anchors);

/* Find the levels of n labels, owned by *f, and the code of each label. Raises. */
void mn_lua_encode_labels(lua_State *L, mn_context *ctx, mn_factor *f, const mn_label *label, size_t n, int32_t *code);

/* Raise: the table at `arg` has changed since the conversion began. */
int mn_lua_modified_error(lua_State *L, int arg);

/* Replace the value at `index` by the result of convert(value, state), where `state` is light userdata. An argument
 * error that convert raises is given the names of the class and of the argument: "Ridge: X must be ...". */
void mn_lua_convert_argument_with(lua_State *L, int index, lua_CFunction convert, void *state, const char *who,
                                  const char *what);

/* Convert the value at `index` to a Vector or a Matrix, with errors likewise. */
void mn_lua_convert_argument(lua_State *L, int index, mn_kind kind, const char *who, const char *what);

#endif

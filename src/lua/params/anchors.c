#include "anchors.h"
#include <string.h>

int mn_lua_begin_anchors(lua_State *L)
{
  luaL_checkstack(L, 16, NULL);
  lua_newtable(L);
  return lua_gettop(L);
}

void mn_lua_anchor_top(lua_State *L, int anchors)
{
  lua_rawseti(L, anchors, (lua_Integer)lua_rawlen(L, anchors) + 1);
}

void mn_lua_end_anchors(lua_State *L, int anchors, int arg)
{
  lua_settop(L, anchors);
  lua_pushvalue(L, arg);
  mn_lua_anchor_top(L, anchors);
  lua_replace(L, arg);
}

void *mn_lua_anchored_buffer(lua_State *L, int anchors, size_t size, size_t n)
{
  void *buffer = mn_lua_push_zeroed_buffer(L, size, n);
  mn_lua_anchor_top(L, anchors);
  return buffer;
}

mn_factor *mn_lua_anchored_factor(lua_State *L, int anchors)
{
  mn_factor *f = mn_lua_push_factor(L, 0, NULL);
  mn_lua_anchor_top(L, anchors);
  return f;
}

void mn_lua_encode_labels(lua_State *L, mn_context *ctx, mn_factor *f, const mn_label *label, size_t n, int32_t *code)
{
  f->levels = mn_levels_new(ctx, label, n, code);
  if (!f->levels) mn_lua_raise(L, ctx);
}

int mn_lua_modified_error(lua_State *L, int arg)
{
  return luaL_argerror(L, arg, "was changed by other code while it was being read");
}

/* What separates the name of an argument from the text of its error. */
static const char *separator(const char *text)
{
  if (strncmp(text, "must ", 5) == 0 || strncmp(text, "was ", 4) == 0 || strncmp(text, "at ", 3) == 0) return " ";
  return strstr(text, ", row 1 has ") ? " must have rows of equal length: " : ": ";
}

void mn_lua_convert_argument_with(lua_State *L, int index, lua_CFunction convert, void *state, const char *who,
                                  const char *what)
{
  luaL_checkstack(L, 8, NULL);
  lua_pushcfunction(L, convert);
  lua_pushvalue(L, index);
  lua_pushlightuserdata(L, state);
  const int status = lua_pcall(L, 2, 1, 0);
  if (status == LUA_OK) {
    lua_replace(L, index);
    return;
  }
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  const char *detail = text && strncmp(text, "bad argument #", 14) == 0 ? strchr(text, '(') : NULL; /* to '?' (...) */
  if (detail) {
    lua_pushlstring(L, detail + 1, strlen(detail) - 2);
    luaL_error(L, "%s: %s%s%s", who, what, separator(lua_tostring(L, -1)), lua_tostring(L, -1));
  }
  if (text && status == LUA_ERRRUN) { /* not about an argument: add the position of the caller */
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  lua_error(L);
}

static int convert_vector(lua_State *L)
{
  mn_lua_check_vector(L, mn_lua_current_context(L), 1);
  lua_settop(L, 1);
  return 1;
}

static int convert_matrix(lua_State *L)
{
  mn_lua_check_matrix(L, mn_lua_current_context(L), 1);
  lua_settop(L, 1);
  return 1;
}

void mn_lua_convert_argument(lua_State *L, int index, mn_kind kind, const char *who, const char *what)
{
  mn_lua_convert_argument_with(L, index, kind == MN_KIND_MATRIX ? convert_matrix : convert_vector, NULL, who, what);
}

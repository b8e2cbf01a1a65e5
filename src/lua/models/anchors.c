#include "anchors.h"
#include <string.h>

int mn_lua_begin_anchors(lua_State *L)
{
  luaL_checkstack(L, 16, NULL);
  lua_newtable(L);
  return lua_gettop(L);
}

void mn_lua_anchor_top(lua_State *L, int keep)
{
  lua_rawseti(L, keep, (lua_Integer)lua_rawlen(L, keep) + 1);
}

void mn_lua_end_anchors(lua_State *L, int keep, int arg)
{
  lua_settop(L, keep);
  lua_pushvalue(L, arg);
  mn_lua_anchor_top(L, keep);
  lua_replace(L, arg);
}

void *mn_lua_anchored_buffer(lua_State *L, int keep, size_t size, size_t n)
{
  size_t bytes;
  if (!mn_checked_size(size, n, 1, &bytes)) luaL_error(L, "not enough memory");
  void *taken = lua_newuserdatauv(L, bytes > 0 ? bytes : 1, 0);
  memset(taken, 0, bytes);
  mn_lua_anchor_top(L, keep);
  return taken;
}

mn_factor *mn_lua_anchored_factor(lua_State *L, int keep)
{
  mn_factor *f = mn_lua_push_factor(L, 0, NULL);
  mn_lua_anchor_top(L, keep);
  return f;
}

void mn_lua_encode_labels(lua_State *L, mn_context *ctx, mn_factor *f, const mn_label *label, size_t n, int32_t *code)
{
  f->levels = mn_levels_new(ctx, label, n, code);
  if (!f->levels) mn_lua_raise(L, ctx);
}

int mn_lua_modified_error(lua_State *L, int arg)
{
  return luaL_argerror(L, arg, "was changed by other code while it was read");
}

/* What is wrong with an argument, as the end of a sentence that begins with its name. */
static const char *join(const char *text)
{
  if (strncmp(text, "must ", 5) == 0 || strncmp(text, "was ", 4) == 0 || strncmp(text, "at ", 3) == 0) return " ";
  return strstr(text, ", row 1 has ") ? " must have rows of equal length: " : ": ";
}

void mn_lua_convert_argument_with(lua_State *L, int index, lua_CFunction read, void *work, const char *who,
                                  const char *what)
{
  luaL_checkstack(L, 8, NULL);
  lua_pushcfunction(L, read);
  lua_pushvalue(L, index);
  lua_pushlightuserdata(L, work);
  const int status = lua_pcall(L, 2, 1, 0);
  if (status == LUA_OK) {
    lua_replace(L, index);
    return;
  }
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  const char *inside = text && strncmp(text, "bad argument #", 14) == 0 ? strchr(text, '(') : NULL; /* to '?' (...) */
  if (inside) {
    lua_pushlstring(L, inside + 1, strlen(inside) - 2);
    luaL_error(L, "%s: %s%s%s", who, what, join(lua_tostring(L, -1)), lua_tostring(L, -1));
  }
  if (text && status == LUA_ERRRUN) { /* of one that is no argument's: where the user called */
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

#include "keep.h"
#include <string.h>

int mn_lua_begin_keeping(lua_State *L)
{
  luaL_checkstack(L, 16, NULL);
  lua_newtable(L);
  return lua_gettop(L);
}

void mn_lua_keep_top(lua_State *L, int keep)
{
  lua_rawseti(L, keep, (lua_Integer)lua_rawlen(L, keep) + 1);
}

void mn_lua_end_keeping(lua_State *L, int keep, int arg)
{
  lua_settop(L, keep);
  lua_pushvalue(L, arg);
  mn_lua_keep_top(L, keep);
  lua_replace(L, arg);
}

void *mn_lua_keep_buffer(lua_State *L, int keep, size_t size, size_t n)
{
  size_t bytes;
  if (!mn_size(size, n, 1, &bytes)) luaL_error(L, "not enough memory");
  void *taken = lua_newuserdatauv(L, bytes > 0 ? bytes : 1, 0);
  memset(taken, 0, bytes);
  mn_lua_keep_top(L, keep);
  return taken;
}

mn_factor *mn_lua_keep_factor(lua_State *L, int keep)
{
  mn_factor *f = mn_lua_push_factor(L, 0, NULL);
  mn_lua_keep_top(L, keep);
  return f;
}

void mn_lua_find_levels(lua_State *L, mn_context *ctx, mn_factor *f, const mn_label *label, size_t n, int32_t *code)
{
  f->levels = mn_levels_of(ctx, label, n, code);
  if (!f->levels) mn_lua_raise(L, ctx);
}

int mn_lua_changed_meanwhile(lua_State *L, int arg)
{
  return luaL_argerror(L, arg, "was changed by other code while it was read");
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

void mn_lua_convert_named(lua_State *L, int index, mn_kind kind, const char *who, const char *what)
{
  luaL_checkstack(L, 8, NULL);
  lua_pushcfunction(L, kind == MN_KIND_MATRIX ? convert_matrix : convert_vector);
  lua_pushvalue(L, index);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) {
    lua_replace(L, index);
    return;
  }
  const char *text = lua_tostring(L, -1), *inside = text ? strchr(text, '(') : NULL; /* bad argument #1 to '?' (...) */
  if (!inside) {
    lua_error(L);
    return;
  }
  lua_pushlstring(L, inside + 1, strlen(inside) - 2);
  luaL_error(L, "%s: %s: %s", who, what, lua_tostring(L, -1));
}

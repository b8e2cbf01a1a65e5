#include "columns.h"
#include "anchors.h"
#include <stdlib.h>
#include <string.h>

/* Whether the table at `index` has a string among its keys or, of a list, its values. */
static bool has_name(lua_State *L, int index, bool list)
{
  bool found = false;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) found = found || lua_type(L, list ? -1 : -2) == LUA_TSTRING;
  return found;
}

/* A list of names. */
static mn_status set_names(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L), anchors = mn_lua_begin_anchors(L);
  const size_t n = lua_rawlen(L, top);
  const char **name = mn_lua_anchored_buffer(L, anchors, sizeof *name, n); /* strings that the table keeps alive */
  for (size_t i = 0; i < n; i++) {
    size_t size = 0;
    const int type = lua_rawgeti(L, top, (lua_Integer)i + 1);
    if (type == LUA_TSTRING) name[i] = lua_tolstring(L, -1, &size);
    if (p->words && type != LUA_TSTRING)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be a list of strings, got a %s at position %zu", who, p->name,
                     lua_typename(L, type), i + 1);
    if (size == 0 || strlen(name[i]) != size)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have only numbers or only names, got %s \"%s\" at position %zu",
                     who, p->name, lua_typename(L, type), luaL_tolstring(L, -1, NULL), i + 1);
    lua_pop(L, 1);
  }
  return mn_set_columns(ctx, who, base, p, &(mn_feature_list){ .name = { .at = (char **)name, .size = n } });
}

struct entry {
  const char *name;
  double value;
};

static int by_name(const void *a, const void *b)
{
  return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* A table from name to number, which is stored in the order of the names. */
static mn_status set_values(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L), anchors = mn_lua_begin_anchors(L);
  size_t n = 0, i = 0;
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) n++;
  struct entry *entry = mn_lua_anchored_buffer(L, anchors, sizeof *entry, n);
  const char **name = mn_lua_anchored_buffer(L, anchors, sizeof *name, n); /* strings that the table keeps alive */
  double *number = mn_lua_anchored_buffer(L, anchors, sizeof *number, n);
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) {
    size_t size = 0;
    if (i == n) mn_lua_modified_error(L, top);
    if (lua_type(L, -2) == LUA_TSTRING) entry[i].name = lua_tolstring(L, -2, &size);
    if (size == 0 || strlen(entry[i].name) != size || lua_type(L, -1) != LUA_TNUMBER) {
      const char *value_text = luaL_tolstring(L, -1, NULL), *key_text = luaL_tolstring(L, -3, NULL);
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must map %s to numbers, got %s for %s", who, p->name,
                     p->labels ? "labels" : "names of columns", value_text, key_text);
    }
    entry[i++].value = lua_tonumber(L, -1);
  }
  if (i > 0) qsort(entry, i, sizeof *entry, by_name);
  for (size_t k = 0; k < i; k++) {
    name[k] = entry[k].name;
    number[k] = entry[k].value;
  }
  return mn_set_columns(
      ctx, who, base, p,
      &(mn_feature_list){ .value = { .at = number, .size = i }, .name = { .at = (char **)name, .size = i } });
}

mn_status mn_lua_set_columns(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  if (lua_istable(L, top)) {
    const bool list = p->kind == MN_KIND_COLUMNS;
    if (p->words || has_name(L, top, list))
      return list ? set_names(L, ctx, who, base, p) : set_values(L, ctx, who, base, p);
  }
  mn_lua_convert_argument(L, top, MN_KIND_VECTOR, who, p->name);
  return mn_set_vector(ctx, who, base, p, mn_lua_check_vector(L, ctx, top));
}

void mn_lua_push_column_values(lua_State *L, const mn_feature_list *columns)
{
  lua_createtable(L, 0, (int)columns->name.size);
  for (size_t i = 0; i < columns->name.size; i++) {
    lua_pushnumber(L, columns->value.at[i]);
    lua_setfield(L, -2, columns->name.at[i]);
  }
}
